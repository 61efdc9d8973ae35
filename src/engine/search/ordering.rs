//! The order of moves: what most likely refutes a node comes first, and is not generated before it is needed.

use super::exchange::{self, victim};
use super::history::{Context, History};
use super::keys::Keys;
use super::parameters::Parameters;
use super::scoring::Scoring;
use super::scout::is_tactical;
use super::table::Entry;
use super::threats::Threats;
use crate::engine::chess::{Checks, Move, MoveList, PieceKind, Position, Square};

/// Gives the moves of a node one by one, each once: the table's move, captures that lose nothing (or little, if they have been
/// good) by the most valuable victim and by history, the latest refutations, quiet moves by history, checks and threats, and
/// captures that lose.
pub(super) struct Picker {
    stage: Stage,
    table_move: Move,
    refutations: [Move; 3],
    context: Context,
    list: MoveList,
    keys: Keys,
    next: usize,
    losing: MoveList,
    /// What the last move given is known to win by exchange, in centipawns; if it is.
    proven: Option<i32>,
    /// Whether it gives check; if that is known.
    known_check: Option<bool>,
    /// Which moves give check, once that is asked for.
    checks: Option<Checks>,
    /// Of the quiet moves only those that give check are wanted.
    leaves_out_quiets: bool,
    /// What a leaf looks at; not used by other nodes.
    forcing: Forcing,
    /// Captures that cannot gain so many centipawns are left out,
    needed: i32,
    /// but for those on this square and those that give check.
    target: Option<Square>,
    /// The most that one of those left out could gain.
    left_out: Option<i32>,
}

/// Which moves a leaf looks at when it is not in check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Forcing {
    /// Captures and promotions to a queen.
    Captures,
    /// And quiet moves that give check.
    CapturesAndChecks,
}

