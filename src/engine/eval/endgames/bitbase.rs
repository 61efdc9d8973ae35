//! King and pawn against king, exactly: a bit for every position, worked out when the program starts.

use std::sync::LazyLock;

use crate::engine::chess::attacks::{king_attacks, pawn_attacks, queen_attacks, rook_attacks};
use crate::engine::chess::{Bitboard, Color, File, Rank, Square};

/// Builds the table if that has not happened yet, so that the first evaluation does not have to wait for it.
pub(super) fn warm_up() {
    LazyLock::force(&TABLE);
}

/// Whether the side with the pawn wins. Squares are as White would name them if the pawn were White's.
///
/// Of a pawn on the first or last rank it says nothing of use: there is no such position.
pub(super) fn wins(king: Square, pawn: Square, bare_king: Square, turn: Turn) -> bool {
    // Left and right are alike: the pawn stands on the files a to d.
    let mirror = if pawn.file() > File::D { 7 } else { 0 };
    let [king, pawn, bare_king] =
        [king, pawn, bare_king].map(|square| Square::from_index(square.index() as u8 ^ mirror));
    let wins = &TABLE[pawn_index(pawn)];
    let set = match turn {
        Turn::Pawn => wins.with_pawn_to_move[king.index()],
        Turn::BareKing => wins.with_bare_king_to_move[king.index()],
    };
    set.contains(bare_king)
}

/// Who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// The side with the pawn.
    Pawn,
    /// The other.
    BareKing,
}

/// For one square of the pawn: by the square of the king beside it, the squares of the bare king that lose.
#[derive(Clone, Copy)]
struct Wins {
    with_pawn_to_move: [Bitboard; 64],
    with_bare_king_to_move: [Bitboard; 64],
}

/// Pawn squares a2 to d7: six ranks of four files. 24 KiB.
static TABLE: LazyLock<Box<[Wins]>> = LazyLock::new(build);

fn pawn_index(pawn: Square) -> usize {
    4 * (pawn.rank().index() - 1) + pawn.file().index()
}

/// Pawns only advance, so the ranks are solved from the seventh down, each with what is known of the ranks above.
fn build() -> Box<[Wins]> {
    const NO_WINS: Wins =
        Wins { with_pawn_to_move: [Bitboard::EMPTY; 64], with_bare_king_to_move: [Bitboard::EMPTY; 64] };
    let mut table = vec![NO_WINS; 24].into_boxed_slice();
    for rank in (Rank::Two.index()..=Rank::Seven.index()).rev() {
        for file in File::A.index()..=File::D.index() {
            let pawn = Square::from_index((8 * rank + file) as u8);
            table[pawn_index(pawn)] = solve(pawn, &table);
        }
    }
    table
}

/// All wins with the pawn on one square: those by advancing it at once, then, until nothing is added, those by a move
/// of either king into known ones.
fn solve(pawn: Square, table: &[Wins]) -> Wins {
    let by_advance: Vec<Bitboard> = Square::all().map(|king| by_advance(king, pawn, table)).collect();
    let mut wins = Wins {
        with_pawn_to_move: std::array::from_fn(|king| by_advance[king]),
        with_bare_king_to_move: [Bitboard::EMPTY; 64],
    };
    loop {
        let before = wins.with_pawn_to_move;
        for king in Square::all() {
            wins.with_bare_king_to_move[king.index()] =
                without_escape(king, pawn, wins.with_pawn_to_move[king.index()]);
        }
        for king in Square::all() {
            let after_king_moves = (king_attacks(king) & !Bitboard::from(pawn))
                .into_iter()
                .fold(Bitboard::EMPTY, |all, to| all | wins.with_bare_king_to_move[to.index()]);
            let set = &mut wins.with_pawn_to_move[king.index()];
            *set |= after_king_moves & possible(king, pawn) & !pawn_attacks(Color::White, pawn);
        }
        if wins.with_pawn_to_move == before {
            return wins;
        }
    }
}

/// Where the bare king can stand at all, whoever is to move.
fn possible(king: Square, pawn: Square) -> Bitboard {
    if king == pawn {
        return Bitboard::EMPTY;
    }
    !(king_attacks(king) | Bitboard::from(king) | Bitboard::from(pawn))
}

/// The bare king's squares from which every move leads into a known win, or that are mate. Taking the pawn is an escape,
/// and so is stalemate.
fn without_escape(king: Square, pawn: Square, known: Bitboard) -> Bitboard {
    let checks = pawn_attacks(Color::White, pawn);
    let reachable = !(king_attacks(king) | Bitboard::from(king) | checks);
    let escapes = reachable & !known;
    let can_move = neighbours(reachable);
    possible(king, pawn) & !neighbours(escapes) & (can_move | checks)
}

/// The bare king's squares that lose to a move of the pawn.
fn by_advance(king: Square, pawn: Square, table: &[Wins]) -> Bitboard {
    let possible = possible(king, pawn) & !pawn_attacks(Color::White, pawn);
    let ahead = Square::from_index(pawn.index() as u8 + 8);
    if king == ahead {
        return Bitboard::EMPTY;
    }
    if pawn.rank() == Rank::Seven {
        let queens = |bare_king: &Square| promotion_wins(king, ahead, *bare_king);
        return possible.into_iter().filter(queens).collect();
    }
    let losing = |pawn: Square| table[pawn_index(pawn)].with_bare_king_to_move[king.index()];
    let mut wins = losing(ahead);
    let two_ahead = Square::from_index(pawn.index() as u8 + 16);
    if pawn.rank() == Rank::Two && king != two_ahead {
        wins |= losing(two_ahead) & !Bitboard::from(ahead);
    }
    wins & possible
}

/// A queen or a rook that the bare king can neither take nor be stalemated by wins.
fn promotion_wins(king: Square, target: Square, bare_king: Square) -> bool {
    if bare_king == target {
        return false;
    }
    let protected = king_attacks(king).contains(target);
    let blockers = Bitboard::from(king);
    [queen_attacks(target, blockers), rook_attacks(target, blockers)].into_iter().any(|attacks| {
        let taboo = attacks | king_attacks(king) | Bitboard::from(king);
        let flights = king_attacks(bare_king) & !taboo;
        let takes = king_attacks(bare_king).contains(target) && !protected;
        let stalemate = (flights & !Bitboard::from(target)).is_empty() && !attacks.contains(bare_king);
        !takes && !stalemate
    })
}

/// The squares a king's step away from any of these.
fn neighbours(squares: Bitboard) -> Bitboard {
    let rows = squares | squares.east() | squares.west();
    rows.north() | rows.south() | squares.east() | squares.west()
}
