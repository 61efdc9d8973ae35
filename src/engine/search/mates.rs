//! Mates by a search that prunes nothing, beside the search that prunes: it finds mates that pruning overlooks, and proves
//! that there is no shorter one.

use super::Bound;
use super::SearchScore;
use super::limits::Stopped;
use super::parameters::{MATE_SEARCH_BOUNDS, MATE_SEARCH_LEAD, MATE_SEARCH_NODES_MIN, MATE_SEARCH_SHARE};
use super::proof::{LONGEST, Proofs, Prover, Unanswered};
use super::root::Best;
use super::value::Value;
use super::worker::Worker;
use crate::engine::chess::{Move, Position, Status};
use crate::engine::eval::Evaluate;

/// What a search knows of the mates of its root.
#[derive(Default)]
pub(super) struct Mates {
    /// The shortest that was found.
    pub(super) found: Option<Best>,
    /// The side to move has no mate within so many moves.
    none_within: u8,
    /// Nodes that attempts have taken, and the last one that had no answer.
    spent: u64,
    in_vain: u64,
    proofs: Option<Proofs>,
}

/// What is asked of the root.
pub(super) struct Goal<'a> {
    pub(super) position: &'a Position,
    /// The moves to choose from.
    pub(super) moves: &'a [Move],
    /// A mate in so many moves is enough, and is looked for whatever the lead.
    pub(super) wanted: Option<u8>,
}

/// Whether this is a mate, and no shorter one is wanted.
pub(super) fn is_enough(best: &Best, wanted: Option<u8>) -> bool {
    match best.value.score() {
        SearchScore::Mate(distance) => {
            wanted.is_some_and(|wanted| (1..=i32::from(wanted)).contains(&distance))
        }
        SearchScore::Cp(_) => false,
    }
}

impl Mates {
    /// Within how many moves a mate is looked for where none is known: the longer, the more has been spent.
    fn bound(&self) -> u8 {
        let open = |(nodes, moves): &&(u64, u8)| self.spent < *nodes && self.none_within < *moves;
        MATE_SEARCH_BOUNDS.iter().find(open).map_or(LONGEST, |(_, moves)| *moves)
    }
}

impl<E: Evaluate> Worker<'_, E> {
    /// Looks for a mate shorter than what `best` has found, and puts it there. `true` if `best` is a mate then and no shorter one is
    /// possible, or wanted.
    ///
    /// Where `best` is a mate, or a mate is wanted, the attempt may take as many nodes as the search so far; where it is a lead, all
    /// attempts together take a share of them. Without an answer by then a later iteration goes on.
    pub(super) fn look_for_mate(
        &mut self,
        &Goal { position, moves, wanted }: &Goal,
        best: &mut Best,
        mates: &mut Mates,
    ) -> Result<bool, Stopped> {
        let open = wanted.filter(|moves| *moves > mates.none_within);
        let nodes = self.budget.nodes();
        let allowance = match best.value.score() {
            SearchScore::Mate(distance) if distance < 0 => {
                return self.resists_longest(position, best, -distance);
            }
            SearchScore::Mate(_) => nodes.max(MATE_SEARCH_NODES_MIN),
            SearchScore::Cp(_) if open.is_some() => nodes.max(MATE_SEARCH_NODES_MIN),
            SearchScore::Cp(lead) if lead >= MATE_SEARCH_LEAD => {
                let left = (nodes / MATE_SEARCH_SHARE).saturating_sub(mates.spent);
                // To take up an attempt again costs something too.
                if left <= mates.in_vain / 4 {
                    return Ok(false);
                }
                left
            }
            SearchScore::Cp(_) => return Ok(false),
        };
        let mut proofs = mates.proofs.take().unwrap_or_else(Proofs::new);
        let mut attempt = self.attempt(position, &mut proofs, nodes.saturating_add(allowance));
        let mut result = Ok(());
        let is_shortest = loop {
            let (is_mate, longest) = match best.value.score() {
                SearchScore::Mate(distance) => (true, u8::try_from(distance - 1).unwrap_or(LONGEST)),
                SearchScore::Cp(_) => (false, open.unwrap_or_else(|| mates.bound())),
            };
            let bound = longest.min(most_moves(position));
            if bound <= mates.none_within {
                break is_mate && mates.none_within >= longest;
            }
            match attempt.mating_line(position, moves, bound) {
                Ok(None) => mates.none_within = bound,
                Ok(Some(line)) => {
                    let value = Value::mate_in(line.len());
                    *best = Best { value, bound: Bound::Exact, moves: line, correction: 0 };
                    mates.found = Some(best.clone());
                    if is_enough(best, wanted) {
                        break true;
                    }
                }
                Err(Unanswered::TooLong) => break false,
                Err(Unanswered::Stopped) => {
                    result = Err(Stopped);
                    break false;
                }
            }
        };
        let spent = self.budget.nodes() - nodes;
        (mates.spent, mates.in_vain, mates.proofs) = (mates.spent + spent, spent, Some(proofs));
        result.map(|()| is_shortest)
    }

    /// Whether the side that is mated in so many moves is not mated sooner after its best move.
    fn resists_longest(&mut self, position: &Position, best: &Best, distance: i32) -> Result<bool, Stopped> {
        let mut child = *position;
        child.play(best.moves[0]);
        let bound = match u8::try_from(distance - 1) {
            Ok(0) => return Ok(true),
            Ok(bound) if bound <= most_moves(&child) => bound,
            _ => return Ok(false),
        };
        let nodes = self.budget.nodes();
        let mut proofs = Proofs::new();
        let mut attempt =
            self.attempt(position, &mut proofs, nodes.saturating_add(nodes.max(MATE_SEARCH_NODES_MIN)));
        match attempt.mates(&child, &child.legal_moves(), bound) {
            Ok(sooner) => Ok(!sooner),
            Err(Unanswered::TooLong) => Ok(false),
            Err(Unanswered::Stopped) => Err(Stopped),
        }
    }
}

impl<'a, E: Evaluate> Worker<'a, E> {
    /// An attempt at the root's mates that goes on to this node at the most.
    fn attempt<'p>(
        &'p mut self,
        position: &Position,
        proofs: &'p mut Proofs,
        last_node: u64,
    ) -> Prover<'p, 'a> {
        let drawn = self.drawn_by_the_game(position);
        Prover { proofs, budget: &mut self.budget, last_node, drawn }
    }
}

/// The most moves of a mate that the 50-move rule cannot prevent.
fn most_moves(position: &Position) -> u8 {
    let left = Status::FIFTY_MOVES_PLIES.saturating_sub(position.halfmoves()) / 2;
    LONGEST.min(left as u8)
}
