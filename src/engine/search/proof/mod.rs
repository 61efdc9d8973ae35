//! Whether the side to move mates within a number of moves: proof-number search, which prunes nothing and goes first where the
//! least is left to be shown.
//!
//! Sources: Allis, van der Meulen and van den Herik, "Proof-number search" (1994); Nagai, "Df-pn algorithm for searching AND/OR
//! trees and its applications" (2002), for the form that goes depth first with a table; Pawlewicz and Lew, "Improving depth-first
//! PN-search: 1 + ε trick" (2006); Ueda, Hashimoto, Hashimoto and Iida, "Weak proof-number search" (2008), for how disproofs are
//! counted.

use bytemuck::Zeroable;
use bytemuck::allocation::zeroed_slice_box;

use super::limits::{Budget, Stopped};
use crate::engine::chess::{Move, Position};

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unanswered {
    /// The whole search has to stop.
    Stopped,
    /// As many nodes as allowed have been taken.
    TooLong,
}

impl From<Stopped> for Unanswered {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

/// What an earlier attempt has found out, for the next one: of a position, by who is to move.
///
/// As that of the transposition table, the memory comes zeroed from the system, page by page as it is written: an attempt of few
/// nodes costs as little.
pub(super) struct Proofs(Box<[Slot]>);

/// One of zeros says nothing.
#[derive(Clone, Copy, Zeroable)]
struct Slot {
    key: u64,
    known: Known,
}

/// What is known of a position.
#[derive(Clone, Copy, Zeroable)]
struct Known {
    /// The attacker mates within so many moves; 0 if that is not known.
    mates: u8,
    /// by this move, if it is the attacker's turn.
    mv: Move,
    /// The attacker does not mate within so many.
    none: u8,
    /// What is left to be shown of a mate within this bound; of none, if that is 0.
    bound: u8,
    effort: Effort,
}

impl Known {
    /// What is left to be shown of a mate within this bound, if anything is known of it.
    fn effort(&self, bound: u8) -> Option<Effort> {
        if (1..=bound).contains(&self.mates) {
            Some(Effort::PROVED)
        } else if self.none >= bound {
            Some(Effort::DISPROVED)
        } else {
            (self.bound == bound).then_some(self.effort)
        }
    }
}

/// How many leaves, at the least, have to turn out well to prove a mate, and badly to disprove it.
#[derive(Clone, Copy, PartialEq, Eq, Zeroable)]
struct Effort {
    proof: u32,
    disproof: u32,
}

impl Effort {
    const NEVER: u32 = u32::MAX;
    /// The most that is left to be shown of anything that is open.
    const MOST: u32 = Self::NEVER - 1;
    const UNLIMITED: Self = Self { proof: Self::NEVER, disproof: Self::NEVER };
    const PROVED: Self = Self { proof: 0, disproof: Self::NEVER };
    const DISPROVED: Self = Self { proof: Self::NEVER, disproof: 0 };
    /// Of a position after a reply, of which nothing is known.
    const REPLIED: Self = Self { proof: 1, disproof: 1 };

    /// After an attacking move that leaves so many replies. A quiet one counts as one reply more.
    fn attacked(replies: u64, check: bool) -> Self {
        Self { proof: replies as u32 + u32::from(!check), disproof: 1 }
    }

    const fn is_within(self, limits: Self) -> bool {
        self.proof < limits.proof && self.disproof < limits.disproof
    }
}

/// A move of a node and what is left to be shown after it.
struct Branch {
    mv: Move,
    effort: Effort,
    /// Once proved: the attacker mates within so many moves.
    mates: u8,
}

/// One attempt: it may go on to this node.
pub(super) struct Prover<'a, 'b> {
    pub(super) proofs: &'a mut Proofs,
    pub(super) budget: &'a mut Budget<'b>,
    pub(super) last_node: u64,
    /// The positions that have been in the game so often that they are drawn when they are there again. Within a mate none repeats:
    /// it would be mate sooner without what was between.
    pub(super) drawn: Vec<u64>,
}

/// The most moves of a mate that is looked for.
pub(super) const LONGEST: u8 = 30;

impl Proofs {
    /// Nothing is known.
    pub(super) fn new() -> Self {
        Self(zeroed_slice_box(SLOTS))
    }

