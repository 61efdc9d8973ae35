//! The work on games: each of their positions is searched, or its score taken from a comment.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use axum::body::Bytes;
use futures_util::StreamExt;
use futures_util::stream::{self, BoxStream};
use tokio::task::coop::consume_budget;

use super::reviewed::Reviewed;
use super::why::Explainer;
use super::{Scores, Studies, go_on};
use crate::api::AppState;
use crate::api::problem::Problem;
use crate::api::reply::Warning;
use crate::api::score::Score;
use crate::api::searched::StopReason;
use crate::api::thinking::{Allowance, search};
use crate::engine::chess::{Game, Move, Status};
use crate::engine::eval::Evaluator;
use crate::engine::search::SearchRequest;
use crate::game::pgn::{Eval, Notice, Ply, Record, Termination};
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
    /// Why less is known than was to be expected.
    pub(super) shortfall: Option<Shortfall>,
}

/// Why of a position less is known than was to be expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shortfall {
    /// Its comment has a score that cannot be read.
    Unreadable,
    /// Its search was ended before it had all of what this field of the request asks for.
    CutShort(&'static str),
}

impl Study {
    pub(super) fn of_record(mut record: Record) -> Self {
        let repaired = |notice: &Notice| match notice {
            Notice::Fen(warning) => Some(Warning::from(*warning)),
            Notice::TakenAsChess960 => Some(Warning::taken_as_chess960()),
            // There may be many: they are told together.
            Notice::SideLineCut { .. } => None,
        };
        let mut warnings: Vec<_> = record.notices.iter().filter_map(repaired).collect();
        warnings.extend(cut(&record.notices));
        if settle_result(&mut record) {
            warnings.push(Warning::result_ignored());
        }
        Self { record, warnings }
    }

    /// How many half-moves it has.
    pub(super) fn plies(&self) -> usize {
        self.record.moves.len()
    }

    pub(super) fn has_evals(&self) -> bool {
        self.record.moves.iter().any(|ply| ply.eval().is_some())
    }

    /// What the comments of the game say of each of its positions.
    ///
    /// # Errors
    /// `timeout`, when it was stopped.
    pub(super) fn told(&self, stop: &AtomicBool) -> Result<Vec<Finding>, Problem> {
        let mut game = self.record.start.clone();
        let mut findings = Vec::with_capacity(self.plies() + 1);
        findings.push(self.told_of(0, &game));
        for (index, ply) in self.record.moves.iter().enumerate() {
            go_on(stop)?;
            game.play(ply.mv);
            findings.push(self.told_of(index + 1, &game));
        }
        Ok(findings)
    }

    /// What they say of the position after so many half-moves.
    fn told_of(&self, plies: usize, game: &Game) -> Finding {
        let last = plies.checked_sub(1).and_then(|index| self.record.moves.get(index));
        let eval = last.and_then(Ply::eval).or_else(|| over(game));
        // A variation stands after the move that it replaces.
        let instead = self.record.moves.get(plies).and_then(Ply::alternative);
        let line =
            instead.map(|line| line.moves.iter().map(|ply| ply.mv).take_while(|mv| mv.is_some()).collect());
        let is_unreadable = eval.is_none() && last.is_some_and(Ply::has_eval_command);
        let shortfall = is_unreadable.then_some(Shortfall::Unreadable);
        Finding { eval, line: line.unwrap_or_default(), shortfall }
    }
}

/// What is told of the variations that could not be read to their ends, if there are any.
fn cut(notices: &[Notice]) -> Option<Warning> {
    let places = notices.iter().filter_map(|notice| match notice {
        Notice::SideLineCut { place, .. } => Some(*place),
        Notice::Fen(_) | Notice::TakenAsChess960 => None,
    });
    let places: Vec<_> = places.collect();
    places.first().map(|first| Warning::variations_cut(places.len(), *first))
}

