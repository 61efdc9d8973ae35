//! The moves at the root, ranked by the endgame tables: a move that gives away the result is not played, and a win is won
//! before the 50-move rule ends it.
//!
//! Source of the ranks: the chess programming wiki, "Syzygy Bases" (distance to zeroing).

use std::cmp::Reverse;

use super::{Tablebase, Wdl};
use crate::engine::chess::{Game, Move, Status};
use crate::engine::search::root::Best;
use crate::engine::search::value::Value;

/// What the tables say of the moves at the root; nothing of any move if they do not know them all.
#[derive(Debug, Default)]
pub(in crate::engine::search) struct Ranking {
    standings: Vec<(Move, Standing)>,
    is_by_distance: bool,
}

/// What the tables say of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Standing {
    /// The more, the better; moves between which the search is free to choose have the same.
    rank: i32,
    outcome: Outcome,
}

/// What comes of a move under the 50-move rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    Lost,
    Drawn,
    Won,
}

/// The rank of a win that the 50-move rule does not endanger.
const SAFE: i32 = 1_000_000;

/// Plies without capture or pawn move that end the game.
const FIFTY_MOVES: i32 = Status::FIFTY_MOVES_PLIES as i32;

impl Ranking {
    /// Looks up what becomes of these legal moves and puts the better ones first.
    pub(in crate::engine::search) fn sort(game: &Game, moves: &mut [Move], tables: &dyn Tablebase) -> Self {
        let position = game.position();
        if position.occupied().count() > tables.most_men() || !position.castling().is_empty() {
            return Self::default();
        }
        let distances = tables.distances(position);
        let by_distance = distances.and_then(|distances| {
            let distance_of = |mv| distances.iter().find(|(known, _)| *known == mv).map(|(_, plies)| *plies);
            let standing = |mv: &Move| Some((*mv, Standing::new(game, *mv, tables, distance_of(*mv)?)?));
            moves.iter().map(standing).collect::<Option<Vec<_>>>()
        });
        let is_by_distance = by_distance.is_some();
        let by_result = || {
            let standing = |mv: &Move| Some((*mv, Standing::by_result(game, *mv, tables)?));
            moves.iter().map(standing).collect::<Option<Vec<_>>>()
        };
        let Some(standings) = by_distance.or_else(by_result) else { return Self::default() };
        let ranking = Self { standings, is_by_distance };
        moves.sort_by_key(|mv| Reverse(ranking.rank(*mv)));
        ranking
    }

    /// How many moves were looked up.
    pub(in crate::engine::search) fn hits(&self) -> u64 {
        self.standings.len() as u64
    }

    /// Whoever plays by the ranks needs no tables below the root: it keeps the result, and a win that is slow to come is won
    /// by distance. By results alone a win could be put off for ever.
    pub(in crate::engine::search) fn makes_progress(&self) -> bool {
        let is_won = self.standings.iter().any(|(_, standing)| standing.outcome == Outcome::Won);
        !self.standings.is_empty() && (self.is_by_distance || !is_won)
    }

    /// The end of the moves that are as good as the one at `first`.
    pub(in crate::engine::search) fn end_of_equals(&self, moves: &[Move], first: usize) -> usize {
        let rank = self.rank(moves[first]);
        first + moves[first..].iter().take_while(|mv| self.rank(**mv) == rank).count()
    }

    /// The rank of a move; the same for all if nothing is known.
    pub(in crate::engine::search) fn rank(&self, mv: Move) -> i32 {
        self.standing(mv).map_or(0, |standing| standing.rank)
    }

    /// A line with a value that does not contradict the tables. A mate that was found is kept.
    pub(in crate::engine::search) fn settle(&self, best: Best) -> Best {
        let value = self.settled(best.moves[0], best.value);
        let correction = if value == best.value { best.correction } else { 0 };
        Best { value, correction, ..best }
    }

