//! What a piece attacks from a square.
//!
//! Sliding pieces look their attacks up in one table, indexed by the occupied squares that matter to them. Where the
//! processor has `PEXT` it makes the index, and `PDEP` unfolds what is found; elsewhere a multiplication by a magic number does. Source: the chess
//! programming wiki, "BMI2" and "Magic Bitboards". The table is made by the compiler, so nothing is done at start.

use super::{Bitboard, Color, Piece, PieceKind, Square};

type Step = (i8, i8);

const ROOK_STEPS: [Step; 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const BISHOP_STEPS: [Step; 4] = [(1, 1), (-1, 1), (1, -1), (-1, -1)];
const KNIGHT_STEPS: [Step; 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const KING_STEPS: [Step; 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

/// The bit of the square one step away, or 0 off the board.
const fn stepped(square: usize, step: Step) -> u64 {
    let file = (square & 7) as i8 + step.0;
    let rank = (square >> 3) as i8 + step.1;
    if file >= 0 && file < 8 && rank >= 0 && rank < 8 { 1 << (rank * 8 + file) } else { 0 }
}

const fn leaper_table(steps: &[Step]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        let mut index = 0;
        while index < steps.len() {
            table[square].0 |= stepped(square, steps[index]);
            index += 1;
        }
        square += 1;
    }
    table
}

static KNIGHT: [Bitboard; 64] = leaper_table(&KNIGHT_STEPS);
static KING: [Bitboard; 64] = leaper_table(&KING_STEPS);
static PAWN: [[Bitboard; 64]; 2] = [leaper_table(&[(-1, 1), (1, 1)]), leaper_table(&[(-1, -1), (1, -1)])];

/// The squares in each direction as far as the edge.
const fn rays(square: usize, steps: [Step; 4]) -> [u64; 4] {
    let mut rays = [0; 4];
    let mut direction = 0;
    while direction < 4 {
        let mut here = stepped(square, steps[direction]);
        while here != 0 {
            rays[direction] |= here;
            here = stepped(here.trailing_zeros() as usize, steps[direction]);
        }
        direction += 1;
    }
    rays
}

/// The squares of each ray up to its first occupied one, which is included; the first of a ray is its lowest or its highest
/// by the sign of its step.
const fn cut(rays: [u64; 4], steps: [Step; 4], occupied: u64) -> u64 {
    let mut attacks = 0;
    let mut direction = 0;
    while direction < 4 {
        let (ray, (files, ranks)) = (rays[direction], steps[direction]);
        let blockers = ray & occupied;
        attacks |= if blockers == 0 {
            ray
        } else if ranks * 8 + files > 0 {
            let first = blockers & (!blockers + 1);
            ray & (first | (first - 1))
        } else {
            let first = 1 << blockers.ilog2();
            ray & !(first - 1)
        };
        direction += 1;
    }
    attacks
}

/// The squares whose occupation matters: all on the rays but the last of each.
const fn relevant(square: usize, steps: [Step; 4]) -> u64 {
    let mut squares = 0;
    let mut direction = 0;
    while direction < 4 {
        let mut here = stepped(square, steps[direction]);
        while here != 0 {
            let next = stepped(here.trailing_zeros() as usize, steps[direction]);
            if next != 0 {
                squares |= here;
            }
            here = next;
        }
        direction += 1;
    }
    squares
}

/// Where the attacks from one square stand in the table.
#[derive(Clone, Copy)]
struct Slice {
    relevant: u64,
    start: usize,
    /// The squares attacked on an empty board.
    #[cfg(target_feature = "bmi2")]
    reach: u64,
    #[cfg(not(target_feature = "bmi2"))]
    magic: u64,
}

/// Attacks as the table holds them: which of the at most 14 squares in reach are attacked. A quarter of the memory leaves the
/// caches to others, which is worth more than the instruction to unfold it.
#[cfg(target_feature = "bmi2")]
type Entry = u16;

#[cfg(target_feature = "bmi2")]
impl Slice {
    const fn new(square: usize, steps: [Step; 4], start: usize) -> Self {
        Self { relevant: relevant(square, steps), start, reach: cut(rays(square, steps), steps, 0) }
    }

    const fn entry(self, attacks: u64) -> Entry {
        let (mut entry, mut left) = (0, attacks);
        while left != 0 {
            let below = (left & (!left + 1)) - 1;
            entry |= 1 << (self.reach & below).count_ones();
            left &= left - 1;
        }
        entry
    }

    #[inline]
    fn attacks(self, occupied: Bitboard) -> Bitboard {
        let index = self.start + super::pext::pext(occupied.0, self.relevant) as usize;
        Bitboard(super::pext::pdep(u64::from(SLIDING[index & (TABLE_SIZE - 1)]), self.reach))
    }
}

/// Attacks as the table holds them.
#[cfg(not(target_feature = "bmi2"))]
type Entry = u64;

#[cfg(not(target_feature = "bmi2"))]
impl Slice {
    const fn new(square: usize, steps: [Step; 4], start: usize) -> Self {
        // Rooks come first in the table.
        let magics = if start < BISHOP_START { &super::magics::ROOK } else { &super::magics::BISHOP };
        Self { relevant: relevant(square, steps), start, magic: magics[square] }
    }

    const fn entry(self, attacks: u64) -> Entry {
        attacks
    }

    /// The index of an occupation in the table.
    #[inline]
    const fn index(self, occupied: u64) -> usize {
        let hash = (occupied & self.relevant).wrapping_mul(self.magic);
        self.start + (hash >> (64 - self.relevant.count_ones())) as usize
    }

    #[inline]
    fn attacks(self, occupied: Bitboard) -> Bitboard {
        Bitboard(SLIDING[self.index(occupied.0) & (TABLE_SIZE - 1)])
    }
}

/// A power of two above the 102,400 + 5,248 entries in use, so that masking an index replaces a bounds check.
const TABLE_SIZE: usize = 1 << 17;
const BISHOP_START: usize = 102_400;

const fn slices(steps: [Step; 4], first: usize) -> [Slice; 64] {
    let mut slices = [Slice::new(0, steps, first); 64];
    let mut start = first;
    let mut square = 0;
    while square < 64 {
        slices[square] = Slice::new(square, steps, start);
        start += 1 << slices[square].relevant.count_ones();
        square += 1;
    }
    slices
}

const ROOK_SLICES: [Slice; 64] = slices(ROOK_STEPS, 0);
const BISHOP_SLICES: [Slice; 64] = slices(BISHOP_STEPS, BISHOP_START);

static ROOK: [Slice; 64] = ROOK_SLICES;
static BISHOP: [Slice; 64] = BISHOP_SLICES;

const fn fill(table: &mut [Entry; TABLE_SIZE], slices: &[Slice; 64], steps: [Step; 4]) {
    let mut square = 0;
    while square < 64 {
        let (slice, rays) = (slices[square], rays(square, steps));
        // Subsets of the relevant squares come in the order in which PEXT numbers them.
        let mut subset: u64 = 0;
        #[cfg(target_feature = "bmi2")]
        let mut number = 0;
        loop {
            #[cfg(target_feature = "bmi2")]
            let index = slice.start + number;
            #[cfg(not(target_feature = "bmi2"))]
            let index = slice.index(subset);
            let attacks = cut(rays, steps, subset);
            let entry = slice.entry(attacks);
            assert!(table[index] == 0 || table[index] == entry, "a magic number that confuses two attacks");
            table[index] = entry;
            subset = subset.wrapping_sub(slice.relevant) & slice.relevant;
            if subset == 0 {
                break;
            }
            #[cfg(target_feature = "bmi2")]
            {
                number += 1;
            }
        }
        square += 1;
    }
}

#[expect(
    long_running_const_eval,
    reason = "107,648 entries, some seconds of compilation against work at every start"
)]
static SLIDING: [Entry; TABLE_SIZE] = {
    let mut table = [0; TABLE_SIZE];
    fill(&mut table, &ROOK_SLICES, ROOK_STEPS);
    fill(&mut table, &BISHOP_SLICES, BISHOP_STEPS);
    table
};