    fn of(&self, key: u64) -> Option<&Known> {
        let slot = &self.0[key as usize % SLOTS];
        (slot.key == key).then_some(&slot.known)
    }

    /// What is known of a position, to be added to.
    fn entry(&mut self, key: u64) -> &mut Known {
        let slot = &mut self.0[key as usize % SLOTS];
        if slot.key != key {
            *slot = Slot { key, known: Known::zeroed() };
        }
        &mut slot.known
    }
}

/// A position with the attacker to move.
const fn to_attack(position: &Position) -> u64 {
    position.key()
}

/// A position with the defender to move.
const fn to_defend(position: &Position) -> u64 {
    position.key() ^ 0x94d0_49bb_1331_11eb
}

/// The position from which some moves are looked at.
const fn root(position: &Position) -> u64 {
    position.key() ^ 0xbf58_476d_1ce4_e5b9
}

impl Prover<'_, '_> {
    /// The line of a mate by one of these moves within `bound` moves, against the longest resistance that is known; maybe not the
    /// shortest mate.
    ///
    /// # Errors
    /// If that has not been found out by the last node, or the search has to stop.
    pub(super) fn mating_line(
        &mut self,
        position: &Position,
        moves: &[Move],
        bound: u8,
    ) -> Result<Option<Vec<Move>>, Unanswered> {
        if !self.mates(position, moves, bound)? {
            return Ok(None);
        }
        // Each round that finds no line has found a shorter mate.
        for _ in 0..=LONGEST {
            if let Some(line) = self.follow(position, moves, bound)? {
                return Ok(Some(line));
            }
        }
        Err(Unanswered::TooLong)
    }

    /// Whether one of these moves mates within `bound` moves.
    ///
    /// # Errors
    /// As [`Self::mating_line`].
    pub(super) fn mates(
        &mut self,
        position: &Position,
        moves: &[Move],
        bound: u8,
    ) -> Result<bool, Unanswered> {
        let (effort, _) = self.attack(position, (root(position), moves), bound, Effort::UNLIMITED)?;
        Ok(effort == Effort::PROVED)
    }

    /// The line of a mate that has been proved; nothing where one of its positions turns out to be mate sooner than was known, which
    /// is known then.
    fn follow(
        &mut self,
        position: &Position,
        moves: &[Move],
        bound: u8,
    ) -> Result<Option<Vec<Move>>, Unanswered> {
        let (mut position, mut key, mut moves, mut bound) =
            (*position, root(position), moves.to_vec(), bound);
        let mut line = Vec::new();
        loop {
            let (mates, mv) = self.proved(&position, (key, &moves), bound)?;
            line.push(mv);
            let child = self.play(&position, mv)?;
            let (mut left, mut longest) = (0, None);
            for &reply in &child.legal_moves() {
                let after = self.play(&child, reply)?;
                let (within, _) =
                    self.proved(&after, (to_attack(&after), &after.legal_moves()), mates - 1)?;
                if within > left {
                    (left, longest) = (within, Some((reply, after)));
                }
            }
            if left + 1 < mates {
                // The whole entry: it may have been overwritten since.
                self.mating(key, mv, left + 1);
                return Ok(None);
            }
            let Some((reply, after)) = longest else { return Ok(Some(line)) };
            line.push(reply);
            (position, key, moves, bound) = (after, to_attack(&after), after.legal_moves().to_vec(), left);
        }
    }

