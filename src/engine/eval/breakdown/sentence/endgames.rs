//! Sentences about known endgames.

use super::{list, named};
use crate::engine::chess::{Bitboard, Color, PieceKind, Position, Square};
use crate::engine::eval::Record;
use crate::engine::eval::material::{self, Endgame};

pub(super) fn known_win(record: &Record, position: &Position) -> String {
    format!("{} wins: {}.", record.side.name(), won(record.side, position))
}

pub(super) fn promising_endgame(record: &Record, position: &Position) -> String {
    format!("{} should win: {}.", record.side.name(), promising(record.side, position))
}

pub(super) fn pawn_on_its_way(record: &Record) -> String {
    let pawn = list(record.posting.squares);
    match record.posting.count {
        0 => format!("The pawn on {pawn} still stands where it started."),
        count => format!("The pawn on {pawn} has come {}.", counted(count, "rank", "ranks")),
    }
}

pub(super) fn king_to_edge(record: &Record) -> String {
    let (enemy, king) = ((!record.side).adjective(), list(record.posting.squares));
    match record.posting.count {
        0 => format!("The {enemy} king on {king} stands in the centre."),
        6 => format!("The {enemy} king on {king} stands in a corner."),
        count => format!(
            "The {enemy} king on {king} is {} from the centre, counted by file and rank.",
            counted(count, "step", "steps")
        ),
    }
}

pub(super) fn kings_close(record: &Record) -> String {
    let (own, enemy) = (list(record.posting.squares), list(record.posting.related));
    let steps = counted(7 - record.posting.count, "step", "steps");
    format!("The kings on {own} and {enemy} stand {steps} apart.")
}

pub(super) fn king_to_enemy_pawn(record: &Record) -> String {
    let (king, pawn) = (list(record.posting.squares), list(record.posting.related));
    let steps = counted(7 - record.posting.count, "step", "steps");
    format!("The {} king on {king} is {steps} from the pawn on {pawn}.", record.side.adjective())
}

pub(super) fn knight_astray(record: &Record) -> String {
    let (knight, king) = (list(record.posting.squares), list(record.posting.related));
    let steps = counted(record.posting.count + 1, "step", "steps");
    format!("The {} knight on {knight} is {steps} from its king on {king}.", (!record.side).adjective())
}

/// Why the known endgame is won.
fn won(side: Color, position: &Position) -> String {
    let enemy = (!side).adjective();
    let king = position.king(!side);
    let enemy_pawn = list(position.pieces(!side, PieceKind::Pawn));
    match endgame(position) {
        Some(Endgame::PawnAgainstKing) => {
            let mover = position.turn().name();
            let pawn = list(position.pieces(side, PieceKind::Pawn));
            format!("with {mover} to move the {enemy} king on {king} cannot hold the pawn on {pawn}")
        }
        Some(Endgame::BishopAndKnightMate) => {
            let bishop = position.pieces(side, PieceKind::Bishop);
            let corners = mating_corners(bishop);
            format!("bishop and knight mate the bare king in a corner of the bishop's colour, {corners}")
        }
        Some(Endgame::QueenAgainstPawn) => {
            format!("the queen stops the {enemy} pawn on {enemy_pawn}")
        }
        Some(Endgame::RookAgainstPawn) => {
            let own_king = position.king(side);
            let rook = force(side, position);
            format!("{rook} and the king on {own_king} stop the {enemy} pawn on {enemy_pawn}")
        }
        _ => format!("the bare {enemy} king on {king} has nothing against {}", force(side, position)),
    }
}

/// Why it is won as a rule.
fn promising(side: Color, position: &Position) -> String {
    let enemy = (!side).adjective();
    let enemy_pawn = list(position.pieces(!side, PieceKind::Pawn));
    match endgame(position) {
        Some(Endgame::QueenAgainstRook) => "queen against rook is won as a rule".to_owned(),
        Some(Endgame::QueenAgainstPawn) => {
            format!("the queen stops the {enemy} pawn on {enemy_pawn} as a rule")
        }
        Some(Endgame::RookAgainstPawn) => {
            format!("the {enemy} king on {} is far from its pawn on {enemy_pawn}", position.king(!side))
        }
        _ => format!("the bare {enemy} king can seldom stop {}", force(side, position)),
    }
}

fn endgame(position: &Position) -> Option<Endgame> {
    material::entry(position.material()).endgame().map(|(endgame, _)| endgame)
}

/// `the rook on a1 and the pawns on b2 and c2`, without the king.
fn force(side: Color, position: &Position) -> String {
    named(position.by_color(side) & !Bitboard::from(position.king(side)), position)
}

pub(super) fn king_to_mating_corner(record: &Record) -> String {
    let enemy = (!record.side).adjective();
    let bishop = record.posting.related;
    let safe_ends = safe_corners(bishop);
    let king = list(record.posting.squares);
    match record.posting.count {
        0 => format!(
            "The {enemy} king on {king} stands on the diagonal between {safe_ends}, the corners that the bishop cannot reach."
        ),
        7 => format!("The {enemy} king on {king} stands in a corner that the bishop can reach."),
        count => format!(
            "The {enemy} king on {king} is {} off the diagonal between {safe_ends}, the corners that the bishop cannot reach.",
            counted(count, "step", "steps")
        ),
    }
}

/// `a8 or h1`: the corners of the bishop's colour.
fn mating_corners(bishop: Bitboard) -> String {
    corners_within(if is_light(bishop) { Bitboard::LIGHT } else { Bitboard::DARK }).join(" or ")
}

/// `a1 and h8`: the other ones.
fn safe_corners(bishop: Bitboard) -> String {
    corners_within(if is_light(bishop) { Bitboard::DARK } else { Bitboard::LIGHT }).join(" and ")
}

fn corners_within(colour: Bitboard) -> Vec<String> {
    let corners = [Square::A1, Square::A8, Square::H1, Square::H8];
    corners.into_iter().filter(|corner| colour.contains(*corner)).map(|corner| corner.to_string()).collect()
}

fn is_light(bishop: Bitboard) -> bool {
    (bishop & Bitboard::LIGHT).any()
}

/// `1 step`, `2 steps`.
fn counted(count: i32, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}