/// The squares that a pawn of this colour attacks.
#[must_use]
#[inline]
pub fn pawn_attacks(color: Color, square: Square) -> Bitboard {
    PAWN[color.index()][square.index()]
}

/// The squares that a knight attacks.
#[must_use]
#[inline]
pub fn knight_attacks(square: Square) -> Bitboard {
    KNIGHT[square.index()]
}

/// The squares that a king attacks.
#[must_use]
#[inline]
pub fn king_attacks(square: Square) -> Bitboard {
    KING[square.index()]
}

/// The squares that a bishop attacks, the first occupied one in each direction included.
#[must_use]
#[inline]
pub fn bishop_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    BISHOP[square.index()].attacks(occupied)
}

/// The squares that a rook attacks, the first occupied one in each direction included.
#[must_use]
#[inline]
pub fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    ROOK[square.index()].attacks(occupied)
}

/// The squares that a queen attacks, the first occupied one in each direction included.
#[must_use]
#[inline]
pub fn queen_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    bishop_attacks(square, occupied) | rook_attacks(square, occupied)
}

/// The squares that a piece attacks.
#[must_use]
#[inline]
pub fn piece_attacks(piece: Piece, square: Square, occupied: Bitboard) -> Bitboard {
    match piece.kind() {
        PieceKind::Pawn => pawn_attacks(piece.color(), square),
        PieceKind::Knight => knight_attacks(square),
        PieceKind::Bishop => bishop_attacks(square, occupied),
        PieceKind::Rook => rook_attacks(square, occupied),
        PieceKind::Queen => queen_attacks(square, occupied),
        PieceKind::King => king_attacks(square),
    }
}

#[cfg(test)]
mod tests {
    use super::{BISHOP_STEPS, ROOK_STEPS, Step, bishop_attacks, rook_attacks, stepped};
    use crate::engine::chess::{Bitboard, Square};

    /// The squares reached step by step until the edge or the first occupied square, which is included.
    fn walk(square: Square, steps: [Step; 4], occupied: u64) -> u64 {
        let mut attacks = 0;
        for step in steps {
            let mut here = stepped(square.index(), step);
            while here != 0 {
                attacks |= here;
                if occupied & here != 0 {
                    break;
                }
                here = stepped(here.trailing_zeros() as usize, step);
            }
        }
        attacks
    }

    #[test]
    fn table_equals_walking() {
        let mut occupied = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..2_000 {
            occupied = occupied.wrapping_mul(0xbf58_476d_1ce4_e5b9) ^ occupied >> 29;
            let sparse = occupied & occupied.rotate_left(17);
            for square in Square::all() {
                let [rook, bishop] = [ROOK_STEPS, BISHOP_STEPS].map(|steps| walk(square, steps, sparse));
                assert_eq!(rook_attacks(square, Bitboard(sparse)).0, rook);
                assert_eq!(bishop_attacks(square, Bitboard(sparse)).0, bishop);
            }
        }
    }
}