    /// Within how many moves and by which one the attacker mates from a position that has been proved; once more, where that has
    /// been forgotten.
    fn proved(
        &mut self,
        position: &Position,
        (key, moves): (u64, &[Move]),
        bound: u8,
    ) -> Result<(u8, Move), Unanswered> {
        let is_known = |known: &Known| (1..=bound).contains(&known.mates);
        if !self.proofs.of(key).is_some_and(is_known) {
            self.attack(position, (key, moves), bound, Effort::UNLIMITED)?;
        }
        let known = self.proofs.of(key).filter(|known| is_known(known));
        known.map(|known| (known.mates, known.mv)).ok_or(Unanswered::TooLong)
    }

    /// What is left to be shown of a mate by one of these moves, once that leaves the limits, and within how many moves it is, if
    /// nothing is.
    fn attack(
        &mut self,
        position: &Position,
        (key, moves): (u64, &[Move]),
        bound: u8,
        limits: Effort,
    ) -> Result<(Effort, u8), Unanswered> {
        debug_assert!(bound > 0, "a mate takes a move");
        let checks = position.checks();
        let mut branches = Vec::with_capacity(moves.len());
        for &mv in moves {
            let check = checks.gives(position, mv);
            // The last move of a mate is a check.
            if bound == 1 && !check {
                continue;
            }
            let child = self.play(position, mv)?;
            let (effort, mates) = self.after_attack(&child, check, bound);
            if mates > 0 {
                return Ok(self.mating(key, mv, mates));
            }
            if effort != Effort::DISPROVED {
                branches.push(Branch { mv, effort, mates });
            }
        }
        loop {
            let Some((best, second)) = two_least(&branches, |branch| branch.effort.proof) else {
                return Ok(self.none(key, bound));
            };
            // Most of what disproves one attack disproves others too.
            let hardest = branches.iter().map(|branch| branch.effort.disproof).max().unwrap_or_default();
            let disproof = hardest.saturating_add(branches.len() as u32 - 1).min(Effort::MOST);
            let least = branches[best].effort;
            let effort = Effort { proof: least.proof, disproof };
            if !effort.is_within(limits) {
                return Ok(self.open(key, bound, effort));
            }
            let within = Effort {
                proof: limits.proof.min(a_little_more(second)),
                disproof: limits.disproof.saturating_sub(effort.disproof).saturating_add(least.disproof),
            };
            let mv = branches[best].mv;
            let child = self.play(position, mv)?;
            let (effort, mates) = self.defend(&child, bound, within)?;
            if mates > 0 {
                return Ok(self.mating(key, mv, mates));
            }
            branches[best].effort = effort;
            if effort == Effort::DISPROVED {
                branches.swap_remove(best);
            }
        }
    }

    /// The same after an attacking move, which is counted in the bound.
    fn defend(&mut self, position: &Position, bound: u8, limits: Effort) -> Result<(Effort, u8), Unanswered> {
        let key = to_defend(position);
        let replies = position.legal_moves();
        let mut branches = Vec::with_capacity(replies.len());
        for &mv in &replies {
            let child = self.play(position, mv)?;
            let (effort, mates) = self.after_reply(&child, bound - 1)?;
            if effort == Effort::DISPROVED {
                return Ok(self.none(key, bound));
            }
            branches.push(Branch { mv, effort, mates });
        }
        loop {
            let open =
                |branch: &Branch| if branch.mates > 0 { Effort::NEVER } else { branch.effort.disproof };
            let Some((best, second)) = two_least(&branches, open) else {
                let longest = branches.iter().map(|branch| branch.mates).max().unwrap_or_default();
                return Ok(self.mating(key, Move::NONE, longest + 1));
            };
            let sum = branches.iter().fold(0_u32, |sum, branch| sum.saturating_add(branch.effort.proof));
            let least = branches[best].effort;
            let effort = Effort { proof: sum.min(Effort::MOST), disproof: least.disproof };
            if !effort.is_within(limits) {
                return Ok(self.open(key, bound, effort));
            }
            let within = Effort {
                proof: limits.proof.saturating_sub(effort.proof).saturating_add(least.proof),
                disproof: limits.disproof.min(a_little_more(second)),
            };
            let child = self.play(position, branches[best].mv)?;
            let moves = child.legal_moves();
            let (effort, mates) = self.attack(&child, (to_attack(&child), &moves), bound - 1, within)?;
            if effort == Effort::DISPROVED {
                return Ok(self.none(key, bound));
            }
            (branches[best].effort, branches[best].mates) = (effort, mates);
        }
    }

