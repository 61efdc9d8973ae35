//! The state of one search on one thread, and what all kinds of nodes share.

use super::effort::Efforts;
use super::history::{Bonus, Context, Step, Trail};
use super::limits::{Budget, Stopped};
use super::memory::Memory;
use super::parameters::{Parameters, TABLE_CLOCK_FROM, TABLE_CLOCK_STEP};
use super::progress::Progress;
use super::stack::Stack;
use super::table::{Entry, TranspositionTable};
use super::tablebase::Tables;
use super::threats::Threats;
use super::value::{Value, Window};
use super::variation::Variations;
use super::{Bound, MAX_PLY};
use crate::engine::chess::{Game, Move, PieceKind, Position, Status, is_insufficient_material};
use crate::engine::eval::Evaluate;

/// One search on one thread, with an evaluator known when the code is compiled.
pub(super) struct Worker<'a, E> {
    pub(super) evaluator: E,
    pub(super) parameters: &'a Parameters,
    /// Xor'ed into the table's keys.
    pub(super) salt: u64,
    pub(super) table: &'a TranspositionTable,
    pub(super) tables: Tables<'a>,
    pub(super) budget: Budget<'a>,
    pub(super) memory: &'a mut Memory,
    pub(super) variations: Variations,
    /// What is remembered of the line from the root, by ply.
    pub(super) stack: Stack,
    /// The width of the window at the root.
    pub(super) root_width: i32,
    /// What each root move has cost.
    pub(super) efforts: Efforts,
    /// Who is told which of the root's moves is searched.
    pub(super) onlooker: Option<&'a Progress>,
    /// How many lines of the iteration are done.
    pub(super) lines: usize,
    /// The depth of the iteration, in plies.
    pub(super) iteration: usize,
    /// By how much each iteration is deeper than the one before.
    pub(super) stride: usize,
    /// Lines end at their static value at this ply.
    pub(super) horizon: usize,
    /// The greatest ply reached.
    pub(super) seldepth: usize,
    /// The keys of the positions before the node: of the game, then of the line from the root.
    keys: Vec<u64>,
    /// The moves of the line; seven passes come first.
    moves: Vec<Played>,
    /// How many of the keys are of the game.
    game_keys: usize,
    /// The keys before this one cannot repeat: a null move stands between.
    unreachable_keys: usize,
}

/// A move of the line, and as those after it know it.
#[derive(Clone, Copy)]
struct Played {
    mv: Move,
    step: Step,
}

impl Played {
    /// Instead of a move: a pass, or before the root.
    const NOTHING: Self = Self { mv: Move::NONE, step: Step::NONE };
}

/// What is known of a node when it is entered.
#[derive(Clone, Copy)]
pub(super) struct Finding {
    /// What the table knows.
    pub(super) entry: Option<Entry>,
    /// The static value, if it was found while the table's memory came.
    evaluation: Option<Value>,
}

impl Finding {
    /// The same without what a search found.
    pub(super) fn static_only(self) -> Self {
        let stored = self.entry.map(|entry| entry.evaluation).filter(|value| *value != Entry::NO_EVALUATION);
        let stored = stored.map(|value| Value::from_centipawns(i32::from(value)));
        Self { entry: None, evaluation: stored.or(self.evaluation) }
    }

    /// Nothing.
    pub(super) const NONE: Self = Self { entry: None, evaluation: None };
}

impl<'a, E: Evaluate> Worker<'a, E> {
    pub(super) fn new(
        game: &Game,
        evaluator: E,
        salt: u64,
        table: &'a TranspositionTable,
        memory: &'a mut Memory,
        budget: Budget<'a>,
    ) -> Self {
        memory.history.forget_killers();
        let mut keys = Vec::with_capacity(game.keys().len() + MAX_PLY);
        keys.extend_from_slice(game.keys());
        Self {
            evaluator,
            parameters: &Parameters::DEFAULT,
            salt,
            table,
            tables: Tables::new(None),
            budget,
            memory,
            variations: Variations::new(),
            stack: Stack::new(),
            root_width: 1,
            efforts: Efforts::default(),
            onlooker: None,
            lines: 0,
            iteration: 0,
            stride: 1,
            horizon: MAX_PLY,
            seldepth: 0,
            game_keys: keys.len(),
            keys,
            moves: before_the_root(),
            unreachable_keys: 0,
        }
    }

    /// Makes a legal move in a copy of the node's position, and counts it as a node. Each `play` that succeeds is followed
    /// by [`Self::undo`] once its node is searched; a stop leaves the line as it is.
    #[inline]
    pub(super) fn play(&mut self, child: &mut Position, mv: Move) -> Result<(), Stopped> {
        self.budget.spend()?;
        self.prefetch(child.likely_key_after(mv), child.halfmoves().saturating_add(1));
        self.keys.push(child.key());
        self.moves.push(Played { mv, step: Step::of(child, mv) });
        child.play(mv);
        Ok(())
    }

