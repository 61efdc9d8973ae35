//! What the search has learnt about moves: which refuted a sibling, and how often each was best.

use arrayvec::ArrayVec;

use super::MAX_PLY;
use super::exchange::captured;
use super::parameters::HISTORY_MAX;
use crate::engine::chess::{Color, Move, Piece, PieceKind, Position};

/// Killer moves by ply; and scores of moves: quiet ones by colour, origin and target (butterfly history) and by what
/// was played one, two and four plies before (continuation history), captures by piece, target and victim.
///
/// Sources: the chess programming wiki, "Killer Heuristic" and "History Heuristic" (with gravity: a score drifts back
/// the more, the closer it is to its bound).
pub(super) struct History {
    killers: Box<[[Move; 2]]>,
    butterfly: Scores,
    continuation: Scores,
    captures: Scores,
}

/// A piece, where it went, and whether it captured or promoted there: how a move is known to those after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step(u16);

impl Step {
    /// Instead of a move: a pass, or before the root.
    pub(super) const NONE: Self = Self(0);

    const COUNT: usize = 2 * PLACES;

    /// The step of a legal move.
    pub(super) fn of(position: &Position, mv: Move) -> Self {
        Self((place(position, mv) + if mv.is_quiet() { 0 } else { PLACES }) as u16)
    }

    const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The steps that led to a node: one, two and four plies before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trail(pub(super) [Step; 3]);

/// What a node has tried beside its best move: the first so many moves of each kind.
#[derive(Default)]
pub(super) struct Failures {
    quiets: ArrayVec<Move, 32>,
    captures: ArrayVec<Move, 32>,
}

impl Failures {
    /// One move more.
    pub(super) fn add(&mut self, mv: Move) {
        let list = if mv.is_quiet() { &mut self.quiets } else { &mut self.captures };
        // Moves that come later than that are not worth remembering.
        let _ = list.try_push(mv);
    }
}

impl History {
    pub(super) fn new() -> Self {
        Self {
            killers: vec![[Move::NONE; 2]; MAX_PLY + 2].into_boxed_slice(),
            butterfly: Scores::new(2 * BUTTERFLIES),
            continuation: Scores::new(Step::COUNT * PLACES),
            captures: Scores::new(PLACES * 6),
        }
    }

    /// Killers belong to the plies of one search.
    pub(super) fn forget_killers(&mut self) {
        self.killers.fill([Move::NONE; 2]);
    }

    /// The two latest quiet moves that refuted a node at this ply.
    pub(super) fn killers(&self, ply: usize) -> [Move; 2] {
        self.killers[ply]
    }

    /// How good a quiet move has been, within ±4 times [`HISTORY_MAX`].
    #[inline]
    pub(super) fn quiet(&self, position: &Position, trail: Trail, mv: Move) -> i32 {
        self.quiets(position, trail)(mv)
    }

    /// The same, and the part of it that depends on the moves before, within ±2.5 times [`HISTORY_MAX`].
    #[inline]
    pub(super) fn quiet_and_followed(&self, position: &Position, trail: Trail, mv: Move) -> (i32, i32) {
        let all = self.quiet(position, trail, mv);
        (all, all - self.butterfly.of(butterfly_slot(position.turn(), mv)))
    }

    /// [`Self::quiet`] for the moves of one node.
    #[inline]
    pub(super) fn quiets(&self, position: &Position, trail: Trail) -> impl Fn(Move) -> i32 {
        let butterfly = self.butterfly.row(position.turn().index() * BUTTERFLIES, BUTTERFLIES);
        let continuation = trail.0.map(|before| self.continuation.row(continuation_slot(before, 0), PLACES));
        move |mv| {
            let place = place(position, mv);
            let [one, two, four] = continuation.map(|row| i32::from(row[place]));
            i32::from(butterfly[way(mv)]) + one + two + four / 2
        }
    }

