//! `full`: everything there is, with tuned weights.

use crate::engine::chess::{Bitboard, Black, Position, Side, White};
use crate::engine::eval::attack_map::{Bishop, Knight, OfficerKind, Queen, Rook};
use crate::engine::eval::endgames::{self, Known, Obstacle, Verdict};
use crate::engine::eval::ledger::Ledger;
use crate::engine::eval::material::{self, Entry, imbalance, values};
use crate::engine::eval::survey::Survey;
use crate::engine::eval::terms::{
    coordination, king_danger, king_relative, minors, mobility, outposts, passed_pawns, rooks, shelter,
    space, tempo, threats, trapped,
};
use crate::engine::eval::{Blend, Evaluate, PieceValues, ScaleReason, pawn_table};
use crate::engine::weights::{Score, TUNED, Term, Weights};

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

    fn weights(&self) -> &'static Weights {
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
    fn prefetch(&self, position: &Position) {
        pawn_table::prefetch(position);
    }

    fn post_kept(&self, position: &Position, ledger: &mut impl Ledger) {
        post_material::<White>(position, ledger);
        post_material::<Black>(position, ledger);
        if endgames::known(position).is_none() {
            pawn_table::post::<White>(position, ledger);
            pawn_table::post::<Black>(position, ledger);
        }
    }

    #[inline]
    fn post_live(&self, position: &Position, ledger: &mut impl Ledger) {
        if let Some(known) = endgames::known(position) {
            endgames::post(known, position, ledger);
            return;
        }
        let mut survey = Survey::of(position);
        post_officers::<White>(&mut survey, ledger);
        post_officers::<Black>(&mut survey, ledger);
        post_side::<White>(&survey, ledger);
        post_side::<Black>(&survey, ledger);
        tempo::post(position, ledger);
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
pub(in crate::engine::eval) fn post_material<S: Side>(
    roster: &impl material::Roster,
    ledger: &mut impl Ledger,
) {
    values::post::<S>(roster, PieceValues::Classic, ledger);
    imbalance::bishop_pair::<S>(roster, ledger);
}

/// What the terms that look at one officer at a time need to know besides.
#[derive(Clone, Copy)]
struct Surroundings {
    views: king_relative::Views,
    around: Bitboard,
    safe: Bitboard,
    outposts: Bitboard,
    free: Bitboard,
}

/// The terms that look at one officer at a time, in one walk over them: it finds their attacks on the way.
#[inline]
fn post_officers<S: Side>(survey: &mut Survey, ledger: &mut impl Ledger) {
    let surroundings = Surroundings {
        views: king_relative::Views::of::<S>(survey.position),
        around: king_danger::around::<S>(survey.position),
        safe: survey.safe::<S>(),
        outposts: outposts::outposts::<S>(survey),
        free: !survey.position.by_color(S::COLOR),
    };
    post_each::<S, Knight>(survey, surroundings, ledger);
    post_each::<S, Bishop>(survey, surroundings, ledger);
    post_each::<S, Rook>(survey, surroundings, ledger);
    post_each::<S, Queen>(survey, surroundings, ledger);
}

#[inline]
fn post_each<S: Side, K: OfficerKind>(
    survey: &mut Survey,
    surroundings: Surroundings,
    ledger: &mut impl Ledger,
) {
    let Surroundings { views, around, safe, outposts, free } = surroundings;
    let position = survey.position;
    survey.add::<S, K>(|officer| {
        king_relative::post_officer::<S>(views, officer, ledger);
        mobility::post::<S>(safe, officer, ledger);
        king_danger::post_officer::<S>(around, officer, ledger);
        outposts::post_officer::<S>(position, outposts, officer, ledger);
        outposts::post_reachable::<S>(outposts, free, officer, ledger);
        coordination::post_officer::<S>(position, officer, ledger);
    });
}

#[inline]
fn post_side<S: Side>(survey: &Survey, ledger: &mut impl Ledger) {
    passed_pawns::post_pieces::<S>(survey, ledger);
    minors::post::<S>(survey, ledger);
    rooks::post::<S>(survey, ledger);
    trapped::post::<S>(survey, ledger);
    shelter::post_pieces::<S>(survey.position, ledger);
    king_danger::post::<S>(survey, ledger);
    threats::post::<S>(survey, ledger);
    space::post::<S>(survey, ledger);
}