impl Forcing {
    /// The depth by which the table knows a node that was resolved so.
    pub(super) const fn depth(self) -> i32 {
        match self {
            Self::Captures => Entry::LEAST_DEPTH,
            Self::CapturesAndChecks => 0,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    TableMove,
    GenerateCaptures,
    Captures,
    Refutations,
    GenerateQuiets,
    Quiets,
    LosingCaptures,
    /// Quiescence: the table's move,
    ForcingTableMove,
    /// captures that lose nothing,
    GenerateForcingCaptures,
    ForcingCaptures,
    /// and quiet checks that lose nothing.
    GenerateChecks,
    Checks,
    Done,
}

impl Picker {
    /// Every legal move; the table's move and the refutations need not be legal here.
    pub(super) fn all(table_move: Move, refutations: [Move; 3], context: Context) -> Self {
        Self::new(Stage::TableMove, table_move, refutations, context)
    }

    /// The forcing moves that lose nothing by exchange, captures and promotions only if they can gain what is needed, in
    /// centipawns, take on the target or give check.
    ///
    /// The table's move comes first if it is a capture or promotion.
    pub(super) fn forcing(
        forcing: Forcing,
        table_move: Move,
        (needed, target): (i32, Option<Square>),
    ) -> Self {
        let picker = Self::new(Stage::ForcingTableMove, table_move, [Move::NONE; 3], Context::NONE);
        Self { forcing, needed, target, ..picker }
    }

    fn new(stage: Stage, table_move: Move, refutations: [Move; 3], context: Context) -> Self {
        Self {
            stage,
            table_move,
            refutations,
            context,
            list: MoveList::new(),
            keys: Keys::new(),
            next: 0,
            losing: MoveList::new(),
            proven: None,
            known_check: None,
            checks: None,
            leaves_out_quiets: false,
            forcing: Forcing::Captures,
            needed: i32::MIN,
            target: None,
            left_out: None,
        }
    }

    /// From now on leaves out the quiet moves that do not give check, but for the refutations.
    #[inline]
    pub(super) fn leave_out_quiets(&mut self) {
        if !self.leaves_out_quiets {
            self.leaves_out_quiets = true;
            if self.stage == Stage::Quiets {
                self.keys.retain_marked();
            }
        }
    }

    /// Whether a legal move of the same position gives check.
    #[inline]
    pub(super) fn gives_check(&mut self, position: &Position, mv: Move) -> bool {
        self.checks.get_or_insert_with(|| position.checks()).gives(position, mv)
    }

    /// The same of the last move given.
    #[inline]
    pub(super) fn last_gives_check(&mut self, position: &Position, mv: Move) -> bool {
        self.known_check.unwrap_or_else(|| self.gives_check(position, mv))
    }

    /// Whether the last move given wins so many centipawns or more by exchange.
    #[inline]
    pub(super) fn wins_at_least(&self, position: &Position, mv: Move, threshold: i32) -> bool {
        self.proven.is_some_and(|proven| proven >= threshold)
            || exchange::wins_at_least(position, mv, threshold)
    }

    /// What the quiet moves are judged by.
    pub(super) fn context(&self) -> Context {
        self.context
    }

    /// The most that one of the captures could gain that were left out so far because it is too little, in centipawns.
    pub(super) fn left_out(&self) -> Option<i32> {
        self.left_out
    }

    /// The next move of the same position.
    pub(super) fn next(
        &mut self,
        position: &Position,
        history: &History,
        parameters: &Parameters,
    ) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TableMove => {
                    self.stage = Stage::GenerateCaptures;
                    if self.table_move.is_some() && position.is_legal(self.table_move) {
                        return Some(self.table_move);
                    }
                    self.table_move = Move::NONE;
                }
                Stage::ForcingTableMove => {
                    self.stage = Stage::GenerateForcingCaptures;
                    let mv = self.table_move;
                    if is_tactical(mv) && position.is_legal(mv) && !self.gains_too_little(position, mv) {
                        return Some(mv);
                    }
                    self.table_move = Move::NONE;
                }
                Stage::GenerateCaptures | Stage::GenerateForcingCaptures => {
                    self.generate_captures(position, history, parameters);
                }
                Stage::Captures | Stage::ForcingCaptures => {
                    if let Some(mv) = self.next_capture(position, parameters) {
                        return Some(mv);
                    }
                }
                Stage::Refutations => {
                    if let Some(mv) = self.next_refutation(position) {
                        return Some(mv);
                    }
                }
                Stage::GenerateQuiets => self.generate_quiets(position, history, parameters),
                Stage::Quiets => {
                    if let Some(mv) = self.next_quiet() {
                        return Some(mv);
                    }
                    (self.stage, self.next, self.known_check) = (Stage::LosingCaptures, 0, None);
                }
                Stage::LosingCaptures => {
                    let mv = self.losing.get(self.next).copied();
                    self.next += 1;
                    return mv;
                }
                Stage::GenerateChecks => self.generate_checks(position),
                Stage::Checks => return self.next_check(position),
                Stage::Done => return None,
            }
        }
    }

    #[inline(never)]
    fn generate_captures(&mut self, position: &Position, history: &History, parameters: &Parameters) {
        position.captures(&mut self.list);
        self.keys.clear();
        for mv in &self.list {
            let value = parameters.order_victim * capture_value(position, *mv);
            self.keys.add(value + history.capture(position, *mv), false);
        }
        self.keys.end();
        self.stage = match self.stage {
            Stage::GenerateCaptures => Stage::Captures,
            _ => Stage::ForcingCaptures,
        };
    }

    #[inline(never)]
    fn generate_checks(&mut self, position: &Position) {
        let checks = self.checks.get_or_insert_with(|| position.checks());
        self.list.clear();
        position.quiet_checks(checks, &mut self.list);
        (self.stage, self.next) = (Stage::Checks, 0);
    }

    fn next_capture(&mut self, position: &Position, parameters: &Parameters) -> Option<Move> {
        while let Some((mv, score, _)) = self.best_left() {
            if mv == self.table_move || self.gains_too_little(position, mv) {
                continue;
            }
            let least = match self.stage {
                Stage::Captures => -score / parameters.order_slack,
                _ => 0,
            };
            if !is_underpromotion(mv) && exchange::wins_at_least(position, mv, least) {
                self.proven = Some(least);
                return Some(mv);
            }
            self.losing.push(mv);
        }
        self.proven = None;
        self.stage = match (self.stage, self.forcing) {
            (Stage::Captures, _) => Stage::Refutations,
            (_, Forcing::CapturesAndChecks) => Stage::GenerateChecks,
            (_, Forcing::Captures) => Stage::Done,
        };
        None
    }

    /// Whether a capture or promotion is left out: seen at a glance, before exchanges are counted.
    fn gains_too_little(&mut self, position: &Position, mv: Move) -> bool {
        let gain = exchange::most_gain(position, mv);
        let too_little = gain < self.needed && !self.is_exempt(position, mv);
        if too_little {
            self.left_out = self.left_out.max(Some(gain));
        }
        too_little
    }

    /// Whether a capture is looked at even if it cannot gain what is needed.
    pub(super) fn is_exempt(&mut self, position: &Position, mv: Move) -> bool {
        self.target == Some(mv.to()) || self.gives_check(position, mv)
    }

    fn next_refutation(&mut self, position: &Position) -> Option<Move> {
        while let Some(&mv) = self.refutations.get(self.next) {
            let known = mv == self.table_move || self.refutations[..self.next].contains(&mv);
            if mv.is_some() && mv.is_quiet() && !known && position.is_legal(mv) {
                self.next += 1;
                return Some(mv);
            }
            self.refutations[self.next] = Move::NONE;
            self.next += 1;
        }
        self.stage = Stage::GenerateQuiets;
        None
    }

    #[inline(never)]
    fn generate_quiets(&mut self, position: &Position, history: &History, parameters: &Parameters) {
        self.stage = Stage::Quiets;
        self.list.clear();
        self.keys.clear();
        let checks = self.checks.get_or_insert_with(|| position.checks());
        let mut scoring = Scoring {
            parameters,
            position,
            checks,
            history: history.quiets(parameters, position.turn(), self.context),
            threats: Threats::of(position),
            list: &mut self.list,
            keys: &mut self.keys,
        };
        if self.leaves_out_quiets {
            position.quiet_checks_to(checks, &mut scoring);
        } else {
            position.quiets_to(&mut scoring);
        }
        self.keys.end();
    }

    fn next_quiet(&mut self) -> Option<Move> {
        while let Some((mv, _, check)) = self.best_left() {
            self.known_check = Some(check);
            if mv != self.table_move && !self.refutations.contains(&mv) {
                return Some(mv);
            }
        }
        None
    }

    fn next_check(&mut self, position: &Position) -> Option<Move> {
        while let Some(mv) = self.list.get(self.next).copied() {
            self.next += 1;
            if exchange::wins_at_least(position, mv, 0) {
                return Some(mv);
            }
        }
        self.stage = Stage::Done;
        None
    }

    /// Takes the move with the highest score, the first generated among equals, out of those left; with its score and mark.
    fn best_left(&mut self) -> Option<(Move, i32, bool)> {
        self.keys.take_highest().map(|(place, score, mark)| (self.list[place], score, mark))
    }
}

/// What a capture wins at once, in centipawns; a new queen counts as a victim.
fn capture_value(position: &Position, mv: Move) -> i32 {
    victim(position, mv) + mv.promotion().map_or(0, exchange::worth)
}

fn is_underpromotion(mv: Move) -> bool {
    mv.promotion().is_some_and(|kind| kind != PieceKind::Queen)
}
