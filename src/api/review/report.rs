//! What the reply says of each game.

use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::go_on;
use super::reviewed::Reviewed;
use super::why::{Explainer, Why};
use crate::api::fields::Pov;
use crate::api::identity::{EngineIdentity, identity};
use crate::api::problem::Problem;
use crate::api::reply::Warning;
use crate::engine::chess::{ByColor, Color, FenStyle, Game, fen, san, uci_move};
use crate::game::openings::Opening;
use crate::game::pgn::Eval;
use crate::game::review::{self, Judgment, PlayerReview};

/// The reviews.
#[derive(Serialize, ToSchema)]
#[schema(as = GameReviews)]
pub(crate) struct Reviews {
    /// One for each game, in the order of the PGN.
    games: Vec<GameReview>,
}

/// The review of a game.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GameReview {
    /// The tags of the PGN.
    #[schema(value_type = std::collections::HashMap<String, String>)]
    headers: Map<String, Value>,
    /// The position from which the game starts, in canonical X-FEN.
    #[schema(examples("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"))]
    fen: String,
    /// Whose sign the scores carry: always White's.
    pov: Pov,
    /// The last position of the game that has a name, whatever moves led to it; null if none has.
    #[schema(required = true)]
    opening: Option<OpeningName>,
    /// Each half-move of the main line.
    plies: Vec<ReviewedPly>,
    players: Players,
    /// The name of the model behind `winPercent` and the accuracies.
    #[schema(value_type = String, examples("lichess"))]
    win_model: &'static str,
    /// What was repaired in the position from which the game starts and in what is said of its result, which variations and scores
    /// could not be read, and how many searches ended early.
    warnings: Vec<Warning>,
    engine: EngineIdentity,
}

/// An opening. Names: lichess-org/chess-openings.
#[derive(Serialize, ToSchema)]
#[schema(as = Opening)]
pub(crate) struct OpeningName {
    /// Its code in the Encyclopaedia of Chess Openings.
    #[schema(value_type = String, pattern = "^[A-E][0-9]{2}$", examples("C50"))]
    eco: &'static str,
    /// Its name.
    #[schema(value_type = String, examples("Italian Game"))]
    name: &'static str,
    /// The half-move that led to it; the next one left it.
    #[schema(minimum = 0, examples(5))]
    ply: usize,
}

/// A half-move and the verdict on it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReviewedPly {
    /// Its number in the game, from 1.
    #[schema(minimum = 1, examples(8))]
    ply: usize,
    /// The move in UCI.
    #[schema(examples("d8g5"))]
    r#move: String,
    /// The move in SAN.
    #[schema(examples("Qg5"))]
    san: String,
    /// White's centipawns after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, examples(28))]
    cp: Option<i32>,
    /// Moves to mate after it instead of `cp`, negative if White is mated; 0 with the mate on the board.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    mate: Option<i32>,
    /// White's chance to win after it, in percent.
    #[schema(required = true, minimum = 0.0, maximum = 100.0, examples(52.58))]
    win_percent: Option<f64>,
    /// How accurate it is, in percent.
    #[schema(required = true, minimum = 0.0, maximum = 100.0, examples(97.61))]
    accuracy: Option<f64>,
    /// The best move in its place, in UCI; with `useEvals` that of the PGN's first variation with another move.
    #[schema(required = true, examples("d7d6"))]
    best: Option<String>,
    /// The line that begins with the best move, in SAN.
    #[schema(required = true, examples("d6 Nxf7 Qe7"))]
    variation: Option<String>,
    /// What is wrong with it; null if nothing is.
    #[schema(required = true)]
    judgment: Option<JudgmentReply>,
    /// With a judgment, where the best move is known: what it has over the move played.
    #[schema(required = true)]
    why: Option<Why>,
}

/// What is wrong with a move.
#[derive(Serialize, ToSchema)]
#[schema(as = Judgment)]
pub(crate) struct JudgmentReply {
    name: JudgmentName,
    /// The judgment in words, as Lichess puts it.
    #[schema(examples("Blunder. d6 was best."))]
    comment: String,
}

/// How wrong a move is: by the drop of the mover's winning chances, or by a mate that came or went.
#[derive(Serialize, ToSchema)]
pub(crate) enum JudgmentName {
    /// 5 percentage points.
    Inaccuracy,
    /// 10.
    Mistake,
    /// 15.
    Blunder,
}

/// Both players.
#[derive(Serialize, ToSchema)]
pub(crate) struct Players {
    white: Player,
    black: Player,
}

