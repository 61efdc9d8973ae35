//! Counting the leaves of the tree of legal moves: the classic proof of a move generator.

use super::{Move, Position};

/// The number of sequences of `depth` legal moves. The last ply is counted without being made.
#[must_use]
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_legal_moves(),
        _ => {
            let mut leaves = 0;
            for mv in &position.legal_moves() {
                let mut child = *position;
                child.play(*mv);
                leaves += perft(&child, depth - 1);
            }
            leaves
        }
    }
}

/// The same, move by move, the count of each at `depth - 1`. `depth` is at least 1.
pub fn divide(position: &Position, depth: u32) -> impl Iterator<Item = (Move, u64)> + use<> {
    let (position, moves) = (*position, position.legal_moves());
    (0..moves.len()).map(move |index| {
        let mut child = position;
        child.play(moves[index]);
        (moves[index], perft(&child, depth.saturating_sub(1)))
    })
}
