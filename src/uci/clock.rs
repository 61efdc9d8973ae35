//! From the clocks of a game to the time for a move.

use std::time::Duration;

use super::command::Go;
use crate::engine::chess::Color;

/// How long a search may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Allowance {
    /// No further iteration is begun after this.
    pub(super) soft: Duration,
    /// The search is stopped.
    pub(super) hard: Duration,
}

/// Moves that the rest of the time has to last for, if nobody says.
const MOVES_TO_GO: u64 = 30;

/// A move may take so many times its share if an iteration is under way,
const HARD_SHARES: u64 = 3;

/// but no more than one part in so many of what is left, in percent.
const HARD_PERCENT: u64 = 60;

/// An iteration takes about as long as all before it together: one that begins after this part of the share,
/// in percent, would not end in time.
const SOFT_PERCENT: u64 = 60;

/// The time for this move: a fixed one, or a share of what is left on the clock; none if there is no clock.
pub(super) fn allowance(go: &Go, turn: Color, overhead: Duration) -> Option<Allowance> {
    if let Some(movetime_ms) = go.movetime_ms {
        let fixed = Duration::from_millis(movetime_ms);
        return Some(Allowance { soft: fixed, hard: fixed });
    }
    let (left, increment) = match turn {
        Color::White => (go.wtime_ms?, go.winc_ms),
        Color::Black => (go.btime_ms?, go.binc_ms),
    };
    let left = u64::try_from(left).unwrap_or(0).saturating_sub(overhead.as_millis() as u64).max(1);
    let moves = go.movestogo.map_or(MOVES_TO_GO, u64::from).clamp(1, MOVES_TO_GO);
    let share = (left / moves).saturating_add(increment.saturating_mul(3) / 4).clamp(1, left);
    let most = if moves == 1 { left } else { (left.saturating_mul(HARD_PERCENT) / 100).max(1) };
    Some(Allowance {
        soft: Duration::from_millis(share.saturating_mul(SOFT_PERCENT) / 100)
            .min(Duration::from_millis(most)),
        hard: Duration::from_millis(share.saturating_mul(HARD_SHARES).min(most)),
    })
}

#[cfg(test)]
mod tests {
    use super::{Go, allowance};
    use crate::engine::chess::Color;
    use std::time::Duration;

    const OVERHEAD: Duration = Duration::from_millis(10);

    #[test]
    fn no_clock_no_limit() {
        assert_eq!(allowance(&Go { btime_ms: Some(1_000), ..Go::default() }, Color::White, OVERHEAD), None);
    }

    #[test]
    fn the_clock_never_runs_out() {
        for left in [-50, 0, 1, 9, 10, 11, 100, 1_000, 60_000, i64::MAX] {
            for increment in [0, 10, 5_000, u64::MAX] {
                for movestogo in [None, Some(0), Some(1), Some(2), Some(40)] {
                    let go = Go { wtime_ms: Some(left), winc_ms: increment, movestogo, ..Go::default() };
                    let allowed = allowance(&go, Color::White, OVERHEAD).unwrap();
                    let most = u64::try_from(left).unwrap_or(0).saturating_sub(10).max(1);
                    assert!(allowed.hard <= Duration::from_millis(most), "{go:?} {allowed:?}");
                    assert!(allowed.soft <= allowed.hard, "{go:?} {allowed:?}");
                }
            }
        }
    }
}
