//! Squares between two squares, and the line through them.

use super::{Bitboard, Square};

/// Which squares of a line a table holds.
#[derive(Clone, Copy)]
enum Part {
    Between,
    Whole,
}

type Pairs = [[Bitboard; 64]; 64];

/// For each pair of squares on a rank, file or diagonal, that part of it.
#[expect(clippy::large_stack_arrays, reason = "the compiler's stack: both tables are constants")]
const fn pairs(part: Part) -> Pairs {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let steps: [(i8, i8); 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
    let mut from = 0;
    while from < 64 {
        let mut direction = 0;
        while direction < 8 {
            let (east, north) = steps[direction];
            let ahead = ray(from, east, north);
            let whole = ahead | ray(from, -east, -north) | 1 << from;
            let mut rest = ahead;
            while rest != 0 {
                let to = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                table[from][to] = Bitboard(match part {
                    Part::Between => ahead & ray(to, -east, -north),
                    Part::Whole => whole,
                });
            }
            direction += 1;
        }
        from += 1;
    }
    table
}

/// The squares in one direction up to the edge.
const fn ray(from: usize, east: i8, north: i8) -> u64 {
    let mut squares = 0;
    let (mut file, mut rank) = (from as i8 & 7, from as i8 >> 3);
    loop {
        file += east;
        rank += north;
        if file < 0 || file > 7 || rank < 0 || rank > 7 {
            return squares;
        }
        squares |= 1 << (rank * 8 + file);
    }
}

static BETWEEN: Pairs = pairs(Part::Between);
static LINE: Pairs = pairs(Part::Whole);

/// The squares strictly between two squares of one line; none if they share no line.
#[must_use]
#[inline]
pub fn between(from: Square, to: Square) -> Bitboard {
    BETWEEN[from.index()][to.index()]
}

/// The whole rank, file or diagonal through two different squares; none if they share no line.
#[must_use]
#[inline]
pub fn line(from: Square, to: Square) -> Bitboard {
    LINE[from.index()][to.index()]
}

/// The pieces among `men` that alone stand between a king and one of the sliders. Each slider must reach the king but for
/// `men`.
#[must_use]
#[inline]
pub fn screens(king: Square, men: Bitboard, sliders: Bitboard) -> Bitboard {
    let mut screens = Bitboard::EMPTY;
    for slider in sliders {
        let between = between(king, slider) & men;
        if !between.more_than_one() {
            screens |= between;
        }
    }
    screens
}

#[cfg(test)]
mod tests {
    use super::{between, line};
    use crate::engine::chess::{Bitboard, Square};

    #[test]
    fn lines_and_gaps() {
        let gap: Bitboard = [Square::B2, Square::C3, Square::D4].into_iter().collect();
        assert_eq!(between(Square::A1, Square::E5), gap);
        assert_eq!(between(Square::E5, Square::A1), gap);
        assert_eq!(between(Square::A1, Square::B3), Bitboard::EMPTY);
        assert_eq!(between(Square::A1, Square::A2), Bitboard::EMPTY);
        assert_eq!(line(Square::C1, Square::A3), [Square::A3, Square::B2, Square::C1].into_iter().collect());
        assert_eq!(line(Square::A1, Square::B3), Bitboard::EMPTY);
    }
}
