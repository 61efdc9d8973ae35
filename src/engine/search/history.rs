//! What the search has learnt about moves: which refuted a sibling, and how often each was best.

use arrayvec::ArrayVec;
use bytemuck::allocation::zeroed_box;

use super::MAX_PLY;
use super::exchange::captured;
use super::parameters::{BUTTERFLY_MAX, CAPTURE_MAX, CONTINUATION_MAX};
use crate::engine::chess::{Color, Move, Piece, PieceKind, Position, Square};

/// Killer moves by ply and answers to each move (counter moves); and scores of moves: quiet ones by colour, origin and
/// target (butterfly history) and by what was played one, two, four and six plies before (continuation history),
/// captures by piece, target and victim.
///
/// Sources: the chess programming wiki, "Killer Heuristic", "Countermove Heuristic" and "History Heuristic" (with gravity: a
/// score drifts back the more, the closer it is to its bound).
pub(super) struct History {
    killers: Box<[[Move; 2]]>,
    answers: Box<[Move; STEPS]>,
    butterfly: Box<[[i16; WAYS]; 2]>,
    continuation: Box<[[i16; PLACES]; STEPS]>,
    captures: Box<[[i16; VICTIMS]; PLACES]>,
    /// Of the rows of `continuation`, a bit for each: those that have been written.
    used: [u64; STEPS / 64],
}

/// A piece, where it went, and whether it captured or promoted there: how a move is known to those after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step(u16);

impl Step {
    /// Instead of a move: a pass, or before the root. No piece has this place.
    pub(super) const NONE: Self = Self((NO_PIECE * 64) as u16);

    /// The step of a legal move.
    pub(super) fn of(position: &Position, mv: Move) -> Self {
        Self((place(position, mv) + if mv.is_quiet() { 0 } else { PLACES }) as u16)
    }

    /// Below [`STEPS`].
    const fn index(self) -> usize {
        self.0 as usize % STEPS
    }

    /// The piece and where it went.
    const fn place(self) -> usize {
        self.index() % PLACES
    }
}

/// The steps that led to a node: one, two, four and six plies before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trail(pub(super) [Step; 4]);

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
            killers: vec![[Move::NONE; 2]; MAX_PLY + 3].into_boxed_slice(),
            answers: Box::new([Move::NONE; STEPS]),
            butterfly: zeroed_box(),
            continuation: zeroed_box(),
            captures: zeroed_box(),
            used: [0; STEPS / 64],
        }
    }

    /// Nothing has been searched yet. Takes the longer, the more has been.
    pub(super) fn forget(&mut self) {
        self.forget_killers();
        self.answers.fill(Move::NONE);
        self.butterfly.fill([0; WAYS]);
        self.captures.fill([0; VICTIMS]);
        for (word, rows) in self.used.iter_mut().zip(self.continuation.as_chunks_mut::<64>().0) {
            for row in bits(std::mem::take(word)) {
                rows[row].fill(0);
            }
        }
    }

    /// Killers belong to the plies of one search.
    pub(super) fn forget_killers(&mut self) {
        self.killers.fill([Move::NONE; 2]);
    }

    /// A node's grandchildren of another line have nothing to do with its own.
    #[inline]
    pub(super) fn forget_killers_of_grandchildren(&mut self, ply: usize) {
        self.killers[ply + 2] = [Move::NONE; 2];
    }

    /// The latest quiet moves that refuted a node: two at this ply, and one after the same move.
    #[inline]
    pub(super) fn refutations(&self, trail: Trail, ply: usize) -> [Move; 3] {
        let [first, second] = self.killers[ply];
        [first, second, self.answers[trail.0[0].index()]]
    }

    /// Whether a move is the latest quiet one that refuted a node at this ply.
    #[inline]
    pub(super) fn is_killer(&self, ply: usize, mv: Move) -> bool {
        self.killers[ply][0] == mv
    }

    /// How good a quiet move has been after the moves before, within ±3 times [`CONTINUATION_MAX`]; and by itself too,
    /// within twice [`BUTTERFLY_MAX`] more.
    #[inline]
    pub(super) fn followed_and_quiet(&self, position: &Position, trail: Trail, mv: Move) -> (i32, i32) {
        let [one, two, four, _] = self.after(trail, place(position, mv));
        let followed = one + two + four;
        (followed, followed + 2 * i32::from(self.butterfly[position.turn().index()][way(mv)]))
    }

    /// How good a quiet move has been right after each of the last two moves.
    #[inline]
    pub(super) fn answers_well(&self, position: &Position, trail: Trail, mv: Move) -> bool {
        let [one, two, ..] = self.after(trail, place(position, mv));
        one >= 0 || two >= 0
    }

    /// The scores of a piece and target after each move of a trail.
    #[inline]
    fn after(&self, trail: Trail, place: usize) -> [i32; 4] {
        trail.0.map(|step| i32::from(self.continuation[step.index()][place]))
    }

    /// What the quiet moves of a side to move are ordered by.
    #[inline]
    pub(super) fn quiets(&self, turn: Color, trail: Trail) -> Quiets<'_> {
        let butterfly = &self.butterfly[turn.index()];
        Quiets { butterfly, continuation: trail.0.map(|before| &self.continuation[before.index()]) }
    }

    /// How good a capture or promotion has been, within ±[`CAPTURE_MAX`].
    #[inline]
    pub(super) fn capture(&self, position: &Position, mv: Move) -> i32 {
        i32::from(self.captures[place(position, mv)][victim(position, mv)])
    }

    /// A move refuted a node or was its best after others failed to: it gains a bonus, and they lose it.
    pub(super) fn reward(
        &mut self,
        position: &Position,
        trail: Trail,
        best: Move,
        failures: &Failures,
        (quiets, captures, ply): (i32, i32, usize),
    ) {
        if best.is_quiet() {
            self.remember_refutation(position, trail, best, (quiets, ply));
            for mv in failures.quiets.iter().filter(|mv| **mv != best) {
                self.shift_quiet(position, trail, *mv, -quiets);
            }
        } else {
            self.shift_capture(position, best, captures);
        }
        for mv in failures.captures.iter().filter(|mv| **mv != best) {
            self.shift_capture(position, *mv, -captures);
        }
    }

    fn shift_capture(&mut self, position: &Position, mv: Move, bonus: i32) {
        shift::<CAPTURE_MAX>(&mut self.captures[place(position, mv)][victim(position, mv)], bonus);
    }

    /// A quiet move refuted a node.
    pub(super) fn remember_refutation(
        &mut self,
        position: &Position,
        trail: Trail,
        mv: Move,
        (bonus, ply): (i32, usize),
    ) {
        let killers = &mut self.killers[ply];
        if killers[0] != mv {
            *killers = [mv, killers[0]];
        }
        if trail.0[0] != Step::NONE {
            self.answers[trail.0[0].index()] = mv;
        }
        self.shift_quiet(position, trail, mv, bonus);
    }

    /// A quiet move was better, or worse, than expected.
    pub(super) fn shift_quiet(&mut self, position: &Position, trail: Trail, mv: Move, bonus: i32) {
        let step = Step::of(position, mv);
        shift::<BUTTERFLY_MAX>(&mut self.butterfly[position.turn().index()][way(mv)], bonus);
        self.shift_continuation(trail, step, bonus);
    }

    /// The same, as far as it depends on the moves before.
    pub(super) fn shift_continuation(&mut self, trail: Trail, step: Step, bonus: i32) {
        for before in trail.0 {
            if before != Step::NONE {
                let row = before.index();
                self.used[row / 64] |= 1 << (row % 64);
                shift::<CONTINUATION_MAX>(&mut self.continuation[row][step.place()], bonus);
            }
        }
    }
}

