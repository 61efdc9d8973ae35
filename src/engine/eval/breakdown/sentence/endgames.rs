//! A sentence for every entry of a known endgame.

use super::{list, name, named};
use crate::engine::chess::{Bitboard, Color, PieceKind, Position, Square};
use crate::engine::eval::Record;
use crate::engine::eval::material::{self, Endgame};
use crate::engine::weights::Feature;

/// Says of one entry what it is about, so that a reader can check it on the board.
pub(super) fn sentence(record: &Record, position: &Position) -> String {
    let posting = &record.posting;
    let (own, enemy) = (adjective(record.side), adjective(!record.side));
    let (squares, related) = (list(posting.squares), list(posting.related));
    match posting.feature {
        Feature::KnownWin => format!("{} wins: {}.", name(record.side), won(record.side, position)),
        Feature::PromisingEndgame => {
            format!("{} should win: {}.", name(record.side), promising(record.side, position))
        }
        Feature::PawnOnItsWay => {
            format!("The pawn on {squares} has come {}.", counted(posting.count, "rank", "ranks"))
        }
        Feature::KingToEdge => match posting.count {
            0 => format!("The {enemy} king on {squares} stands in the centre."),
            6 => format!("The {enemy} king on {squares} stands in a corner."),
            count => format!(
                "The {enemy} king on {squares} is {} from the centre, counted by file and rank.",
                counted(count, "step", "steps")
            ),
        },
        Feature::KingToMatingCorner => mating_corner(record, enemy),
        Feature::KingsClose => {
            let steps = 7 - posting.count;
            format!("The kings on {squares} and {related} stand {} apart.", counted(steps, "step", "steps"))
        }
        Feature::KingToEnemyPawn => {
            let steps = counted(7 - posting.count, "step", "steps");
            format!("The {own} king on {squares} is {steps} from the pawn on {related}.")
        }
        Feature::KnightAstray => {
            let steps = counted(posting.count + 1, "step", "steps");
            format!("The {enemy} knight on {squares} is {steps} from its king on {related}.")
        }
        feature => feature.meaning().to_owned(),
    }
}

/// Why the known endgame is won.
fn won(side: Color, position: &Position) -> String {
    let enemy = adjective(!side);
    let king = position.king(!side);
    let enemy_pawn = list(position.pieces(!side, PieceKind::Pawn));
    match endgame(position) {
        Some(Endgame::PawnAgainstKing) => {
            let mover = name(position.turn());
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
    let enemy = adjective(!side);
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

fn mating_corner(record: &Record, enemy: &str) -> String {
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

/// `white` or `black`.
const fn adjective(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}
