//! What a move loses on its way to the GUI and back, learnt from the clocks of the game.
//!
//! A clock shows at each move how much it has lost since the last one. What the engine has not thought in that time, something
//! between has taken: a network, a slow GUI, a busy machine. Over a game without an increment it adds up.

use std::time::Duration;

use super::command::Go;
use crate::engine::chess::{Color, Position};

/// What is learnt follows such a part of the way when a move has lost more than expected,
const UP: f64 = 0.25;
/// and such a one when it has lost less: to run out of time costs more than to move too soon.
const DOWN: f64 = 0.125;

/// A move counts as no more than so many times what was expected, and a millisecond: once is chance.
const MOST_TIMES: f64 = 4.0;

/// What moves lose on their way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    /// A move, in milliseconds.
    lost_ms: f64,
    last: Option<Asked>,
}

/// A move that a clock was told for.
#[derive(Clone, Copy, Debug)]
struct Asked {
    turn: Color,
    fullmoves: u16,
    /// What the clock will show if nothing is lost and no time taken.
    left: Duration,
    /// How long the clock ran until the best move was told.
    thought: Option<Duration>,
}

impl Way {
    /// One that loses so much, until it is known better.
    pub(super) fn new(expected: Duration) -> Self {
        Self { lost_ms: expected.as_secs_f64() * 1_000.0, last: None }
    }

    /// What a move is expected to lose.
    pub(super) fn lost(self) -> Duration {
        Duration::from_secs_f64(self.lost_ms / 1_000.0)
    }

    /// The search that was asked for last has told its best move, after its clock ran for so long.
    pub(super) fn thought(&mut self, time: Option<Duration>) {
        if let Some(asked) = &mut self.last {
            asked.thought = time;
        }
    }

    /// A search of this position is asked for.
    pub(super) fn asked(&mut self, go: &Go, position: &Position) {
        let (turn, fullmoves) = (position.turn(), position.fullmoves());
        let clock = go.clock(turn).filter(|_| go.movetime_ms.is_none());
        let clock = clock.map(|(left_ms, increment_ms)| {
            let left_ms = u64::try_from(left_ms).unwrap_or(0);
            (Duration::from_millis(left_ms), Duration::from_millis(increment_ms))
        });
        let last =
            self.last.filter(|last| last.turn == turn && last.fullmoves.checked_add(1) == Some(fullmoves));
        if let (Some((left, _)), Some(last)) = (clock, last)
            && let Some(thought) = last.thought
            // More than there could be was put on the clock.
            && left <= last.left
        {
            self.learn(last.left.saturating_sub(left + thought));
        }
        self.last =
            clock.map(|(left, increment)| Asked { turn, fullmoves, left: left + increment, thought: None });
    }

    fn learn(&mut self, lost: Duration) {
        let lost_ms = lost.as_secs_f64() * 1_000.0;
        let most = MOST_TIMES * self.lost_ms.max(1.0);
        let part = if lost_ms > self.lost_ms { UP } else { DOWN };
        self.lost_ms += part * (lost_ms.min(most) - self.lost_ms);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::chess::{Fen, Variant};

    const EXPECTED: Duration = Duration::from_millis(10);

    fn position(fullmoves: u32) -> Position {
        let fen = format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 {fullmoves}");
        Fen::parse(&fen, Variant::Standard).unwrap().position
    }

    fn clock(left_ms: i64, increment_ms: u64) -> Go {
        Go { wtime_ms: Some(left_ms), winc_ms: increment_ms, ..Go::default() }
    }

    /// What is expected after moves that lost so many milliseconds each, in milliseconds.
    fn after(lost_ms: &[i32]) -> f64 {
        let mut way = Way::new(EXPECTED);
        let mut left_ms = 60_000;
        for (number, lost_ms) in (1..).zip(lost_ms) {
            way.asked(&clock(left_ms, 100), &position(number));
            way.thought(Some(Duration::from_millis(500)));
            left_ms += 100 - 500 - i64::from(*lost_ms);
        }
        way.asked(&clock(left_ms, 100), &position(lost_ms.len() as u32 + 1));
        way.lost().as_secs_f64() * 1_000.0
    }

    #[test]
    fn what_is_lost_is_learnt() {
        assert!((after(&[]) - 10.0).abs() < 0.001);
        assert!(after(&[0; 20]) < 1.0);
        for lost_ms in [3, 15, 60, 400] {
            let expected = after(&[lost_ms; 30]);
            assert!((expected / f64::from(lost_ms) - 1.0).abs() < 0.1, "{lost_ms}: {expected}");
        }
        let unsteady = after(&[0, 20].repeat(30));
        assert!((10.0..20.0).contains(&unsteady), "{unsteady}");
    }

    #[test]
    fn once_is_chance() {
        let once = after(&[&[0; 20][..], &[1_000]].concat());
        assert!(once < 3.0, "{once}");
    }

    #[test]
    fn a_clock_that_gains_was_set() {
        assert!((after(&[-60_000; 5]) - 10.0).abs() < 0.001);
    }

    #[test]
    fn what_does_not_follow_says_nothing() {
        let asked = clock(60_000, 0);
        let thought = Some(Duration::from_millis(500));
        let later = clock(59_000, 0);
        let lost = |between: &dyn Fn(&mut Way)| {
            let mut way = Way::new(EXPECTED);
            way.asked(&asked, &position(1));
            between(&mut way);
            way.lost()
        };
        assert!(
            lost(&|way| {
                way.thought(thought);
                way.asked(&later, &position(2));
            }) > EXPECTED
        );
        assert_eq!(lost(&|way| way.asked(&later, &position(2))), EXPECTED);
        assert_eq!(
            lost(&|way| {
                way.thought(thought);
                way.asked(&later, &position(3));
            }),
            EXPECTED
        );
        assert_eq!(
            lost(&|way| {
                way.thought(thought);
                way.asked(&Go { movetime_ms: Some(10), ..later.clone() }, &position(2));
            }),
            EXPECTED
        );
    }
}
