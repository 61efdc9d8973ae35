//! From the clocks of a game to the time for a move.

use std::time::Duration;

use super::command::Go;
use crate::engine::chess::{Move, Position};
use crate::engine::search::{Report, SearchScore};

/// How long a search may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Allowance {
    /// What a move of the usual difficulty takes: no further iteration is begun after this, times [`Pace::factor`]. None if
    /// all the time is to be used.
    pub(super) soft: Option<Duration>,
    /// The search is stopped.
    pub(super) hard: Duration,
}

/// The rest of the time is shared out as if so many moves were to go, if nobody says how many are: a long game gets by with
/// the increment.
const SHARES: u64 = 8;

/// So many more are to go at the start of the game, for the first moves seldom decide it;
const OPENING_SHARES: u64 = 16;
/// evenly fewer from move to move, and none after so many.
const OPENING_MOVES: u64 = 40;

/// Few moves take their whole share, so there is one for so many moves to go.
const MOVES_PER_SHARE: u32 = 2;

/// What the way to the GUI and back takes beyond the increment is kept back for so many moves, if nobody says how many are to go,
const WAY_MOVES: u32 = 50;

/// but no more than so much of what is left, in percent.
const WAY_PERCENT: u64 = 90;

/// Kept on the clock for a machine that is busy with something else just then; half of what is left where that is less.
const RESERVE_MS: u64 = 100;

/// What the way leaves of the increment is added to each share, of which a move of usual difficulty takes about half. While less
/// is left than this many times the reserve, a part of it alone, in proportion: a clock that has run low fills up again.
const FULL_INCREMENT_RESERVES: u64 = 2;

/// A move may take so many times its share if an iteration is under way,
const HARD_SHARES: u64 = 3;

/// but no more than so much of what is left, in percent.
const HARD_PERCENT: u64 = 60;

/// An iteration takes about as long as all before it together: one that begins after this part of the share,
/// in percent, would not end in time.
const SOFT_PERCENT: u64 = 52;

/// The time for this move: a fixed one, or a share of what is left on the clock; none if there is no clock. If only the
/// other side's is told, this side's shows the same.
///
/// `overhead` is what this move may lose on its way, and `way` what every move to come is expected to lose.
pub(super) fn allowance(
    go: &Go,
    position: &Position,
    overhead: Duration,
    way: Duration,
) -> Option<Allowance> {
    if let Some(movetime_ms) = go.movetime_ms {
        return Some(Allowance { soft: None, hard: Duration::from_millis(movetime_ms) });
    }
    let (left, increment) = go.clock(position.turn())?;
    let overhead = overhead.as_millis() as u64;
    let left = u64::try_from(left).unwrap_or(0).saturating_sub(overhead).max(1);
    let full = FULL_INCREMENT_RESERVES * RESERVE_MS;
    let moves = go.movestogo.unwrap_or(WAY_MOVES);
    let kept = way.saturating_sub(Duration::from_millis(increment)).saturating_mul(moves).as_millis() as u64;
    let increment = increment.saturating_sub(way.as_millis() as u64).saturating_mul(left.min(full)) / full;
    let left = left - RESERVE_MS.min(left / 2);
    let left = left - kept.min(left.saturating_mul(WAY_PERCENT) / 100);
    let opening = OPENING_MOVES.saturating_sub(u64::from(position.fullmoves()).saturating_sub(1));
    let shares = SHARES + OPENING_SHARES * opening / OPENING_MOVES;
    let shares = go.movestogo.map_or(shares, |moves| moves.div_ceil(MOVES_PER_SHARE).into()).clamp(1, shares);
    let share = (left / shares).saturating_add(increment).clamp(1, left);
    let is_last = go.movestogo.is_some_and(|moves| moves <= 1);
    let most = if is_last { left } else { (left.saturating_mul(HARD_PERCENT) / 100).max(1) };
    let hard = Duration::from_millis(share.saturating_mul(HARD_SHARES).min(most));
    Some(Allowance {
        soft: Some(Duration::from_millis(share.saturating_mul(SOFT_PERCENT) / 100).min(hard)),
        hard,
    })
}

/// Whether the search has made up its mind, iteration by iteration.
///
/// Source: the chess programming wiki, "Time Management".
#[derive(Debug, Default)]
pub(super) struct Pace {
    best: Option<Move>,
    score: Option<i32>,
    /// Iterations since the best move changed.
    stable: usize,
    factor: f64,
}

/// How much longer to think, by the iterations since the best move changed.
const BY_STABILITY: [f64; 5] = [1.84, 1.3, 1.0, 0.88, 0.76];

