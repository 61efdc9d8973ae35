//! Mating the bare king.

use super::setting::Setting;
use super::{Obstacle, Verdict};
use crate::engine::chess::attacks::king_attacks;
use crate::engine::chess::{Bitboard, Color, File, PieceKind, Position, Rank, Square};
use crate::engine::eval::ledger::{Ledger, Posting};
use crate::engine::eval::{DrawKnowledge, ScaleReason};
use crate::engine::weights::Feature;

/// Enough force to mate.
pub(super) fn judge(setting: &Setting) -> Option<Verdict> {
    let bishops = setting.own(PieceKind::Bishop);
    let same_colour = (bishops & Bitboard::LIGHT).is_empty() || (bishops & Bitboard::DARK).is_empty();
    let bishops_alone = bishops == setting.men(setting.strong);
    if bishops_alone && same_colour {
        return Some(Verdict::Draw(ScaleReason::Position(Obstacle::BishopsOfOneColour {
            owner: setting.strong,
        })));
    }
    let majors = setting.own(PieceKind::Queen) | setting.own(PieceKind::Rook);
    let verdict = if majors.any() { with_majors(setting, majors) } else { with_minors(setting) };
    verdict.map(|verdict| if verdict == Outlook::Certain { Verdict::Win } else { Verdict::Promising })
}

/// How sure the win is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outlook {
    Certain,
    Likely,
}

/// A queen or rook is enough, if the bare king cannot take the last one and is not stalemated.
fn with_majors(setting: &Setting, majors: Bitboard) -> Option<Outlook> {
    if setting.strong_to_move() || setting.is_calm() {
        return Some(Outlook::Certain);
    }
    let lasts = (majors & !setting.attacked_by_weak_king()).any();
    (lasts && setting.position.has_legal_move()).then_some(Outlook::Likely)
}

/// Two minor pieces must both last: the bare king may fork them, or shut a knight in. Of more men nothing is said.
fn with_minors(setting: &Setting) -> Option<Outlook> {
    if setting.men(setting.strong).count() > 2 {
        return None;
    }
    let position = setting.position;
    if setting.strong_to_move() {
        return Some(if is_safe(position, setting.strong) { Outlook::Certain } else { Outlook::Likely });
    }
    if !setting.is_calm() {
        return None;
    }
    let safe = position.legal_moves().iter().all(|mv| {
        let mut after = *position;
        after.play(*mv);
        is_safe(&after, setting.strong)
    });
    Some(if safe { Outlook::Certain } else { Outlook::Likely })
}

/// Whether with the strong side to move no piece is in danger: attacked, or a knight in a corner that the bare king comes
/// near. A king that protects a piece may itself be too near, for a stalemate.
fn is_safe(position: &Position, strong: Color) -> bool {
    let setting = Setting::of(position, strong);
    let king = king_attacks(setting.strong_king);
    let corners = Bitboard::rank(Rank::One) | Bitboard::rank(Rank::Eight);
    let corners = corners & (Bitboard::file(File::A) | Bitboard::file(File::H));
    let shut_in = (setting.own(PieceKind::Knight) & corners & !king)
        .into_iter()
        .any(|knight| setting.weak_king.distance(knight) <= 2);
    setting.attacked_by_weak_king().is_empty() && !shut_in
}

/// Two knights cannot force mate, but the bare king can walk into one at the edge.
pub(super) fn judge_two_knights(setting: &Setting) -> Verdict {
    let reason = ScaleReason::Material(DrawKnowledge::TwoKnights);
    if at_edge(setting.weak_king) { Verdict::Open(Some(reason)) } else { Verdict::Draw(reason) }
}

/// The bare king is driven to the edge, with the help of the other king.
pub(super) fn post(setting: &Setting, ledger: &mut impl Ledger) {
    post_edge(setting, ledger);
    post_kings(setting, ledger);
}

/// As [`post`], and to a corner of the bishop's colour.
pub(super) fn post_bishop_and_knight(setting: &Setting, ledger: &mut impl Ledger) {
    let Some(bishop) = setting.own(PieceKind::Bishop).first() else { return };
    post(setting, ledger);
    let count = steps_to_mating_corner(setting.weak_king, bishop);
    let posting =
        Posting::of(Feature::KingToMatingCorner).times(count).at(setting.relative(setting.weak_king));
    ledger.post(posting.with(setting.relative(bishop).into()));
}

/// How far from the centre the weak king stands.
pub(super) fn post_edge(setting: &Setting, ledger: &mut impl Ledger) {
    let count = from_centre(setting.weak_king);
    let king = setting.relative(setting.weak_king);
    ledger.post(Posting::of(Feature::KingToEdge).times(count).at(king));
}

fn post_kings(setting: &Setting, ledger: &mut impl Ledger) {
    let count = nearness(setting.strong_king, setting.weak_king);
    let [strong, weak] = [setting.strong_king, setting.weak_king].map(|king| setting.relative(king));
    ledger.post(Posting::of(Feature::KingsClose).times(count).at(strong).with(weak.into()));
}

/// 7 less the steps of a king from one square to the other.
pub(super) const fn nearness(from: Square, to: Square) -> i32 {
    7 - from.distance(to) as i32
}

/// Files and ranks between a square and the four central ones: 0 in the centre, 6 in the corners.
fn from_centre(square: Square) -> i32 {
    let off = |line: usize| if line < 4 { 3 - line as i32 } else { line as i32 - 4 };
    off(square.file().index()) + off(square.rank().index())
}

fn at_edge(square: Square) -> bool {
    [square.file().index(), square.rank().index()].into_iter().any(|line| line == 0 || line == 7)
}

/// Files and ranks between a square and the diagonal that joins the two corners the bishop cannot reach: 7 in the others.
fn steps_to_mating_corner(square: Square, bishop: Square) -> i32 {
    let (file, rank) = (square.file().index() as i32, square.rank().index() as i32);
    if bishop.is_light() { (file - rank).abs() } else { (7 - file - rank).abs() }
}
