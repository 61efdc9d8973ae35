//! Is a mate that was found the shortest? A small exhaustive search that prunes nothing.

use super::SearchScore;
use super::limits::Stopped;
use super::parameters::{PROOF_MOVES_MAX, PROOF_NODES_MIN};
use super::root::Best;
use super::worker::Worker;
use crate::engine::chess::{Move, Position};
use crate::engine::eval::Evaluate;

/// Why a proof ended without an answer.
enum Unproved {
    /// The whole search has to stop.
    Stopped,
    /// It has taken as many nodes as it may.
    TooLong,
}

impl From<Stopped> for Unproved {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

/// The nodes up to which a proof may go on, and for each distance the defence that worked last.
struct Proof {
    last_node: u64,
    refutations: Vec<Move>,
}

impl<E: Evaluate> Worker<'_, E> {
    /// `true` if it is proved that the winner has no shorter mate: the side to move by none of these moves,
    /// or, if it is mated,
    /// the other side after the move that resists longest. The proof may take as many nodes as the search so
    /// far; without an answer by then a later iteration tries again.
    pub(super) fn mate_is_shortest(
        &mut self,
        position: &Position,
        moves: &[Move],
        best: &Best,
    ) -> Result<bool, Stopped> {
        let SearchScore::Mate(distance) = best.value.score() else { return Ok(false) };
        let shorter = distance.abs() - 1;
        if shorter == 0 {
            return Ok(true);
        }
        if shorter >= PROOF_MOVES_MAX {
            return Ok(false);
        }
        let mut proof = Proof {
            last_node: self.budget.nodes().saturating_add(self.budget.nodes().max(PROOF_NODES_MIN)),
            refutations: vec![Move::NONE; PROOF_MOVES_MAX as usize],
        };
        let answer = if distance > 0 {
            self.mates_by(position, moves, shorter, &mut proof)
        } else {
            let mut child = *position;
            child.play(best.moves[0]);
            self.mates_by(&child, &child.legal_moves(), shorter, &mut proof)
        };
        match answer {
            Ok(shorter_exists) => Ok(!shorter_exists),
            Err(Unproved::TooLong) => Ok(false),
            Err(Unproved::Stopped) => Err(Stopped),
        }
    }

    /// `true` if one of these moves mates within `distance` moves, itself included.
    fn mates_by(
        &mut self,
        position: &Position,
        moves: &[Move],
        distance: i32,
        proof: &mut Proof,
    ) -> Result<bool, Unproved> {
        for mv in moves {
            // The last move of a mate is a check: nothing else needs to be tried.
            if distance == 1 && !position.gives_check(*mv) {
                continue;
            }
            self.budget.spend()?;
            if self.budget.nodes() > proof.last_node {
                return Err(Unproved::TooLong);
            }
            let mut child = *position;
            child.play(*mv);
            if self.is_mated_within(&child, distance - 1, proof)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// `true` if the side to move is mated, or every move of it lets the other side mate within `distance` moves.
    fn is_mated_within(
        &mut self,
        position: &Position,
        distance: i32,
        proof: &mut Proof,
    ) -> Result<bool, Unproved> {
        if distance == 0 {
            return Ok(position.in_check() && !position.has_legal_move());
        }
        let mut replies = position.legal_moves();
        if replies.is_empty() {
            return Ok(position.in_check());
        }
        let refutation = &mut proof.refutations[distance as usize];
        if let Some(index) = replies.iter().position(|mv| mv == refutation) {
            replies.swap(0, index);
        }
        for mv in &replies {
            self.budget.spend()?;
            let mut child = *position;
            child.play(*mv);
            if !self.mates_by(&child, &child.legal_moves(), distance, proof)? {
                proof.refutations[distance as usize] = *mv;
                return Ok(false);
            }
        }
        Ok(true)
    }
}
