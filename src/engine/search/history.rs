//! What the search has learnt about moves: which refuted a sibling, and how often each was best.

use std::ops::Neg;

use arrayvec::ArrayVec;
use bytemuck::allocation::zeroed_box;

use super::MAX_PLY;
use super::exchange::captured;
use super::parameters::{BUTTERFLY_MAX, CAPTURE_MAX, CONTINUATION_MAX, Parameters};
use crate::engine::chess::{Bitboard, Color, Move, Piece, PieceKind, Position, Square};

/// Killer moves by ply and answers to each move (counter moves); and scores of moves: quiet ones by colour, origin and
/// target, each attacked or not (butterfly history), and by what was played one, two, four and six plies before (continuation
/// history), captures by piece, target and victim.
///
/// Sources: the chess programming wiki, "Killer Heuristic", "Countermove Heuristic" and "History Heuristic" (with gravity: a
/// score drifts back the more, the closer it is to its bound); Berserk, for the squares that are attacked.
pub(super) struct History {
    killers: Box<[[Move; 2]]>,
    answers: Box<[Move; STEPS]>,
    butterfly: Box<[[[i16; TARGETS]; ORIGINS]; 2]>,
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

/// What the quiet moves of a node are judged by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Context {
    pub(super) trail: Trail,
    /// The squares that the enemy attacks.
    pub(super) attacked: Bitboard,
}

impl Context {
    /// Where no quiet move is judged.
    pub(super) const NONE: Self = Self { trail: Trail([Step::NONE; 4]), attacked: Bitboard::EMPTY };
}

/// What the history of a quiet move gains: by itself, and after the moves before.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bonus {
    pub(super) alone: i32,
    pub(super) followed: i32,
}

impl Neg for Bonus {
    type Output = Self;

