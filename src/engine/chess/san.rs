//! Standard Algebraic Notation: lenient in, canonical out.

use super::move_error::{MoveError, Reason, Wanted};
use super::play::castling_side;
use super::uci_move::castles_to;
use super::{CastlingSide, File, Move, Piece, PieceKind, Position, Rank, Square};

/// Reads a move.
///
/// Beyond canonical SAN it takes what people and programs write: `e8Q` and `e8(Q)`, `0-0`, missing or wrong `x`, `+` and
/// `#`, annotations such as `!?`, `exd6 e.p.`, more origin than needed (`Ng1f3`), long algebraic (`e2-e4`, `Ng1xf3`),
/// figurines, and a piece's letter in lower case where no pawn can be meant.
///
/// # Errors
/// [`MoveError::Syntax`] if it does not have the shape of one, [`MoveError::Illegal`] if it cannot be made, and
/// [`MoveError::Ambiguous`] if it could be several moves.
pub fn parse(position: &Position, text: &str) -> Result<Move, MoveError> {
    let body = without_annotations(text);
    let readings = read(&body).ok_or_else(|| MoveError::Syntax(text.to_owned()))?;
    let moves = position.legal_moves();
    let found: Vec<Move> = moves
        .iter()
        .copied()
        .filter(|mv| readings.iter().any(|reading| reading.fits(position, *mv)))
        .collect();
    match (found.as_slice(), &readings[0]) {
        ([mv], _) => Ok(*mv),
        ([], Reading::Piece(pattern)) => Err(pattern.wanted().refusal(position, text)),
        ([], Reading::Castle(_)) => {
            Err(MoveError::Illegal { text: text.to_owned(), reason: Reason::Castling })
        }
        (several, _) => choose(position, text, &body, several),
    }
}

/// Writes a legal move in canonical SAN, with `+` or `#`.
#[must_use]
pub fn format(position: &Position, mv: Move) -> String {
    let mut text = body(position, mv);
    text.extend(check_sign(position, mv));
    text
}

/// Writes legal moves that follow each other in canonical SAN.
#[must_use]
pub fn format_line(start: &Position, moves: &[Move]) -> Vec<String> {
    let mut position = *start;
    let texts = moves.iter().map(|mv| {
        let text = format(&position, *mv);
        position.play(*mv);
        text
    });
    texts.collect()
}

/// Writes a legal move with the square it comes from, as prose does: `Nf3-e5`, `e4xd5`, `O-O`, with `+` or `#`.
#[must_use]
pub fn format_long(position: &Position, mv: Move) -> String {
    if mv.is_castle() {
        return format(position, mv);
    }
    let kind = position.piece_at(mv.from()).map(Piece::kind).filter(|kind| *kind != PieceKind::Pawn);
    let letter = kind.map_or_else(String::new, |kind| kind.letter().to_string());
    let link = if mv.is_capture() { 'x' } else { '-' };
    let mut text = std::format!("{letter}{}{link}{}", mv.from(), mv.to());
    if let Some(kind) = mv.promotion() {
        text.extend(['=', kind.letter()]);
    }
    text.extend(check_sign(position, mv));
    text
}

/// `+` for a move that gives check, `#` for one that mates.
fn check_sign(position: &Position, mv: Move) -> Option<char> {
    let mut after = *position;
    after.play(mv);
    let sign = || if after.has_legal_move() { '+' } else { '#' };
    after.in_check().then(sign)
}

/// A move without `+` and `#`.
fn body(position: &Position, mv: Move) -> String {
    if mv.is_castle() {
        return match castling_side(mv) {
            CastlingSide::King => "O-O".to_owned(),
            CastlingSide::Queen => "O-O-O".to_owned(),
        };
    }
    let mut text = String::with_capacity(8);
    match position.piece_at(mv.from()).map(Piece::kind) {
        None | Some(PieceKind::Pawn) if mv.is_capture() => text.push(mv.from().file().letter()),
        None | Some(PieceKind::Pawn) => {}
        Some(kind) => {
            text.push(kind.letter());
            push_origin(&mut text, position, mv, kind);
        }
    }
    if mv.is_capture() {
        text.push('x');
    }
    text.push_str(&mv.to().to_string());
    if let Some(kind) = mv.promotion() {
        text.push('=');
        text.push(kind.letter());
    }
    text
}

/// The file, else the rank, else the square from which the piece comes, as far as other legal moves make it necessary.
fn push_origin(text: &mut String, position: &Position, mv: Move, kind: PieceKind) {
    let pieces = position.pieces(position.turn(), kind);
    if !pieces.more_than_one() {
        return;
    }
    let moves = position.legal_moves();
    let rivals = || {
        moves
            .iter()
            .map(|other| (other.from(), other.to()))
            .filter(|(from, to)| *to == mv.to() && *from != mv.from() && pieces.contains(*from))
    };
    if rivals().next().is_none() {
        return;
    }
    let file_taken = rivals().any(|(from, _)| from.file() == mv.from().file());
    let rank_taken = rivals().any(|(from, _)| from.rank() == mv.from().rank());
    if !file_taken || rank_taken {
        text.push(mv.from().file().letter());
    }
    if file_taken {
        text.push(mv.from().rank().digit());
    }
}

