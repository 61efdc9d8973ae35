//! Numeric annotation glyphs, and the signs that stand for them.

/// A numeric annotation glyph: what an annotator thinks of a move or a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Nag(pub u8);

impl Nag {
    /// `?`
    pub const MISTAKE: Self = Self(2);
    /// `??`
    pub const BLUNDER: Self = Self(4);
    /// `?!`
    pub const INACCURACY: Self = Self(6);

    /// The glyph that a sign stands for, if it is one.
    pub(super) fn of_sign(sign: &str) -> Option<Self> {
        Some(Self(match sign {
            "!" => 1,
            "?" => 2,
            "!!" => 3,
            "??" => 4,
            "!?" => 5,
            "?!" => 6,
            "□" => 7,
            "=" => 10,
            "∞" => 13,
            "+=" | "+/=" | "⩲" => 14,
            "=+" | "=/+" | "⩱" => 15,
            "±" | "+/-" => 16,
            "∓" | "-/+" => 17,
            "+-" | "+−" => 18,
            "-+" | "−+" => 19,
            "N" => 146,
            _ => return None,
        }))
    }

    /// Whether it judges a move rather than a position.
    #[must_use]
    pub const fn judges_the_move(self) -> bool {
        matches!(self.0, 1..=6)
    }
}

/// Cuts `!`, `?` and their pairs off the end of a move.
pub(super) fn split_sign(word: &str) -> (&str, Option<Nag>) {
    let body = word.trim_end_matches(['!', '?']);
    // More of them is emphasis: the first two say it.
    let sign = &word[body.len()..];
    (body, Nag::of_sign(&sign[..sign.len().min(2)]))
}