/// Makes the tag `Result` and the mark behind the moves say the same, so that every form of a review does. Whichever is known
/// stays, and of two that contradict each other the tag, as other readers have it: gives back whether they do.
fn settle_result(record: &mut Record) -> bool {
    let known = |result: &Termination| *result != Termination::Unknown;
    let tag = record.tags.get("Result").map(Termination::read);
    let mark = record.termination.filter(known);
    match (tag, mark) {
        (Some(Some(tag)), _) if known(&tag) => record.termination = Some(tag),
        (Some(_), Some(mark)) => record.tags.set("Result", mark.text()),
        _ => {}
    }
    mark.is_some_and(|mark| record.termination != Some(mark))
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
        let Studies { games, evaluator, scores } = studies;
        let games = Arc::new(games);
        let findings = games.iter().map(|game| Vec::with_capacity(game.plies() + 1)).collect();
        let found = match scores {
            Scores::Searched(allowance) => {
                find(Arc::clone(&games), evaluator, allowance, state.clone(), place.window())
            }
            Scores::Told(told) => {
                let numbered = told.into_iter().enumerate();
                let found = numbered
                    .flat_map(|(number, told)| told.into_iter().map(move |finding| Ok((number, finding))));
                stream::iter(found).boxed()
            }
        };
        Self { games, evaluator, findings, found, state, place }
    }

    /// Waits for one position more; nothing, when all are done.
    ///
    /// # Errors
    /// Those of a search.
    pub(super) async fn step(&mut self) -> Result<Option<Progress>, Problem> {
        // Where much is found without a search, the thread that serves the connection is left to others now and then.
        consume_budget().await;
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
        let Self { games, evaluator, findings, found, state, place } = self;
        // It has the games too: who has them last takes long to drop them.
        drop(found);
        let timing = unhurried(&state);
        let ticket = state.pools().bulk.run(place.client(), timing, move |stop| {
            let reviewed = games.iter().zip(&findings).map(|(study, findings)| {
                go_on(stop)?;
                Ok(Reviewed::new(study, findings))
            });
            made(&reviewed.collect::<Result<Vec<_>, Problem>>()?, Explainer { evaluator, stop })
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

/// What searches find out about each position, in order, with the number of its game. The positions are made as they are needed.
fn find(
    games: Arc<Vec<Study>>,
    evaluator: Evaluator,
    allowance: Allowance,
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
            return Some((number, game));
        }
    });
    let answers = questions.map(move |(number, game)| {
        let state = state.clone();
        async move { Ok((number, searched(&state, game, evaluator, &allowance).await?)) }
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
        return Ok(Finding { eval: Some(eval), ..Finding::default() });
    }
    let turn = game.position().turn();
    let request = SearchRequest::new(game, evaluator, allowance.limits());
    let thought = search(&state.pools().bulk, request, allowance, Table::Shared).await?;
    let is_cut_short = thought.stop_reason == StopReason::Timeout;
    let shortfall = is_cut_short.then(|| Shortfall::CutShort(allowance.budget.field()));
    let line = thought.report.lines.into_iter().next();
    let (eval, line) = line.map(|line| (eval_of(Score::of_search(line.score, turn)), line.moves)).unzip();
    Ok(Finding { eval, line: line.unwrap_or_default(), shortfall })
}

fn eval_of(score: Score) -> Eval {
    match score {
        Score::Cp(centipawns) => Eval::Cp(centipawns),
        Score::Mate(moves) => Eval::Mate(moves),
        Score::Won(side) => Eval::Won(side),
        Score::Drawn => Eval::Cp(0),
    }
}

#[cfg(test)]
mod tests {
    use std::future::Future;
    use std::pin::pin;

    use super::{AppState, AtomicBool, Evaluator, Explainer, Reviewed, Scores, Studies, Study, Work};
    use crate::api::problem::Problem;
    use crate::api::review::{annotated, drawn, report::Reviews};
    use crate::engine::chess::Variant;
    use crate::game::pgn::{self, Caps};
    use crate::pool::Client;

    fn study(text: &str) -> Study {
        let caps = Caps { games: 1, plies: 10_000, moves: 10_000, tags: 9, comments: 9, depth: 1 };
        let games = pgn::read(text, Variant::Standard, caps, &AtomicBool::new(false)).unwrap();
        games.into_iter().map(Study::of_record).next().unwrap()
    }

    #[test]
    fn work_that_is_told_to_stop_makes_nothing() {
        let study = study("1. e4 { [%eval 0.3] } e5 { [%eval 3.0] } ( 1... c5 ) *");
        let findings = study.told(&AtomicBool::new(false)).unwrap();
        let games = [Reviewed::new(&study, &findings)];
        let outcomes = |stop: bool| -> [Result<(), Problem>; 4] {
            let stop = AtomicBool::new(stop);
            let explainer = Explainer { evaluator: Evaluator::default(), stop: &stop };
            [
                study.told(&stop).map(drop),
                Reviews::new(&games, explainer).map(drop),
                annotated(&games, &stop).map(drop),
                drawn(&games, &stop).map(drop),
            ]
        };
        assert!(outcomes(false).iter().all(Result::is_ok));
        for outcome in outcomes(true) {
            assert_eq!(outcome.unwrap_err().code().name(), "timeout");
        }
    }

    /// How often the thread is left to others before something is done.
    fn pauses(work: impl Future<Output = ()>) -> usize {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let mut pauses = 0;
        runtime.block_on(async {
            let mut work = pin!(work);
            std::future::poll_fn(|context| {
                let polled = work.as_mut().poll(context);
                pauses += usize::from(polled.is_pending());
                polled
            })
            .await;
        });
        pauses
    }

    #[test]
    fn what_is_found_without_a_search_leaves_the_thread_to_others() {
        // Only the kings are left: nothing is searched.
        let shuffle = "Kd2 Kd7 Ke1 Ke8 ".repeat(500);
        let text = format!("[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n\n{shuffle} *");
        let state = AppState::with_one_thread();
        for is_told in [false, true] {
            let games = vec![study(&text)];
            let scores = if is_told {
                Scores::Told(vec![games[0].told(&AtomicBool::new(false)).unwrap()])
            } else {
                let budget = crate::api::budget::Budget::Nodes(1);
                Scores::Searched(
                    super::Allowance::new(Client::UNKNOWN, budget, None, super::Start::Work, state.limits())
                        .unwrap(),
                )
            };
            let place = state.pools().begin_bulk(Client::UNKNOWN).map_err(|_| "full").unwrap();
            let studies = Studies { games, evaluator: Evaluator::default(), scores };
            let mut work = Work::new(studies, state.clone(), place);
            let pauses = pauses(async { while work.step().await.unwrap().is_some() {} });
            assert!(pauses >= 10, "{pauses} pauses in 2,000 positions");
            assert_eq!(work.findings[0].len(), 2_001);
        }
    }
}
