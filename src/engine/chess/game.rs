//! A position together with what was on the board before it.

use super::fen::Variant;
use super::{Move, Position, Status};

/// A position and the keys of the positions that can still repeat.
#[derive(Clone, Debug)]
pub struct Game {
    position: Position,
    variant: Variant,
    keys: Vec<u64>,
}

impl Game {
    /// A game that starts from a position, under the standard rules of castling.
    #[must_use]
    pub const fn new(position: Position) -> Self {
        Self::with_variant(position, Variant::Standard)
    }

    /// A game that starts from a position. The variant changes only how castling is written.
    #[must_use]
    pub const fn with_variant(position: Position, variant: Variant) -> Self {
        Self { position, variant, keys: Vec::new() }
    }

    /// Makes a legal move.
    pub fn play(&mut self, mv: Move) {
        self.keys.push(self.position.key());
        self.position.play(mv);
        if self.position.halfmoves() == 0 {
            self.keys.clear();
        }
    }

    /// The position on the board.
    #[must_use]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// How castling is written.
    #[must_use]
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// The keys of the earlier positions since the last capture or pawn move of this game, the oldest first.
    #[must_use]
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// How often the position on the board has been there, this time included.
    #[must_use]
    pub fn occurrence(&self) -> usize {
        1 + self.keys.iter().filter(|key| **key == self.position.key()).count()
    }

    /// How the game stands.
    #[must_use]
    pub fn status(&self) -> Status {
        Status::of(&self.position, self.occurrence())
    }
}