/// How much longer if the best move has cost no nodes at all; it falls by [`BY_EFFORT`] with its part of all nodes.
const AT_NO_EFFORT: f64 = 2.5;
/// See [`AT_NO_EFFORT`].
const BY_EFFORT: f64 = 2.25;

/// How much longer for each centipawn that the score has fallen since the last iteration, and less where it has risen,
const BY_FALL: f64 = 0.008;
/// within these bounds.
const FALL_FACTORS: (f64, f64) = (0.75, 1.5);

impl Pace {
    /// Takes an iteration in; the first ones say little, and nothing has to be done about them.
    pub(super) fn observe(&mut self, report: &Report) {
        let best = report.best_move();
        self.stable = if best == self.best { self.stable + 1 } else { 0 };
        self.best = best;
        let score = match report.score() {
            Some(SearchScore::Cp(cp)) => Some(cp),
            _ => None,
        };
        let fall = self.score.zip(score).map_or(0, |(before, now)| before - now);
        self.score = score;
        let effort = f64::from(report.effort) / 1_000.0;
        self.factor = BY_STABILITY[self.stable.min(BY_STABILITY.len() - 1)]
            * (AT_NO_EFFORT - BY_EFFORT * effort)
            * (1.0 + BY_FALL * f64::from(fall)).clamp(FALL_FACTORS.0, FALL_FACTORS.1);
    }

    /// How many times the usual time the search should take.
    pub(super) const fn factor(&self) -> f64 {
        self.factor
    }
}

#[cfg(test)]
mod tests {
    use super::{Go, Pace, allowance};
    use crate::engine::chess::{Fen, Position, Variant, uci_move};
    use crate::engine::search::{Bound, End, Line, Report, SearchScore};
    use std::time::Duration;

    const OVERHEAD: Duration = Duration::from_millis(10);
    const MINUTE: Duration = Duration::from_mins(1);

    /// The factor after some iterations: the number of the best move, its score, and its part of the nodes per mille.
    fn factor(iterations: &[(usize, i32, u16)]) -> f64 {
        let moves = Position::start().legal_moves();
        let mut pace = Pace::default();
        for (best, cp, effort) in iterations {
            let line = Line {
                score: SearchScore::Cp(*cp),
                bound: Bound::Exact,
                depth: 1,
                moves: vec![moves[*best]],
                correction: 0,
            };
            pace.observe(&Report {
                depth: 1,
                seldepth: 1,
                nodes: 1,
                hashfull: 0,
                tbhits: 0,
                effort: *effort,
                lines: vec![line],
                end: End::Depth,
            });
        }
        pace.factor()
    }

    #[test]
    fn doubt_takes_time() {
        let calm = factor(&[(0, 10, 600); 6]);
        let new_best_move = factor(&[(0, 10, 600), (0, 10, 600), (1, 10, 600)]);
        let hard_to_refute_the_others = factor(&[(0, 10, 200); 6]);
        let falling =
            factor(&[(0, 10, 600), (0, 10, 600), (0, 10, 600), (0, 10, 600), (0, 10, 600), (0, -40, 600)]);
        assert!(calm < 1.0, "{calm}");
        for doubt in [new_best_move, hard_to_refute_the_others, falling] {
            assert!(doubt > calm, "{doubt} {calm}");
        }
        let the_others_refuted_at_once = factor(&[(0, 10, 990); 6]);
        assert!(the_others_refuted_at_once < calm / 1.5, "{the_others_refuted_at_once} {calm}");
    }

    #[test]
    fn no_clock_no_limit() {
        assert_eq!(allowance(&Go::default(), &Position::start(), OVERHEAD, OVERHEAD), None);
    }

    #[test]
    fn one_clock_is_both_sides_clock() {
        let blacks = Go { btime_ms: Some(1_000), binc_ms: 10, ..Go::default() };
        let both = Go { wtime_ms: Some(1_000), ..blacks.clone() };
        let [only_blacks, both] =
            [blacks, both].map(|go| allowance(&go, &Position::start(), OVERHEAD, OVERHEAD));
        assert!(only_blacks.is_some());
        assert_eq!(only_blacks, both);
    }

    /// The part of the time that is left after so many moves of usual difficulty.
    fn part_left(time: Duration, moves: u32, increment_ms: u64, movestogo: Option<u32>) -> f64 {
        part_left_with(time, moves, increment_ms, movestogo, Duration::ZERO)
    }

