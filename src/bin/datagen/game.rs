//! One game of the engine against itself.

use std::sync::atomic::AtomicBool;

use centipawn::engine::chess::{FenStyle, Game, Move, Position, fen};
use centipawn::engine::eval::Evaluator;
use centipawn::engine::search::{Limits, Report, SearchRequest, SearchScore, TranspositionTable, search};

use super::arbiter::{MOST_PLIES, Outcome, Verdict, over};
use super::opening::{Openings, OpeningsError};
use super::options::Options;
use super::shuffle::Generator;

/// The transposition table, emptied before each game, so that a game depends on its key alone. Far more than the
/// searches of a move fill.
const HASH_MEBIBYTES: usize = 4;

/// Openings drawn for a game before it is given up.
const MOST_DRAWS: u32 = 10_000;

/// How far from a game a leaf's search may begin.
const MOST_STRAY_PLIES: usize = 2;

/// The most plies of a leaf's search.
const MOST_LEAF_DEPTH: usize = 4;

/// Between the first games of two seeds, so that neighbouring seeds play other games.
const SEEDS_APART: u64 = 0xd134_2543_de82_ef95;

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
        Ok(self.play_from(game, key, &mut lots))
    }

    fn play_from(&self, mut game: Game, key: u64, lots: &mut Generator) -> Played {
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
            if self.options.leaves {
                quiet.extend(self.leaf(&game, lots));
            } else if is_quiet(game.position(), mv) {
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

    /// The end of the main line of a short search from here or, as searches look at moves that nobody plays, from a
    /// position a few moves by lot away; and what it said for White. Nothing where that is a check or nobody can move.
    fn leaf(&self, game: &Game, lots: &mut Generator) -> Option<(String, i32)> {
        let mut game = game.clone();
        for _ in 0..lots.below(MOST_STRAY_PLIES + 1) {
            let moves = game.position().legal_moves();
            if moves.is_empty() {
                return None;
            }
            game.play(moves[lots.below(moves.len())]);
        }
        let depth = 1 + lots.below(MOST_LEAF_DEPTH) as u8;
        let report = self.search(&game, Limits { depth: Some(depth), nodes: None });
        let turn = game.position().turn();
        let line = report.lines.first()?;
        let SearchScore::Cp(cp) = line.score else { return None };
        for mv in &line.moves {
            game.play(*mv);
        }
        let leaf = game.position();
        let settled = !leaf.in_check() && !game.status().is_over();
        settled.then(|| (fen::format(leaf, FenStyle::XFen), cp * turn.sign()))
    }

    /// The best move and its score for the side to move.
    fn think(&self, game: &Game) -> Option<(Move, SearchScore)> {
        let report = self.search(game, Limits { depth: None, nodes: Some(self.options.nodes) });
        report.best_move().zip(report.score())
    }

    fn search(&self, game: &Game, limits: Limits) -> Report {
        let request = SearchRequest::new(game.clone(), Evaluator::default(), limits);
        search(&request, &self.table, &AtomicBool::new(false), &mut |_| ())
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
    use std::collections::BTreeSet;

    use centipawn::engine::chess::{Fen, Variant};
    use clap::Parser;

    use super::{Played, Player};
    use crate::opening::Openings;
    use crate::options::Options;

    fn play(number: u64) -> Played {
        play_with(number, &[])
    }

    fn play_with(number: u64, more: &[&str]) -> Played {
        let options = Options::parse_from(["datagen", "out.txt", "--nodes", "200"].iter().chain(more));
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
    fn leaves_are_settled_and_many_are_not_of_the_game() {
        let fens = |more| {
            play_with(3, more).lines.into_iter().map(|line| line.split(" | ").next().unwrap().to_owned())
        };
        let leaves: Vec<_> = fens(&["--leaves"]).collect();
        assert!(leaves.len() > 10);
        for leaf in &leaves {
            let Fen { position, .. } = Fen::parse(leaf, Variant::Standard).unwrap();
            assert!(!position.in_check() && position.has_legal_move(), "{leaf}");
        }
        let played: BTreeSet<_> = fens(&[]).collect();
        assert!(leaves.iter().filter(|leaf| !played.contains(*leaf)).count() > leaves.len() / 2);
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
}