    /// The value of a move that does not contradict the tables.
    pub(in crate::engine::search) fn settled(&self, mv: Move, value: Value) -> Value {
        match self.standing(mv).map(|standing| standing.outcome) {
            None => value,
            Some(Outcome::Won) => value.max(Value::won_by_tables(0)),
            Some(Outcome::Drawn) => Value::DRAW,
            Some(Outcome::Lost) => value.min(-Value::won_by_tables(0)),
        }
    }

    fn standing(&self, mv: Move) -> Option<Standing> {
        self.standings.iter().find(|(known, _)| *known == mv).map(|(_, standing)| *standing)
    }
}

impl Standing {
    /// By the distance that the tables give for a move without capture or pawn; a capture or a pawn move starts the clock
    /// anew, and is worth what becomes of the position after it.
    fn new(game: &Game, mv: Move, tables: &dyn Tablebase, distance: i32) -> Option<Self> {
        let after = After::new(game, mv);
        // Mate ends the game whatever the clock says.
        let is_beyond_the_clock = after.starts_the_clock || after.status == Status::Checkmate;
        let clock = if is_beyond_the_clock { 0 } else { i32::from(game.position().halfmoves()) };
        let plies = match after.status {
            Status::Checkmate => 1,
            Status::Ongoing if after.starts_the_clock => plies_to_zeroing(after.wdl(tables)?),
            Status::Ongoing => distance,
            _ => 0,
        };
        Some(Self { rank: rank(plies, clock, has_repeated(game)), outcome: outcome(plies, clock) })
    }

    /// Where only the results are known, not how far they are.
    fn by_result(game: &Game, mv: Move, tables: &dyn Tablebase) -> Option<Self> {
        let after = After::new(game, mv);
        let wdl = match after.status {
            Status::Checkmate => Wdl::Win,
            Status::Ongoing => after.wdl(tables)?,
            _ => Wdl::Draw,
        };
        let plies = plies_to_zeroing(wdl);
        Some(Self { rank: rank(plies, 0, Repeated::No), outcome: outcome(plies, 0) })
    }
}

/// The game after a move.
struct After {
    game: Game,
    status: Status,
    starts_the_clock: bool,
}

impl After {
    fn new(game: &Game, mv: Move) -> Self {
        let mut game = game.clone();
        game.play(mv);
        Self { status: game.status(), starts_the_clock: game.position().halfmoves() == 0, game }
    }

    /// What comes of it for the side that has moved.
    fn wdl(&self, tables: &dyn Tablebase) -> Option<Wdl> {
        tables.wdl(self.game.position()).map(Wdl::negated)
    }
}

/// The least distance that a result may have.
const fn plies_to_zeroing(wdl: Wdl) -> i32 {
    match wdl {
        Wdl::Win => 1,
        Wdl::CursedWin => FIFTY_MOVES + 1,
        Wdl::Draw => 0,
        Wdl::BlessedLoss => -FIFTY_MOVES - 1,
        Wdl::Loss => -1,
    }
}

/// Whether a position has been on the board twice since the last capture or pawn move: then there is no progress.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Repeated {
    Yes,
    No,
}

fn has_repeated(game: &Game) -> Repeated {
    let mut keys = game.keys().to_vec();
    keys.push(game.position().key());
    keys.sort_unstable();
    if keys.windows(2).any(|pair| pair[0] == pair[1]) { Repeated::Yes } else { Repeated::No }
}

/// A safe win leaves the choice to the search, an endangered one is won by the shortest way; a loss is put off if that
/// may bring the 50-move rule. A distance may be off by one, so that a win on the last ply counts as endangered.
fn rank(plies: i32, clock: i32, repeated: Repeated) -> i32 {
    match plies {
        0 => 0,
        1.. if plies + clock < FIFTY_MOVES && repeated == Repeated::No => SAFE,
        1.. => SAFE - plies - clock,
        _ if clock - 2 * plies < FIFTY_MOVES => -SAFE,
        _ => -SAFE + clock - plies,
    }
}

fn outcome(plies: i32, clock: i32) -> Outcome {
    match plies {
        1.. if plies + clock <= FIFTY_MOVES => Outcome::Won,
        ..=-1 if clock - plies <= FIFTY_MOVES => Outcome::Lost,
        _ => Outcome::Drawn,
    }
}
