//! One game of the engine against itself.

use std::sync::atomic::AtomicBool;

use centipawn::engine::chess::{Color, FenStyle, Game, Move, Position, Status, fen};
use centipawn::engine::eval::Evaluator;
use centipawn::engine::search::{Limits, SearchRequest, SearchScore, TranspositionTable, search};

use super::opening::{Openings, OpeningsError};
use super::options::Options;
use super::shuffle::Generator;

/// The transposition table, emptied before each game, so that a game depends on its key alone. Far more than the
/// searches of a move fill.
const HASH_MEBIBYTES: usize = 4;

/// A lead so large, in centipawns, that both sides have seen for [`RESIGN_PLIES`], ends the game.
const RESIGN: i32 = 1500;
const LOST: i32 = -RESIGN;
/// See [`RESIGN`].
const RESIGN_PLIES: i32 = 6;

/// No game is longer, in plies; what has not ended is drawn.
const MOST_PLIES: u32 = 600;

/// Openings drawn for a game before it is given up.
const MOST_DRAWS: u32 = 10_000;

/// Between the first games of two seeds, so that neighbouring seeds play other games.
const SEEDS_APART: u64 = 0xd134_2543_de82_ef95;

/// Who has won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    White,
    Draw,
    Black,
}

impl Outcome {
    const fn win(color: Color) -> Self {
        match color {
            Color::White => Self::White,
            Color::Black => Self::Black,
        }
    }

    /// White's points, as the data have them.
    const fn points(self) -> &'static str {
        match self {
            Self::White => "1.0",
            Self::Draw => "0.5",
            Self::Black => "0.0",
        }
    }
}

/// A game that is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Played {
    /// Who has won.
    pub(crate) result: Outcome,
    /// Its quiet positions: `FEN | cp | result | game`.
    pub(crate) lines: Vec<String>,
}

/// Plays games, one after the other.
pub(crate) struct Player<'a> {
    options: &'a Options,
    openings: &'a Openings,
    table: TranspositionTable,
}

impl<'a> Player<'a> {
    pub(crate) fn new(options: &'a Options, openings: &'a Openings) -> Self {
        #[expect(clippy::expect_used, reason = "a few mebibytes are there, or nothing is")]
        let table = TranspositionTable::new(HASH_MEBIBYTES).expect("memory for a small table");
        Self { options, openings, table }
    }

    /// The game of this number.
    ///
    /// # Errors
    /// If no balanced opening was drawn for it.
    pub(crate) fn play(&mut self, number: u64) -> Result<Played, OpeningsError> {
        self.table.clear();
        let mut lots = Generator::new(self.options.seed.wrapping_mul(SEEDS_APART) ^ number);
        // Forty bits, like the keys of other data.
        let key = lots.next() >> 24;
        let game = self.balanced_opening(&mut lots)?;
        Ok(self.play_from(game, key))
    }

    fn play_from(&self, mut game: Game, key: u64) -> Played {
        let mut quiet = Vec::new();
        let mut verdict = Verdict::default();
        for _ in 0..MOST_PLIES {
            if let Some(result) = over(game.status(), game.position().turn()) {
                return label(result, &quiet, key);
            }
            let Some((mv, score)) = self.think(&game) else { break };
            let white = match score {
                SearchScore::Mate(moves) => {
                    let turn = game.position().turn();
                    return label(Outcome::win(if moves > 0 { turn } else { !turn }), &quiet, key);
                }
                SearchScore::Cp(cp) => cp * game.position().turn().sign(),
            };
            if is_quiet(game.position(), mv) {
                quiet.push((fen::format(game.position(), FenStyle::XFen), white));
            }
            if let Some(result) = verdict.after(white) {
                return label(result, &quiet, key);
            }
            game.play(mv);
        }
        label(Outcome::Draw, &quiet, key)
    }

    /// An opening after which neither side is far ahead.
    fn balanced_opening(&self, lots: &mut Generator) -> Result<Game, OpeningsError> {
        for _ in 0..MOST_DRAWS {
            let Some(game) = self.openings.draw(lots, self.options.random) else { continue };
            if let Some((_, SearchScore::Cp(cp))) = self.think(&game)
                && cp.abs() <= self.options.balance
            {
                return Ok(game);
            }
        }
        Err(OpeningsError::Unbalanced(MOST_DRAWS))
    }

