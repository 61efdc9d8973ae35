//! Squares between two squares, and the line through them.

use super::{Bitboard, Square};

/// For each pair on a rank, file or diagonal: the squares strictly between (first) and the whole line (second).
const fn pairs() -> ([[Bitboard; 64]; 64], [[Bitboard; 64]; 64]) {
    let mut between = [[Bitboard::EMPTY; 64]; 64];
    let mut line = [[Bitboard::EMPTY; 64]; 64];
    let steps: [(i8, i8); 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
    let mut from = 0;
    while from < 64 {
        let mut direction = 0;
        while direction < 8 {
            let (east, north) = steps[direction];
            let whole = ray(from, east, north) | ray(from, -east, -north) | 1 << from;
            let mut passed = 0;
            let mut rest = ray(from, east, north);
            let (mut file, mut rank) = (from as i8 & 7, from as i8 >> 3);
            while rest != 0 {
                file += east;
                rank += north;
                let to = (rank * 8 + file) as usize;
                between[from][to] = Bitboard(passed);
                line[from][to] = Bitboard(whole);
                passed |= 1 << to;
                rest &= !(1 << to);
            }
            direction += 1;
        }
        from += 1;
    }
    (between, line)
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

static BETWEEN: [[Bitboard; 64]; 64] = pairs().0;
static LINE: [[Bitboard; 64]; 64] = pairs().1;

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
