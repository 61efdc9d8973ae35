//! The work on games: each of their positions is searched, or its score taken from a comment.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use futures_util::StreamExt;
use futures_util::stream::{self, BoxStream};

use super::Studies;
use super::reviewed::Reviewed;
use super::why::Explainer;
use crate::api::AppState;
use crate::api::problem::Problem;
use crate::api::reply::Warning;
use crate::api::score::Score;
use crate::api::thinking::{Allowance, search};
use crate::engine::chess::{Game, Move, Status};
use crate::engine::eval::Evaluator;
use crate::engine::search::SearchRequest;
use crate::game::pgn::{Eval, Notice, Ply, Record};
use crate::pool::{BulkRequest, Start, Table, Timing};

/// A game to be reviewed.
pub(super) struct Study {
    pub(super) record: Record,
    pub(super) warnings: Vec<Warning>,
}

/// What is known of a position of a game.
#[derive(Clone, Debug, Default)]
pub(super) struct Finding {
    /// What it is worth.
    pub(super) eval: Option<Eval>,
    /// What should be played there.
    pub(super) line: Vec<Move>,
}

impl Study {
    pub(super) fn of_record(record: Record) -> Self {
        let repaired = |notice: &Notice| match notice {
            Notice::Fen(warning) => Some(Warning::from(*warning)),
            // Side lines are not reviewed.
            Notice::SideLineCut { .. } => None,
        };
        let warnings = record.notices.iter().filter_map(repaired).collect();
        Self { record, warnings }
    }

    /// How many half-moves it has.
    pub(super) fn plies(&self) -> usize {
        self.record.moves.len()
    }

    pub(super) fn has_evals(&self) -> bool {
        self.record.moves.iter().any(|ply| ply.eval().is_some())
    }

    /// What the comments of the game say of the position after so many half-moves.
    fn told(&self, plies: usize, game: &Game) -> Finding {
        let last = plies.checked_sub(1).and_then(|index| self.record.moves.get(index));
        let eval = last.and_then(Ply::eval).or_else(|| over(game));
        // A variation stands after the move that it replaces.
        let instead = self.record.moves.get(plies).and_then(|ply| ply.variations.first());
        let line =
            instead.map(|line| line.moves.iter().map(|ply| ply.mv).take_while(|mv| mv.is_some()).collect());
        Finding { eval, line: line.unwrap_or_default() }
    }
}

/// What a game is worth that is over.
fn over(game: &Game) -> Option<Eval> {
    match game.status() {
        Status::Checkmate => Some(Eval::Won(!game.position().turn())),
        status if status.is_over() => Some(Eval::Cp(0)),
        _ => None,
    }
}

/// Reviews at work.
pub(super) struct Work {
    games: Arc<Vec<Study>>,
    evaluator: Evaluator,
    findings: Vec<Vec<Finding>>,
    found: BoxStream<'static, Result<(usize, Finding), Problem>>,
    state: AppState,
    /// Given back when the reply is taken.
    place: BulkRequest,
}

/// How far the work is.
pub(super) struct Progress {
    /// Which game, from 1.
    pub(super) game: usize,
    /// So many half-moves of it are done
    pub(super) ply: usize,
    /// of so many.
    pub(super) plies: usize,
}

impl Work {
    pub(super) fn new(studies: Studies, state: AppState, place: BulkRequest) -> Self {
        let Studies { games, evaluator, allowance } = studies;
        let games = Arc::new(games);
        let findings = games.iter().map(|game| Vec::with_capacity(game.plies() + 1)).collect();
        let found = find(Arc::clone(&games), evaluator, allowance, state.clone(), place.window());
        Self { games, evaluator, findings, found, state, place }
    }

    /// Waits for one position more; nothing, when all are done.
    ///
    /// # Errors
    /// Those of a search.
    pub(super) async fn step(&mut self) -> Result<Option<Progress>, Problem> {
        let Some(found) = self.found.next().await else { return Ok(None) };
        let (game, finding) = found?;
        self.findings[game].push(finding);
        let (ply, plies) = (self.findings[game].len() - 1, self.games[game].plies());
        Ok(Some(Progress { game: game + 1, ply, plies }))
    }

