//! What a search has to say, as `best-move` and `evaluate` tell it.

use std::time::Duration;

use serde::Serialize;
use utoipa::ToSchema;

use crate::api::fields::Pov;
use crate::api::identity::{EngineIdentity, identity};
use crate::api::reply::{SideName, StatusName, Warning};
use crate::api::score::{Score, Wdl, Worth};
use crate::api::subject::Subject;
use crate::engine::chess::san;
use crate::engine::search::{Bound, Line, Report};

/// The result of a search.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Searched {
    #[serde(flatten)]
    figures: Figures,
    stop_reason: StopReason,
    /// The best lines, best first, those of `depth` 0 last, to which the search did not come; but where the move was chosen by
    /// `elo` its line is the first. None if the game is over.
    #[schema(max_items = 218)]
    pvs: Vec<Variation>,
    /// The static evaluation of the position itself.
    r#static: Worth,
    status: StatusName,
    /// The side that has won, with `checkmate`.
    #[schema(required = true)]
    winner: Option<SideName>,
    /// What was repaired in the request.
    warnings: Vec<Warning>,
    engine: EngineIdentity,
}

/// How far a search has come, and at what cost.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Figures {
    /// The last finished iteration, in plies.
    #[schema(minimum = 0, maximum = 127, examples(14))]
    depth: u8,
    /// The furthest that any line was followed, in plies.
    #[schema(minimum = 0, maximum = 127, examples(22))]
    seldepth: u8,
    /// Positions searched.
    #[schema(minimum = 0, examples(812_345))]
    nodes: u64,
    /// Positions per second of the search alone, without the time before it began; null with `deterministic`.
    #[schema(required = true, minimum = 0, examples(2_700_000))]
    nps: Option<u64>,
    /// Time from the arrival of the request to the end of the search, in milliseconds, with what it had to wait for a free
    /// engine; null with `deterministic`.
    #[schema(required = true, minimum = 0, examples(301))]
    time: Option<u64>,
    /// How full the transposition table is, per mille.
    #[schema(minimum = 0, maximum = 1000, examples(113))]
    hashfull: u16,
    /// Positions found in endgame tables; 0 on a server without tables, and with `deterministic`.
    #[schema(minimum = 0, examples(0))]
    tbhits: u64,
}

/// What a search has found so far, told after each finished iteration.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Progress {
    pov: Pov,
    #[serde(flatten)]
    figures: Figures,
    /// The best lines so far, best first.
    #[schema(max_items = 218)]
    pvs: Vec<Variation>,
}

/// Why the search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(examples("depth"))]
pub(crate) enum StopReason {
    /// The depth asked for is searched.
    Depth,
    /// The nodes asked for, or those of the strength asked for (`elo`), are searched.
    Nodes,
    /// The time to think is over.
    Movetime,
    /// The time for the whole request is over.
    Timeout,
    /// A mate was found that no deeper search can shorten.
    Mate,
    /// There is only one legal move.
    OnlyMove,
    /// The game is over.
    Terminal,
}

/// One line of play.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Variation)]
pub(crate) struct Variation {
    /// Its rank among the lines, from 1.
    #[schema(minimum = 1, maximum = 218, examples(1))]
    multipv: usize,
    /// Centipawns, from the point of view that `pov` names. A win that endgame tables tell is 20000 less the plies until
    /// they tell it, a loss the same below zero; a mate that is found is a `mate`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, examples(41))]
    cp: Option<i32>,
    /// Moves to mate, negative if the side of `pov` is mated.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    mate: Option<i32>,
    bound: BoundName,
    /// The iteration that found the line, in plies.
    #[schema(minimum = 0, maximum = 127, examples(14))]
    depth: u8,
    /// The moves in UCI.
    #[schema(max_items = 256, examples("d2d4", "d7d5"))]
    moves: Vec<String>,
    /// The moves in SAN.
    #[schema(max_items = 256, examples("d4", "d5"))]
    san: Vec<String>,
    /// The score to be expected in percent of a win, from the point of view that `pov` names.
    #[schema(minimum = 0.0, maximum = 100.0, examples(53.8))]
    win_percent: f64,
    wdl: Wdl,
}

/// Whether a score is the value of the position or only a bound of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = Bound, examples("exact"))]
pub(crate) enum BoundName {
    /// The value.
    Exact,
    /// The value is this or better for the side to move.
    Lower,
    /// The value is this or worse for the side to move.
    Upper,
}

impl From<Bound> for BoundName {
    fn from(bound: Bound) -> Self {
        match bound {
            Bound::Exact => Self::Exact,
            Bound::Lower => Self::Lower,
            Bound::Upper => Self::Upper,
        }
    }
}

/// Whether a reply tells how long it took, or is the same for the same request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Clockwork {
    /// It took so long.
    Timed {
        /// From the arrival of the request.
        elapsed: Duration,
        /// Of that, the search alone.
        searched: Duration,
    },
    /// Nobody looked at a clock.
    Deterministic,
}

impl Searched {
    /// The reply for a finished search of `subject`.
    pub(crate) fn new(
        subject: &Subject,
        report: &Report,
        stop_reason: StopReason,
        clockwork: Clockwork,
    ) -> Self {
        Self {
            figures: Figures::new(report, clockwork),
            stop_reason,
            pvs: variations(subject, report),
            r#static: subject.viewpoint().worth(subject.static_score()),
            status: subject.status.into(),
            winner: subject.winner(),
            warnings: subject.warnings.clone(),
            engine: identity(),
        }
    }
}

impl Figures {
    fn new(report: &Report, clockwork: Clockwork) -> Self {
        let (nps, time) = match clockwork {
            Clockwork::Deterministic => (None, None),
            Clockwork::Timed { elapsed, searched } => {
                let micros = searched.as_micros().max(1) as u64;
                (Some(report.nodes.saturating_mul(1_000_000) / micros), Some(elapsed.as_millis() as u64))
            }
        };
        Self {
            depth: report.depth,
            seldepth: report.seldepth,
            nodes: report.nodes,
            nps,
            time,
            hashfull: report.hashfull,
            tbhits: report.tbhits,
        }
    }
}

impl Progress {
    /// What there is to tell of a search of `subject` that still runs.
    pub(crate) fn new(subject: &Subject, report: &Report, clockwork: Clockwork) -> Self {
        Self { pov: subject.pov, figures: Figures::new(report, clockwork), pvs: variations(subject, report) }
    }
}

/// The lines of a report, best first; none of a game that is over.
fn variations(subject: &Subject, report: &Report) -> Vec<Variation> {
    let lines = report.lines.iter().filter(|line| !line.moves.is_empty());
    lines.enumerate().map(|(index, line)| Variation::new(subject, index + 1, line)).collect()
}

impl Variation {
    fn new(subject: &Subject, multipv: usize, line: &Line) -> Self {
        let (view, score) = (subject.viewpoint(), Score::of_search(line.score, subject.turn()));
        let (win_percent, wdl) = view.prospects(score, subject.phase());
        Self {
            multipv,
            cp: view.cp(score),
            mate: view.mate(score),
            bound: line.bound.into(),
            depth: line.depth,
            moves: line.moves.iter().map(|mv| subject.uci(*mv)).collect(),
            san: san::format_line(subject.position(), &line.moves),
            win_percent,
            wdl,
        }
    }
}
