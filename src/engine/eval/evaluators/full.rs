//! `full`: everything there is, with tuned weights.

use crate::engine::chess::{Bitboard, ByColor, Color, Position};
use crate::engine::eval::camp::{Bishop, Camp, Knight, OfficerKind, Opposition, Queen, Rook};
use crate::engine::eval::endgames::{self, Known, Obstacle, Verdict};
use crate::engine::eval::ledger::{Ledger, each_side};
use crate::engine::eval::material::{self, Entry, imbalance, values};
use crate::engine::eval::survey::Survey;
use crate::engine::eval::terms::{
    coordination, king_danger, king_relative, minors, mobility, outposts, passed_pawns, rooks, shelter,
    space, tempo, threats, trapped,
};
use crate::engine::eval::{Blend, Evaluate, PieceValues, ScaleReason, pawn_table};
use crate::engine::weights::{Score, TUNED, Term, Tuned, Weights};

/// Every term; the sums of material and of pawns and kings come from tables.
///
/// In a known endgame what the material says and the endgame's own entries are all it posts: [`endgames::known`] decides
/// that, for every ledger alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

impl Evaluate for Full {
    fn terms(&self) -> &'static [Term] {
        &Term::ALL
    }

    fn weights(&self) -> &Weights {
        &TUNED
    }

    #[inline]
    fn kept(&self, position: &Position) -> (Score, Blend) {
        let entry = material::entry(position.material());
        match endgames::known(position) {
            Some(known) => kept_of_known(known, &entry, position),
            None => kept_of_general(&entry, position),
        }
    }

    #[inline]
    fn evaluate(&self, position: &Position) -> i32 {
        self.evaluate_with(Tuned, position)
    }

    #[inline]
    fn prefetch(&self, position: &Position) {
        pawn_table::prefetch(position);
    }

    fn post_kept(&self, position: &Position, ledger: &mut impl Ledger) {
        each_side(ledger, |side, ledger| post_material(position, side, ledger));
        if endgames::known(position).is_none() {
            pawn_table::post(position, &Camp::both(position), ledger);
        }
    }

    #[inline]
    fn post_live(&self, position: &Position, ledger: &mut impl Ledger) {
        if let Some(known) = endgames::known(position) {
            endgames::post(known, position, ledger);
            return;
        }
        let mut camps = Camp::both(position);
        each_side(ledger, |side, ledger| {
            let opposition = camps[!side].opposition(camps[side].men);
            post_officers(&mut camps[side], opposition, ledger);
        });
        each_side(ledger, |side, ledger| post_side(position, &camps, side, ledger));
    }
}

#[inline]
fn kept_of_general(entry: &Entry, position: &Position) -> (Score, Blend) {
    let blend = Blend::tapered(position)
        .scaled_by(entry.draw().filter(|draw| draw.holds_in(position)).map(ScaleReason::Material))
        .scaled_by(Obstacle::of(position, entry).map(ScaleReason::Position))
        .damped_by(position.halfmoves());
    (entry.tuned() + pawn_table::sum(position), blend)
}

/// A win that is known is not scaled, whatever the material alone would say. Nothing is damped by the 50-move rule: what
/// each ply would cost is more than a step towards mate gains, so that the search would not find the way.
#[cold]
fn kept_of_known(known: Known, entry: &Entry, position: &Position) -> (Score, Blend) {
    let blend = Blend::tapered(position).scaled_by(known.verdict.scale_reason());
    let blend = match known.verdict {
        Verdict::Win => blend,
        _ => blend.scaled_by(entry.draw().map(ScaleReason::Material)),
    };
    (entry.tuned(), blend)
}

/// Posts all that the number of pieces says: what an entry of the material table keeps as
/// [`tuned`](crate::engine::eval::material::Entry::tuned).
pub(in crate::engine::eval) fn post_material(
    roster: &impl material::Roster,
    side: Color,
    ledger: &mut impl Ledger,
) {
    values::post(roster, side, PieceValues::Classic, ledger);
    imbalance::bishop_pair(roster, side, ledger);
}

/// What the terms that look at one officer at a time need to know besides.
#[derive(Clone, Copy)]
struct Surroundings {
    views: king_relative::Views,
    around: Bitboard,
    safe: Bitboard,
    outposts: Bitboard,
    occupied: Bitboard,
}

/// The terms that look at one officer at a time, in one walk over them: it finds their attacks on the way.
///
/// This and [`post_side`] are called, not inlined, so that both sides run the same code: in the search it is the processor's
/// instruction cache that is short.
#[inline(never)]
fn post_officers(own: &mut Camp, opposition: Opposition, ledger: &mut impl Ledger) {
    let surroundings = Surroundings {
        views: king_relative::Views::of(own.king(), opposition.king),
        around: king_danger::around(opposition.king),
        safe: own.safe(opposition.pawn_attacks),
        outposts: outposts::outposts(own, &opposition),
        occupied: opposition.occupied,
    };
    post_each::<Knight>(own, surroundings, ledger);
    post_each::<Bishop>(own, surroundings, ledger);
    post_each::<Rook>(own, surroundings, ledger);
    post_each::<Queen>(own, surroundings, ledger);
}

#[inline]
fn post_each<K: OfficerKind>(own: &mut Camp, surroundings: Surroundings, ledger: &mut impl Ledger) {
    let Surroundings { views, around, safe, outposts, occupied } = surroundings;
    own.add::<K>(occupied, |own, officer| {
        king_relative::post_officer(views, officer, ledger);
        mobility::post(safe, officer, ledger);
        king_danger::post_officer(around, officer, ledger);
        outposts::post_officer(own, outposts, officer, ledger);
        outposts::post_reachable(own, outposts, officer, ledger);
        coordination::post_officer(own, officer, ledger);
    });
}

/// All other terms, with the attacks of both sides.
#[inline(never)]
fn post_side(position: &Position, camps: &ByColor<Camp>, side: Color, ledger: &mut impl Ledger) {
    let survey = &Survey::of(position, camps, side);
    passed_pawns::post_pieces(survey, ledger);
    minors::post(survey, ledger);
    rooks::post(survey, ledger);
    trapped::post(survey, ledger);
    shelter::post_pieces(survey, ledger);
    king_danger::post(survey, ledger);
    threats::post(survey, ledger);
    space::post(survey, ledger);
    tempo::post(survey, ledger);
}
