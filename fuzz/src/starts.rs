//! Where the games of the fuzz targets start.

use centipawn::engine::chess::{Fen, Position, Variant};
use cozy_chess::Board;

/// A position and the variant that its castling needs.
pub struct Start {
    pub position: Position,
    pub variant: Variant,
}

/// Positions rich in castling, promotions, en-passant captures, pins and drawn endings.
const STANDARD: [&str; 14] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "r3k2r/1P4P1/8/8/8/8/1p4p1/R3K2R b KQkq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/PPPPPPPP/nr4RN/qb4BQ/kb4BK/nr4RN/pppppppp/8 w - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
    "8/8/4k3/8/2b5/8/4KN2/7B w - - 0 1",
    "8/8/8/3k4/8/8/5KQq/8 b - - 95 80",
    "rnbqkbnr/8/8/pppppppp/PPPPPPPP/8/8/RNBQKBNR w KQkq - 0 1",
    "r2qk2r/8/8/8/1b6/8/8/R2QK2R w KQkq - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w - - 2 9",
    "8/8/k7/8/2pP4/8/5BK1/8 b - d3 0 1",
];

/// Positions in which Chess960 castling is possible and awkward.
const CHESS960: [&str; 6] = [
    "1rk3r1/pppppppp/8/8/8/8/PPPPPPPP/1RK3R1 w GBgb - 0 1",
    "rkr5/8/8/8/8/8/8/RKR5 w CAca - 0 1",
    "5rkr/8/8/8/8/8/8/5RKR b HFhf - 0 1",
    "1r2k1r1/8/8/8/8/8/8/R3K2R w HAgb - 0 1",
    "qr3kr1/8/8/8/8/8/8/QR3KR1 w GBgb - 0 1",
    "nrbkrbqn/pp1ppppp/2p5/8/8/2P5/PP1PPPPP/NRBKRBQN w EBeb - 0 1",
];

/// Every pair of bytes chooses a start: curated ones below 64, then Chess960 with the same or with two arrays.
pub fn choose(bytes: [u8; 2]) -> Start {
    let number = u32::from(u16::from_be_bytes(bytes));
    match bytes[0] {
        0..40 => read(STANDARD[bytes[1] as usize % STANDARD.len()], Variant::Standard),
        40..64 => read(CHESS960[bytes[1] as usize % CHESS960.len()], Variant::Chess960),
        64..128 => from_oracle(&Board::chess960_startpos(number % 960)),
        128.. => from_oracle(&Board::double_chess960_startpos(number % 960, number * 7 % 960)),
    }
}

fn from_oracle(board: &Board) -> Start {
    read(&format!("{board:#}"), Variant::Chess960)
}

fn read(text: &str, variant: Variant) -> Start {
    match Fen::parse(text, variant) {
        Ok(fen) => {
            assert!(fen.warnings.is_empty(), "{text}: {:?}", fen.warnings);
            Start { position: fen.position, variant }
        }
        Err(error) => panic!("{text}: {error}"),
    }
}
