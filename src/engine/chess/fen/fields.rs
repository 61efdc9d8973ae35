//! The text of a FEN or EPD, cut into fields.

use crate::engine::chess::setup::Setup;
use crate::engine::chess::{Color, Piece, Rank, Square};

use super::{FenSyntax, Field, MAX_BYTES, MAX_COUNTER};

/// The fields: all but the castling rights, which need the board to be understood, are read.
pub(super) struct Fields<'a> {
    pub(super) setup: Setup,
    pub(super) castling: &'a str,
}

/// Reads the fields of a FEN with or without its counters, or of an EPD.
pub(super) fn split(text: &str) -> Result<Fields<'_>, FenSyntax> {
    if text.len() > MAX_BYTES {
        return Err(FenSyntax::TooLong(text.len()));
    }
    // Nearly every FEN is ASCII, whose white space is found sooner.
    if text.is_ascii() { read(text.split_ascii_whitespace()) } else { read(text.split_whitespace()) }
}

/// Reads the words of a FEN or EPD.
fn read<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<Fields<'a>, FenSyntax> {
    let mut setup = Setup::EMPTY;
    board(&mut setup, words.next().ok_or(FenSyntax::Empty)?)?;
    setup.turn = turn(words.next().ok_or(FenSyntax::MissingField(Field::Turn))?)?;
    let castling = words.next().ok_or(FenSyntax::MissingField(Field::Castling))?;
    setup.ep = ep_square(words.next().ok_or(FenSyntax::MissingField(Field::EnPassant))?)?;
    let mut fields = Fields { setup, castling };
    counters(&mut fields.setup, words)?;
    Ok(fields)
}

fn board(setup: &mut Setup, text: &str) -> Result<(), FenSyntax> {
    if place(setup, text) {
        return Ok(());
    }
    Err(match 1 + text.matches('/').count() {
        8 => fault(text),
        ranks => FenSyntax::RankCount { board: text.to_owned(), ranks },
    })
}

/// Puts the pieces on the board; false, if something is wrong with the field. It stands before every static evaluation, so it
/// does the same for every byte: a branch on what comes next could not be foreseen.
fn place(setup: &mut Setup, text: &str) -> bool {
    // Squares from a8 on, and ranks that are complete.
    let (mut next, mut ranks, mut is_sound) = (0_u32, 0, true);
    for byte in text.bytes() {
        let Letter { piece, squares } = LETTERS[usize::from(byte)];
        setup.add(Square::from_index((next % 64) as u8).flip(), piece);
        let is_slash = byte == b'/';
        ranks += u32::from(is_slash);
        is_sound &= squares > 0 || (is_slash && next == 8 * ranks);
        next += squares;
    }
    is_sound && next == 64 && ranks == 7
}

/// What a byte of the first field means: so many squares, with this piece on them. Other bytes mean no square.
#[derive(Clone, Copy)]
struct Letter {
    piece: Option<Piece>,
    squares: u32,
}

const LETTERS: [Letter; 256] = {
    let mut letters = [Letter { piece: None, squares: 0 }; 256];
    let mut byte = 0;
    while byte < 128 {
        let piece = Piece::from_letter(byte as u8 as char);
        let squares = match byte as u8 {
            digit @ b'1'..=b'8' => (digit - b'0') as u32,
            _ => piece.is_some() as u32,
        };
        letters[byte] = Letter { piece, squares };
        byte += 1;
    }
    letters
};

/// What is wrong with a first field of eight ranks.
fn fault(text: &str) -> FenSyntax {
    let (mut rank, mut squares) = (Rank::Eight, 0);
    for letter in text.chars() {
        if letter == '/' && squares == 8 && rank > Rank::One {
            (rank, squares) = (Rank::from_index(rank.index() as u8 - 1), 0);
            continue;
        }
        match u8::try_from(letter).map_or(0, |byte| LETTERS[usize::from(byte)].squares) {
            0 if letter == '/' => return FenSyntax::RankLength { rank, squares },
            0 => return FenSyntax::BoardLetter { letter, rank },
            more => squares += more,
        }
    }
    FenSyntax::RankLength { rank, squares }
}

fn turn(word: &str) -> Result<Color, FenSyntax> {
    match word {
        "w" | "W" => Ok(Color::White),
        "b" | "B" => Ok(Color::Black),
        _ => Err(FenSyntax::Turn(word.to_owned())),
    }
}

fn ep_square(word: &str) -> Result<Option<Square>, FenSyntax> {
    if word == "-" {
        return Ok(None);
    }
    word.parse().map(Some).map_err(|_| FenSyntax::EnPassant(word.to_owned()))
}

/// Reads what follows the fourth field: none, one or both counters, then EPD operations.
fn counters<'a>(setup: &mut Setup, words: impl Iterator<Item = &'a str>) -> Result<(), FenSyntax> {
    let mut words = words.peekable();
    for field in [Field::Halfmoves, Field::Fullmoves] {
        if let Some(word) =
            words.next_if(|word| !word.starts_with(|c: char| c.is_ascii_alphabetic() || c == ';'))
        {
            set_counter(setup, field, word)?;
        }
    }
    let rest = words.collect::<Vec<_>>().join(" ");
    operations(setup, &rest)
}

/// Reads the EPD operations `hmvc` and `fmvn`, and passes over the others.
fn operations(setup: &mut Setup, text: &str) -> Result<(), FenSyntax> {
    for operation in split_operations(text) {
        let mut words = operation.split(' ');
        let Some(opcode) = words.next().filter(|opcode| !opcode.is_empty()) else { continue };
        if !opcode.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return Err(FenSyntax::Operation(opcode.to_owned()));
        }
        let field = match opcode {
            "hmvc" => Field::Halfmoves,
            "fmvn" => Field::Fullmoves,
            "moves" => return Err(FenSyntax::Moves),
            _ => continue,
        };
        set_counter(setup, field, words.next().unwrap_or_default())?;
    }
    Ok(())
}

/// The operations of an EPD: each ends at a semicolon that is not within quotes.
fn split_operations(text: &str) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    text.split(move |letter| {
        quoted ^= letter == '"';
        letter == ';' && !quoted
    })
    .map(str::trim)
}

fn set_counter(setup: &mut Setup, field: Field, word: &str) -> Result<(), FenSyntax> {
    let number = word
        .parse()
        .ok()
        .filter(|number| *number <= MAX_COUNTER && word.bytes().all(|byte| byte.is_ascii_digit()))
        .ok_or_else(|| FenSyntax::Counter { field, text: word.to_owned() })?;
    match field {
        Field::Halfmoves => setup.halfmoves = number,
        // Some programs count from 0; the first move is number 1.
        _ => setup.fullmoves = number.max(1),
    }
    Ok(())
}
