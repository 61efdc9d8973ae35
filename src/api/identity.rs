//! Which engine gave the numbers.

use std::borrow::Cow;
use std::sync::LazyLock;

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::engine::chess::{Fen, Variant};
use crate::engine::eval::{Evaluate, Evaluator, EvaluatorKind, PieceValues};
use crate::engine::weights::{TEXTBOOK, TUNED, Weights};

/// Positions of every phase, with most of what terms and endgames look for.
const SAMPLE: [&str; 28] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 4 8",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
    "r3kb1r/pp1b1ppp/2n1pn2/2pp4/3P4/2P1PN2/PP1NBPPP/R1B1K2R w KQkq - 0 9",
    "2r2rk1/1bqnbppp/pp1ppn2/8/2PNP3/1PN1BP2/P2QB1PP/2RR2K1 w - - 0 15",
    "r1b2rk1/ppq1bppp/2p1pn2/8/2PP4/2N2N2/PPQ1BPPP/R4RK1 w - - 0 12",
    "r2qk2r/ppp2ppp/2n1bn2/2bpp3/4P3/2PP1N2/PPBN1PPP/R1BQ1RK1 b kq - 1 8",
    "r2q1rk1/pp2ppbp/2np1np1/8/3NP1b1/2N1B3/PPP1BPPP/R2QR1K1 w - - 6 10",
    "8/PPPPPPPP/nr4RN/qb4BQ/kb4BK/nr4RN/pppppppp/8 w - - 0 1",
    "r5k1/1p3pp1/p1p4p/3pP3/3P4/2P1RN1P/PP3PP1/6K1 b - - 0 25",
    "3r2k1/p4ppp/1p6/2p5/8/1P2R1P1/P3PP1P/6K1 b - - 1 26",
    "6k1/5ppp/8/8/8/8/q4PPP/3R2K1 b - - 0 30",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "6k1/5p1p/2b3p1/8/8/2B3P1/5P1P/6K1 w - - 0 1",
    "3k4/3p4/8/8/8/8/PPP5/2K5 w - - 0 1",
    "8/8/8/3pk3/8/3K4/4P3/8 w - - 0 1",
    "8/8/8/8/4k3/8/4P3/4K3 w - - 0 1",
    "4k3/3r4/8/8/8/8/3RP3/4K3 w - - 0 1",
    "8/8/4k3/8/8/4K3/4R3/4b3 w - - 0 1",
    "4k3/8/8/3n4/8/8/3Q4/4K3 b - - 0 1",
    "8/8/4k3/8/8/3QK3/8/8 w - - 80 100",
    "8/8/4k3/8/8/3NKB2/8/8 w - - 0 1",
    "8/8/4k3/8/8/3NKN2/8/8 w - - 0 1",
    "k7/8/P7/8/8/8/5B2/7K w - - 0 1",
];

/// Which engine gave the numbers.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Engine {
    /// The engine's name.
    #[schema(value_type = String, examples("centipawn"))]
    name: &'static str,
    /// Its version.
    #[schema(value_type = String, examples("0.1.0"))]
    version: &'static str,
    /// A fingerprint of the evaluation: of its weights and of the static scores of a few dozen fixed positions by every
    /// evaluator. Where it differs, static scores may; where it is equal, they are very likely equal.
    #[schema(examples("5d1f0c6ab3e49f27"))]
    eval_id: String,
}

/// The same in every reply: JSON that is written once.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(transparent)]
pub(crate) struct EngineIdentity(&'static RawValue);

impl PartialSchema for EngineIdentity {
    fn schema() -> RefOr<Schema> {
        Engine::schema()
    }
}

impl ToSchema for EngineIdentity {
    fn name() -> Cow<'static, str> {
        Engine::name()
    }
}

/// Name, version and evaluation of this engine, as JSON.
#[must_use]
pub fn engine_text() -> &'static str {
    identity().0.get()
}

/// Name, version and evaluation of this engine.
pub(crate) fn identity() -> EngineIdentity {
    static ENGINE: LazyLock<Box<RawValue>> = LazyLock::new(|| {
        let engine = Engine {
            name: env!("CARGO_PKG_NAME"),
            version: env!("CARGO_PKG_VERSION"),
            eval_id: eval_id().to_owned(),
        };
        to_raw_value(&engine).unwrap_or_default()
    });
    EngineIdentity(&ENGINE)
}

/// The fingerprint of the evaluation, as it stands in every reply.
pub(crate) fn eval_id() -> &'static str {
    static FINGERPRINT: LazyLock<String> = LazyLock::new(fingerprint_of_evaluation);
    &FINGERPRINT
}

fn fingerprint_of_evaluation() -> String {
    let numbers = weights().chain(sample_scores());
    format!("{:016x}", fingerprint(numbers.flat_map(i32::to_le_bytes)))
}

fn weights() -> impl Iterator<Item = i32> {
    let scores = [&TUNED, &TEXTBOOK].into_iter().flat_map(Weights::row);
    scores.flat_map(|weight| [weight.mg(), weight.eg()])
}

/// What the sample is worth to every evaluator: a term whose code has changed says so here, though no weight has. It
/// takes some two hundred static evaluations.
fn sample_scores() -> impl Iterator<Item = i32> {
    let sample = SAMPLE.iter().filter_map(|text| Fen::parse(text, Variant::Standard).ok());
    sample.flat_map(|fen| evaluators().map(move |evaluator| evaluator.evaluate(&fen.position)))
}

fn evaluators() -> impl Iterator<Item = Evaluator> {
    let of_kind = |kind| {
        [PieceValues::Classic, PieceValues::Euwe]
            .into_iter()
            .filter_map(move |values| Evaluator::new(kind, values).ok())
    };
    EvaluatorKind::ALL.into_iter().flat_map(of_kind)
}

/// A hash that is the same on every machine and in every version (64-bit FNV-1a).
fn fingerprint(bytes: impl IntoIterator<Item = u8>) -> u64 {
    const OFFSET_BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01b3;
    bytes.into_iter().fold(OFFSET_BASIS, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fingerprint_is_of_every_evaluator_in_every_position() {
        assert_eq!(evaluators().count(), 8);
        assert_eq!(sample_scores().count(), SAMPLE.len() * 8);
        let of = |numbers: Vec<i32>| fingerprint(numbers.into_iter().flat_map(i32::to_le_bytes));
        let all: Vec<i32> = weights().chain(sample_scores()).collect();
        assert_eq!(fingerprint_of_evaluation(), format!("{:016x}", of(all.clone())));
        for changed in weights().count()..all.len() {
            let mut other = all.clone();
            other[changed] += 1;
            assert_ne!(of(other), of(all.clone()), "{changed}");
        }
    }
}