/// The scores of one side's quiet moves, by themselves and after each move of a trail.
pub(super) struct Quiets<'h> {
    butterfly: &'h [i16; WAYS],
    continuation: [&'h [i16; PLACES]; 4],
}

impl<'h> Quiets<'h> {
    /// The scores of the quiet moves of a piece.
    #[inline]
    pub(super) fn of(&self, piece: Piece, from: Square) -> QuietsOfPiece<'h> {
        let butterfly = &self.butterfly.as_chunks().0[from.index()];
        let continuation = self.continuation.map(|row| &row.as_chunks().0[piece.index()]);
        QuietsOfPiece { butterfly, continuation }
    }
}

/// The same of one piece, by target.
pub(super) struct QuietsOfPiece<'h> {
    butterfly: &'h [i16; 64],
    continuation: [&'h [i16; 64]; 4],
}

impl QuietsOfPiece<'_> {
    /// The score of the move to this square.
    #[inline]
    pub(super) fn to(&self, square: Square) -> i32 {
        let of = |scores: &[i16; 64]| i32::from(scores[square.index()]);
        let [one, two, four, six] = self.continuation;
        2 * (of(self.butterfly) + of(one)) + of(two) + of(four) + of(six)
    }
}

/// Moves a score within its bound either way; back the more, the closer it is to that.
#[inline]
fn shift<const MOST: i32>(score: &mut i16, bonus: i32) {
    let old = i32::from(*score);
    *score = (old + bonus - old * bonus.abs() / MOST) as i16;
}

/// The places of the bits of a word, from the lowest.
fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = word.trailing_zeros();
        word &= word.wrapping_sub(1);
        (bit < u64::BITS).then_some(bit as usize)
    })
}

/// Tables have powers of two above the entries in use, so that no index needs a check: pieces by target,
const PLACES: usize = 16 * 64;
/// the same of quiet moves and of captures and promotions,
const STEPS: usize = 2 * PLACES;
/// origins by targets,
const WAYS: usize = 64 * 64;
/// and what is captured.
const VICTIMS: usize = 8;

/// An index that no [`Piece`] has.
const NO_PIECE: usize = 15;

/// Origin and target of a move, below [`WAYS`].
fn way(mv: Move) -> usize {
    mv.from().index() * 64 + mv.to().index()
}

/// What moves and where to, below [`PLACES`].
fn place(position: &Position, mv: Move) -> usize {
    position.piece_at(mv.from()).map_or(NO_PIECE, Piece::index) * 64 + mv.to().index()
}

/// What a move captures, below [`VICTIMS`]. A promotion without a capture counts as one of a king, which is never captured.
fn victim(position: &Position, mv: Move) -> usize {
    captured(position, mv).unwrap_or(PieceKind::King).index()
}
