//! How a search is written in the protocol.

use std::fmt::Write as _;
use std::time::Duration;

use crate::engine::chess::{Move, Variant, uci_move};
use crate::engine::search::{Bound, Report, RootMove, SearchScore};

/// How far a search is.
pub(super) fn progress(nodes: u64, hashfull: u16, elapsed: Duration) -> String {
    let nps = nodes_per_second(nodes, elapsed);
    format!("info nodes {nodes} nps {nps} hashfull {hashfull} time {}", elapsed.as_millis())
}

/// Which of the root's moves is being searched.
pub(super) fn current(RootMove { mv, number, depth }: RootMove, variant: Variant) -> String {
    format!("info depth {depth} currmove {} currmovenumber {number}", uci_move::format(mv, variant))
}

fn nodes_per_second(nodes: u64, elapsed: Duration) -> u128 {
    (u128::from(nodes) * 1_000_000) / elapsed.as_micros().max(1)
}

/// One `info` line for each line of the report; what was only glanced at is not ranked below what was searched.
pub(super) fn info(report: &Report, elapsed: Duration, variant: Variant) -> Vec<String> {
    let nps = nodes_per_second(report.nodes, elapsed);
    let write = |(index, line): (usize, &crate::engine::search::Line)| {
        let mut text =
            format!("info depth {} seldepth {} multipv {}", line.depth, report.seldepth, index + 1);
        match line.score {
            SearchScore::Cp(centipawns) => _ = write!(text, " score cp {centipawns}"),
            SearchScore::Mate(moves) => _ = write!(text, " score mate {moves}"),
        }
        text.push_str(match line.bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        });
        _ = write!(
            text,
            " nodes {} nps {nps} hashfull {} tbhits {} time {}",
            report.nodes,
            report.hashfull,
            report.tbhits,
            elapsed.as_millis()
        );
        if !line.moves.is_empty() {
            text.push_str(" pv");
        }
        for mv in &line.moves {
            _ = write!(text, " {}", uci_move::format(*mv, variant));
        }
        text
    };
    let least = report.lines.first().map_or(0, |line| line.depth.min(1));
    report.lines.iter().filter(|line| line.depth >= least).enumerate().map(write).collect()
}

/// The `bestmove` line; the null move if there is none to play.
pub(super) fn best_move(best: Option<Move>, ponder: Option<Move>, variant: Variant) -> String {
    let Some(best) = best else { return "bestmove 0000".to_owned() };
    let best = uci_move::format(best, variant);
    match ponder {
        None => format!("bestmove {best}"),
        Some(mv) => format!("bestmove {best} ponder {}", uci_move::format(mv, variant)),
    }
}
