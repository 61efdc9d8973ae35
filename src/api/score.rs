//! Scores on their way out: always White's inside, turned to the reader's point of view in one place.

use serde::Serialize;
use utoipa::ToSchema;

use crate::api::fields::Pov;
use crate::api::reply::Weight;
use crate::engine::chess::{Color, Status};
use crate::engine::eval::GamePhase;
use crate::engine::eval::win::{Chances, Outlook};
use crate::engine::search::SearchScore;
use crate::engine::weights::Score as Tapered;

/// A score from White's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Score {
    /// Centipawns.
    Cp(i32),
    /// Mate in so many moves, negative if White is mated; never 0.
    Mate(i32),
    /// Checkmate is on the board, given by this side.
    Won(Color),
    /// The game is over and drawn.
    Drawn,
}

impl Score {
    /// The score of a game that is over, if it is.
    pub(crate) fn of_finished(status: Status, turn: Color) -> Option<Self> {
        match status {
            Status::Checkmate => Some(Self::Won(!turn)),
            Status::Stalemate
            | Status::InsufficientMaterial
            | Status::SeventyFiveMoves
            | Status::Fivefold => Some(Self::Drawn),
            Status::Ongoing | Status::FiftyMoves | Status::Threefold => None,
        }
    }

    /// What a search says for the side to move.
    pub(crate) fn of_search(score: SearchScore, turn: Color) -> Self {
        match score {
            SearchScore::Cp(centipawns) => Self::Cp(centipawns * turn.sign()),
            SearchScore::Mate(0) => Self::Won(!turn),
            SearchScore::Mate(moves) => Self::Mate(moves * turn.sign()),
        }
    }
}

/// Where a reader stands: on White's side or on Black's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Viewpoint(Color);

impl Viewpoint {
    pub(crate) fn new(pov: Pov, turn: Color) -> Self {
        match pov {
            Pov::White => Self(Color::White),
            Pov::Turn => Self(turn),
        }
    }

    /// The side whose numbers are positive.
    pub(crate) fn side(self) -> Color {
        self.0
    }

    /// A number of White's, seen from here.
    pub(crate) fn of(self, white: i32) -> i32 {
        white * self.0.sign()
    }

    /// A tapered value of White's, seen from here.
    pub(crate) fn weight(self, white: Tapered) -> Weight {
        Weight::new(self.of(white.mg()), self.of(white.eg()))
    }

    /// The centipawns of a score; a mate has none.
    pub(crate) fn cp(self, score: Score) -> Option<i32> {
        match score {
            Score::Cp(centipawns) => Some(self.of(centipawns)),
            Score::Drawn => Some(0),
            Score::Mate(_) | Score::Won(_) => None,
        }
    }

    /// The moves to mate, 0 with the mate on the board.
    pub(crate) fn mate(self, score: Score) -> Option<i32> {
        match score {
            Score::Mate(moves) => Some(self.of(moves)),
            Score::Won(_) => Some(0),
            Score::Cp(_) | Score::Drawn => None,
        }
    }

    pub(crate) fn worth(self, score: Score) -> Worth {
        Worth { cp: self.cp(score), mate: self.mate(score) }
    }

    /// What a score of a position in this phase means: in percent of a win, to one decimal, and in games.
    pub(crate) fn prospects(self, score: Score, phase: GamePhase) -> (f64, Wdl) {
        let outlook = self.outlook(score, phase);
        let Chances { win, draw, loss } = outlook.chances();
        ((outlook.win_percent() * 10.0).round() / 10.0, Wdl { win, draw, loss })
    }

    fn outlook(self, score: Score, phase: GamePhase) -> Outlook {
        match score {
            Score::Cp(centipawns) => Outlook::Centipawns(self.of(centipawns), phase),
            Score::Mate(moves) if self.of(moves) > 0 => Outlook::Winning,
            Score::Won(winner) if winner == self.0 => Outlook::Winning,
            Score::Mate(_) | Score::Won(_) => Outlook::Losing,
            Score::Drawn => Outlook::Drawn,
        }
    }
}

/// A score: centipawns or moves to mate, never both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Score)]
pub(crate) struct Worth {
    /// Centipawns, from the point of view that `pov` names.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, examples(28))]
    cp: Option<i32>,
    /// Moves to mate, negative if the side of `pov` is mated; 0 with the mate on the board.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    mate: Option<i32>,
}

/// Expected results in games of a thousand; they sum to 1000.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct Wdl {
    /// Wins.
    #[schema(minimum = 0, maximum = 1000, examples(93))]
    win: u16,
    /// Draws.
    #[schema(minimum = 0, maximum = 1000, examples(866))]
    draw: u16,
    /// Losses.
    #[schema(minimum = 0, maximum = 1000, examples(41))]
    loss: u16,
}
