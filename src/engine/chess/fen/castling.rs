//! Castling rights as X-FEN and Shredder-FEN write them.

use crate::engine::chess::setup::Setup;
use crate::engine::chess::{
    Bitboard, CastlingRights, CastlingSide, Color, File, Piece, PieceKind, Position, Rank, Square,
};

use super::{FenStyle, FenSyntax, Variant};

/// The rights of a castling field, and whether every letter of it was one.
pub(super) struct Castling {
    pub(super) rights: CastlingRights,
    pub(super) field: Agreement,
}

/// How a castling field and the board go together.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Agreement {
    /// Every right has its king and rook.
    Complete,
    /// Some have not, and were left out.
    Partial,
}

/// Reads a castling field against a board with one king a side.
///
/// `K` and `Q` (X-FEN) mean the outermost rook on that side of the king; a file's letter (Shredder-FEN) means the rook on
/// that file. A standard game only knows kings from the e-file and rooks from the corners, in either spelling.
pub(super) fn parse(field: &str, setup: &Setup, variant: Variant) -> Result<Castling, FenSyntax> {
    let mut castling = Castling { rights: CastlingRights::NONE, field: Agreement::Complete };
    if field == "-" {
        return Ok(castling);
    }
    for letter in field.chars() {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let right = match letter.to_ascii_lowercase() {
            'k' => castles(setup, color, CastlingSide::King),
            'q' => castles(setup, color, CastlingSide::Queen),
            file => match File::from_letter(file) {
                Some(file) => on_file(setup, color, file),
                None => return Err(FenSyntax::Castling(field.to_owned())),
            },
        };
        let known = right.filter(|(side, rook)| {
            variant.allows(setup, color, *side, *rook)
                && castling.rights.rook(color, *side).is_none_or(|earlier| earlier == *rook)
        });
        match known {
            Some((side, rook)) => castling.rights.grant(color, side, rook),
            None => castling.field = Agreement::Partial,
        }
    }
    Ok(castling)
}

/// Writes the rights of a position, in the order and the letters of a style.
pub(super) fn push(text: &mut String, position: &Position, style: FenStyle) {
    let rights = position.castling();
    if rights.is_empty() {
        text.push('-');
        return;
    }
    for color in Color::ALL {
        for side in CastlingSide::ALL {
            let Some(rook) = rights.rook(color, side) else { continue };
            let is_outermost = || {
                let rooks = position.pieces(color, PieceKind::Rook);
                outermost(position.king(color), rooks, side) == Some(rook)
            };
            let letter = match (style, side) {
                (FenStyle::XFen, CastlingSide::King) if is_outermost() => 'k',
                (FenStyle::XFen, CastlingSide::Queen) if is_outermost() => 'q',
                (FenStyle::XFen | FenStyle::Shredder, _) => rook.file().letter(),
            };
            text.push(match color {
                Color::White => letter.to_ascii_uppercase(),
                Color::Black => letter,
            });
        }
    }
}

impl Variant {
    fn allows(self, setup: &Setup, color: Color, side: CastlingSide, rook: Square) -> bool {
        let corner = match side {
            CastlingSide::King => File::H,
            CastlingSide::Queen => File::A,
        };
        match self {
            Self::Chess960 => true,
            Self::Standard => {
                rook.file() == corner && home_king(setup, color).is_some_and(|king| king.file() == File::E)
            }
        }
    }
}

/// The rook on a king's rank that stands farthest out on one side of it.
fn outermost(king: Square, rooks: Bitboard, side: CastlingSide) -> Option<Square> {
    let on_rank = rooks & Bitboard::rank(king.rank());
    match side {
        CastlingSide::Queen => on_rank.first().filter(|rook| rook.file() < king.file()),
        CastlingSide::King => on_rank.last().filter(|rook| rook.file() > king.file()),
    }
}

/// The rook that `K` or `Q` means, if king and rook are in their places.
fn castles(setup: &Setup, color: Color, side: CastlingSide) -> Option<(CastlingSide, Square)> {
    let rook = outermost(home_king(setup, color)?, setup.pieces(color, PieceKind::Rook), side)?;
    Some((side, rook))
}

fn on_file(setup: &Setup, color: Color, file: File) -> Option<(CastlingSide, Square)> {
    let king = home_king(setup, color)?;
    let rook = Square::new(file, king.rank());
    let side = if file > king.file() { CastlingSide::King } else { CastlingSide::Queen };
    (setup.piece_at(rook) == Some(Piece::new(color, PieceKind::Rook))).then_some((side, rook))
}

fn home_king(setup: &Setup, color: Color) -> Option<Square> {
    let home = color.relative_rank(Rank::One);
    setup.pieces(color, PieceKind::King).first().filter(|king| king.rank() == home)
}
