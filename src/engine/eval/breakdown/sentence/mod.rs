//! A sentence for every entry.

mod endgames;
mod king;
mod material;
mod passed_pawns;
mod pawns;
mod pieces;
mod threats;

use crate::engine::chess::{Bitboard, PieceKind, Position};
use crate::engine::eval::Record;
use crate::engine::weights::Feature;

#[expect(clippy::too_many_lines, reason = "one line for each feature")]
/// Says of one entry what it is about, so that a reader can check it on the board.
pub(super) fn sentence(record: &Record, position: &Position) -> String {
    use PieceKind::{Bishop, King, Knight, Pawn, Queen, Rook};
    match record.posting.feature {
        Feature::PawnValue => material::possession(record, Pawn),
        Feature::KnightValue => material::possession(record, Knight),
        Feature::BishopValue => material::possession(record, Bishop),
        Feature::RookValue => material::possession(record, Rook),
        Feature::QueenValue => material::possession(record, Queen),
        Feature::BishopPair => material::bishop_pair(record),
        Feature::KnightAgainstBishop => material::knights_against_bishops(record, position),
        Feature::PawnPlacement => pieces::placement(record, Pawn),
        Feature::KnightPlacement => pieces::placement(record, Knight),
        Feature::BishopPlacement => pieces::placement(record, Bishop),
        Feature::RookPlacement => pieces::placement(record, Rook),
        Feature::QueenPlacement => pieces::placement(record, Queen),
        Feature::KingPlacement => pieces::placement(record, King),
        Feature::PawnByOwnKing => pieces::by_own_king(record, Pawn, position),
        Feature::KnightByOwnKing => pieces::by_own_king(record, Knight, position),
        Feature::BishopByOwnKing => pieces::by_own_king(record, Bishop, position),
        Feature::RookByOwnKing => pieces::by_own_king(record, Rook, position),
        Feature::QueenByOwnKing => pieces::by_own_king(record, Queen, position),
        Feature::PawnByEnemyKing => pieces::by_enemy_king(record, Pawn, position),
        Feature::KnightByEnemyKing => pieces::by_enemy_king(record, Knight, position),
        Feature::BishopByEnemyKing => pieces::by_enemy_king(record, Bishop, position),
        Feature::RookByEnemyKing => pieces::by_enemy_king(record, Rook, position),
        Feature::QueenByEnemyKing => pieces::by_enemy_king(record, Queen, position),
        Feature::IsolatedPawn => pawns::isolated(record),
        Feature::DoubledPawn => pawns::doubled(record),
        Feature::BackwardPawn => pawns::backward(record),
        Feature::SupportedPawn => pawns::supported(record),
        Feature::PhalanxPawn => pawns::phalanx(record),
        Feature::CandidatePawn => pawns::candidate(record),
        Feature::RammedPawn => pawns::rammed(record),
        Feature::PawnIslands => pawns::islands(record),
        Feature::PassedPawn => passed_pawns::passed(record),
        Feature::BlockedPassedPawn => passed_pawns::blocked(record, position),
        Feature::FreePath => passed_pawns::free_path(record),
        Feature::SafePath => passed_pawns::safe_path(record),
        Feature::SafeStep => passed_pawns::safe_step(record),
        Feature::DefendedStep => passed_pawns::defended_step(record),
        Feature::PassedPawnOwnKing => passed_pawns::king_distance(record, record.side),
        Feature::PassedPawnEnemyKing => passed_pawns::king_distance(record, !record.side),
        Feature::RookBehindPassedPawn => passed_pawns::rook_behind(record),
        Feature::UnstoppablePawn => passed_pawns::unstoppable(record),
        Feature::KnightMobility => pieces::mobility(record, Knight, position),
        Feature::BishopMobility => pieces::mobility(record, Bishop, position),
        Feature::RookMobility => pieces::mobility(record, Rook, position),
        Feature::QueenMobility => pieces::mobility(record, Queen, position),
        Feature::KnightOutpost => pieces::outpost(record, Knight),
        Feature::BishopOutpost => pieces::outpost(record, Bishop),
        Feature::ReachableOutpost => pieces::reachable_outpost(record, position),
        Feature::MinorBehindPawn => pieces::behind_pawn(record, position),
        Feature::PawnsOnBishopColor => pieces::bishop_and_pawns(record, record.side),
        Feature::BishopFacesPawns => pieces::bishop_and_pawns(record, !record.side),
        Feature::LongDiagonal => pieces::long_diagonal(record),
        Feature::RookOnOpenFile => pieces::open_file(record),
        Feature::RookOnSemiOpenFile => pieces::semi_open_file(record),
        Feature::RookOnSeventh => pieces::rook_on_seventh(record, position),
        Feature::TrappedBishop => pieces::trapped_bishop(record),
        Feature::TrappedRook => pieces::trapped_rook(record),
        Feature::ConnectedRooks => pieces::connected_rooks(record),
        Feature::FileBattery => pieces::battery(record, Rook, position),
        Feature::DiagonalBattery => pieces::battery(record, Bishop, position),
        Feature::KingShelter => king::shelter(record, position),
        Feature::PawnStorm => king::storm(record, position),
        Feature::CastlingRight => king::castling_right(record),
        Feature::KingOnOpenFile => king::open_file(record),
        Feature::KingPawnDistance => king::pawn_distance(record),
        Feature::KingAttacker => king::attacker(record, position),
        Feature::KingZoneAttack => king::zone_attack(record, position),
        Feature::WeakKingZone => king::weak_zone(record, position),
        Feature::SafeCheck => king::safe_check(record, position),
        Feature::ContestedCheck => king::contested_check(record, position),
        Feature::PinnedToKing => king::pinned(record, position),
        Feature::FlankAttack => king::flank_attack(record, position),
        Feature::FlankDefence => king::flank_defence(record, position),
        Feature::BareKingFile => king::bare_files(record),
        Feature::KnightGuard => king::knight_guard(record, position),
        Feature::WithoutQueen => king::without_queen(record),
        Feature::KingExposure => king::exposure(record, position),
        Feature::PawnPushThreat => threats::by_pawn_pushes(record, position),
        Feature::PawnThreat | Feature::MinorThreat | Feature::RookThreat | Feature::KingThreat => {
            threats::by_pieces(record, position)
        }
        Feature::HangingPiece => threats::hanging(record, position),
        Feature::QueenAttackSoon => threats::queen_attack_soon(record, position),
        Feature::RestrictedSquare => threats::restricted(record),
        Feature::Space => threats::space(record),
        Feature::Tempo => format!("{} is to move.", record.side.name()),
        Feature::KnownWin => endgames::known_win(record, position),
        Feature::PromisingEndgame => endgames::promising_endgame(record, position),
        Feature::PawnOnItsWay => endgames::pawn_on_its_way(record),
        Feature::KingToEdge => endgames::king_to_edge(record),
        Feature::KingToMatingCorner => endgames::king_to_mating_corner(record),
        Feature::KingsClose => endgames::kings_close(record),
        Feature::KingToEnemyPawn => endgames::king_to_enemy_pawn(record),
        Feature::KnightAstray => endgames::knight_astray(record),
    }
}