    /// Goes on to the end, and makes of it what is wanted.
    ///
    /// # Errors
    /// Those of a search.
    pub(super) async fn finish(mut self, made: impl Making) -> Result<Bytes, Problem> {
        while self.step().await?.is_some() {}
        self.render(made).await
    }

    /// Makes of what was found what is wanted, on a thread of the pool: of many games it takes longer than the thread that serves a
    /// connection should be held.
    ///
    /// # Errors
    /// Those of the pool.
    pub(super) async fn render(self, made: impl Making) -> Result<Bytes, Problem> {
        let Self { games, evaluator, findings, state, place, .. } = self;
        let timing = unhurried(&state);
        let ticket = state.pools().bulk.run(place.client(), timing, move |stop| {
            let reviewed: Vec<_> =
                games.iter().zip(&findings).map(|(study, findings)| Reviewed::new(study, findings)).collect();
            made(&reviewed, Explainer { evaluator, stop })
        })?;
        let bytes = ticket.await??;
        Ok(Bytes::from_owner(Outstanding { bytes, _place: place }))
    }
}

/// A review that is made and not yet taken: it keeps its place, or a client could have any number of them in memory.
struct Outstanding {
    bytes: Bytes,
    _place: BulkRequest,
}

impl AsRef<[u8]> for Outstanding {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// What makes a reply of reviewed games.
pub(super) trait Making:
    FnOnce(&[Reviewed<'_>], Explainer<'_>) -> Result<Bytes, Problem> + Send + 'static
{
}

impl<F: FnOnce(&[Reviewed<'_>], Explainer<'_>) -> Result<Bytes, Problem> + Send + 'static> Making for F {}

/// The timing of work without a limit of its own.
pub(super) fn unhurried(state: &AppState) -> Timing {
    let timeout = Duration::from_millis(state.limits().request_timeout_ms);
    Timing { start: Start::Work, movetime: None, timeout }
}

/// What is found out about each position, in order, with the number of its game. The positions are made as they are needed.
fn find(
    games: Arc<Vec<Study>>,
    evaluator: Evaluator,
    allowance: Option<Allowance>,
    state: AppState,
    window: usize,
) -> BoxStream<'static, Result<(usize, Finding), Problem>> {
    let mut next = (0, 0);
    let mut current: Option<Game> = None;
    let questions = std::iter::from_fn(move || {
        loop {
            let (number, ply) = next;
            let study = games.get(number)?;
            if ply > study.plies() {
                (next, current) = ((number + 1, 0), None);
                continue;
            }
            let mut game = current.take().unwrap_or_else(|| study.record.start.clone());
            if let Some(played) = ply.checked_sub(1).and_then(|index| study.record.moves.get(index)) {
                game.play(played.mv);
            }
            current = Some(game.clone());
            next = (number, ply + 1);
            let told = allowance.is_none().then(|| study.told(ply, &game));
            return Some((number, game, told));
        }
    });
    let answers = questions.map(move |(number, game, told)| {
        let state = state.clone();
        async move {
            let finding = match (told, allowance) {
                (Some(told), _) => told,
                (None, Some(allowance)) => searched(&state, game, evaluator, &allowance).await?,
                (None, None) => Finding::default(),
            };
            Ok((number, finding))
        }
    });
    stream::iter(answers).buffered(window).boxed()
}

async fn searched(
    state: &AppState,
    game: Game,
    evaluator: Evaluator,
    allowance: &Allowance,
) -> Result<Finding, Problem> {
    if let Some(eval) = over(&game) {
        return Ok(Finding { eval: Some(eval), line: Vec::new() });
    }
    let turn = game.position().turn();
    let request = SearchRequest::new(game, evaluator, allowance.limits());
    let thought = search(&state.pools().bulk, request, allowance, Table::Shared).await?;
    let line = thought.report.lines.into_iter().next();
    Ok(line.map_or_else(Finding::default, |line| Finding {
        eval: Some(eval_of(Score::of_search(line.score, turn))),
        line: line.moves,
    }))
}

fn eval_of(score: Score) -> Eval {
    match score {
        Score::Cp(centipawns) => Eval::Cp(centipawns),
        Score::Mate(moves) => Eval::Mate(moves),
        Score::Won(side) => Eval::Won(side),
        Score::Drawn => Eval::Cp(0),
    }
}
