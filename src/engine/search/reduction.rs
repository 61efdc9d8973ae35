//! How much less deep late moves are searched.

use super::parameters::Parameters;
use super::scout::{Kind, Node};
use crate::engine::chess::Move;

/// A ply, in the unit of reductions.
pub(super) const PLY: i32 = 1 << FRACTION;

/// A move in its turn.
pub(super) struct Turn {
    pub(super) mv: Move,
    /// How many moves of the node came before it.
    pub(super) count: i32,
    /// The depth of the child, were it not reduced.
    pub(super) left: i32,
}

impl Parameters {
    /// How many plies less deep a move is searched at first: none for the first moves, fewer for captures and moves that
    /// are trusted so much (in 1/[`PLY`]).
    pub(super) fn reduction(&self, node: &Node, turn: &Turn, trust: i32) -> i32 {
        let &Turn { mv, count, left } = turn;
        let depth = node.depth;
        if count < self.reduction_moves || depth < self.reduction_depth {
            return 0;
        }
        let when = |holds: bool, amount: i32| if holds { amount } else { 0 };
        let improving = node.assessment.is_none_or(|assessment| assessment.improving);
        let reduction = self.late_move_reduction(depth, count);
        let more = when(node.tactical && mv.is_quiet(), self.reduction_tactical)
            + when(node.kind == Kind::Cut, self.reduction_cut)
            + when(!improving && reduction >= self.reduction_base + PLY, self.reduction_worsening);
        let less = when(node.kind == Kind::Principal, self.reduction_principal)
            + when(node.former, self.reduction_former)
            + when(!mv.is_quiet(), self.reduction_capture);
        ((reduction + more - less - trust) / PLY).clamp(0, (left - 1).max(0))
    }

    /// Whether a move that reached beta, reduced by so much, is searched again a ply deeper than it would be: it is so much
    /// better than the best so far.
    pub(super) fn goes_deeper(&self, reduction: i32, better: i32) -> bool {
        reduction > 1 && better >= self.reduction_deeper_margin + self.reduction_deeper_ply * reduction
    }

    /// By how much the `count`-th move (from 0) of a node with this depth left is reduced, in 1/[`PLY`]: a constant and a
    /// part that grows with the logarithms of both. In integers, so that every machine searches the same tree.
    pub(super) fn late_move_reduction(&self, depth: i32, count: i32) -> i32 {
        let logarithm = |number: i32| LOGARITHMS[number.clamp(1, 63) as usize];
        let product = (logarithm(depth) * logarithm(count)) >> FRACTION;
        self.reduction_base + ((product * self.reduction_slope) >> FRACTION)
    }

    /// After so many moves a node with this depth left takes no further quiet ones.
    pub(super) fn late_move_count(&self, depth: i32, improving: bool) -> i32 {
        (self.late_move_pruning_base + depth * depth) / if improving { 1 } else { 2 }
    }
}

/// Fixed-point numbers here have so many bits after the point.
const FRACTION: u32 = 8;

/// Binary logarithms of 1 to 63.
const LOGARITHMS: [i32; 64] = {
    let mut table = [0; 64];
    let mut number = 1;
    while number < 64 {
        table[number as usize] = binary_logarithm(number);
        number += 1;
    }
    table
};

/// The binary logarithm in fixed point, bit by bit: squaring the mantissa doubles the logarithm.
const fn binary_logarithm(number: u32) -> i32 {
    let whole = number.ilog2();
    let mut mantissa = (number as u64) << (16 - whole);
    let mut logarithm = whole as i32;
    let mut bit = 0;
    while bit < FRACTION {
        mantissa = (mantissa * mantissa) >> 16;
        let carry = mantissa >> 17;
        mantissa >>= carry;
        logarithm = (logarithm << 1) | carry as i32;
        bit += 1;
    }
    logarithm
}

#[cfg(test)]
mod tests {
    use super::{LOGARITHMS, PLY};
    use crate::engine::search::Parameters;

    #[test]
    fn logarithms_are_right() {
        for (number, logarithm) in (1_u8..).zip(&LOGARITHMS[1..]) {
            let exact = f64::from(number).log2() * 256.0;
            assert!((exact - f64::from(*logarithm)).abs() <= 1.0, "{number}: {logarithm}, not {exact}");
        }
    }

    #[test]
    fn reductions_grow_with_depth_and_count() {
        let reduction = |depth, count| Parameters::DEFAULT.late_move_reduction(depth, count);
        assert_eq!(reduction(1, 1), Parameters::DEFAULT.reduction_base);
        assert!((2 * PLY..=4 * PLY).contains(&reduction(6, 8)));
        assert!(reduction(20, 30) > reduction(6, 8));
    }
}