/// The verdict on a player.
#[derive(Serialize, ToSchema)]
pub(crate) struct Player {
    /// How many inaccuracies.
    #[schema(minimum = 0, examples(1))]
    inaccuracy: usize,
    /// How many mistakes.
    #[schema(minimum = 0, examples(0))]
    mistake: usize,
    /// How many blunders.
    #[schema(minimum = 0, examples(1))]
    blunder: usize,
    /// The average loss of a move in centipawns; null without a move whose score is known.
    #[schema(required = true, minimum = 0, examples(54))]
    acpl: Option<u32>,
    /// How accurate the moves are together, in percent.
    #[schema(required = true, minimum = 0.0, maximum = 100.0, examples(81.27))]
    accuracy: Option<f64>,
}

impl Reviews {
    /// # Errors
    /// `timeout`, when it was stopped.
    pub(super) fn new(games: &[Reviewed<'_>], explainer: Explainer<'_>) -> Result<Self, Problem> {
        let games = games.iter().map(|game| GameReview::new(game, explainer));
        Ok(Self { games: games.collect::<Result<_, _>>()? })
    }
}

impl GameReview {
    fn new(reviewed: &Reviewed<'_>, explainer: Explainer<'_>) -> Result<Self, Problem> {
        let record = &reviewed.study.record;
        let mut game = record.start.clone();
        let mut plies = Vec::with_capacity(reviewed.moves.len());
        for (index, mv) in reviewed.moves.iter().enumerate() {
            go_on(explainer.stop)?;
            plies.push(ReviewedPly::new(reviewed, index, &game, explainer));
            game.play(*mv);
        }
        Ok(Self {
            headers: record.tags.iter().map(|(name, value)| (name.to_owned(), value.into())).collect(),
            fen: fen::format(record.start.position(), FenStyle::XFen),
            pov: Pov::White,
            opening: reviewed.opening().map(OpeningName::from),
            plies,
            players: Players::new(&reviewed.verdict.players),
            win_model: review::MODEL,
            warnings: reviewed.warnings(),
            engine: identity(),
        })
    }
}

impl ReviewedPly {
    /// A half-move, counted from 0, and the game before it.
    fn new(reviewed: &Reviewed<'_>, index: usize, game: &Game, explainer: Explainer<'_>) -> Self {
        let (mv, verdict) = (reviewed.moves[index], &reviewed.verdict.plies[index]);
        let eval = reviewed.evals.get(index).copied().flatten();
        let line = reviewed.better(index);
        let best = line.first().copied();
        let sans = san::format_line(game.position(), line);
        let judgment = verdict.judgment;
        Self {
            ply: index + 1,
            r#move: uci_move::format(mv, game.variant()),
            san: san::format(game.position(), mv),
            cp: eval.and_then(|eval| if let Eval::Cp(centipawns) = eval { Some(centipawns) } else { None }),
            mate: eval.and_then(mate),
            win_percent: verdict.win_percent.map(hundredths),
            accuracy: verdict.accuracy.map(hundredths),
            best: best.map(|best| uci_move::format(best, game.variant())),
            judgment: judgment.map(|judgment| JudgmentReply::new(judgment, sans.first())),
            variation: (!sans.is_empty()).then(|| sans.join(" ")),
            why: judgment.and(best).map(|_| explainer.compare(game, reviewed.lines(index))),
        }
    }
}

fn mate(eval: Eval) -> Option<i32> {
    match eval {
        Eval::Cp(_) => None,
        Eval::Mate(moves) => Some(moves),
        Eval::Won(_) => Some(0),
    }
}

/// To two decimals.
fn hundredths(percent: f64) -> f64 {
    (percent * 100.0).round() / 100.0
}

impl JudgmentReply {
    fn new(judgment: Judgment, best: Option<&String>) -> Self {
        let name = match judgment.severity {
            review::Severity::Inaccuracy => JudgmentName::Inaccuracy,
            review::Severity::Mistake => JudgmentName::Mistake,
            review::Severity::Blunder => JudgmentName::Blunder,
        };
        Self { name, comment: judgment.comment(best.map(String::as_str)) }
    }
}

impl From<(Opening, usize)> for OpeningName {
    fn from((Opening { eco, name }, ply): (Opening, usize)) -> Self {
        Self { eco, name, ply }
    }
}

impl Players {
    fn new(players: &ByColor<PlayerReview>) -> Self {
        Self { white: (&players[Color::White]).into(), black: (&players[Color::Black]).into() }
    }
}

impl From<&PlayerReview> for Player {
    fn from(review: &PlayerReview) -> Self {
        Self {
            inaccuracy: review.inaccuracies,
            mistake: review.mistakes,
            blunder: review.blunders,
            acpl: review.acpl,
            accuracy: review.accuracy.map(hundredths),
        }
    }
}
