//! Mates by an exhaustive search that prunes nothing, beside the search that prunes: it finds the short mates that
//! pruning overlooks, and proves that there is no shorter one.

use super::Bound;
use super::SearchScore;
use super::limits::Stopped;
use super::parameters::{MATE_SEARCH_LEAD, MATE_SEARCH_MOVES_MAX, MATE_SEARCH_NODES_MIN, MATE_SEARCH_SHARE};
use super::root::Best;
use super::value::Value;
use super::worker::Worker;
use crate::engine::chess::{Move, Position};
use crate::engine::eval::Evaluate;

/// Why an attempt ended without an answer.
enum Unanswered {
    /// The whole search has to stop.
    Stopped,
    /// It has taken as many nodes as it may.
    TooLong,
}

impl From<Stopped> for Unanswered {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

/// What a search knows of the mates of its root.
#[derive(Default)]
pub(super) struct Mates {
    /// The side to move has no mate within so many moves.
    none_within: i32,
    /// Nodes that attempts have taken, and the last one that had no answer.
    spent: u64,
    in_vain: u64,
}

/// What is known of the best line's mate after an attempt.
pub(super) enum Verdict {
    /// The line need not be the best.
    Open,
    /// The line's mate is the shortest.
    Shortest,
    /// This mate is the shortest.
    Found(Best),
}

/// The nodes up to which an attempt may go on, and for each distance the defence that worked last.
struct Attempt {
    last_node: u64,
    refutations: [Move; MATE_SEARCH_MOVES_MAX as usize + 1],
}

impl Attempt {
    const fn up_to(last_node: u64) -> Self {
        Self { last_node, refutations: [Move::NONE; MATE_SEARCH_MOVES_MAX as usize + 1] }
    }
}

impl<E: Evaluate> Worker<'_, E> {
    /// Looks for a mate shorter than what `best` has found.
    ///
    /// Where `best` is a mate, the attempt may take as many nodes as the search so far; where it is a lead, all
    /// attempts together take a small share of them. Without an answer by then a later iteration tries again.
    pub(super) fn look_for_mate(
        &mut self,
        position: &Position,
        moves: &[Move],
        best: &Best,
        mates: &mut Mates,
    ) -> Result<Verdict, Stopped> {
        let nodes = self.budget.nodes();
        let (longest, allowance) = match best.value.score() {
            SearchScore::Mate(distance) if distance < 0 => {
                return self.resists_longest(position, best, -distance);
            }
            SearchScore::Mate(distance) => (distance - 1, nodes.max(MATE_SEARCH_NODES_MIN)),
            SearchScore::Cp(lead) if lead >= MATE_SEARCH_LEAD => {
                let left = (nodes / MATE_SEARCH_SHARE).saturating_sub(mates.spent);
                if left <= mates.in_vain {
                    return Ok(Verdict::Open);
                }
                (MATE_SEARCH_MOVES_MAX, left)
            }
            SearchScore::Cp(_) => return Ok(Verdict::Open),
        };
        let mut attempt = Attempt::up_to(nodes.saturating_add(allowance));
        while mates.none_within < longest.min(MATE_SEARCH_MOVES_MAX) {
            let distance = mates.none_within + 1;
            match self.mating_move(position, moves, distance, &mut attempt) {
                Ok(None) => mates.none_within = distance,
                Ok(Some(mv)) => return Ok(Verdict::Found(self.mating_line(position, mv, distance)?)),
                Err(Unanswered::Stopped) => return Err(Stopped),
                Err(Unanswered::TooLong) => {
                    self.return_to_root();
                    break;
                }
            }
        }
        let spent = self.budget.nodes() - nodes;
        mates.spent += spent;
        mates.in_vain = spent;
        let is_mate = matches!(best.value.score(), SearchScore::Mate(_));
        let shortest = is_mate && mates.none_within >= longest;
        Ok(if shortest { Verdict::Shortest } else { Verdict::Open })
    }

