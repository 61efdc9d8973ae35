//! What each piece is worth beyond its material: the entries of a breakdown, laid on the squares they name.

use crate::engine::chess::{Position, Square};
use crate::engine::eval::breakdown::{Breakdown, FeatureLine};
use crate::engine::weights::Term;

/// What one piece adds beyond its material.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PieceWorth<'a> {
    /// Centipawns, good for its owner.
    pub(super) cp: i32,
    /// The entries that name it, each with the piece's share in centipawns, good for its owner.
    pub(super) reasons: Vec<(&'a FeatureLine, i32)>,
}

/// The worth of every piece that an entry outside the material names, by square.
///
/// An entry about several pieces of its side is shared among them evenly, odd centipawns to the first; one that names none
/// of its side's pieces is on no square. So what the pieces have and what is on no square add up to the evaluation without
/// its material.
pub(super) fn piece_worths(breakdown: &Breakdown) -> [Option<PieceWorth<'_>>; 64] {
    let mut worths: [Option<PieceWorth<'_>>; 64] = std::array::from_fn(|_| None);
    let terms = breakdown.terms.iter().filter(|line| line.term != Term::Material);
    for entry in terms.flat_map(|line| &line.features) {
        let pieces = entry.squares & breakdown.position.by_color(entry.side);
        for (square, share) in pieces.into_iter().zip(shares(entry.cp, pieces.count())) {
            let own = share * entry.side.sign();
            let worth = worths[square.index()].get_or_insert_default();
            worth.cp += own;
            worth.reasons.push((entry, own));
        }
    }
    worths
}

/// A number in so many whole parts that differ by one at the most.
fn shares(cp: i32, parts: u32) -> impl Iterator<Item = i32> {
    let parts = parts.max(1) as i32;
    (0..parts).map(move |index| cp / parts + i32::from(index < (cp % parts).abs()) * cp.signum())
}

/// `White knight on f3`.
pub(super) fn name_of(position: &Position, square: Square) -> String {
    let Some(piece) = position.piece_at(square) else { return square.to_string() };
    format!("{} {} on {square}", piece.color().name(), piece.kind().name())
}

#[cfg(test)]
mod tests {
    use super::{piece_worths, shares};
    use crate::engine::chess::{Fen, Status, Variant};
    use crate::engine::eval::Evaluator;
    use crate::engine::weights::Term;

    #[test]
    fn shares_add_up() {
        for (cp, parts, expected) in [(7, 2, vec![4, 3]), (-7, 2, vec![-4, -3]), (1, 3, vec![1, 0, 0])] {
            assert_eq!(shares(cp, parts).collect::<Vec<_>>(), expected, "{cp}");
        }
    }

    #[test]
    fn pieces_and_what_is_on_no_square_add_up_to_the_evaluation_without_material() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
            "2r2rk1/1bq2ppp/p3pn2/1pb5/3B4/P1N1P3/1PQ1BPPP/2R2RK1 w - - 31 17",
            "8/5k2/8/3P4/8/p7/5K2/8 b - - 0 1",
        ] {
            let position = Fen::parse(fen, Variant::Standard).unwrap().position;
            let breakdown = Evaluator::default().explain(&position, Status::Ongoing);
            let worths = piece_worths(&breakdown);
            let on_squares: i32 = position
                .occupied()
                .into_iter()
                .filter_map(|square| Some((worths[square.index()].as_ref()?, position.piece_at(square)?)))
                .map(|(worth, piece)| worth.cp * piece.color().sign())
                .sum();
            let beyond = breakdown.terms.iter().filter(|line| line.term != Term::Material);
            let on_no_square: i32 = beyond
                .clone()
                .flat_map(|line| &line.features)
                .filter(|entry| (entry.squares & position.by_color(entry.side)).is_empty())
                .map(|entry| entry.cp)
                .sum();
            assert_eq!(on_squares + on_no_square, beyond.map(|line| line.cp).sum::<i32>(), "{fen}");
            assert!(worths.iter().flatten().count() > 0, "{fen}");
            for worth in worths.iter().flatten() {
                assert_eq!(worth.cp, worth.reasons.iter().map(|(_, cp)| cp).sum::<i32>(), "{fen}");
            }
        }
    }
}
