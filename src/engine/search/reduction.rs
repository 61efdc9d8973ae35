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

/// What is known of a move and of the nodes about it.
pub(super) struct Merit {
    /// History of the move.
    pub(super) history: i32,
    /// The move before came late.
    pub(super) after_late: bool,
    /// Many of the nodes below have reached beta.
    pub(super) refuted: bool,
}

impl Parameters {
    /// How many plies less deep a move is searched at first; one more, if negative. Not for the first move.
    pub(super) fn reduction(&self, node: &Node, turn: &Turn, merit: &Merit) -> i32 {
        let depth = node.depth;
        let when = |holds: bool, amount: i32| if holds { amount } else { 0 };
        let more = when(node.is_tactical(), self.reduction_tactical)
            + when(node.kind == Kind::Cut, self.reduction_cut)
            + when(merit.refuted, self.reduction_cutoffs);
        let less = when(node.kind == Kind::Principal, self.reduction_principal)
            + when(node.former && !node.doubted, self.reduction_former)
            + when(merit.after_late, self.reduction_late)
            + when(node.hangs_on_a_quiet_move(), self.reduction_alone);
        let middle = when((8..19).contains(&depth), self.reduction_history_middle);
        let history = (merit.history - self.reduction_history_base) * PLY / (self.reduction_history + middle);
        let reduction = self.late_move_reduction(node, turn.count) + more - less - history;
        reduction.div_euclid(PLY).clamp(-1, (turn.left - 1).max(-1))
    }

    /// By how many plies the depth of a second search of a move changes, which reached beta when it was reduced by so much:
    /// it is so much above beta, and so much better than the best so far.
    pub(super) fn second_thought(&self, turn: &Turn, reduction: i32, (above, better): (i32, i32)) -> i32 {
        let deeper = above > self.reduction_deeper_margin + self.reduction_deeper_ply * reduction;
        let shallower = 16 * better < self.reduction_shallower * turn.left;
        i32::from(deeper) - i32::from(shallower)
    }

    /// By how much the `count`-th move (from 0) of a node is reduced, in 1/[`PLY`], but for what is known of it: a constant and
    /// a part that grows with the logarithms of depth and number. In integers, so that every machine searches the same tree.
    pub(super) fn late_move_reduction(&self, node: &Node, count: i32) -> i32 {
        let growing = self.growing_reduction(node.depth, count);
        let worsening = !node.is_improving() && growing > self.reduction_worsening_from;
        let constant = self.reduction_base - self.reduction_window * node.share / PLY;
        constant + growing + if worsening { self.reduction_worsening } else { 0 }
    }

    fn growing_reduction(&self, depth: i32, count: i32) -> i32 {
        let logarithm = |number: i32| LOGARITHMS[number.clamp(1, 63) as usize];
        let product = (logarithm(depth) * logarithm(count + 1)) >> FRACTION;
        (product * self.reduction_slope) >> FRACTION
    }

    /// After so many moves a node with this depth left takes no further quiet ones.
    pub(super) fn late_move_count(&self, depth: i32, improving: bool) -> i32 {
        // Halved by a shift: this is asked before every move, and a division takes longer.
        (self.late_move_pruning_base + depth * depth) >> i32::from(!improving)
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
        let reduction = |depth, count| Parameters::DEFAULT.growing_reduction(depth, count);
        assert_eq!(reduction(1, 1), 0);
        assert!((PLY..=2 * PLY).contains(&reduction(6, 8)));
        assert!(reduction(20, 30) > reduction(6, 8));
    }
}
