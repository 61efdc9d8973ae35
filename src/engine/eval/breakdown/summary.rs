//! The verdict in a few sentences.

use super::sentence::{enumerate, quantity};
use super::{Breakdown, FeatureLine, TermLine};
use crate::engine::chess::{Color, PieceKind, Position, Status};
use crate::engine::eval::Blend;
use crate::engine::weights::{Feature, Term};

/// Below this many centipawns nobody is called better.
const EQUAL: u32 = 15;
/// Below this: slightly better.
const SLIGHT: u32 = 60;
/// Below this: better.
const CLEAR: u32 = 160;
/// Below this: much better; from here on winning.
const LARGE: u32 = 400;

/// The plies without a capture or pawn move after which it is said how near the draw is that can be claimed.
const LATE_HALFMOVES: u16 = 80;

impl Breakdown {
    /// The verdict, the chief reasons on both sides in order of weight, and what scales the score, a sentence each;
    /// numbers are positive where they are good for the viewer.
    #[must_use]
    pub fn summary(&self, viewer: Color) -> Vec<String> {
        let mut sentences = vec![self.verdict(viewer)];
        if self.status.is_drawn() {
            return sentences;
        }
        match self.status {
            Status::FiftyMoves => {
                sentences.push("A draw can be claimed by the fifty-move rule.".to_owned());
            }
            Status::Threefold => {
                sentences.push("A draw can be claimed by threefold repetition.".to_owned());
            }
            _ => {}
        }
        sentences.extend(self.reasons(viewer));
        if let Some(reason) = self.blending.scale_reason {
            let (scale, full) = (self.blending.scale, Blend::FULL_SCALE);
            sentences.push(format!("{} The score counts {scale}/{full}.", reason.sentence()));
        }
        let (halfmoves, damping) = (self.blending.halfmoves, self.blending.damping);
        if damping < Blend::FULL_DAMPING {
            sentences.push(format!(
                "After {halfmoves} plies without a capture or pawn move the score counts {damping} %."
            ));
        } else if (LATE_HALFMOVES..Status::FIFTY_MOVES_PLIES).contains(&halfmoves) {
            // The simpler evaluators damp nothing, and `full` no known win, which needs a few moves alone.
            let left = Status::FIFTY_MOVES_PLIES - halfmoves;
            let plies = if left == 1 { "ply" } else { "plies" };
            sentences.push(format!(
                "A draw can be claimed after {left} more {plies} without a capture or pawn move."
            ));
        }
        sentences
    }

    /// Who is better and by how much; the first sentence of the [summary](Self::summary).
    #[must_use]
    pub fn verdict(&self, viewer: Color) -> String {
        let score = pawns(self.cp * viewer.sign());
        match self.status {
            Status::Checkmate => {
                let winner = (!self.position.turn()).name();
                format!("Checkmate: {winner} has won. Without the mate the position would count {score}.")
            }
            Status::Stalemate => "The game is drawn by stalemate.".to_owned(),
            Status::InsufficientMaterial => {
                "The game is drawn: neither side has the material to mate.".to_owned()
            }
            Status::SeventyFiveMoves => "The game is drawn by the seventy-five-move rule.".to_owned(),
            Status::Fivefold => "The game is drawn by fivefold repetition.".to_owned(),
            Status::Ongoing | Status::FiftyMoves | Status::Threefold => {
                let leader = (if self.cp < 0 { Color::Black } else { Color::White }).name();
                match self.cp.unsigned_abs() {
                    0 => format!("The position is equal ({score})."),
                    1..EQUAL => format!("The position is about equal ({score})."),
                    EQUAL..SLIGHT => format!("{leader} is slightly better ({score})."),
                    SLIGHT..CLEAR => format!("{leader} is better ({score})."),
                    CLEAR..LARGE => format!("{leader} is much better ({score})."),
                    _ => format!("{leader} is winning ({score})."),
                }
            }
        }
    }

    /// What speaks for the side that is ahead, then what speaks for the other.
    fn reasons(&self, viewer: Color) -> Vec<String> {
        let lines_for = |side: Color| {
            let mut lines: Vec<&TermLine> =
                self.terms.iter().filter(|line| line.cp.signum() == side.sign()).collect();
            lines.sort_by_key(|line| std::cmp::Reverse(line.cp.abs()));
            lines
        };
        let leader = match self.cp.signum() {
            0 => {
                let sides = [Color::White, Color::Black];
                return sides
                    .into_iter()
                    .filter_map(|side| speaks_for(side, &lines_for(side), viewer))
                    .collect();
            }
            1 => Color::White,
            _ => Color::Black,
        };
        let mut sentences = Vec::new();
        if let Some((chief, rest)) = lines_for(leader).split_first() {
            let mut sentence = format!("Chief reason: {}", weighed(chief, viewer));
            if !rest.is_empty() {
                sentence.push_str(", then ");
                sentence.push_str(&weigh_all(rest, viewer));
            }
            sentences.push(sentence + ".");
            sentences.extend(detail(chief, leader, &self.position));
        }
        sentences.extend(speaks_for(!leader, &lines_for(!leader), viewer));
        sentences
    }
}

/// Centipawns in pawns, with a sign: `+0.28`, `-1.05`, `0.00`.
#[must_use]
pub fn pawns(cp: i32) -> String {
    let sign = match cp.signum() {
        1 => "+",
        -1 => "-",
        _ => "",
    };
    let size = cp.unsigned_abs();
    format!("{sign}{}.{:02}", size / 100, size % 100)
}

/// `mobility (+0.21)`.
fn weighed(line: &TermLine, viewer: Color) -> String {
    format!("{} ({})", line.term.title().to_lowercase(), pawns(line.cp * viewer.sign()))
}

fn weigh_all(lines: &[&TermLine], viewer: Color) -> String {
    enumerate(&lines.iter().map(|line| weighed(line, viewer)).collect::<Vec<_>>())
}

/// `For Black: rooks (-0.12) and outposts (-0.10).`
fn speaks_for(side: Color, lines: &[&TermLine], viewer: Color) -> Option<String> {
    (!lines.is_empty()).then(|| format!("For {}: {}.", side.name(), weigh_all(lines, viewer)))
}

/// The weightiest entry of a term that speaks for a side; of material, what that side has more. Kings are passed
/// over in the placement: both have one, and theirs would nearly always weigh most.
fn detail(line: &TermLine, side: Color, position: &Position) -> Option<String> {
    if line.term == Term::Material {
        return Some(material_lead(side, position));
    }
    let speaks =
        |entry: &&FeatureLine| entry.feature != Feature::KingPlacement && entry.cp.signum() == side.sign();
    Some(line.features.iter().filter(speaks).max_by_key(|entry| entry.cp.abs())?.text.clone())
}

fn material_lead(side: Color, position: &Position) -> String {
    let (mut more, mut fewer) = (Vec::new(), Vec::new());
    for kind in PieceKind::ALL.into_iter().rev() {
        let count = |color| position.pieces(color, kind).count() as i32;
        let difference = count(side) - count(!side);
        if difference != 0 {
            let kinds = if difference > 0 { &mut more } else { &mut fewer };
            kinds.push(quantity(difference.abs(), kind));
        }
    }
    let (side, more, fewer) = (side.name(), enumerate(&more), enumerate(&fewer));
    if fewer.is_empty() { format!("{side} is {more} up.") } else { format!("{side} has {more} for {fewer}.") }
}
