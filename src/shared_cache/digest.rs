//! A question in 256 bits: half of them in the key, half in the value, so that no value answers the question of another key.

use sha2::{Digest as _, Sha256};

use super::version::Version;
use crate::engine::chess::{CastlingSide, Color, PieceKind, Position, Square};
use crate::engine::eval::Evaluator;
use crate::engine::search::{Handicap, Limits};
use crate::pool::Question;

/// A hash (SHA-256) of the version and of everything that the question says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Digest([u8; 32]);

/// Bytes of the half that a value holds.
pub(super) const MARK_BYTES: usize = 16;

impl Digest {
    pub(super) fn of(question: &Question, version: &Version) -> Self {
        let Question { position, history, evaluator, limits, multi_pv, search_moves, handicap } = question;
        let Limits { depth, nodes } = limits;
        let mut text = Text(Sha256::new());
        text.bytes(version.name().as_bytes());
        text.position(position);
        text.list(history.iter().copied());
        text.evaluator(*evaluator);
        text.optional(depth.map(u64::from));
        text.optional(*nodes);
        text.number(multi_pv.get() as u64);
        text.list(search_moves.iter().map(|mv| u64::from(mv.bits())));
        text.optional(handicap.map(|Handicap { elo, .. }| u64::from(elo.get())));
        text.optional(handicap.map(|Handicap { seed, .. }| seed));
        Self(text.0.finalize().into())
    }

    /// The key of the question: the version, and 128 bits in hexadecimal.
    pub(super) fn key(&self, version: &Version) -> String {
        let half: [u8; 16] = std::array::from_fn(|index| self.0[index]);
        format!("{}:{:032x}", version.name(), u128::from_be_bytes(half))
    }

    /// The other half, which the value holds.
    pub(super) fn mark(&self) -> [u8; MARK_BYTES] {
        std::array::from_fn(|index| self.0[MARK_BYTES + index])
    }
}

/// What is hashed. Every part has a fixed length or says how long it is, so that no two questions are the same bytes.
struct Text(Sha256);

impl Text {
    fn number(&mut self, number: u64) {
        self.0.update(number.to_le_bytes());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.update(bytes);
    }

    fn list(&mut self, numbers: impl ExactSizeIterator<Item = u64>) {
        self.number(numbers.len() as u64);
        numbers.for_each(|number| self.number(number));
    }

    fn optional(&mut self, number: Option<u64>) {
        self.list(number.into_iter());
    }

    fn square(&mut self, square: Option<Square>) {
        self.optional(square.map(|square| square.index() as u64));
    }

    fn position(&mut self, position: &Position) {
        for color in Color::ALL {
            for kind in PieceKind::ALL {
                self.number(position.pieces(color, kind).0);
            }
            for side in CastlingSide::ALL {
                self.square(position.castling().rook(color, side));
            }
        }
        self.number(u64::from(position.turn() == Color::White));
        self.square(position.ep_square());
        self.number(u64::from(position.halfmoves()));
        self.number(u64::from(position.fullmoves()));
    }

    fn evaluator(&mut self, evaluator: Evaluator) {
        self.bytes(evaluator.kind().name().as_bytes());
        self.number(evaluator.piece_values() as u64);
    }
}
