//! Which move a weaker opponent takes: the one that looks best to it, among those that are not absurd.

use super::levels::Level;
use super::lot::{Lots, Question};
use crate::engine::chess::Move;
use crate::engine::search::Bound;
use crate::engine::search::value::{Value, Window};

/// A move that may be chosen.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    /// The move, then what is expected after it.
    pub(super) moves: Vec<Move>,
    /// The static value right after the move, for the side that makes it: how it looks if the opponent does
    /// nothing.
    pub(super) glance: Value,
    /// What the search says; as long as it has not come to this move, what a glance says.
    pub(super) value: Value,
    /// Whether that is the value, or more than it is.
    pub(super) bound: Bound,
    /// The iteration that says so, in plies; 0 for a glance.
    pub(super) depth: u8,
    /// By how much the static value at the end of the line was corrected, in centipawns.
    pub(super) correction: i32,
}

impl Candidate {
    /// Less is better: a value that is exact, then the value.
    pub(super) fn rank(&self) -> (bool, Value) {
        (self.bound != Bound::Exact, -self.value)
    }

    pub(super) fn mv(&self) -> Move {
        self.moves[0]
    }

    /// How good the move looks to somebody who may overlook the reply and who misjudges it by some error.
    ///
    /// All moves that one reply refutes are misjudged together: whoever has not seen it has not seen it
    /// anywhere. What captures the piece just moved is hard to overlook.
    fn looks(&self, level: &Level, lots: Lots) -> i64 {
        let overlooked = self.moves.get(1).is_some_and(|reply| {
            let obvious = reply.to() == self.mv().to();
            let often = if obvious { level.overlooked / OBVIOUS } else { level.overlooked };
            lots.falls(Question::Reply, reply.bits(), often)
        });
        let value = if overlooked { self.value.max(self.glance) } else { self.value };
        felt(value) + lots.error(Question::Judgement, self.mv().bits(), level.error)
    }
}

/// An obvious reply is overlooked so many times less often.
const OBVIOUS: i64 = 4;

/// The place of the move that looks best, of those that give away no more than the level tolerates; there is
/// at least one candidate.
pub(super) fn choose(candidates: &[Candidate], level: &Level, lots: Lots) -> usize {
    let exact = |candidate: &&Candidate| candidate.bound == Bound::Exact;
    let best = candidates.iter().filter(exact).map(|candidate| felt(candidate.value)).max().unwrap_or(0);
    let tolerable = |(_, candidate): &(usize, &Candidate)| {
        candidate.bound == Bound::Exact && best - felt(candidate.value) <= level.tolerance
    };
    let choice = candidates.iter().enumerate().filter(tolerable);
    choice.max_by_key(|(_, candidate)| candidate.looks(level, lots)).map_or(0, |(place, _)| place)
}

/// A value that every tolerable move exceeds, if the best is worth so much.
pub(super) fn below_tolerable(best: Value, level: &Level) -> Value {
    // Truncated in both directions of the scale: one less is on the safe side.
    let floor = felt(best) - level.tolerance - 1;
    let most = felt_centipawns(Value::MOST_CENTIPAWNS.into());
    if floor >= most {
        return Value::from_centipawns(Value::MOST_CENTIPAWNS);
    }
    if floor <= -most {
        return Window::FULL.alpha;
    }
    Value::from_centipawns((floor * HALVED_AT / (HALVED_AT - floor.abs())) as i32 - 1)
}

/// A lead of so many centipawns is felt as half of them, and none as more than them: a pawn more means little
/// to a side that is a queen ahead.
const HALVED_AT: i64 = 2_000;

/// A mate is felt as more than any material, the sooner the better, by so much for each ply.
const FELT_PLY: i64 = 4;

/// What a value feels like, in felt centipawns: the same near equality, less and less beyond.
pub(super) fn felt(value: Value) -> i64 {
    match value.plies_to_mate() {
        Some(plies) if value.is_win() => HALVED_AT + FELT_PLY * (LONGEST_MATE - plies as i64),
        Some(plies) => -HALVED_AT - FELT_PLY * (LONGEST_MATE - plies as i64),
        None => felt_centipawns((value - Value::DRAW).into()),
    }
}

