//! Constellations in writing: `KRPvKR`.

use std::fmt;
use std::str::FromStr;

use crate::engine::chess::{Color, MaterialKey, PieceKind};

/// The pieces of both sides as endgame tables are named: White's, a `v`, Black's, each with its king first.
///
/// Read in any case and any order of the pieces; written in the order K Q R B N P.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Signature(MaterialKey);

/// Why a text is no signature.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SignatureError {
    /// Not two sides with a `v` between.
    #[error("a material signature is White's pieces, a `v` and Black's pieces, such as KRPvKR")]
    Sides,
    /// A letter that is no piece.
    #[error("`{0}` is no piece: the letters are K, Q, R, B, N and P")]
    Letter(char),
    /// No king, or more than one.
    #[error("{} needs exactly one king, written K", side_name(*.0))]
    Kings(Color),
    /// More pieces than a game can give a side.
    #[error(
        "{} has more pieces than a game can give: at most 8 pawns, and each piece beyond the first set takes a pawn",
        side_name(*.0)
    )]
    TooManyPieces(Color),
}

const fn side_name(color: Color) -> &'static str {
    match color {
        Color::White => "White (before the `v`)",
        Color::Black => "Black (after the `v`)",
    }
}

/// Of each kind as many letters as its place in a key can count.
const RUNS: [&str; 6] =
    ["PPPPPPPPPPPPPPP", "NNNNNNNNNNNNNNN", "BBBBBBBBBBBBBBB", "RRRRRRRRRRRRRRR", "QQQQQQQQQQQQQQQ", ""];

impl Signature {
    /// The signature of a constellation.
    #[must_use]
    pub const fn new(key: MaterialKey) -> Self {
        Self(key)
    }

    /// The constellation.
    #[must_use]
    pub const fn key(self) -> MaterialKey {
        self.0
    }

    /// The canonical spelling.
    #[must_use]
    pub fn text(self) -> String {
        // Two full sides and the `v`.
        let mut text = String::with_capacity(33);
        for color in Color::ALL {
            text.push_str(if color == Color::White { "K" } else { "vK" });
            for kind in PieceKind::ALL.into_iter().rev() {
                let count = self.0.count(color, kind) as usize;
                text.push_str(RUNS[kind.index()].get(..count).unwrap_or_default());
            }
        }
        text
    }
}

impl FromStr for Signature {
    type Err = SignatureError;

    fn from_str(text: &str) -> Result<Self, SignatureError> {
        let sides: Vec<&str> = text.trim().split(['v', 'V']).collect();
        let &[white, black] = sides.as_slice() else {
            return Err(SignatureError::Sides);
        };
        let counts = [counts(white, Color::White)?, counts(black, Color::Black)?];
        Ok(Self(MaterialKey::from_counts(|color, kind| counts[color.index()][kind.index()])))
    }
}

/// Counts the letters of one side, king included, and refuses what no game can reach.
fn counts(letters: &str, color: Color) -> Result<[u32; 6], SignatureError> {
    let mut counts = [0_u32; 6];
    for letter in letters.chars() {
        let kind = PieceKind::from_letter(letter).ok_or(SignatureError::Letter(letter))?;
        counts[kind.index()] = counts[kind.index()].saturating_add(1);
    }
    let [pawns, knights, bishops, rooks, queens, kings] = counts;
    if kings != 1 {
        return Err(SignatureError::Kings(color));
    }
    let promoted = [(knights, 2), (bishops, 2), (rooks, 2), (queens, 1)]
        .into_iter()
        .map(|(count, first_set)| count.saturating_sub(first_set))
        .fold(0_u32, u32::saturating_add);
    if pawns.saturating_add(promoted) > 8 { Err(SignatureError::TooManyPieces(color)) } else { Ok(counts) }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

#[cfg(test)]
mod tests {
    use super::{Signature, SignatureError};
    use crate::engine::chess::Color;

    #[test]
    fn reads_leniently_and_writes_canonically() {
        let cases = [
            ("KRPvKR", "KRPvKR"),
            ("kprVkr", "KRPvKR"),
            ("PKRvRK", "KRPvKR"),
            ("KBBvKNP", "KBBvKNP"),
            (" KvK ", "KvK"),
            ("KQRRBBNNPPPPPPPPvKQRRBBNNPPPPPPPP", "KQRRBBNNPPPPPPPPvKQRRBBNNPPPPPPPP"),
            ("KQQQQQQQQQvKRRRRRRRRRR", "KQQQQQQQQQvKRRRRRRRRRR"),
        ];
        for (text, canonical) in cases {
            assert_eq!(text.parse::<Signature>().map(|s| s.to_string()).as_deref(), Ok(canonical));
        }
    }

    #[test]
    fn says_what_is_wrong() {
        let cases = [
            ("", SignatureError::Sides),
            ("KRP", SignatureError::Sides),
            ("KvKvK", SignatureError::Sides),
            ("KXvK", SignatureError::Letter('X')),
            ("RvK", SignatureError::Kings(Color::White)),
            ("KvKK", SignatureError::Kings(Color::Black)),
            ("KPPPPPPPPPvK", SignatureError::TooManyPieces(Color::White)),
            ("KvKQQPPPPPPPP", SignatureError::TooManyPieces(Color::Black)),
            ("KQQQQQQQQQQvK", SignatureError::TooManyPieces(Color::White)),
        ];
        for (text, error) in cases {
            assert_eq!(text.parse::<Signature>(), Err(error), "{text}");
        }
    }
}
