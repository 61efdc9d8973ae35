//! Mates by a search that prunes nothing, beside the search that prunes: it finds mates that pruning overlooks, and proves
//! that there is no shorter one.

use super::Bound;
use super::SearchScore;
use super::limits::Stopped;
use super::parameters::{
    MATE_PROOF_SHARE, MATE_SEARCH_BOUNDS, MATE_SEARCH_LEAD, MATE_SEARCH_NODES_MIN, MATE_SEARCH_SHARE,
};
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

impl Goal<'_> {
    /// A mate is wanted that there may be.
    fn is_open(&self, mates: &Mates) -> bool {
        self.wanted.is_some_and(|moves| moves > mates.none_within)
    }
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
    /// Looks for a mate shorter than what `best` has found, and puts it there; of a side that is mated, whether it is not mated
    /// sooner. `true` if `best` is a mate then and no shorter one is possible, or wanted.
    ///
    /// Without an answer by the end of the [allowance](Self::allowance) a later iteration goes on.
    pub(super) fn look_for_mate(
        &mut self,
        goal: &Goal,
        best: &mut Best,
        mates: &mut Mates,
    ) -> Result<bool, Stopped> {
        let Some(allowance) = self.allowance(goal, best, mates) else { return Ok(false) };
        let nodes = self.budget.nodes();
        let mut proofs = mates.proofs.take().unwrap_or_else(Proofs::new);
        let mut attempt = self.attempt(goal.position, &mut proofs, nodes.saturating_add(allowance));
        let answer = match best.value.score() {
            SearchScore::Mate(distance) if distance < 0 => {
                resists_longest(&mut attempt, goal.position, best.moves[0], -distance)
            }
            _ => finds_shortest(&mut attempt, goal, best, mates),
        };
        let spent = self.budget.nodes() - nodes;
        (mates.spent, mates.in_vain, mates.proofs) = (mates.spent + spent, spent, Some(proofs));
        match answer {
            Ok(answer) => Ok(answer),
            Err(Unanswered::TooLong) => Ok(false),
            Err(Unanswered::Stopped) => Err(Stopped),
        }
    }

    /// How many nodes the next attempt may take; none if it is not worth while yet.
    ///
    /// All attempts together take a share of the nodes. Where `best` is a mate it is a larger share, and each attempt may take some; one
    /// at a mate that is wanted takes as many as have been taken so far, as nothing else is.
    fn allowance(&self, goal: &Goal, best: &Best, mates: &Mates) -> Option<u64> {
        let nodes = self.budget.nodes();
        let left = |share: u64| (nodes / share).saturating_sub(mates.spent);
        match best.value.score() {
            SearchScore::Mate(1..) | SearchScore::Cp(_) if goal.is_open(mates) => {
                Some(nodes.max(MATE_SEARCH_NODES_MIN))
            }
            SearchScore::Mate(_) => Some(left(MATE_PROOF_SHARE).max(MATE_SEARCH_NODES_MIN)),
            SearchScore::Cp(..MATE_SEARCH_LEAD) => None,
            // To take up an attempt again costs something too.
            SearchScore::Cp(_) => Some(left(MATE_SEARCH_SHARE)).filter(|left| *left > mates.in_vain / 4),
        }
    }
}

/// Puts the shortest mate there is into `best`, if it is found; whether it is the shortest one, or short enough.
fn finds_shortest(
    attempt: &mut Prover,
    goal: &Goal,
    best: &mut Best,
    mates: &mut Mates,
) -> Result<bool, Unanswered> {
    let &Goal { position, moves, wanted } = goal;
    let wanted_longest = wanted.filter(|_| goal.is_open(mates));
    loop {
        let (is_mate, longest) = match best.value.score() {
            SearchScore::Mate(distance) => (true, u8::try_from(distance - 1).unwrap_or(LONGEST)),
            SearchScore::Cp(_) => (false, wanted_longest.unwrap_or_else(|| mates.bound())),
        };
        let bound = longest.min(most_moves(position));
        if bound <= mates.none_within {
            return Ok(is_mate && mates.none_within >= longest);
        }
        let Some(line) = attempt.mating_line(position, moves, bound)? else {
            mates.none_within = bound;
            continue;
        };
        let value = Value::mate_in(line.len());
        *best = Best { value, bound: Bound::Exact, moves: line, correction: 0 };
        mates.found = Some(best.clone());
        if is_enough(best, wanted) {
            return Ok(true);
        }
    }
}

/// Whether the side that is mated in so many moves is not mated sooner after this move.
fn resists_longest(
    attempt: &mut Prover,
    position: &Position,
    mv: Move,
    distance: i32,
) -> Result<bool, Unanswered> {
    let mut child = *position;
    child.play(mv);
    match u8::try_from(distance - 1) {
        Ok(0) => Ok(true),
        Ok(bound) if bound <= most_moves(&child) => {
            Ok(!attempt.mates(&child, &child.legal_moves(), bound)?)
        }
        _ => Ok(false),
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