/// Of several moves that fit, the one whose canonical SAN was written.
fn choose(position: &Position, text: &str, written: &str, moves: &[Move]) -> Result<Move, MoveError> {
    moves.iter().copied().find(|mv| body(position, *mv) == written).ok_or_else(|| MoveError::Ambiguous {
        text: text.to_owned(),
        candidates: moves.iter().map(|mv| format(position, *mv)).collect(),
    })
}

/// What a text may mean.
#[derive(Clone, Copy, Debug)]
enum Reading {
    Castle(CastlingSide),
    Piece(Pattern),
}

/// The parts of a move that is not written as castling.
#[derive(Clone, Copy, Debug)]
struct Pattern {
    kind: Option<PieceKind>,
    file: Option<File>,
    rank: Option<Rank>,
    to: Square,
    promotion: Option<PieceKind>,
}

impl Reading {
    fn fits(self, position: &Position, mv: Move) -> bool {
        match self {
            Self::Castle(side) => mv.is_castle() && castling_side(mv) == side,
            Self::Piece(pattern) => pattern.fits(position, mv),
        }
    }
}

impl Pattern {
    fn fits(self, position: &Position, mv: Move) -> bool {
        let reaches = if mv.is_castle() {
            self.origin().is_some() && castles_to(mv, self.to)
        } else {
            mv.to() == self.to
        };
        reaches
            && mv.promotion() == self.promotion
            && self.file.is_none_or(|file| mv.from().file() == file)
            && self.rank.is_none_or(|rank| mv.from().rank() == rank)
            && self.kind.is_none_or(|kind| position.piece_at(mv.from()).map(Piece::kind) == Some(kind))
    }

    fn origin(self) -> Option<Square> {
        Some(Square::new(self.file?, self.rank?))
    }

    fn wanted(self) -> Wanted {
        Wanted { from: self.origin(), to: self.to, kind: self.kind, promotion: self.promotion }
    }
}

/// The readings of a text, the canonical one first; `None` if it has none.
fn read(text: &str) -> Option<Vec<Reading>> {
    match text.replace(['0', 'o'], "O").as_str() {
        "O-O" | "OO" => return Some(vec![Reading::Castle(CastlingSide::King)]),
        "O-O-O" | "OOO" => return Some(vec![Reading::Castle(CastlingSide::Queen)]),
        _ => {}
    }
    let (text, promotion) = split_promotion(text);
    let (origin, to) = text.split_at_checked(text.len().checked_sub(2)?)?;
    let to = to.parse().ok()?;
    let origin = origin.strip_suffix(['x', ':', '-', '\u{d7}', '\u{2013}']).unwrap_or(origin);
    let pattern = |kind, origin: &str| {
        let (file, rank) = read_origin(origin)?;
        let kind = match (kind, file, rank) {
            (None, Some(_), Some(_)) => None,
            (None, None, Some(_)) => return None,
            (None, _, None) => Some(PieceKind::Pawn),
            (kind, ..) => kind,
        };
        Some(Reading::Piece(Pattern { kind, file, rank, to, promotion }))
    };
    let letter = origin.chars().next().and_then(PieceKind::from_letter);
    let named = letter.and_then(|kind| pattern(Some(kind), &origin[1..]));
    let readings: Vec<_> = pattern(None, origin).into_iter().chain(named).collect();
    (!readings.is_empty()).then_some(readings)
}

/// Nothing, a file, a rank or a square.
fn read_origin(text: &str) -> Option<(Option<File>, Option<Rank>)> {
    let mut letters = text.chars().peekable();
    let file = letters.next_if(|letter| File::from_letter(*letter).is_some()).and_then(File::from_letter);
    let rank = letters.next_if(|letter| Rank::from_digit(*letter).is_some()).and_then(Rank::from_digit);
    letters.next().is_none().then_some((file, rank))
}

/// Cuts `=Q`, `Q`, `(Q)` or `/Q` off the end, with the letter in either case.
fn split_promotion(text: &str) -> (&str, Option<PieceKind>) {
    let inner = text.strip_suffix(')').unwrap_or(text);
    let Some((index, letter)) = inner.char_indices().next_back() else { return (text, None) };
    let kind = PieceKind::from_letter(letter).filter(|kind| PieceKind::PROMOTIONS.contains(kind));
    match kind {
        None => (text, None),
        kind => (inner[..index].trim_end_matches(['=', '(', '/']), kind),
    }
}

/// The text in plain letters, without white space around, check marks, annotations and `e.p.`.
fn without_annotations(text: &str) -> String {
    let plain: String = text.trim().chars().map(plain_letter).collect();
    let mut body = plain.as_str();
    loop {
        let shorter = body.trim_end_matches(|c: char| "+#!?".contains(c) || c.is_whitespace());
        let shorter = EN_PASSANT_MARKS.iter().find_map(|mark| shorter.strip_suffix(mark)).unwrap_or(shorter);
        if shorter.len() == body.len() {
            return body.to_owned();
        }
        body = shorter;
    }
}

const EN_PASSANT_MARKS: [&str; 4] = ["(e.p.)", "(ep)", "e.p.", "ep"];

/// A figurine's letter; other characters as they are.
const fn plain_letter(letter: char) -> char {
    match letter {
        '♔' | '♚' => 'K',
        '♕' | '♛' => 'Q',
        '♖' | '♜' => 'R',
        '♗' | '♝' => 'B',
        '♘' | '♞' => 'N',
        '♙' | '♟' => 'P',
        _ => letter,
    }
}