    /// What is known at a glance after an attacking move.
    fn after_attack(&self, child: &Position, check: bool, bound: u8) -> (Effort, u8) {
        if self.drawn.contains(&child.key()) {
            return (Effort::DISPROVED, 0);
        }
        if bound == 1 {
            return if child.has_legal_move() { (Effort::DISPROVED, 0) } else { (Effort::PROVED, 1) };
        }
        if let Some(known) = self.proofs.of(to_defend(child))
            && let Some(effort) = known.effort(bound)
        {
            return (effort, if effort == Effort::PROVED { known.mates } else { 0 });
        }
        match child.count_legal_moves() {
            0 if check => (Effort::PROVED, 1),
            0 => (Effort::DISPROVED, 0),
            replies => (Effort::attacked(replies, check), 0),
        }
    }

    /// What is known at a glance after a reply; whether there is a mate in one is.
    fn after_reply(&mut self, child: &Position, bound: u8) -> Result<(Effort, u8), Unanswered> {
        if self.drawn.contains(&child.key()) {
            return Ok((Effort::DISPROVED, 0));
        }
        let key = to_attack(child);
        if let Some(known) = self.proofs.of(key)
            && let Some(effort) = known.effort(bound)
        {
            return Ok((effort, if effort == Effort::PROVED { known.mates } else { 0 }));
        }
        if bound == 1 {
            return self.attack(child, (key, &child.legal_moves()), 1, Effort::UNLIMITED);
        }
        Ok((Effort::REPLIED, 0))
    }

    fn play(&mut self, position: &Position, mv: Move) -> Result<Position, Unanswered> {
        if self.budget.nodes() >= self.last_node {
            return Err(Unanswered::TooLong);
        }
        self.budget.spend()?;
        let mut child = *position;
        child.play(mv);
        Ok(child)
    }

    fn mating(&mut self, key: u64, mv: Move, mates: u8) -> (Effort, u8) {
        let known = self.proofs.entry(key);
        (known.mates, known.mv) = (mates, mv);
        (Effort::PROVED, mates)
    }

    fn none(&mut self, key: u64, bound: u8) -> (Effort, u8) {
        let known = self.proofs.entry(key);
        known.none = known.none.max(bound);
        (Effort::DISPROVED, 0)
    }

    fn open(&mut self, key: u64, bound: u8, effort: Effort) -> (Effort, u8) {
        let known = self.proofs.entry(key);
        (known.bound, known.effort) = (bound, effort);
        (effort, 0)
    }
}

/// The place of the branch with the least number below [`Effort::NEVER`], and the least of the others.
fn two_least(branches: &[Branch], number: impl Fn(&Branch) -> u32) -> Option<(usize, u32)> {
    let (mut best, mut least, mut second) = (None, Effort::NEVER, Effort::NEVER);
    for (place, number) in branches.iter().map(number).enumerate() {
        if number < least {
            (best, least, second) = (Some(place), number, least);
        } else {
            second = second.min(number);
        }
    }
    Some((best?, second))
}

/// How much may be left to be shown of the most promising branch before the second one is looked at: a quarter more than of that, as
/// nothing is gained by going to and fro.
const fn a_little_more(second: u32) -> u32 {
    second.saturating_add(second / 4 + 1)
}

/// Positions that are known at a time.
const SLOTS: usize = 1 << 16;

#[cfg(test)]
mod tests;
