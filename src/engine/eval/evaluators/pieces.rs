//! `pieces`: material and what the pieces do.

use super::Material;
use crate::engine::chess::Position;
use crate::engine::eval::camp::{Bishop, Camp, Knight, OfficerKind, Opposition, Queen, Rook};
use crate::engine::eval::ledger::{Ledger, each_side};
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

    fn weights(&self) -> &Weights {
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
        let mut camps = Camp::both(position);
        each_side(ledger, |side, ledger| {
            let opposition = camps[!side].opposition(camps[side].men);
            post_officers(&mut camps[side], &opposition, ledger);
        });
        each_side(ledger, |side, ledger| post_side(&Survey::of(position, &camps, side), ledger));
    }
}

#[inline]
fn post_officers(own: &mut Camp, opposition: &Opposition, ledger: &mut impl Ledger) {
    post_each::<Knight>(own, opposition, ledger);
    post_each::<Bishop>(own, opposition, ledger);
    post_each::<Rook>(own, opposition, ledger);
    post_each::<Queen>(own, opposition, ledger);
}

#[inline]
fn post_each<K: OfficerKind>(own: &mut Camp, opposition: &Opposition, ledger: &mut impl Ledger) {
    let (safe, outposts) = (own.safe(opposition.pawn_attacks), outposts::outposts(own, opposition));
    own.add::<K>(opposition.occupied, |own, officer| {
        mobility::post(safe, officer, ledger);
        outposts::post_officer(own, outposts, officer, ledger);
        coordination::post_officer(own, officer, ledger);
    });
}

#[inline]
fn post_side(survey: &Survey, ledger: &mut impl Ledger) {
    rooks::post(survey, ledger);
    trapped::post(survey, ledger);
}
