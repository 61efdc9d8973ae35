//! Which engine's results these are. What another engine has written has other keys, so it is never read.

use std::sync::atomic::AtomicBool;

use sha2::{Digest as _, Sha256};

use super::value;
use crate::engine::chess::{Fen, Game, Variant};
use crate::engine::eval::Evaluator;
use crate::engine::search::{
    Elo, Handicap, Limits, Parameters, Report, SearchRequest, TranspositionTable, search,
};
use crate::pool::FRESH_TABLE_MEBIBYTES;

/// Searched for the fingerprint: an opening, middlegames, endings, a mate.
const SAMPLE: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "3r2k1/p4ppp/1p6/2p5/8/1P2R1P1/P3PP1P/6K1 b - - 1 26",
    "8/8/8/3pk3/8/3K4/4P3/8 w - - 0 1",
    "6k1/5ppp/8/8/8/8/q4PPP/3R2K1 w - - 0 30",
];
/// Positions visited by each of these searches: all together, they take some hundredths of a second.
const SAMPLE_NODES: u64 = 4_000;
/// The depth of others, in plies: a depth decides how large a table is, which decides what is found.
const SAMPLE_DEPTH: u8 = 6;

/// The beginning of every key: the format, the engine's version, and a fingerprint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Version(String);

impl Version {
    /// The version of this engine, whose evaluation `engine` identifies. The fingerprint is of that, of the numbers of the
    /// search, and of what it finds in a few positions: a search whose code has changed says so here, though no number has.
    pub(super) fn of(engine: &str) -> Self {
        let mut hash = Sha256::new();
        hash.update(engine.as_bytes());
        hash.update(format!("{:?} {FRESH_TABLE_MEBIBYTES}", Parameters::DEFAULT));
        for report in SAMPLE.iter().filter_map(|text| sample_search(text)) {
            hash.update(format!("{report:?}"));
        }
        let hash: [u8; 32] = hash.finalize().into();
        let fingerprint = u64::from_be_bytes(std::array::from_fn(|index| hash[index]));
        Self(format!("centipawn:{}:{}:{fingerprint:016x}", value::FORMAT, env!("CARGO_PKG_VERSION")))
    }

    pub(super) fn name(&self) -> &str {
        &self.0
    }

    /// A key that holds nothing, to ask whether the cache answers.
    pub(super) fn idle_key(&self) -> String {
        format!("{}:-", self.0)
    }
}

/// Two searches as the service makes them, one limited by nodes and one by depth, and one of a weaker opponent.
fn sample_search(text: &str) -> Option<[Report; 3]> {
    let position = Fen::parse(text, Variant::Standard).ok()?.position;
    let by_nodes = Limits { depth: None, nodes: Some(SAMPLE_NODES) };
    let request = SearchRequest::new(Game::new(position), Evaluator::default(), by_nodes);
    let by_depth = Limits { depth: Some(SAMPLE_DEPTH), nodes: None };
    let shallow = SearchRequest { limits: by_depth, ..request.clone() };
    let handicap = Elo::new(1500).map(|elo| Handicap { elo, seed: 0 });
    let weaker = SearchRequest { handicap, ..request.clone() };
    let find = |request: &SearchRequest| {
        let table = TranspositionTable::for_one_search(request.limits, FRESH_TABLE_MEBIBYTES).ok()?;
        Some(search(request, &table, &AtomicBool::new(false), &mut |_| ()))
    };
    Some([find(&request)?, find(&shallow)?, find(&weaker)?])
}
