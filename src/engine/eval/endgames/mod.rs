//! Known endgames: few pieces, of which more is known than the general terms can say.
//!
//! `judge` looks at a position whose material has a name and says what is known of it. A judged endgame has a few
//! entries of its own in place of all terms but material; `post` makes them. [`Obstacle`] is what
//! stands in the way of a win by where the pieces stand, in these endgames and in others.

mod bare_king;
mod bishop_and_pawns;
mod bitbase;
mod obstacle;
mod pawn;
mod queen;
mod rook;
mod setting;

pub use obstacle::Obstacle;

use self::setting::Setting;
use super::ScaleReason;
use super::ledger::{Ledger, Posting, each_side};
use crate::engine::chess::{Color, Position};
use crate::engine::eval::material::{self, Endgame};
use crate::engine::weights::Feature;

/// A position of a known endgame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// Which one.
    pub endgame: Endgame,
    /// The side that plays for a win.
    pub strong: Color,
    /// What becomes of it.
    pub verdict: Verdict,
}

/// What is known of an endgame. The first two are claims: true of every position of which they are said, if both sides
/// play their best and the 50-move rule is left aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The strong side wins.
    Win,
    /// Nobody wins, because of this.
    Draw(ScaleReason),
    /// The strong side plays for a win; that it has one is likely.
    Promising,
    /// The strong side plays for a win that is open, or that this makes unlikely.
    Open(Option<ScaleReason>),
}

impl Verdict {
    /// What scales the score, beside the material.
    pub(super) const fn scale_reason(self) -> Option<ScaleReason> {
        match self {
            Self::Win | Self::Promising => None,
            Self::Draw(reason) => Some(reason),
            Self::Open(reason) => reason,
        }
    }
}

/// The known endgame on the board, if it is one and something is known of this position.
///
/// Every one of them has at least one side with no more than a king and one other piece, so that most positions are told
/// by two counts.
#[inline]
#[must_use]
pub fn known(position: &Position) -> Option<Known> {
    let men = |color| position.by_color(color).count();
    if men(Color::White).min(men(Color::Black)) > 2 { None } else { known_of_few(position) }
}

/// The same where one side has two men at the most.
fn known_of_few(position: &Position) -> Option<Known> {
    let (endgame, strong) = material::entry(position.material()).endgame()?;
    let verdict = judge(endgame, strong, position)?;
    Some(Known { endgame, strong, verdict })
}

/// Builds the tables if that has not happened yet, so that the first evaluation does not have to wait for them.
pub(super) fn warm_up() {
    bitbase::warm_up();
}

/// What is known of a position of this endgame. Nothing if a capture at hand, a stalemate or a fork spoils it: then the
/// general terms and the search have to see to it.
fn judge(endgame: Endgame, strong: Color, position: &Position) -> Option<Verdict> {
    let setting = Setting::of(position, strong);
    match endgame {
        Endgame::PawnAgainstKing => pawn::judge(&setting),
        Endgame::BareKing | Endgame::BishopAndKnightMate => bare_king::judge(&setting),
        Endgame::TwoKnights => Some(bare_king::judge_two_knights(&setting)),
        Endgame::BishopAndPawns => bishop_and_pawns::judge(&setting),
        Endgame::QueenAgainstPawn => queen::judge_against_pawn(&setting),
        Endgame::QueenAgainstRook => queen::judge_against_rook(&setting),
        Endgame::RookAgainstPawn => rook::judge_against_pawn(&setting),
        Endgame::RookAgainstBishop | Endgame::RookAgainstKnight => rook::judge_against_minor(&setting),
        // Its knowledge is too coarse to replace the terms; `Obstacle::of` scales them.
        Endgame::RookAndPawnAgainstRook => None,
    }
}

/// Posts what replaces the general terms in a known endgame.
pub(super) fn post(known: Known, position: &Position, ledger: &mut impl Ledger) {
    each_side(ledger, |side, ledger| {
        if side == known.strong {
            post_strong(known, position, ledger);
        }
    });
}

/// Posts for the strong side.
fn post_strong(known: Known, position: &Position, ledger: &mut impl Ledger) {
    let setting = Setting::of(position, known.strong);
    let mating = matches!(known.endgame, Endgame::BareKing | Endgame::BishopAndKnightMate);
    let result = match known.verdict {
        Verdict::Draw(_) => return,
        Verdict::Win => Some(Feature::KnownWin),
        Verdict::Promising => Some(Feature::PromisingEndgame),
        Verdict::Open(_) => None,
    };
    if let Some(feature) = result {
        ledger.post(
            Posting::of(feature)
                .slot(usize::from(!mating))
                .on(setting.men(known.strong).relative(known.strong)),
        );
    }
    match known.endgame {
        Endgame::PawnAgainstKing => pawn::post(&setting, ledger),
        Endgame::BishopAndPawns => bishop_and_pawns::post(&setting, ledger),
        Endgame::BishopAndKnightMate => bare_king::post_bishop_and_knight(&setting, ledger),
        Endgame::BareKing | Endgame::TwoKnights | Endgame::QueenAgainstRook => {
            bare_king::post(&setting, ledger);
        }
        Endgame::QueenAgainstPawn | Endgame::RookAgainstPawn => queen::post_pawn_hunt(&setting, ledger),
        Endgame::RookAgainstBishop => bare_king::post_edge(&setting, ledger),
        Endgame::RookAgainstKnight => rook::post_against_knight(&setting, ledger),
        Endgame::RookAndPawnAgainstRook => {}
    }
}
