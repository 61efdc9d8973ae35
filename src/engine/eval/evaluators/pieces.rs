//! `pieces`: material and what the pieces do.

use super::Material;
use crate::engine::chess::{Black, Position, Side, White};
use crate::engine::eval::attack_map::{Bishop, Knight, OfficerKind, Queen, Rook};
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
        post_officers::<White>(&mut survey, ledger);
        post_officers::<Black>(&mut survey, ledger);
        post_side::<White>(&survey, ledger);
        post_side::<Black>(&survey, ledger);
    }
}

#[inline]
fn post_officers<S: Side>(survey: &mut Survey, ledger: &mut impl Ledger) {
    post_each::<S, Knight>(survey, ledger);
    post_each::<S, Bishop>(survey, ledger);
    post_each::<S, Rook>(survey, ledger);
    post_each::<S, Queen>(survey, ledger);
}

#[inline]
fn post_each<S: Side, K: OfficerKind>(survey: &mut Survey, ledger: &mut impl Ledger) {
    let (position, safe, outposts) = (survey.position, survey.safe::<S>(), outposts::outposts::<S>(survey));
    survey.add::<S, K>(|officer| {
        mobility::post::<S>(safe, officer, ledger);
        outposts::post_officer::<S>(position, outposts, officer, ledger);
        coordination::post_officer::<S>(position, officer, ledger);
    });
}

#[inline]
fn post_side<S: Side>(survey: &Survey, ledger: &mut impl Ledger) {
    rooks::post::<S>(survey, ledger);
    trapped::post::<S>(survey, ledger);
}
