//! The parts that several replies share.

use std::borrow::Cow;

use serde::Serialize;
use utoipa::ToSchema;

use crate::engine::chess::{Color, FenWarning, Game, Move, Status, san, uci_move};
use crate::engine::eval::Blend;
use crate::engine::eval::GamePhase;
use crate::engine::weights::Score;
use crate::game::pgn::Place;

/// A side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = Side, examples("white"))]
pub(crate) enum SideName {
    /// White.
    White,
    /// Black.
    Black,
}

impl SideName {
    /// Who has won, with checkmate on the board.
    pub(crate) fn winner(status: Status, turn: Color) -> Option<Self> {
        (status == Status::Checkmate).then(|| (!turn).into())
    }
}

impl From<Color> for SideName {
    fn from(color: Color) -> Self {
        match color {
            Color::White => Self::White,
            Color::Black => Self::Black,
        }
    }
}

/// How the game stands. After `fiftyMoves` and `threefold` a draw may be claimed, but the game goes on; all others but
/// `ongoing` end it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Status, examples("ongoing"))]
pub(crate) enum StatusName {
    Ongoing,
    Checkmate,
    Stalemate,
    InsufficientMaterial,
    FiftyMoves,
    SeventyFiveMoves,
    Threefold,
    Fivefold,
}

impl From<Status> for StatusName {
    fn from(status: Status) -> Self {
        match status {
            Status::Ongoing => Self::Ongoing,
            Status::Checkmate => Self::Checkmate,
            Status::Stalemate => Self::Stalemate,
            Status::InsufficientMaterial => Self::InsufficientMaterial,
            Status::FiftyMoves => Self::FiftyMoves,
            Status::SeventyFiveMoves => Self::SeventyFiveMoves,
            Status::Threefold => Self::Threefold,
            Status::Fivefold => Self::Fivefold,
        }
    }
}

/// Something in the request that was repaired instead of refused, or could not be done in full.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct Warning {
    code: WarningCode,
    /// What was repaired, for people.
    #[schema(value_type = String, examples("The en-passant square was dropped: no pawn can just have passed over it."))]
    detail: Cow<'static, str>,
    /// The field of the request that it is about.
    #[schema(value_type = String, examples("fen"))]
    field: &'static str,
}

/// What was repaired, for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(examples("ep_square_ignored"))]
pub(crate) enum WarningCode {
    /// An en-passant square over which no pawn can just have passed.
    EpSquareIgnored,
    /// A castling right without its king or rook.
    CastlingRightsIgnored,
    /// A result behind the moves of a PGN that its tag contradicts.
    ResultIgnored,
    /// A PGN whose castling rights mean something in Chess960 alone.
    TakenAsChess960,
    /// Variations of a PGN that go on with what is no legal move.
    VariationsCut,
    /// Scores in the comments of a PGN that cannot be read.
    EvalsIgnored,
    /// Searches of a review that had not all of what was asked for.
    SearchesCutShort,
}

impl Warning {
    /// Of a PGN that says of one game how it ended, twice and not the same.
    pub(crate) const fn result_ignored() -> Self {
        let detail = "The result behind the moves was ignored: the tag `Result` says something else.";
        Self { code: WarningCode::ResultIgnored, detail: Cow::Borrowed(detail), field: "pgn" }
    }

    /// Of a PGN whose tags do not name the variant that it has to be.
    pub(crate) const fn taken_as_chess960() -> Self {
        let detail = "The game was taken as Chess960, though its tags do not say so: the castling rights of its `FEN` mean nothing else.";
        Self { code: WarningCode::TakenAsChess960, detail: Cow::Borrowed(detail), field: "pgn" }
    }

    /// Of a PGN so many of whose variations are no moves from some place on: the first of them from this one on.
    pub(crate) fn variations_cut(count: usize, first: Place) -> Self {
        let Place { line, column, .. } = first;
        let detail = format!(
            "Variations that go on with what is no legal move: {count}, the first at line {line}, column {column}. The rest of each is taken as a comment."
        );
        Self { code: WarningCode::VariationsCut, detail: detail.into(), field: "pgn" }
    }