    /// Takes the last move back.
    #[inline]
    pub(super) fn undo(&mut self) {
        self.keys.pop();
        self.moves.pop();
    }

    /// The last move, its step, and what was played before it.
    pub(super) fn before(&self) -> (Move, Step, Trail) {
        let end = self.moves.len();
        let Played { mv, step } = self.moves[end - 1];
        (mv, step, Trail([2, 3, 5, 7].map(|plies| self.moves[end - plies].step)))
    }

    /// What was played before the node.
    #[inline]
    pub(super) fn trail(&self) -> Trail {
        let end = self.moves.len();
        Trail([1, 2, 4, 6].map(|plies| self.moves[end - plies].step))
    }

    /// What the quiet moves of the node are judged by; the nodes below it find what is attacked in its frame.
    #[inline]
    pub(super) fn context(&mut self, position: &Position, ply: usize) -> Context {
        let attacked = Threats::attacked(position);
        self.stack[ply].attacked = attacked;
        Context { trail: self.trail(), attacked }
    }

    /// Forgets the line of a search that was stopped.
    pub(super) fn return_to_root(&mut self) {
        self.keys.truncate(self.game_keys);
        self.moves = before_the_root();
        self.unreachable_keys = 0;
    }

    /// Searches the position after a pass. No position repeats one before it.
    pub(super) fn after_null<T>(
        &mut self,
        position: &Position,
        search: impl FnOnce(&mut Self, &Position) -> Result<T, Stopped>,
    ) -> Result<T, Stopped> {
        self.budget.spend()?;
        self.keys.push(position.key());
        self.moves.push(Played::NOTHING);
        let before = std::mem::replace(&mut self.unreachable_keys, self.keys.len());
        let mut child = *position;
        child.play_null();
        self.prefetch(child.key(), child.halfmoves());
        let result = search(self, &child)?;
        self.unreachable_keys = before;
        self.undo();
        Ok(result)
    }

    /// Notes how far the search has come; called by every node.
    #[inline]
    pub(super) fn reach(&mut self, ply: usize) {
        self.seldepth = self.seldepth.max(ply);
    }

    /// What a refutation at this depth adds to the history of a move, and takes from the moves that failed before.
    pub(super) fn bonus(&self, depth: i32) -> i32 {
        let parameters = self.parameters;
        let growing = (parameters.history_bonus_per_ply + parameters.history_square * depth) * depth;
        (growing - parameters.history_bonus_base).min(parameters.history_bonus_max)
    }

    /// The same for the history of a quiet move.
    pub(super) fn quiet_bonus(&self, depth: i32) -> Bonus {
        let followed = self.bonus(depth);
        Bonus { alone: followed * self.parameters.history_alone / 100, followed }
    }

    /// The root is about to be searched with this window.
    pub(super) fn begin_root(&mut self, window: Window) {
        self.begin(0);
        (self.stack[0].former, self.stack[0].known) = (true, true);
        self.root_width = window.beta - window.alpha;
    }

    /// The nodes below this one that are met from now on have nothing to do with those met before.
    #[inline]
    pub(super) fn begin(&mut self, ply: usize) {
        self.memory.history.forget_killers_of_grandchildren(ply);
        (self.stack[ply + 2].merit, self.stack[ply + 2].cutoffs) = (0, 0);
    }

    /// The static value for the side to move. One copy of it is enough for the instruction cache.
    #[inline(never)]
    pub(super) fn evaluate(&self, position: &Position) -> Value {
        Value::from_centipawns(self.evaluator.relative(position))
    }

    /// What the table knows of a position, and its static value if the table is not likely to know that: evaluating
    /// takes longer than the table's memory, and need not wait for it. A node that the table did not know has children
    /// that it hardly ever knows (1 in 13 in `bench`), others as often as not.
    pub(super) fn consult(&mut self, position: &Position, ply: usize) -> Finding {
        if !position.in_check() {
            self.memory.corrections.prefetch(position);
        }
        let is_new = ply > 0 && !self.stack[ply - 1].known && !position.in_check();
        let evaluation = is_new.then(|| self.evaluate(position));
        let entry = self.recall(position, ply);
        self.stack[ply].known = entry.is_some();
        Finding { entry, evaluation }
    }

    /// The static value of a position that is not in check, as the table may remember it.
    #[inline]
    pub(super) fn evaluate_with(&self, position: &Position, finding: Finding) -> Value {
        match finding.entry {
            Some(entry) if entry.evaluation != Entry::NO_EVALUATION => {
                Value::from_centipawns(i32::from(entry.evaluation))
            }
            _ => finding.evaluation.unwrap_or_else(|| self.evaluate(position)),
        }
    }

