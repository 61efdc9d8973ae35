//! Why a score is scaled down.

use super::endgames::Obstacle;
use super::material::DrawKnowledge;
use crate::engine::chess::Status;

/// Why not all of a score can be turned into a win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScaleReason {
    /// What is on the board wins seldom or never.
    Material(DrawKnowledge),
    /// Where the pieces stand makes it hard or impossible to win.
    Position(Obstacle),
    /// The game has ended in a draw.
    Drawn(Status),
}

impl ScaleReason {
    /// How much of the score is left, of 64.
    #[must_use]
    pub const fn scale(self) -> i32 {
        match self {
            Self::Material(knowledge) => knowledge.scale(),
            Self::Position(obstacle) => obstacle.scale(),
            Self::Drawn(_) => 0,
        }
    }

    /// The name in the API, in camel case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Material(knowledge) => knowledge.name(),
            Self::Position(obstacle) => obstacle.name(),
            Self::Drawn(status) => status.name(),
        }
    }

    /// The reason as a sentence.
    #[must_use]
    pub fn sentence(self) -> String {
        match self {
            Self::Material(knowledge) => knowledge.reason().to_owned(),
            Self::Position(obstacle) => obstacle.sentence(),
            Self::Drawn(_) => "The game has ended in a draw.".to_owned(),
        }
    }
}
