//! The order of moves: what most likely refutes a node comes first, and is not generated before it is needed.

use arrayvec::ArrayVec;

use super::exchange::{self, victim};
use super::history::{History, Trail};
use super::parameters::CAPTURE_WEIGHT;
use crate::engine::chess::{Move, MoveList, PieceKind, Position};

/// Gives the moves of a node one by one, each once: the table's move, captures that lose nothing by the most
/// valuable victim and by history, killers, quiet moves by history, and captures that lose.
pub(super) struct Picker {
    stage: Stage,
    table_move: Move,
    killers: [Move; 2],
    trail: Trail,
    list: MoveList,
    scores: ArrayVec<i32, { MoveList::CAPACITY }>,
    next: usize,
    losing: MoveList,
    /// What a leaf looks at; not used by other nodes.
    forcing: Forcing,
}

/// Which moves a leaf looks at when it is not in check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Forcing {
    /// Captures and promotions to a queen.
    Captures,
    /// And quiet moves that give check.
    CapturesAndChecks,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    TableMove,
    GenerateCaptures,
    Captures,
    FirstKiller,
    SecondKiller,
    GenerateQuiets,
    Quiets,
    LosingCaptures,
    /// Quiescence: captures that lose nothing,
    GenerateForcingCaptures,
    ForcingCaptures,
    /// and quiet checks that lose nothing.
    GenerateChecks,
    Checks,
    Done,
}

impl Picker {
    /// Every legal move; the table's move and the killers need not be legal here.
    pub(super) fn all(table_move: Move, killers: [Move; 2], trail: Trail) -> Self {
        Self::new(Stage::TableMove, table_move, killers, trail)
    }

    /// The forcing moves that lose nothing by exchange.
    pub(super) fn forcing(forcing: Forcing, trail: Trail) -> Self {
        let picker = Self::new(Stage::GenerateForcingCaptures, Move::NONE, [Move::NONE; 2], trail);
        Self { forcing, ..picker }
    }

    fn new(stage: Stage, table_move: Move, killers: [Move; 2], trail: Trail) -> Self {
        Self {
            stage,
            table_move,
            killers,
            trail,
            list: MoveList::new(),
            scores: ArrayVec::new_const(),
            next: 0,
            losing: MoveList::new(),
            forcing: Forcing::Captures,
        }
    }

    /// The next move of the same position.
    pub(super) fn next(&mut self, position: &Position, history: &History) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TableMove => {
                    self.stage = Stage::GenerateCaptures;
                    if self.table_move.is_some() && position.is_legal(self.table_move) {
                        return Some(self.table_move);
                    }
                    self.table_move = Move::NONE;
                }
                Stage::GenerateCaptures | Stage::GenerateForcingCaptures => {
                    self.generate_captures(position, history);
                }
                Stage::Captures | Stage::ForcingCaptures => {
                    if let Some(mv) = self.next_capture(position) {
                        return Some(mv);
                    }
                }
                Stage::FirstKiller | Stage::SecondKiller => {
                    if let Some(mv) = self.next_killer(position) {
                        return Some(mv);
                    }
                }
                Stage::GenerateQuiets => self.generate_quiets(position, history),
                Stage::Quiets => {
                    if let Some(mv) = self.next_quiet() {
                        return Some(mv);
                    }
                    (self.stage, self.next) = (Stage::LosingCaptures, 0);
                }
                Stage::LosingCaptures => {
                    let mv = self.losing.get(self.next).copied();
                    self.next += 1;
                    return mv;
                }
                Stage::GenerateChecks => {
                    self.generate_quiets(position, history);
                    self.stage = Stage::Checks;
                }
                Stage::Checks => return self.next_check(position),
                Stage::Done => return None,
            }
        }
    }

    fn generate_captures(&mut self, position: &Position, history: &History) {
        position.captures(&mut self.list);
        let score =
            |mv: &Move| CAPTURE_WEIGHT * capture_value(position, *mv) + history.capture(position, *mv);
        self.scores = self.list.iter().map(score).collect();
        self.stage = match self.stage {
            Stage::GenerateCaptures => Stage::Captures,
            _ => Stage::ForcingCaptures,
        };
    }

    fn next_capture(&mut self, position: &Position) -> Option<Move> {
        while let Some(mv) = self.best_left() {
            if mv == self.table_move {
                continue;
            }
            if !is_underpromotion(mv) && exchange::wins_at_least(position, mv, 0) {
                return Some(mv);
            }
            self.losing.push(mv);
        }
        self.stage = match (self.stage, self.forcing) {
            (Stage::Captures, _) => Stage::FirstKiller,
            (_, Forcing::CapturesAndChecks) => Stage::GenerateChecks,
            (_, Forcing::Captures) => Stage::Done,
        };
        None
    }

    fn next_killer(&mut self, position: &Position) -> Option<Move> {
        let (killer, next) = match self.stage {
            Stage::FirstKiller => (&mut self.killers[0], Stage::SecondKiller),
            _ => (&mut self.killers[1], Stage::GenerateQuiets),
        };
        self.stage = next;
        let usable = killer.is_some() && *killer != self.table_move && killer.is_quiet();
        if usable && position.is_legal(*killer) {
            return Some(*killer);
        }
        *killer = Move::NONE;
        None
    }

    fn generate_quiets(&mut self, position: &Position, history: &History) {
        self.list.clear();
        self.next = 0;
        position.quiets(&mut self.list);
        let trail = self.trail;
        self.scores = self.list.iter().map(|mv| history.quiet(position, trail, *mv)).collect();
        self.stage = Stage::Quiets;
    }

    fn next_quiet(&mut self) -> Option<Move> {
        while let Some(mv) = self.best_left() {
            if mv != self.table_move && !self.killers.contains(&mv) {
                return Some(mv);
            }
        }
        None
    }

    fn next_check(&mut self, position: &Position) -> Option<Move> {
        while let Some(mv) = self.list.get(self.next).copied() {
            self.next += 1;
            if position.gives_check(mv) && exchange::wins_at_least(position, mv, 0) {
                return Some(mv);
            }
        }
        self.stage = Stage::Done;
        None
    }

    /// Takes the move with the highest score, the first generated among equals, out of those left.
    fn best_left(&mut self) -> Option<Move> {
        let mut best = self.next;
        for index in self.next + 1..self.list.len() {
            if self.scores[index] > self.scores[best] {
                best = index;
            }
        }
        let mv = *self.list.get(best)?;
        self.list.swap(self.next, best);
        self.scores.swap(self.next, best);
        self.next += 1;
        Some(mv)
    }
}

/// What a capture wins at once, in centipawns; a new queen counts as a victim.
fn capture_value(position: &Position, mv: Move) -> i32 {
    victim(position, mv) + mv.promotion().map_or(0, exchange::worth)
}

fn is_underpromotion(mv: Move) -> bool {
    mv.promotion().is_some_and(|kind| kind != PieceKind::Queen)
}