    /// Of a PGN so many of whose scores cannot be read.
    pub(crate) fn evals_ignored(count: usize) -> Self {
        let detail =
            format!("Scores in `[%eval]` that could not be read: {count}. Their moves count as having none.");
        Self { code: WarningCode::EvalsIgnored, detail: detail.into(), field: "pgn" }
    }

    /// Of a review so many of whose positions were not searched as far as `field` asks.
    pub(crate) fn searches_cut_short(count: usize, field: &'static str) -> Self {
        let detail = format!(
            "Positions that were not searched as far as asked, because the time for each or the time of the server was over: {count}."
        );
        Self { code: WarningCode::SearchesCutShort, detail: detail.into(), field }
    }
}

impl From<FenWarning> for Warning {
    fn from(warning: FenWarning) -> Self {
        let (code, detail) = match warning {
            FenWarning::EpSquareIgnored => (
                WarningCode::EpSquareIgnored,
                "The en-passant square was dropped: no pawn can just have passed over it.",
            ),
            FenWarning::CastlingRightsIgnored => (
                WarningCode::CastlingRightsIgnored,
                "Castling rights were dropped whose king or rook is not in its place.",
            ),
        };
        Self { code, detail: Cow::Borrowed(detail), field: "fen" }
    }
}

/// Moves that follow each other.
#[derive(Serialize, ToSchema)]
pub(crate) struct Line {
    /// In UCI.
    #[schema(max_items = 1024, examples("d2d4", "d7d5"))]
    moves: Vec<String>,
    /// In SAN.
    #[schema(max_items = 1024, examples("d4", "d5"))]
    san: Vec<String>,
}

impl Line {
    /// Legal moves from here on.
    pub(crate) fn new(game: &Game, moves: &[Move]) -> Self {
        Self {
            moves: moves.iter().map(|mv| uci_move::format(*mv, game.variant())).collect(),
            san: san::format_line(game.position(), moves),
        }
    }
}

/// How far the game has come, by the pieces left: knight and bishop 1, rook 2, queen 4.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub(crate) struct Phase {
    /// 24 with all pieces on the board, 0 with pawns and kings only.
    #[schema(minimum = 0, maximum = 24, examples(24))]
    value: i32,
    /// The value with all pieces on the board.
    #[schema(minimum = 24, maximum = 24, examples(24))]
    max: i32,
    /// `opening` while nearly everything is on the board, `endgame` from two rooks a side or a queen a side on.
    #[schema(value_type = PhaseName)]
    name: &'static str,
}

/// A name for the phase.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase", examples("opening"))]
#[expect(dead_code, reason = "the names are the engine's; this is their schema")]
enum PhaseName {
    Opening,
    Middlegame,
    Endgame,
}

impl From<GamePhase> for Phase {
    fn from(phase: GamePhase) -> Self {
        Self { value: phase.value, max: Blend::FULL_PHASE, name: phase.name() }
    }
}

/// A value that is tapered from the middlegame to the endgame, in centipawns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct Weight {
    /// With all pieces on the board.
    #[schema(examples(10))]
    mg: i32,
    /// With pawns and kings only.
    #[schema(examples(12))]
    eg: i32,
}

impl Weight {
    pub(crate) fn new(mg: i32, eg: i32) -> Self {
        Self { mg, eg }
    }
}

impl From<Score> for Weight {
    fn from(score: Score) -> Self {
        Self::new(score.mg(), score.eg())
    }
}

/// How much of a score can be turned into a win.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Scale {
    /// 64 for all of it, 0 for a dead draw.
    #[schema(minimum = 0, maximum = 64, examples(64))]
    value: i32,
    /// The value for all of it.
    #[schema(minimum = 64, maximum = 64, examples(64))]
    max: i32,
    /// Why it is less than all: a rule about the material, or the `status` of a drawn game.
    #[schema(value_type = Option<String>, required = true, examples("twoKnights"))]
    reason: Option<&'static str>,
}

impl Scale {
    /// A scale in parts of 64.
    pub(crate) fn new(value: i32, reason: Option<&'static str>) -> Self {
        Self { value, max: Blend::FULL_SCALE, reason }
    }
}
