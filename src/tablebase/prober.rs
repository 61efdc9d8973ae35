//! The crate that reads the tables, behind the engine's own types.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use pyrrhic_rs::{DtzProbeValue, DtzResult, EngineAdapter, Piece, TBError, TableBases, WdlProbeResult};

use super::TablebaseError;
use crate::engine::chess::attacks::{
    bishop_attacks, king_attacks, knight_attacks, pawn_attacks, queen_attacks, rook_attacks,
};
use crate::engine::chess::{Bitboard, Color, Move, PieceKind, Position, Square};
use crate::engine::search::Wdl;

/// The tables of the process.
pub(super) struct Prober {
    tables: TableBases<Attacks>,
    /// Distances are looked up by one thread at a time, as the crate wants it.
    distances: Mutex<()>,
}

impl Prober {
    /// # Errors
    /// If the process has tables open already.
    pub(super) fn start(folders: &[PathBuf]) -> Result<Self, TablebaseError> {
        let folders: Vec<_> = folders.iter().map(|folder| folder.to_string_lossy()).collect();
        match TableBases::new(folders.join(":")) {
            Ok(tables) => Ok(Self { tables, distances: Mutex::new(()) }),
            Err(TBError::AlreadyInitialized | TBError::NotSingleton) => Err(TablebaseError::AlreadyOpen),
            Err(TBError::BadPath | TBError::InitFailed | TBError::ProbeFailed) => {
                Err(TablebaseError::Incomplete)
            }
        }
    }

    /// The result of a position whose constellation is known.
    pub(super) fn wdl(&self, position: &Position) -> Option<Wdl> {
        let ([white, black], [pawns, knights, bishops, rooks, queens, kings]) = boards(position);
        let found = self.tables.probe_wdl(
            white,
            black,
            kings,
            queens,
            rooks,
            bishops,
            knights,
            pawns,
            en_passant(position),
            position.turn() == Color::White,
        );
        found.ok().map(wdl)
    }

    /// The distances after all moves of a position whose constellation is known by distance.
    pub(super) fn distances(&self, position: &Position) -> Option<Vec<(Move, i32)>> {
        let (_, after) = self.root(position)?;
        let legal = position.legal_moves();
        let known = legal.iter().map(|mv| {
            let found = after.iter().find(|found| is_of(**found, *mv))?;
            Some((*mv, plies(*found)))
        });
        known.collect()
    }

    /// `true` if a distance had to be read from the file: not if a capture, a pawn move or the result alone told it.
    pub(super) fn reads_distance(&self, position: &Position) -> bool {
        let root = self.root(position);
        matches!(root, Some((DtzProbeValue::DtzResult(found), _)) if ![0, 1, 101].contains(&found.dtz))
    }

    /// What the crate says of a position and of its moves. It is told that the halfmove clock stands at 0, so that results
    /// are those of the tables.
    fn root(&self, position: &Position) -> Option<(DtzProbeValue, Vec<DtzResult>)> {
        let _one_at_a_time = self.distances.lock().unwrap_or_else(PoisonError::into_inner);
        let ([white, black], [pawns, knights, bishops, rooks, queens, kings]) = boards(position);
        let found = self.tables.probe_root(
            white,
            black,
            kings,
            queens,
            rooks,
            bishops,
            knights,
            pawns,
            0,
            en_passant(position),
            position.turn() == Color::White,
        );
        let found = found.ok()?;
        let moves = found.moves[..found.num_moves].iter().filter_map(|value| match value {
            DtzProbeValue::DtzResult(found) => Some(*found),
            DtzProbeValue::Stalemate | DtzProbeValue::Checkmate | DtzProbeValue::Failed => None,
        });
        Some((found.root, moves.collect()))
    }
}

/// The men by colour and by kind, as the crate takes them.
fn boards(position: &Position) -> ([u64; 2], [u64; 6]) {
    (Color::ALL.map(|color| position.by_color(color).0), PieceKind::ALL.map(|kind| position.by_kind(kind).0))
}

/// The square of an en-passant capture, 0 for none.
fn en_passant(position: &Position) -> u32 {
    position.ep_square().map_or(0, |square| square.index() as u32)
}

fn wdl(found: WdlProbeResult) -> Wdl {
    match found {
        WdlProbeResult::Loss => Wdl::Loss,
        WdlProbeResult::BlessedLoss => Wdl::BlessedLoss,
        WdlProbeResult::Draw => Wdl::Draw,
        WdlProbeResult::CursedWin => Wdl::CursedWin,
        WdlProbeResult::Win => Wdl::Win,
    }
}

/// The distance with its sign, which the crate gives as a result.
fn plies(found: DtzResult) -> i32 {
    match wdl(found.wdl) {
        Wdl::Win | Wdl::CursedWin => i32::from(found.dtz),
        Wdl::Draw => 0,
        Wdl::BlessedLoss | Wdl::Loss => -i32::from(found.dtz),
    }
}

/// `true` if this is what the crate says of the move.
fn is_of(found: DtzResult, mv: Move) -> bool {
    let promotion = match found.promotion {
        Piece::Queen => Some(PieceKind::Queen),
        Piece::Rook => Some(PieceKind::Rook),
        Piece::Bishop => Some(PieceKind::Bishop),
        Piece::Knight => Some(PieceKind::Knight),
        Piece::Pawn | Piece::King => None,
    };
    usize::from(found.from_square) == mv.from().index()
        && usize::from(found.to_square) == mv.to().index()
        && promotion == mv.promotion()
}

/// The engine's attacks, for the crate's captures.
#[derive(Clone)]
struct Attacks;

impl EngineAdapter for Attacks {
    fn pawn_attacks(color: pyrrhic_rs::Color, square: u64) -> u64 {
        let color = match color {
            pyrrhic_rs::Color::White => Color::White,
            pyrrhic_rs::Color::Black => Color::Black,
        };
        pawn_attacks(color, at(square)).0
    }

    fn knight_attacks(square: u64) -> u64 {
        knight_attacks(at(square)).0
    }

    fn bishop_attacks(square: u64, occupied: u64) -> u64 {
        bishop_attacks(at(square), Bitboard(occupied)).0
    }

    fn rook_attacks(square: u64, occupied: u64) -> u64 {
        rook_attacks(at(square), Bitboard(occupied)).0
    }

    fn queen_attacks(square: u64, occupied: u64) -> u64 {
        queen_attacks(at(square), Bitboard(occupied)).0
    }

    fn king_attacks(square: u64) -> u64 {
        king_attacks(at(square)).0
    }
}

fn at(square: u64) -> Square {
    Square::from_index(square as u8)
}
