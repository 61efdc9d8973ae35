//! The endgame of king and pawn against king, position by position, against a slow solver that knows nothing but the rules.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::HashMap;

use centipawn::engine::chess::{Color, Fen, History, PieceKind, Position, Status, Variant};
use centipawn::engine::eval::endgames::{Verdict, known};

/// A position by its pieces: white king, white pawn, black king, who is to move.
type Place = (u8, u8, u8, Color);

/// What a position leads to.
struct Node {
    /// A promotion after which neither a capture nor stalemate saves the bare king wins at once; so does mate.
    won: bool,
    /// Any move that leaves no pawn draws, unless it wins; so does stalemate.
    drawn: bool,
    /// The positions with the pawn still on the board.
    next: Vec<Place>,
}

/// Every legal position of the white pawn, with the table's claim, against retrograde analysis by legal moves: a
/// position is won for the pawn's side if it can move into a won one, or if the bare king has only moves into such.
#[test]
#[cfg_attr(debug_assertions, ignore = "seconds of work: cargo test --release --test endgames_deep")]
fn king_and_pawn_against_king() {
    let nodes = nodes();
    let mut won: HashMap<Place, bool> = nodes.iter().map(|(place, node)| (*place, node.won)).collect();
    loop {
        let added: Vec<Place> = nodes
            .iter()
            .filter(|(place, node)| !won[place] && !node.drawn)
            .filter(|(place, node)| match place.3 {
                Color::White => node.next.iter().any(|next| won[next]),
                Color::Black => !node.next.is_empty() && node.next.iter().all(|next| won[next]),
            })
            .map(|(place, _)| *place)
            .collect();
        if added.is_empty() {
            break;
        }
        for place in added {
            won.insert(place, true);
        }
    }
    let wins = won.values().filter(|won| **won).count();
    // The numbers by the Syzygy table of this endgame.
    assert_eq!((nodes.len(), wins), (331_352, 222_564));
    for (place, won) in &won {
        let position = position(*place).unwrap();
        for (position, strong) in [(position, Color::White), (position.mirrored(), Color::Black)] {
            let known = known(&position).unwrap();
            assert_eq!(known.strong, strong, "{position:?}");
            match known.verdict {
                Verdict::Win => assert!(won, "{position:?}"),
                Verdict::Draw(_) => assert!(!won, "{position:?}"),
                Verdict::Promising | Verdict::Open(_) => panic!("no claim: {position:?}"),
            }
        }
    }
}

fn nodes() -> HashMap<Place, Node> {
    let mut nodes = HashMap::new();
    for king in 0..64 {
        for pawn in 8..56 {
            for bare_king in 0..64 {
                for turn in Color::ALL {
                    let place = (king, pawn, bare_king, turn);
                    if let Some(position) = position(place) {
                        nodes.insert(place, node(&position));
                    }
                }
            }
        }
    }
    nodes
}

fn node(position: &Position) -> Node {
    let status = Status::of(position, 1);
    let mut node = Node { won: status == Status::Checkmate, drawn: false, next: Vec::new() };
    node.drawn = status == Status::Stalemate;
    for mv in &*position.legal_moves() {
        let mut after = *position;
        after.play(*mv);
        if after.pieces(Color::White, PieceKind::Pawn).any() {
            node.next.push(place(&after));
        } else if position.turn() == Color::Black {
            node.drawn = true;
        } else {
            node.won |= promotion_wins(&after);
        }
    }
    node
}

/// Queen or rook against the bare king, which is to move: won unless it is stalemated or takes the piece.
fn promotion_wins(position: &Position) -> bool {
    let mates = [PieceKind::Queen, PieceKind::Rook];
    let major = mates.iter().any(|kind| position.pieces(Color::White, *kind).any());
    let mut takes = centipawn::engine::chess::MoveList::new();
    position.captures(&mut takes);
    major && Status::of(position, 1) != Status::Stalemate && takes.is_empty()
}

fn place(position: &Position) -> Place {
    let pawn = position.pieces(Color::White, PieceKind::Pawn).first().unwrap();
    let [king, bare_king] = [Color::White, Color::Black].map(|color| position.king(color).index() as u8);
    (king, pawn.index() as u8, bare_king, position.turn())
}

/// The position, if it is legal.
fn position((king, pawn, bare_king, turn): Place) -> Option<Position> {
    if king == pawn || king == bare_king || pawn == bare_king {
        return None;
    }
    let letter = |square: u8| match square {
        _ if square == king => 'K',
        _ if square == pawn => 'P',
        _ if square == bare_king => 'k',
        _ => '1',
    };
    let row = |rank: u8| (0..8).map(|file| letter(8 * rank + file)).collect::<String>();
    let board = (0..8).rev().map(row).collect::<Vec<_>>().join("/");
    let turn = if turn == Color::White { 'w' } else { 'b' };
    let read = Fen::parse_with(&format!("{board} {turn} - - 0 1"), Variant::Standard, History::Any);
    read.ok().map(|fen| fen.position)
}