/// `a knight` or `2 knights`.
pub(super) fn quantity(count: i32, kind: PieceKind) -> String {
    if count == 1 { format!("a {}", kind.name()) } else { format!("{count} {}s", kind.name()) }
}

/// `a`, `a and b`, `a, b and c`.
pub(super) fn enumerate(items: &[String]) -> String {
    joined(items, "and")
}

fn joined(items: &[String], conjunction: &str) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} {conjunction} {last}", first.join(", ")),
    }
}

/// `d5`, `d5 and f5`.
fn list(squares: Bitboard) -> String {
    enumerate(&names(squares))
}

/// `d5`, `d5 or f5`.
fn alternatives(squares: Bitboard) -> String {
    joined(&names(squares), "or")
}

fn names(squares: Bitboard) -> Vec<String> {
    squares.into_iter().map(|square| square.to_string()).collect()
}

/// `the pawn on e4`, `the pawns on d4 and e4`.
fn pieces_on(kind: PieceKind, squares: Bitboard) -> String {
    let plural = if squares.more_than_one() { "s" } else { "" };
    format!("the {}{plural} on {}", kind.name(), list(squares))
}

/// `d-file`, of the first of the squares.
fn file(squares: Bitboard) -> String {
    squares.first().map_or_else(String::new, |square| format!("{}-file", square.file().letter()))
}

/// `the knight on f3`, `the rooks on a1 and h1`, `the queen on d1 and the pawn on e4`, the dearest first.
fn named(squares: Bitboard, position: &Position) -> String {
    let kinds = PieceKind::ALL.into_iter().rev();
    let groups = kinds.filter_map(|kind| {
        let group = squares & position.by_kind(kind);
        group.any().then(|| pieces_on(kind, group))
    });
    enumerate(&groups.collect::<Vec<_>>())
}

/// `1 square`, `3 squares`.
fn squares_counted(count: u32) -> String {
    if count == 1 { "1 square".to_owned() } else { format!("{count} squares") }
}

/// The first letter in upper case.
fn sentence_case(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// `s` after the subject of one, nothing after that of several: the ending of a verb.
const fn verb_ending(subject: Bitboard) -> &'static str {
    if subject.more_than_one() { "" } else { "s" }
}
