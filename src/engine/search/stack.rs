//! What the nodes of a line leave to each other, ply by ply.

use std::ops::{Index, IndexMut};

use super::MAX_PLY;
use super::value::Value;
use crate::engine::chess::Bitboard;

/// Of one node of the line.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    /// The static value, for the side to move; none in check.
    pub(super) value: Option<Value>,
    /// How many moves of the node before came before the one that led here.
    pub(super) turn: i32,
    /// The history of the last move that was searched less deep.
    pub(super) merit: i32,
    /// How many of the nodes of this ply have reached beta, of those with the same grandparent.
    pub(super) cutoffs: i32,
    /// How many moves of the line to here were extended twice.
    pub(super) doubles: i32,
    /// The node is, has been or is near one of a principal variation.
    pub(super) former: bool,
    /// The squares that the enemy attacks; known once its quiet moves are judged.
    pub(super) attacked: Bitboard,
    /// The table knew the node.
    pub(super) known: bool,
}

/// A frame for each ply, and for two beyond the last: what has been of a node's grandchildren is forgotten there too.
pub(super) struct Stack(Box<[Frame; FRAMES]>);

const FRAMES: usize = MAX_PLY + 3;

impl Stack {
    pub(super) fn new() -> Self {
        let frame = Frame {
            value: None,
            turn: 0,
            merit: 0,
            cutoffs: 0,
            doubles: 0,
            former: false,
            attacked: Bitboard::EMPTY,
            known: true,
        };
        Self(Box::new([frame; FRAMES]))
    }

    /// A pass or a move is tried out at this ply before all others, and is not extended.
    pub(super) fn try_out(&mut self, ply: usize) {
        let doubles = self[ply].doubles;
        (self[ply + 1].turn, self[ply + 1].doubles) = (0, doubles);
    }
}

impl Index<usize> for Stack {
    type Output = Frame;

    #[inline]
    fn index(&self, ply: usize) -> &Frame {
        &self.0[ply]
    }
}

impl IndexMut<usize> for Stack {
    #[inline]
    fn index_mut(&mut self, ply: usize) -> &mut Frame {
        &mut self.0[ply]
    }
}
