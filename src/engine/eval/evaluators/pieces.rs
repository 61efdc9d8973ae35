//! `pieces`: material and what the pieces do.

use super::Material;
use crate::engine::chess::{Black, Position, Side, White};
use crate::engine::eval::attack_map::{Bishop, Knight, Queen, Rook};
use crate::engine::eval::ledger::Ledger;
use crate::engine::eval::survey::Survey;
use crate::engine::eval::terms::{coordination, mobility, outposts, rooks, trapped};
use crate::engine::eval::{Blend, Evaluate, PieceValues};
use crate::engine::weights::{Score, TEXTBOOK, Term, Weights};

/// Looks the constellation up and looks at every piece; the piece values are the classic ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pieces;

impl Pieces {
    const MATERIAL: Material = Material { values: PieceValues::Classic };
}

impl Evaluate for Pieces {
    fn terms(&self) -> &'static [Term] {
        &[
            Term::Material,
            Term::Imbalance,
            Term::Mobility,
            Term::Outposts,
            Term::Rooks,
            Term::Trapped,
            Term::Coordination,
        ]
    }

    fn weights(&self) -> &'static Weights {
        &TEXTBOOK
    }

    #[inline]
    fn kept(&self, position: &Position) -> (Score, Blend) {
        Self::MATERIAL.kept(position)
    }

    fn post_kept(&self, position: &Position, ledger: &mut impl Ledger) {
        Self::MATERIAL.post_kept(position, ledger);
    }

    #[inline]
    fn post_live(&self, position: &Position, ledger: &mut impl Ledger) {
        let mut survey = Survey::of(position);
        post_mobility::<White>(&mut survey, ledger);
        post_mobility::<Black>(&mut survey, ledger);
        post_side::<White>(&survey, ledger);
        post_side::<Black>(&survey, ledger);
    }
}

#[inline]
fn post_side<S: Side>(survey: &Survey, ledger: &mut impl Ledger) {
    outposts::post::<S>(survey, ledger);
    rooks::post::<S>(survey, ledger);
    trapped::post::<S>(survey, ledger);
    coordination::post::<S>(survey, ledger);
}

#[inline]
fn post_mobility<S: Side>(survey: &mut Survey, ledger: &mut impl Ledger) {
    let safe = survey.safe::<S>();
    survey.add::<S, Knight>(|officer| mobility::post::<S>(safe, officer, ledger));
    survey.add::<S, Bishop>(|officer| mobility::post::<S>(safe, officer, ledger));
    survey.add::<S, Rook>(|officer| mobility::post::<S>(safe, officer, ledger));
    survey.add::<S, Queen>(|officer| mobility::post::<S>(safe, officer, ledger));
}
