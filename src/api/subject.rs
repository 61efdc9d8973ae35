//! The position that a request is about: read and validated at the edge, so that nothing behind checks again.

use crate::api::fields::{EvaluatorName, FenText, MoveTexts, PieceValuesName, Pov, VariantName};
use crate::api::problem::{Code, IllegalMove, Problem, sentence};
use crate::api::reply::{SideName, Warning};
use crate::api::score::{Score, Viewpoint};
use crate::api::thinking::few_enough;
use crate::config::Limits;
use crate::engine::chess::{
    Color, Fen, FenError, FenStyle, Game, Move, MoveError, Position, Status, Variant,
};
use crate::engine::chess::{fen, parse_move, uci_move};
use crate::engine::eval::GamePhase;
use crate::engine::eval::{Evaluator, EvaluatorKind, PieceValues};

/// Declares a request about one position: the fields that all of them share, then its own.
macro_rules! position_request {
    ($(#[$meta:meta])* pub(crate) struct $name:ident { $($own:tt)* }) => {
        $(#[$meta])*
        #[derive(Debug, serde::Deserialize, utoipa::ToSchema)]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        pub(crate) struct $name {
            /// The position; by default the start position.
            pub(crate) fen: Option<$crate::api::fields::FenText>,
            /// Moves played from `fen`, in UCI or SAN. They feed repetition and the 50-move rule.
            pub(crate) moves: Option<$crate::api::fields::MoveTexts>,
            /// By default `standard`.
            pub(crate) variant: Option<$crate::api::fields::VariantName>,
            /// Whose sign the scores carry; by default `white`.
            pub(crate) pov: Option<$crate::api::fields::Pov>,
            /// By default `full`.
            pub(crate) evaluator: Option<$crate::api::fields::EvaluatorName>,
            /// With the evaluators `count`, `material` and `psqt`; by default `classic`.
            pub(crate) piece_values: Option<$crate::api::fields::PieceValuesName>,
            $($own)*
        }

        impl $name {
            /// The fields that say which position is meant and how it is to be judged.
            pub(crate) fn position(&self) -> $crate::api::subject::PositionFields<'_> {
                $crate::api::subject::PositionFields {
                    fen: self.fen.as_ref(),
                    moves: self.moves.as_ref(),
                    variant: self.variant.unwrap_or_default(),
                    pov: self.pov.unwrap_or_default(),
                    evaluator: self.evaluator.unwrap_or_default(),
                    piece_values: self.piece_values,
                }
            }
        }

        impl utoipa::IntoParams for $name {
            fn into_params(
                _: impl Fn() -> Option<utoipa::openapi::path::ParameterIn>,
            ) -> Vec<utoipa::openapi::path::Parameter> {
                $crate::api::fields::query_parameters::<Self>()
            }
        }
    };
}
pub(crate) use position_request;

/// Which position is meant and how it is to be judged, as the client wrote it.
pub(crate) struct PositionFields<'a> {
    pub(crate) fen: Option<&'a FenText>,
    pub(crate) moves: Option<&'a MoveTexts>,
    pub(crate) variant: VariantName,
    pub(crate) pov: Pov,
    pub(crate) evaluator: EvaluatorName,
    pub(crate) piece_values: Option<PieceValuesName>,
}

/// What became of the castling rights of a FEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rights {
    /// They are what they can be.
    Kept,
    /// Some were dropped that mean something in Chess960, which was not asked for.
    OfChess960,
}

/// A legal position with its history, and how the client wants to see it.
pub(crate) struct Subject {
    pub(crate) game: Game,
    pub(crate) status: Status,
    pub(crate) evaluator: Evaluator,
    pub(crate) evaluator_name: EvaluatorName,
    pub(crate) pov: Pov,
    pub(crate) warnings: Vec<Warning>,
    pub(crate) rights: Rights,
    /// The last of the moves that were played from the position that was given.
    pub(crate) last_move: Option<Move>,
}

impl Subject {
    /// Reads the position and plays the moves.
    ///
    /// # Errors
    /// The FEN's or the move's own code, or `conflicting_fields` for an evaluator without selectable piece values.
    pub(crate) fn read(fields: &PositionFields<'_>, caps: &Limits) -> Result<Self, Problem> {
        let plies = fields.moves.map_or(0, |moves| moves.iter().len());
        few_enough("moves", plies, caps)?;
        let evaluator = evaluator(fields)?;
        let variant = Variant::from(fields.variant);
        let (position, warnings, rights) = match fields.fen {
            None => (Position::start(), Vec::new(), Rights::Kept),
            Some(text) => {
                let read = Fen::parse(text.as_str(), variant)?;
                let other = read.as_chess960(text.as_str());
                let rights = if other.is_some() { Rights::OfChess960 } else { Rights::Kept };
                (read.position, read.warnings.into_iter().map(Warning::from).collect(), rights)
            }
        };
        let mut game = Game::with_variant(position, variant);
        let mut last_move = None;
        for (ply, text) in fields.moves.into_iter().flat_map(MoveTexts::iter).enumerate() {
            let mv = parse_move(game.position(), text)
                .map_err(|error| illegal_move(&error, &game, text, ply, rights).in_field("moves"))?;
            game.play(mv);
            last_move = Some(mv);
        }
        let status = game.status();
        let (evaluator_name, pov) = (fields.evaluator, fields.pov);
        Ok(Self { game, status, evaluator, evaluator_name, pov, warnings, rights, last_move })
    }

