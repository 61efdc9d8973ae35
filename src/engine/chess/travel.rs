//! Where the pieces of one board stand on another: what follows a piece through moves.

use super::play::castling_side;
use super::{Bitboard, Color, Move, Position, Rank, Square};

/// The way of every piece from one board to another.
///
/// A square that was empty at the start keeps its place; a captured piece has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Travel {
    /// The squares from which a piece sets out.
    occupied: Bitboard,
    /// By the square of the start.
    targets: [Option<Square>; 64],
}

impl Travel {
    /// From a position through legal moves.
    #[must_use]
    pub fn along(position: &Position, moves: &[Move]) -> Self {
        let mut travel = Self { occupied: position.occupied(), targets: [None; 64] };
        for square in travel.occupied {
            travel.targets[square.index()] = moves.iter().try_fold(square, |at, mv| step(*mv, at));
        }
        travel
    }

    /// From the end of this way to the end of another that has the same start. A piece that this way has lost is on
    /// neither board.
    #[must_use]
    pub fn to_end_of(&self, other: &Self) -> Self {
        let mut between = Self { occupied: Bitboard::EMPTY, targets: [None; 64] };
        for square in self.occupied {
            if let Some(start) = self.target(square) {
                between.occupied |= start.into();
                between.targets[start.index()] = other.target(square);
            }
        }
        between
    }

    /// Where what stood on a square stands in the end.
    #[must_use]
    pub fn target(&self, square: Square) -> Option<Square> {
        if self.occupied.contains(square) { self.targets[square.index()] } else { Some(square) }
    }

    /// Where what stood on these squares stands in the end.
    #[must_use]
    pub fn targets(&self, squares: Bitboard) -> Bitboard {
        let arrived = squares.into_iter().filter_map(|square| self.target(square));
        arrived.fold(Bitboard::EMPTY, |all, square| all | square.into())
    }
}

/// Where a piece stands after a move, unless the move takes it.
fn step(mv: Move, at: Square) -> Option<Square> {
    let (from, to) = (mv.from(), mv.to());
    if mv.is_castle() {
        let color = if from.rank() == Rank::One { Color::White } else { Color::Black };
        let side = castling_side(mv);
        return Some(match at {
            _ if at == from => side.king_target(color),
            _ if at == to => side.rook_target(color),
            _ => at,
        });
    }
    let victim = if mv.is_en_passant() { Square::new(to.file(), from.rank()) } else { to };
    match at {
        _ if at == from => Some(to),
        _ if at == victim => None,
        _ => Some(at),
    }
}

#[cfg(test)]
mod tests {
    use super::Travel;
    use crate::engine::chess::{Fen, Move, Position, Square, Variant, parse_move};

    /// The moves of a line, read one after the other.
    fn read(position: &Position, line: &str) -> Vec<Move> {
        let mut position = *position;
        let moves = line.split_whitespace().map(|text| {
            let mv = parse_move(&position, text).unwrap();
            position.play(mv);
            mv
        });
        moves.collect()
    }

    #[test]
    fn pieces_are_followed() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        // A king and a rook that change places.
        let fischer = "4k3/8/8/8/8/8/8/1RK5 w Q - 0 1";
        let passing = "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1";
        let cases = [
            (start, "", "g1", Some("g1")),
            (start, "Nf3 d5 Ne5", "g1", Some("e5")),
            (start, "Nf3 d5 Ne5", "d7", Some("d5")),
            (start, "Nf3 d5 Ne5", "f3", Some("f3")),
            (start, "e4 d5 exd5", "d7", None),
            (start, "e4 d5 exd5 Qxd5", "e2", None),
            (start, "e4 d5 exd5 Qxd5", "d8", Some("d5")),
            (castling, "O-O O-O-O", "e1", Some("g1")),
            (castling, "O-O O-O-O", "h1", Some("f1")),
            (castling, "O-O O-O-O", "e8", Some("c8")),
            (castling, "O-O O-O-O", "a8", Some("d8")),
            (fischer, "c1b1", "c1", Some("c1")),
            (fischer, "c1b1", "b1", Some("d1")),
            (passing, "d5 exd6", "d7", None),
            (passing, "d5 exd6 Kd8 d7", "e5", Some("d7")),
        ];
        for (fen, line, from, to) in cases {
            let position = Fen::parse(fen, Variant::Chess960).unwrap().position;
            let travel = Travel::along(&position, &read(&position, line));
            let [from, to] = [Some(from), to].map(|name| name.map(|name| name.parse::<Square>().unwrap()));
            assert_eq!(travel.target(from.unwrap()), to, "{fen} {line}");
        }
    }

    #[test]
    fn two_ways_from_one_start_are_joined() {
        let start = Position::start();
        let way = |line| Travel::along(&start, &read(&start, line));
        let between = way("Nf3 d5").to_end_of(&way("Nc3 e5"));
        for (from, to) in [("f3", "g1"), ("b1", "c3"), ("d5", "d7"), ("e7", "e5"), ("a1", "a1")] {
            assert_eq!(between.target(from.parse().unwrap()), Some(to.parse().unwrap()), "{from}");
        }
        let taken = way("e4 d5 Nf3").to_end_of(&way("e4 d5 exd5"));
        assert_eq!(taken.target(Square::D5), None);
        let lost = way("e4 d5 exd5").to_end_of(&way("e4 d5 Nf3"));
        assert_eq!(lost.target(Square::D5), Some(Square::E4));
    }
}
