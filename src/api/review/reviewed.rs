//! A game with the verdict on it, from which every form of the reply is made.

use super::study::{Finding, Shortfall, Study};
use crate::api::reply::Warning;
use crate::engine::chess::{Move, Position};
use crate::game::openings::{self, Opening};
use crate::game::pgn::Eval;
use crate::game::review::{Course, Review, START, review};

/// A game with what was found about its positions, and what follows from that.
pub(super) struct Reviewed<'a> {
    pub(super) study: &'a Study,
    /// Of each position, from the start on.
    findings: &'a [Finding],
    pub(super) moves: Vec<Move>,
    /// What the position from which the game starts counts.
    pub(super) start: Eval,
    /// What the position after each half-move is worth, where that is known.
    pub(super) evals: Vec<Option<Eval>>,
    pub(super) verdict: Review,
}

impl<'a> Reviewed<'a> {
    /// There is a finding for each position of the game.
    pub(super) fn new(study: &'a Study, findings: &'a [Finding]) -> Self {
        let record = &study.record;
        let first = record.start.position();
        let moves: Vec<Move> = record.moves.iter().map(|ply| ply.mv).collect();
        let evals: Vec<Option<Eval>> = findings.iter().skip(1).map(|finding| finding.eval).collect();
        let best: Vec<bool> =
            moves.iter().zip(findings).map(|(mv, finding)| finding.line.first() == Some(mv)).collect();
        // Lichess takes its value of the start for every game; another position has a value of its own, where it is known.
        let own = findings.first().and_then(|finding| finding.eval);
        let start = own.filter(|_| *first != Position::start()).unwrap_or(START);
        let verdict = review(&Course { first: first.turn(), start, evals: &evals, best: &best });
        Self { study, findings, moves, start, evals, verdict }
    }

    /// The line that should have been played in place of a half-move, counted from 0; empty where it is not known.
    pub(super) fn better(&self, index: usize) -> &'a [Move] {
        self.findings.get(index).map_or(&[], |finding| &finding.line)
    }

    /// Where a half-move, counted from 0, leads, and the better one in its place: moves to be compared at the end. The move
    /// played goes on as the best line after it does, or, as far as none is known, as the game does.
    pub(super) fn lines(&self, index: usize) -> [Vec<Move>; 2] {
        let best = self.better(index);
        let mut played = vec![self.moves[index]];
        for next in index + 1.. {
            let better = self.better(next);
            played.extend_from_slice(better);
            match self.moves.get(next) {
                Some(mv) if better.is_empty() && played.len() < best.len() => played.push(*mv),
                _ => break,
            }
        }
        [played, best.to_vec()]
    }

    /// What was repaired in the game, and of how many of its positions less is known than was to be expected.
    pub(super) fn warnings(&self) -> Vec<Warning> {
        let shortfalls: Vec<Shortfall> =
            self.findings.iter().filter_map(|finding| finding.shortfall).collect();
        let unreadable = shortfalls.iter().filter(|it| **it == Shortfall::Unreadable).count();
        let unfinished = shortfalls.iter().find_map(|it| match it {
            Shortfall::CutShort(field) => Some(*field),
            Shortfall::Unreadable => None,
        });
        let evals = (unreadable > 0).then(|| Warning::evals_ignored(unreadable));
        let cut = unfinished.map(|field| Warning::searches_cut_short(shortfalls.len() - unreadable, field));
        self.study.warnings.iter().cloned().chain(evals).chain(cut).collect()
    }

    /// The last position that has a name, and the half-moves that lead to it.
    pub(super) fn opening(&self) -> Option<(Opening, usize)> {
        openings::last_named(self.study.record.start.position(), &self.moves)
    }
}