    /// How good a capture or promotion has been, within ±[`HISTORY_MAX`].
    #[inline]
    pub(super) fn capture(&self, position: &Position, mv: Move) -> i32 {
        self.captures.of(capture_slot(position, mv))
    }

    /// A move refuted a node or was its best after others failed to: it gains a bonus, and they lose it.
    pub(super) fn reward(
        &mut self,
        position: &Position,
        trail: Trail,
        best: Move,
        failures: &Failures,
        (bonus, malus, ply): (i32, i32, usize),
    ) {
        if best.is_quiet() {
            let killers = &mut self.killers[ply];
            if killers[0] != best {
                *killers = [best, killers[0]];
            }
            self.shift_quiet(position, trail, best, bonus);
            for mv in failures.quiets.iter().filter(|mv| **mv != best) {
                self.shift_quiet(position, trail, *mv, -malus);
            }
        } else {
            self.captures.shift(capture_slot(position, best), bonus);
        }
        for mv in failures.captures.iter().filter(|mv| **mv != best) {
            self.captures.shift(capture_slot(position, *mv), -malus);
        }
    }

    /// A quiet move was better, or worse, than expected.
    pub(super) fn shift_quiet(&mut self, position: &Position, trail: Trail, mv: Move, bonus: i32) {
        let step = Step::of(position, mv);
        self.butterfly.shift(butterfly_slot(position.turn(), mv), bonus);
        self.shift_continuation(trail, step, bonus);
    }

    /// The quiet move before a node was better than expected: a side's move, known by its step after those before it.
    pub(super) fn shift_prior(&mut self, side: Color, mv: Move, trail: Trail, step: Step, bonus: i32) {
        self.butterfly.shift(butterfly_slot(side, mv), bonus);
        self.shift_continuation(trail, step, bonus);
    }

    /// The same, as far as it depends on the moves before: the step is of a quiet move.
    pub(super) fn shift_continuation(&mut self, trail: Trail, step: Step, bonus: i32) {
        for before in trail.0 {
            if before != Step::NONE {
                self.continuation.shift(continuation_slot(before, step.index()), bonus);
            }
        }
    }
}

/// Scores within ±[`HISTORY_MAX`].
struct Scores(Box<[i16]>);

impl Scores {
    fn new(count: usize) -> Self {
        Self(vec![0; count].into_boxed_slice())
    }

    fn of(&self, slot: usize) -> i32 {
        i32::from(self.0[slot])
    }

    /// So many scores from a slot on.
    #[inline]
    fn row(&self, start: usize, length: usize) -> &[i16] {
        &self.0[start..start + length]
    }

    #[inline]
    fn shift(&mut self, slot: usize, bonus: i32) {
        let score = &mut self.0[slot];
        let old = i32::from(*score);
        *score = (old + bonus - old * bonus.abs() / HISTORY_MAX) as i16;
    }
}

/// Pieces by target, and none.
const PLACES: usize = 1 + 12 * 64;

/// The scores of one colour.
const BUTTERFLIES: usize = 64 * 64;

fn butterfly_slot(color: Color, mv: Move) -> usize {
    color.index() * BUTTERFLIES + way(mv)
}

/// Origin and target of a move, below [`BUTTERFLIES`].
fn way(mv: Move) -> usize {
    mv.from().index() * 64 + mv.to().index()
}

fn continuation_slot(before: Step, place: usize) -> usize {
    before.index() * PLACES + place
}

/// What moves and where to, below [`PLACES`]; 0 without a move.
fn place(position: &Position, mv: Move) -> usize {
    position.piece_at(mv.from()).map_or(0, |piece: Piece| 1 + piece.index() * 64 + mv.to().index())
}

/// A promotion without a capture counts as one of a king, which is never captured.
fn capture_slot(position: &Position, mv: Move) -> usize {
    let victim = captured(position, mv).unwrap_or(PieceKind::King);
    place(position, mv) * 6 + victim.index()
}