    /// Whether the side that is mated in so many moves is not mated sooner after its best move.
    fn resists_longest(
        &mut self,
        position: &Position,
        best: &Best,
        distance: i32,
    ) -> Result<Verdict, Stopped> {
        if distance - 1 > MATE_SEARCH_MOVES_MAX {
            return Ok(Verdict::Open);
        }
        let nodes = self.budget.nodes();
        let mut attempt = Attempt::up_to(nodes.saturating_add(nodes.max(MATE_SEARCH_NODES_MIN)));
        let mut child = *position;
        self.play(&mut child, best.moves[0])?;
        let sooner = self.mating_move(&child, &child.legal_moves(), distance - 1, &mut attempt);
        self.return_to_root();
        match sooner {
            Ok(None) => Ok(Verdict::Shortest),
            Ok(Some(_)) | Err(Unanswered::TooLong) => Ok(Verdict::Open),
            Err(Unanswered::Stopped) => Err(Stopped),
        }
    }

    /// The line of a mate in exactly `distance` moves that begins with this one, against the longest resistance.
    fn mating_line(&mut self, position: &Position, first: Move, distance: i32) -> Result<Best, Stopped> {
        let mut attempt = Attempt::up_to(u64::MAX);
        let mut position = *position;
        self.play(&mut position, first)?;
        let mut moves = vec![first];
        for left in (1..distance).rev() {
            for reply in &position.legal_moves() {
                let mut child = position;
                self.play(&mut child, *reply)?;
                let attacks = child.legal_moves();
                // A reply that is mated sooner does not resist longest.
                if self.answer(&child, &attacks, left - 1, &mut attempt)?.is_none()
                    && let Some(attack) = self.answer(&child, &attacks, left, &mut attempt)?
                {
                    moves.extend([*reply, attack]);
                    position = child;
                    self.play(&mut position, attack)?;
                    break;
                }
                self.undo();
            }
        }
        self.return_to_root();
        Ok(Best { value: Value::mate_in(moves.len()), bound: Bound::Exact, moves, correction: 0 })
    }

    /// [`Self::mating_move`] of an attempt that has no end but the search's.
    fn answer(
        &mut self,
        position: &Position,
        moves: &[Move],
        distance: i32,
        attempt: &mut Attempt,
    ) -> Result<Option<Move>, Stopped> {
        self.mating_move(position, moves, distance, attempt).map_err(|_| Stopped)
    }

    /// The one of these moves that mates within `distance` moves, itself included.
    fn mating_move(
        &mut self,
        position: &Position,
        moves: &[Move],
        distance: i32,
        attempt: &mut Attempt,
    ) -> Result<Option<Move>, Unanswered> {
        if distance == 0 {
            return Ok(None);
        }
        for mv in moves {
            // The last move of a mate is a check: nothing else needs to be tried.
            if distance == 1 && !position.gives_check(*mv) {
                continue;
            }
            if self.budget.nodes() >= attempt.last_node {
                return Err(Unanswered::TooLong);
            }
            let mut child = *position;
            self.play(&mut child, *mv)?;
            let mates = self.is_mated_within(&child, distance - 1, attempt)?;
            self.undo();
            if mates {
                return Ok(Some(*mv));
            }
        }
        Ok(None)
    }

    /// `true` if the side to move is mated, or every move of it lets the other side mate within `distance` moves.
    fn is_mated_within(
        &mut self,
        position: &Position,
        distance: i32,
        attempt: &mut Attempt,
    ) -> Result<bool, Unanswered> {
        if distance == 0 {
            return Ok(position.in_check() && !position.has_legal_move());
        }
        let mut replies = position.legal_moves();
        if replies.is_empty() {
            return Ok(position.in_check());
        }
        if self.is_drawn(position) {
            return Ok(false);
        }
        let refutation = &mut attempt.refutations[distance as usize];
        if let Some(index) = replies.iter().position(|mv| mv == refutation) {
            replies.swap(0, index);
        }
        for mv in &replies {
            let mut child = *position;
            self.play(&mut child, *mv)?;
            let refutes = self.is_drawn(&child)
                || self.mating_move(&child, &child.legal_moves(), distance, attempt)?.is_none();
            self.undo();
            if refutes {
                attempt.refutations[distance as usize] = *mv;
                return Ok(false);
            }
        }
        Ok(true)
    }
}
