//! The breakdown as a picture: what stands below its verdict.

use super::change::Explained;
use super::leaf::Leaf;
use crate::api::picture::BreakdownPicture;
use crate::api::score::Score;
use crate::api::subject::Subject;
use crate::engine::chess::{Position, san};
use crate::engine::eval::breakdown::pawns;

/// So many moves of a line are written out.
const MOVES_SHOWN: usize = 8;

/// Draws the position, or the leaf where one was searched for, with the side whose view is asked for at the bottom.
pub(super) fn draw(subject: &Subject, root: &Explained, leaf: Option<&Leaf>) -> String {
    let explained = leaf.map_or(root, |leaf| &leaf.explained);
    let position = explained.game.position();
    let what = match leaf {
        None => "Static evaluation".to_owned(),
        Some(leaf) => searched(subject, leaf),
    };
    let subtitle = format!(
        "{what} · {} to move · {}'s view · {}",
        position.turn().name(),
        subject.viewpoint().side().name(),
        phase(position, explained)
    );
    let viewer = subject.viewpoint().side();
    BreakdownPicture { breakdown: &explained.breakdown, viewer, subtitle: &subtitle }.draw()
}

/// The line and the score of a search.
fn searched(subject: &Subject, leaf: &Leaf) -> String {
    let mut moves = san::format_line(subject.position(), &leaf.moves);
    let more = moves.len() > MOVES_SHOWN;
    moves.truncate(MOVES_SHOWN);
    let line = format!("{}{}", moves.join(" "), if more { " …" } else { "" });
    let worth = match leaf.score(subject) {
        Some(Score::Mate(moves)) => format!("mate in {}", moves.abs()),
        Some(Score::Won(_)) => "checkmate".to_owned(),
        Some(score) => subject.viewpoint().cp(score).map_or_else(String::new, pawns),
        None => String::new(),
    };
    format!("Leaf of the main line {line} ({worth})")
}

fn phase(position: &Position, explained: &Explained) -> String {
    let check = if position.in_check() { " · check" } else { "" };
    format!("{}{check}", explained.breakdown.phase.name())
}
