//! The evaluators as one type, chosen at run time.

use super::ledger::Ledger;
use super::{Blend, Count, Evaluate, Full, Material, PieceValues, Pieces, Psqt};
use crate::engine::chess::{Position, Status};
use crate::engine::weights::{Score, Term, Weights};

/// The name of an evaluator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum EvaluatorKind {
    /// Everything there is.
    #[default]
    Full,
    /// Material and what the pieces do.
    Pieces,
    /// Piece values and piece-square values.
    Psqt,
    /// The material table.
    Material,
    /// Piece counting.
    Count,
}

impl EvaluatorKind {
    /// Every evaluator, the strongest first.
    pub const ALL: [Self; 5] = [Self::Full, Self::Pieces, Self::Psqt, Self::Material, Self::Count];

    /// The name in the API.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Pieces => "pieces",
            Self::Psqt => "psqt",
            Self::Material => "material",
            Self::Count => "count",
        }
    }
}

/// Piece values were chosen for an evaluator that has its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the evaluator `{}` has its own piece values: they can be chosen for count, material and psqt", .0.name())]
pub struct FixedPieceValues(pub EvaluatorKind);

/// One of the evaluators, each of which a search can also be compiled for by matching on this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evaluator {
    /// Everything there is.
    Full(Full),
    /// Material and what the pieces do.
    Pieces(Pieces),
    /// Piece values and piece-square values.
    Psqt(Psqt),
    /// The material table.
    Material(Material),
    /// Piece counting.
    Count(Count),
}

/// Hands a call on to the evaluator inside.
macro_rules! inside {
    ($evaluator:expr, $inner:ident => $call:expr) => {
        match $evaluator {
            Evaluator::Full($inner) => $call,
            Evaluator::Pieces($inner) => $call,
            Evaluator::Psqt($inner) => $call,
            Evaluator::Material($inner) => $call,
            Evaluator::Count($inner) => $call,
        }
    };
}

impl Evaluator {
    /// The evaluator of this name with these piece values.
    ///
    /// # Errors
    /// If other values than the classic ones are asked of `pieces` or `full`, which have their own.
    pub fn new(kind: EvaluatorKind, values: PieceValues) -> Result<Self, FixedPieceValues> {
        match (kind, values) {
            (EvaluatorKind::Count, values) => Ok(Self::Count(Count { values })),
            (EvaluatorKind::Material, values) => Ok(Self::Material(Material { values })),
            (EvaluatorKind::Psqt, values) => Ok(Self::Psqt(Psqt { values })),
            (EvaluatorKind::Pieces | EvaluatorKind::Full, PieceValues::Classic) => Ok(kind.into()),
            (EvaluatorKind::Pieces | EvaluatorKind::Full, PieceValues::Euwe) => Err(FixedPieceValues(kind)),
        }
    }

    /// Which one it is.
    #[must_use]
    pub const fn kind(&self) -> EvaluatorKind {
        match self {
            Self::Full(_) => EvaluatorKind::Full,
            Self::Pieces(_) => EvaluatorKind::Pieces,
            Self::Psqt(_) => EvaluatorKind::Psqt,
            Self::Material(_) => EvaluatorKind::Material,
            Self::Count(_) => EvaluatorKind::Count,
        }
    }

    /// Its piece values.
    #[must_use]
    pub const fn piece_values(&self) -> PieceValues {
        match self {
            Self::Full(_) | Self::Pieces(_) => PieceValues::Classic,
            Self::Psqt(Psqt { values })
            | Self::Material(Material { values })
            | Self::Count(Count { values }) => *values,
        }
    }

    /// The static value in centipawns from White's view in a game that stands like this: 0 if it has ended in a draw,
    /// else [`Evaluate::evaluate`]. Equal to the `cp` of the breakdown.
    #[must_use]
    pub fn assess(&self, position: &Position, status: Status) -> i32 {
        if status.is_drawn() { 0 } else { self.evaluate(position) }
    }

    /// A number to mix into table keys, so that no table mixes two evaluators; 0 for `full`.
    #[must_use]
    pub const fn salt(&self) -> u64 {
        // Multiples of 2^64 divided by the golden ratio differ in many bits.
        let number = self.kind() as u64 * 2 + self.piece_values() as u64;
        number.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// With the classic piece values, where they can be chosen.
impl From<EvaluatorKind> for Evaluator {
    fn from(kind: EvaluatorKind) -> Self {
        let values = PieceValues::Classic;
        match kind {
            EvaluatorKind::Full => Self::Full(Full),
            EvaluatorKind::Pieces => Self::Pieces(Pieces),
            EvaluatorKind::Psqt => Self::Psqt(Psqt { values }),
            EvaluatorKind::Material => Self::Material(Material { values }),
            EvaluatorKind::Count => Self::Count(Count { values }),
        }
    }
}

impl Default for Evaluator {
    fn default() -> Self {
        Self::Full(Full)
    }
}

impl Evaluate for Evaluator {
    fn terms(&self) -> &'static [Term] {
        inside!(self, inner => inner.terms())
    }

    fn weights(&self) -> &Weights {
        inside!(self, inner => inner.weights())
    }

    fn kept(&self, position: &Position) -> (Score, Blend) {
        inside!(self, inner => inner.kept(position))
    }

    fn prefetch(&self, position: &Position) {
        inside!(self, inner => inner.prefetch(position));
    }

    fn post_kept(&self, position: &Position, ledger: &mut impl Ledger) {
        inside!(self, inner => inner.post_kept(position, ledger));
    }

    fn post_live(&self, position: &Position, ledger: &mut impl Ledger) {
        inside!(self, inner => inner.post_live(position, ledger));
    }

    fn evaluate(&self, position: &Position) -> i32 {
        inside!(self, inner => inner.evaluate(position))
    }
}