/// No mate takes more plies.
const LONGEST_MATE: i64 = 128;

fn felt_centipawns(centipawns: i64) -> i64 {
    centipawns * HALVED_AT / (HALVED_AT + centipawns.abs())
}

#[cfg(test)]
mod tests {
    use super::{Candidate, HALVED_AT, below_tolerable, choose, felt};
    use crate::engine::chess::Move;
    use crate::engine::search::Bound;
    use crate::engine::search::handicap::Elo;
    use crate::engine::search::handicap::levels::Level;
    use crate::engine::search::handicap::lot::Lots;
    use crate::engine::search::value::{Value, Window};

    fn levels() -> impl Iterator<Item = Level> {
        (Elo::MIN.get()..=Elo::MAX.get()).step_by(50).map(|elo| Level::of(Elo::new(elo).unwrap()))
    }

    /// Values from the worst to the best.
    fn values() -> Vec<Value> {
        let lost = (0..40).map(Value::mated_in);
        let between = (-20_000..=20_000).step_by(37).map(Value::from_centipawns);
        let won = (0..40).rev().map(Value::mate_in);
        lost.chain(between).chain(won).collect()
    }

    /// A move worth so much, whose refutation wins what there is above it at a glance.
    fn candidate(index: u16, value: i32, glance: i32) -> Candidate {
        let moves = vec![Move::from_bits(index), Move::from_bits(0x0fff - index)];
        let (value, glance) = (Value::from_centipawns(value), Value::from_centipawns(glance));
        Candidate { moves, glance, value, bound: Bound::Exact, depth: 1, correction: 0 }
    }

    #[test]
    fn better_is_never_felt_as_worse() {
        assert!(values().windows(2).all(|pair| felt(pair[0]) <= felt(pair[1])));
        assert!(values().iter().all(|value| felt(*value) == -felt(-*value)));
        assert_eq!(felt(Value::from_centipawns(HALVED_AT as i32)), HALVED_AT / 2);
        assert!(felt(Value::mate_in(3)) < felt(Value::mate_in(1)));
        assert!(felt(Value::from_centipawns(20_000)) < felt(Value::mate_in(127)));
    }

    #[test]
    fn what_is_tolerable_is_above_the_bound() {
        for level in levels() {
            for best in values().into_iter().step_by(7) {
                let bound = below_tolerable(best, &level);
                assert!(bound < best || bound == Window::FULL.alpha, "{best:?} {level:?}");
                let tolerable = |value: &Value| felt(best) - felt(*value) <= level.tolerance;
                let least = values().into_iter().find(tolerable).unwrap();
                assert!(least > bound, "{best:?} {least:?} {bound:?} {level:?}");
            }
        }
    }

    #[test]
    fn nothing_intolerable_is_chosen_however_it_looks() {
        for level in levels() {
            let mut candidates: Vec<_> =
                (1..40).map(|index| candidate(index, -60 * i32::from(index), 900)).collect();
            candidates[1].bound = Bound::Upper;
            for seed in 0..200 {
                let chosen = choose(&candidates, &level, Lots::new(seed, 0));
                let loss = felt(candidates[0].value) - felt(candidates[chosen].value);
                assert!(chosen != 1 && loss <= level.tolerance, "{chosen} {level:?}");
            }
        }
    }

    /// One reply refutes every move but one: it is overlooked about as often as the level says, and not oftener
    /// because there are many such moves.
    #[test]
    fn a_reply_is_overlooked_as_a_whole() {
        let level = Level { overlooked: 200, error: 0, tolerance: 2_000, ..Level::of(Elo::MIN) };
        let mut candidates: Vec<_> = (1..30).map(|index| candidate(index, -300, 10)).collect();
        for refuted in &mut candidates {
            refuted.moves[1] = Move::from_bits(0x0abc);
        }
        candidates.push(candidate(30, 0, 0));
        let blunders =
            (0..2_000).filter(|seed| choose(&candidates, &level, Lots::new(*seed, 7)) != 29).count();
        assert!((340..=460).contains(&blunders), "{blunders}");
    }
}
