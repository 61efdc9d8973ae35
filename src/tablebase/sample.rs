//! Positions of a constellation, for a look into its table.

use std::fmt::Write;

use crate::engine::chess::{Color, Fen, History, MaterialKey, Piece, PieceKind, Position, Variant};

/// Random placements that are tried: most are legal.
const TRIES: u64 = 32;

/// Legal positions of a constellation, the same ones every time.
pub(super) fn positions(material: MaterialKey) -> impl Iterator<Item = Position> {
    (1..=TRIES).filter_map(move |seed| {
        let text = placement(material, seed);
        Fen::parse_with(&text, Variant::Standard, History::Any).ok().map(|fen| fen.position)
    })
}

/// The FEN of the pieces on random squares of their own, each side to move in turn.
fn placement(material: MaterialKey, seed: u64) -> String {
    let mut board = [None; 64];
    let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for color in Color::ALL {
        for kind in PieceKind::ALL {
            let count = if kind == PieceKind::King { 1 } else { material.count(color, kind) };
            for _ in 0..count {
                let square = free_square(&board, kind, &mut random);
                board[square] = Some(Piece::new(color, kind));
            }
        }
    }
    let mut text = String::new();
    for rank in (0..8).rev() {
        for piece in &board[8 * rank..8 * rank + 8] {
            match piece {
                Some(piece) => text.push(piece.letter()),
                None => text.push('1'),
            }
        }
        text.push(if rank == 0 { ' ' } else { '/' });
    }
    let turn = if seed.is_multiple_of(2) { 'w' } else { 'b' };
    let _ = write!(text, "{turn} - - 0 1");
    text
}

/// A square that is free, and for a pawn neither on the first nor on the last rank.
fn free_square(board: &[Option<Piece>; 64], kind: PieceKind, random: &mut u64) -> usize {
    loop {
        // Marsaglia's xorshift.
        *random ^= *random << 13;
        *random ^= *random >> 7;
        *random ^= *random << 17;
        let square = (*random >> 32) as usize % board.len();
        let is_edge = !(8..56).contains(&square);
        if board[square].is_none() && !(kind == PieceKind::Pawn && is_edge) {
            return square;
        }
    }
}