    /// The best move and its score for the side to move.
    fn think(&self, game: &Game) -> Option<(Move, SearchScore)> {
        let limits = Limits { depth: None, nodes: Some(self.options.nodes) };
        let request = SearchRequest::new(game.clone(), Evaluator::default(), limits);
        let report = search(&request, &self.table, &AtomicBool::new(false), &mut |_| ());
        report.best_move().zip(report.score())
    }
}

/// Ends games that nobody would play on.
#[derive(Default)]
struct Verdict {
    /// Plies in a row that say so, positive for White.
    decided: i32,
}

impl Verdict {
    /// What the score of one more position, White's, says.
    fn after(&mut self, white: i32) -> Option<Outcome> {
        self.decided = match white {
            RESIGN.. => self.decided.max(0) + 1,
            ..=LOST => self.decided.min(0) - 1,
            _ => 0,
        };
        let winner = if white > 0 { Outcome::White } else { Outcome::Black };
        (self.decided.abs() >= RESIGN_PLIES).then_some(winner)
    }
}

/// The result by the rules; who may claim a draw does.
fn over(status: Status, turn: Color) -> Option<Outcome> {
    match status {
        Status::Ongoing => None,
        Status::Checkmate => Some(Outcome::win(!turn)),
        Status::Stalemate
        | Status::InsufficientMaterial
        | Status::FiftyMoves
        | Status::SeventyFiveMoves
        | Status::Threefold
        | Status::Fivefold => Some(Outcome::Draw),
    }
}

/// Whether a static evaluation can be expected to be right.
fn is_quiet(position: &Position, best: Move) -> bool {
    !position.in_check() && !best.is_capture() && best.promotion().is_none()
}

fn label(result: Outcome, quiet: &[(String, i32)], key: u64) -> Played {
    let points = result.points();
    let lines = quiet.iter().map(|(fen, white)| format!("{fen} | {white} | {points} | {key:010x}")).collect();
    Played { result, lines }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::{Outcome, Played, Player, Verdict};
    use crate::opening::Openings;
    use crate::options::Options;

    fn play(number: u64) -> Played {
        let options = Options::parse_from(["datagen", "out.txt", "--nodes", "200"]);
        Player::new(&options, &Openings::start()).play(number).unwrap()
    }

    #[test]
    fn openings_that_are_never_balanced_are_an_error() {
        let options = Options::parse_from(["datagen", "out.txt", "--nodes", "1", "--balance=-1"]);
        let error = Player::new(&options, &Openings::start()).play(0).unwrap_err();
        assert!(error.to_string().contains("--balance"), "{error}");
    }

    #[test]
    fn a_game_is_decided_by_its_number() {
        let games = [0, 1, 0].map(play);
        assert_eq!(games[0], games[2]);
        assert_ne!(games[0].lines, games[1].lines);
    }

    #[test]
    fn lines_are_what_the_tuner_reads() {
        let Played { result, lines } = play(3);
        assert!(lines.len() > 10);
        for line in lines {
            let fields: Vec<_> = line.split(" | ").collect();
            let [fen, cp, points, key] = fields[..] else { panic!("{line}") };
            assert_eq!(fen.split(' ').count(), 6, "{line}");
            assert!(cp.parse::<i32>().is_ok_and(|cp| cp.abs() < 30_000), "{line}");
            assert_eq!(points, result.points(), "{line}");
            assert!(key.len() == 10 && u64::from_str_radix(key, 16).is_ok(), "{line}");
        }
    }

    #[test]
    fn a_game_is_given_up_when_it_has_been_lost_for_long() {
        let mut verdict = Verdict::default();
        let scores = [1500, 1499, -1500, -1600, -1500, -1500, -2000, -1500];
        let results = scores.map(|white| verdict.after(white));
        assert_eq!(results, [None, None, None, None, None, None, None, Some(Outcome::Black)]);
    }

    #[test]
    fn a_lead_that_changes_sides_decides_nothing() {
        let mut verdict = Verdict::default();
        for white in [1500, 1500, 1500, 1500, 1500, -1500, 1500] {
            assert_eq!(verdict.after(white), None);
        }
    }
}