    fn neg(self) -> Self {
        Self { alone: -self.alone, followed: -self.followed }
    }
}

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
        self.butterfly.as_flattened_mut().fill([0; TARGETS]);
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
    pub(super) fn followed_and_quiet(&self, position: &Position, context: Context, mv: Move) -> (i32, i32) {
        let [one, two, four, _] = self.after(context.trail, place(position, mv));
        let followed = one + two + four;
        let (origin, target) = way(context.attacked, mv);
        let butterfly = self.butterfly[position.turn().index()][origin][target];
        (followed, followed + 2 * i32::from(butterfly))
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
    pub(super) fn quiets(&self, parameters: &Parameters, turn: Color, context: Context) -> Quiets<'_> {
        Quiets {
            butterfly: &self.butterfly[turn.index()],
            attacked: context.attacked,
            continuation: context.trail.0.map(|before| &self.continuation[before.index()]),
            sixth: parameters.order_sixth,
        }
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
        context: Context,
        best: Move,
        failures: &Failures,
        (quiets, captures, ply): (Bonus, i32, usize),
    ) {
        if best.is_quiet() {
            self.remember_refutation(position, context, best, (quiets, ply));
            for mv in failures.quiets.iter().filter(|mv| **mv != best) {
                self.shift_quiet(position, context, *mv, -quiets);
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
        context: Context,
        mv: Move,
        (bonus, ply): (Bonus, usize),
    ) {
        let killers = &mut self.killers[ply];
        if killers[0] != mv {
            *killers = [mv, killers[0]];
        }
        let before = context.trail.0[0];
        if before != Step::NONE {
            self.answers[before.index()] = mv;
        }
        self.shift_quiet(position, context, mv, bonus);
    }

    /// A quiet move was better, or worse, than expected.
    pub(super) fn shift_quiet(&mut self, position: &Position, context: Context, mv: Move, bonus: Bonus) {
        self.shift_butterfly(position.turn(), context.attacked, mv, bonus.alone);
        self.shift_continuation(context.trail, Step::of(position, mv), bonus.followed);
    }

    /// The same by itself, for a move of this side, whose enemy attacks these squares.
    pub(super) fn shift_butterfly(&mut self, turn: Color, attacked: Bitboard, mv: Move, bonus: i32) {
        let (origin, target) = way(attacked, mv);
        shift::<BUTTERFLY_MAX>(&mut self.butterfly[turn.index()][origin][target], bonus);
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
    butterfly: &'h [[i16; TARGETS]; ORIGINS],
    attacked: Bitboard,
    continuation: [&'h [i16; PLACES]; 4],
    sixth: i32,
}

impl<'h> Quiets<'h> {
    /// The scores of the quiet moves of a piece.
    #[inline]
    pub(super) fn of(&self, piece: Piece, from: Square) -> QuietsOfPiece<'h> {
        QuietsOfPiece {
            butterfly: &self.butterfly[place_in(self.attacked, from)],
            attacked: self.attacked,
            continuation: self.continuation.map(|row| &row.as_chunks().0[piece.index()]),
            sixth: self.sixth,
        }
    }
}

/// The same of one piece, by target.
pub(super) struct QuietsOfPiece<'h> {
    butterfly: &'h [i16; TARGETS],
    attacked: Bitboard,
    continuation: [&'h [i16; 64]; 4],
    sixth: i32,
}

impl QuietsOfPiece<'_> {
    /// The score of the move to this square.
    #[inline]
    pub(super) fn to(&self, square: Square) -> i32 {
        let [one, two, four, six] = self.continuation.map(|scores| i32::from(scores[square.index()]));
        let butterfly = i32::from(self.butterfly[place_in(self.attacked, square)]);
        2 * (butterfly + one) + two + four + self.sixth * six / 16
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
/// origins and targets, each attacked and not,
const ORIGINS: usize = 2 * 64;
const TARGETS: usize = 2 * 64;
/// and what is captured.
const VICTIMS: usize = 8;

/// An index that no [`Piece`] has.
const NO_PIECE: usize = 15;

/// Origin and target of a move where these squares are attacked, below [`ORIGINS`] and [`TARGETS`].
fn way(attacked: Bitboard, mv: Move) -> (usize, usize) {
    (place_in(attacked, mv.from()), place_in(attacked, mv.to()))
}

/// A square, by whether it is one of these.
fn place_in(squares: Bitboard, square: Square) -> usize {
    usize::from(squares.contains(square)) * 64 + square.index()
}

/// What moves and where to, below [`PLACES`].
fn place(position: &Position, mv: Move) -> usize {
    position.piece_at(mv.from()).map_or(NO_PIECE, Piece::index) * 64 + mv.to().index()
}

/// What a move captures, below [`VICTIMS`]. A promotion without a capture counts as one of a king, which is never captured.
fn victim(position: &Position, mv: Move) -> usize {
    captured(position, mv).unwrap_or(PieceKind::King).index()
}

#[cfg(test)]
mod tests {
    use super::{Bonus, Context, History};
    use crate::engine::chess::{Move, MoveKind, Position, Square};

    #[test]
    fn a_move_out_of_an_attack_is_another_than_one_into_it() {
        let (position, mut history) = (Position::start(), History::new());
        let mv = Move::new(Square::G1, Square::F3, MoveKind::Quiet);
        let context =
            |squares: &[Square]| Context { attacked: squares.iter().copied().collect(), ..Context::NONE };
        history.shift_quiet(&position, context(&[Square::G1]), mv, Bonus { alone: 50, followed: 0 });
        for (squares, score) in
            [(&[Square::G1][..], 100), (&[], 0), (&[Square::F3], 0), (&[Square::G1, Square::F3], 0)]
        {
            assert_eq!(history.followed_and_quiet(&position, context(squares), mv).1, score, "{squares:?}");
        }
        history.forget();
        assert_eq!(history.followed_and_quiet(&position, context(&[Square::G1]), mv).1, 0);
    }
}