    /// Has the table's memory of a position fetched.
    #[inline]
    fn prefetch(&self, key: u64, halfmoves: u16) {
        self.table.prefetch(self.table_key(key, halfmoves));
    }

    /// The table's key of a position with this key, so many plies after the last capture or pawn move: what is found near the
    /// 50-move rule holds only there.
    #[inline]
    fn table_key(&self, key: u64, halfmoves: u16) -> u64 {
        key ^ self.salt ^ clock_key(halfmoves)
    }

    /// What the table knows of a position.
    #[inline]
    fn recall(&self, position: &Position, ply: usize) -> Option<Entry> {
        self.table.probe(self.table_key(position.key(), position.halfmoves()), ply)
    }

    /// Tells the table of a node searched with this window.
    #[inline]
    pub(super) fn remember(&self, position: &Position, ply: usize, entry: Entry) {
        self.table.store(self.table_key(position.key(), position.halfmoves()), ply, entry);
    }

    /// `true` if the node is a draw by the rules, stalemate apart: too little material, 50 moves without
    /// progress
    /// (unless the last of them mates), or a repetition. Inside the search one repetition is enough, as what
    /// was best once is best again; positions up to the root must have been there twice.
    pub(super) fn is_drawn(&self, position: &Position) -> bool {
        if position.halfmoves() >= Status::FIFTY_MOVES_PLIES
            && (!position.in_check() || position.has_legal_move())
        {
            return true;
        }
        self.repeats(position) || is_insufficient_material(position)
    }

    /// The keys of positions that have been there twice, the root among them: the next time is a draw.
    pub(super) fn drawn_by_the_game(&self, root: &Position) -> Vec<u64> {
        let reversible = self.game_keys.min(usize::from(root.halfmoves()));
        let before = &self.keys[self.game_keys - reversible..self.game_keys];
        let seen =
            |place: usize| before[..place].iter().chain([&root.key()]).any(|key| *key == before[place]);
        (0..before.len()).filter(|place| seen(*place)).map(|place| before[place]).collect()
    }

    fn repeats(&self, position: &Position) -> bool {
        let reach = usize::from(position.halfmoves()).min(self.keys.len() - self.unreachable_keys);
        let mut seen = false;
        for distance in (4..=reach).step_by(2) {
            let index = self.keys.len() - distance;
            if self.keys[index] == position.key() {
                if seen || index > self.game_keys {
                    return true;
                }
                seen = true;
            }
        }
        false
    }
}

/// As far back as a trail looks.
fn before_the_root() -> Vec<Played> {
    let mut moves = Vec::with_capacity(7 + MAX_PLY);
    moves.resize(7, Played::NOTHING);
    moves
}

/// What so many plies after the last capture or pawn move add to the table's key: nothing at first, when the 50-move rule is far
/// away, then the same for so many in a row, as what differs by a few plies may well be shared.
///
/// Source: Stockfish 15.1.
const fn clock_key(halfmoves: u16) -> u64 {
    let steps = halfmoves.saturating_sub(TABLE_CLOCK_FROM - TABLE_CLOCK_STEP) / TABLE_CLOCK_STEP;
    // No multiple of this in use is one of an evaluator's salts.
    (steps as u64).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

/// What a table entry says of a zero window at `beta`: a value that decides it, if there is one.
pub(super) fn decides(entry: Entry, beta: Value) -> bool {
    match entry.bound {
        Bound::Exact => true,
        Bound::Lower => entry.value >= beta,
        Bound::Upper => entry.value < beta,
    }
}

/// A node without a legal move.
pub(super) fn value_without_a_move(position: &Position, ply: usize) -> Value {
    if position.in_check() { Value::mated_in(ply) } else { Value::DRAW }
}

/// `true` if the side to move has more than pawns, so that passing is hardly ever its best move.
pub(super) fn has_pieces(position: &Position) -> bool {
    let own = position.by_color(position.turn());
    (own & !position.by_kind(PieceKind::Pawn) & !position.by_kind(PieceKind::King)).any()
}

#[cfg(test)]
mod tests {
    use super::clock_key;
    use crate::engine::eval::{Evaluator, EvaluatorKind};

    #[test]
    fn tables_tell_clocks_apart_that_are_far_from_each_other() {
        assert!((0..14).all(|halfmoves| clock_key(halfmoves) == 0));
        let mut keys: Vec<u64> = (6..=u16::MAX).step_by(8).map(clock_key).collect();
        assert!((14..22).all(|halfmoves| clock_key(halfmoves) == keys[1]));
        let count = keys.len();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), count);
        let salts = EvaluatorKind::ALL.map(|kind| Evaluator::from(kind).salt());
        assert!(!salts.iter().any(|salt| keys[1..].contains(salt)));
    }
}
