//! Castling rights as X-FEN and Shredder-FEN write them.

use crate::engine::chess::setup::Setup;
use crate::engine::chess::{CastlingRights, CastlingSide, Color, File, Piece, PieceKind, Rank, Square};

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
            'k' => outermost(setup, color, CastlingSide::King),
            'q' => outermost(setup, color, CastlingSide::Queen),
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

/// Writes the rights of a position given by who stands where.
pub(super) fn format(rights: CastlingRights, setup: &Setup, style: FenStyle) -> String {
    let mut field = String::new();
    for color in Color::ALL {
        for side in CastlingSide::ALL {
            let Some(rook) = rights.rook(color, side) else { continue };
            let is_outermost = outermost(setup, color, side) == Some((side, rook));
            let letter = match (style, side) {
                (FenStyle::XFen, CastlingSide::King) if is_outermost => 'k',
                (FenStyle::XFen, CastlingSide::Queen) if is_outermost => 'q',
                (FenStyle::XFen | FenStyle::Shredder, _) => rook.file().letter(),
            };
            field.push(match color {
                Color::White => letter.to_ascii_uppercase(),
                Color::Black => letter,
            });
        }
    }
    if field.is_empty() { "-".to_owned() } else { field }
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

fn outermost(setup: &Setup, color: Color, side: CastlingSide) -> Option<(CastlingSide, Square)> {
    let files: [File; 8] = match side {
        CastlingSide::Queen => File::ALL,
        CastlingSide::King => [File::H, File::G, File::F, File::E, File::D, File::C, File::B, File::A],
    };
    let rook = files.into_iter().find_map(|file| on_file(setup, color, file))?;
    (rook.0 == side).then_some(rook)
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