    pub(crate) fn position(&self) -> &Position {
        self.game.position()
    }

    pub(crate) fn turn(&self) -> Color {
        self.position().turn()
    }

    /// How far the game has gone.
    pub(crate) fn phase(&self) -> GamePhase {
        GamePhase::of(self.position())
    }

    /// The position in canonical X-FEN.
    pub(crate) fn fen(&self) -> String {
        fen::format(self.position(), FenStyle::XFen)
    }

    /// Who has won, with checkmate on the board.
    pub(crate) fn winner(&self) -> Option<SideName> {
        SideName::winner(self.status, self.turn())
    }

    /// Whose numbers the client wants to read.
    pub(crate) fn viewpoint(&self) -> Viewpoint {
        Viewpoint::new(self.pov, self.turn())
    }

    /// The result of a game that is over, else the static evaluation.
    pub(crate) fn static_score(&self) -> Score {
        let evaluated = || Score::Cp(self.evaluator.assess(self.position(), self.status));
        Score::of_finished(self.status, self.turn()).unwrap_or_else(evaluated)
    }

    /// A move in UCI, castling written as the variant has it.
    pub(crate) fn uci(&self, mv: Move) -> String {
        uci_move::format(mv, self.game.variant())
    }
}

impl From<VariantName> for Variant {
    fn from(name: VariantName) -> Self {
        match name {
            VariantName::Standard => Self::Standard,
            VariantName::Chess960 => Self::Chess960,
        }
    }
}

impl From<EvaluatorName> for EvaluatorKind {
    fn from(name: EvaluatorName) -> Self {
        match name {
            EvaluatorName::Full => Self::Full,
            EvaluatorName::Pieces => Self::Pieces,
            EvaluatorName::Psqt => Self::Psqt,
            EvaluatorName::Material => Self::Material,
            EvaluatorName::Count => Self::Count,
        }
    }
}

impl From<PieceValuesName> for PieceValues {
    fn from(name: PieceValuesName) -> Self {
        match name {
            PieceValuesName::Classic => Self::Classic,
            PieceValuesName::Euwe => Self::Euwe,
        }
    }
}

fn evaluator(fields: &PositionFields<'_>) -> Result<Evaluator, Problem> {
    let values = fields.piece_values.unwrap_or_default();
    Evaluator::new(fields.evaluator.into(), values.into()).map_err(|_| {
        let detail = "The evaluators `full` and `pieces` have their own piece values; `pieceValues` goes with \
                      `evaluator` `count`, `material` or `psqt`.";
        Problem::new(Code::ConflictingFields, detail).in_field("pieceValues")
    })
}

impl From<FenError> for Problem {
    fn from(error: FenError) -> Self {
        let code = match error {
            FenError::Syntax(_) => Code::FenSyntax,
            FenError::MissingKing(_) => Code::MissingKing,
            FenError::TooManyKings { .. } => Code::TooManyKings,
            FenError::PawnsOnBackrank(_) => Code::PawnsOnBackrank,
            FenError::TooMuchMaterial { .. } => Code::TooMuchMaterial,
            FenError::OppositeCheck { .. } => Code::OppositeCheck,
            FenError::ImpossibleCheck { .. } => Code::ImpossibleCheck,
        };
        Self::new(code, sentence(&error)).in_field("fen")
    }
}

/// A move that the rules do not allow, with those that they do.
pub(crate) fn illegal_move(
    error: &MoveError,
    game: &Game,
    text: &str,
    ply: usize,
    rights: Rights,
) -> Problem {
    let legal_moves =
        game.position().legal_moves().iter().map(|mv| uci_move::format(*mv, game.variant())).collect();
    let advice = match rights {
        Rights::OfChess960 if error.may_be_castling() => {
            " Castling rights of the FEN were dropped, whose king or rook is not where standard chess has it: with `variant` `chess960` they count."
        }
        Rights::OfChess960 | Rights::Kept => "",
    };
    Problem::new(Code::IllegalMove, format!("Move {ply}, counted from 0: {}{advice}", sentence(error)))
        .with_illegal_move(IllegalMove { ply, text: text.to_owned(), legal_moves })
}