    /// The same where the way to the GUI and back takes so long for each move.
    fn part_left_with(
        time: Duration,
        moves: u32,
        increment_ms: u64,
        movestogo: Option<u32>,
        way: Duration,
    ) -> f64 {
        let mut left = time;
        let mut position = Position::start();
        for played in 0..moves {
            let go = Go {
                wtime_ms: Some(left.as_millis() as i64),
                winc_ms: increment_ms,
                movestogo: movestogo.map(|all| all - played),
                ..Go::default()
            };
            let soft = allowance(&go, &position, OVERHEAD, way).unwrap().soft.unwrap();
            let there_and_back = if played % 2 == 0 { ["g1f3", "g8f6"] } else { ["f3g1", "f6g8"] };
            for mv in there_and_back {
                position.play(uci_move::parse(&position, mv).unwrap());
            }
            left = left.checked_sub(soft + way).expect("the clock has not run out")
                + Duration::from_millis(increment_ms);
        }
        left.div_duration_f64(time)
    }

    #[test]
    fn the_first_moves_take_less() {
        let share = |number: u32| {
            let fen = format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 {number}");
            let position = Fen::parse(&fen, Variant::Standard).unwrap().position;
            let go = Go { wtime_ms: Some(60_000), ..Go::default() };
            allowance(&go, &position, OVERHEAD, OVERHEAD).unwrap().soft.unwrap().as_secs_f64()
        };
        let shares = [1, 14, 27, 41].map(share);
        assert!(shares.is_sorted_by(|early, late| early < late), "{shares:?}");
        assert!((2.8..3.2).contains(&(shares[3] / shares[0])), "{shares:?}");
        assert!((share(41) - share(200)).abs() < 0.001);
    }

    #[test]
    fn the_time_is_used() {
        for increment_ms in [0, 600] {
            let half_way = part_left(MINUTE, 20, increment_ms, None);
            assert!((0.5..0.7).contains(&half_way), "{half_way}");
            assert!(part_left(MINUTE, 60, increment_ms, None) < 0.2);
        }
        for moves in [1, 2, 3, 10, 20, 40] {
            let at_the_control = part_left(MINUTE, moves, 0, Some(moves));
            assert!((0.0..0.5).contains(&at_the_control), "{moves}: {at_the_control}");
        }
        assert!(part_left(MINUTE, 40, 0, Some(40)) < 0.15);
    }

    /// At one second and ten milliseconds a move, by itself and with a way to the GUI and back that takes half the increment.
    #[test]
    fn the_clock_does_not_sink_in_fast_games() {
        for moves in [60, 90, 120, 150] {
            for (way_ms, least) in [(0, 0.12), (5, 0.07)] {
                let way = Duration::from_millis(way_ms);
                let left = part_left_with(Duration::from_secs(1), moves, 10, None, way);
                assert!((least..0.26).contains(&left), "{moves} {way_ms}: {left}");
            }
        }
    }

    /// Without an increment, what each move loses on its way adds up.
    #[test]
    fn a_slow_way_is_paid_for_before_it_is_gone() {
        for (seconds, moves) in [(3, 90), (10, 120), (60, 140), (300, 170)] {
            for movestogo in [None, Some(moves)] {
                let left = part_left_with(Duration::from_secs(seconds), moves, 0, movestogo, OVERHEAD);
                assert!(left > 0.0, "{seconds} {moves} {movestogo:?}: {left}");
            }
        }
        // Where the increment pays for it, only what it leaves is to be had.
        let [slow, fast] = [OVERHEAD, Duration::ZERO].map(|way| {
            let increment_ms = 10 + way.as_millis() as u64;
            let go = Go { wtime_ms: Some(60_000), winc_ms: increment_ms, ..Go::default() };
            allowance(&go, &Position::start(), OVERHEAD, way)
        });
        assert_eq!(slow, fast);
    }

    #[test]
    fn the_clock_never_runs_out() {
        for left in [-50, 0, 1, 9, 10, 11, 100, 1_000, 60_000, i64::MAX] {
            for increment in [0, 10, 5_000, u64::MAX] {
                for movestogo in [None, Some(0), Some(1), Some(2), Some(40)] {
                    let go = Go { wtime_ms: Some(left), winc_ms: increment, movestogo, ..Go::default() };
                    let allowed = allowance(&go, &Position::start(), OVERHEAD, OVERHEAD).unwrap();
                    let most = u64::try_from(left).unwrap_or(0).saturating_sub(10).max(1);
                    assert!(allowed.hard <= Duration::from_millis(most), "{go:?} {allowed:?}");
                    assert!(allowed.soft.is_some_and(|soft| soft <= allowed.hard), "{go:?} {allowed:?}");
                }
            }
        }
    }
}
