//! What one request may ask.

use clap::Args;

use super::between;

/// Caps on what one request may ask; published at `/v1/limits`.
#[derive(Args, Clone, Copy, Debug, PartialEq, Eq)]
#[command(next_help_heading = "Limits of one request")]
pub struct Limits {
    /// Deepest `depth`, in plies
    #[arg(long, env = "CENTIPAWN_MAX_DEPTH", value_name = "PLIES", default_value_t = Limits::DEFAULT.max_depth, value_parser = between::<u8>(1, 127))]
    pub max_depth: u8,

    /// Most `nodes`
    #[arg(
        long,
        env = "CENTIPAWN_MAX_NODES",
        value_name = "N",
        default_value_t = Limits::DEFAULT.max_nodes,
        value_parser = between::<u64>(1, u64::MAX)
    )]
    pub max_nodes: u64,

    /// Longest `movetime`, in milliseconds
    #[arg(
        long,
        env = "CENTIPAWN_MAX_MOVETIME_MS",
        value_name = "MS",
        default_value_t = Limits::DEFAULT.max_movetime_ms,
        value_parser = between::<u64>(1, MOST_MILLISECONDS)
    )]
    pub max_movetime_ms: u64,

    /// `movetime` of a request that names no limit, in milliseconds
    #[arg(
        long,
        env = "CENTIPAWN_DEFAULT_MOVETIME_MS",
        value_name = "MS",
        default_value_t = Limits::DEFAULT.default_movetime_ms,
        value_parser = between::<u64>(1, MOST_MILLISECONDS)
    )]
    pub default_movetime_ms: u64,

    /// Positions that `/api/cloud-eval` searches for each reply
    #[arg(
        long,
        env = "CENTIPAWN_CLOUD_EVAL_NODES",
        value_name = "N",
        default_value_t = Limits::DEFAULT.cloud_eval_nodes,
        value_parser = between::<u64>(1, u64::MAX)
    )]
    pub cloud_eval_nodes: u64,

    /// Longest time for a request, its waiting included, in milliseconds, and the longest `timeoutMs`; in a batch for each
    /// item, and in a review for each position, from when its search begins
    #[arg(
        long,
        env = "CENTIPAWN_REQUEST_TIMEOUT_MS",
        value_name = "MS",
        default_value_t = Limits::DEFAULT.request_timeout_ms,
        value_parser = between::<u64>(1, MOST_MILLISECONDS)
    )]
    pub request_timeout_ms: u64,

    /// Most lines a `multiPv` number may ask for; no position has more than 218 moves
    #[arg(long, env = "CENTIPAWN_MAX_MULTI_PV", value_name = "N", default_value_t = Limits::DEFAULT.max_multi_pv, value_parser = between::<usize>(1, 218))]
    pub max_multi_pv: usize,

    /// Most half-moves in `moves`
    #[arg(
        long,
        env = "CENTIPAWN_MAX_MOVES",
        value_name = "N",
        default_value_t = Limits::DEFAULT.max_moves,
        value_parser = between::<usize>(1, 1_024)
    )]
    pub max_moves: usize,

    /// Largest request body, in bytes; also the largest item of a batch
    #[arg(
        long,
        env = "CENTIPAWN_MAX_BODY_BYTES",
        value_name = "BYTES",
        default_value_t = Limits::DEFAULT.max_body_bytes,
        value_parser = between::<usize>(1 << 10, 1 << 30)
    )]
    pub max_body_bytes: usize,

    /// Largest JSON array of a batch, in bytes, which is held in memory; a batch of lines has no such limit
    #[arg(
        long,
        env = "CENTIPAWN_MAX_BATCH_BYTES",
        value_name = "BYTES",
        default_value_t = Limits::DEFAULT.max_batch_bytes,
        value_parser = between::<usize>(1 << 10, 1 << 30)
    )]
    pub max_batch_bytes: usize,
}

impl Limits {
    /// The limits of a service that is told nothing.
    pub const DEFAULT: Self = Self {
        max_depth: 100,
        max_nodes: 1_000_000_000,
        max_movetime_ms: 30_000,
        default_movetime_ms: 200,
        cloud_eval_nodes: 200_000,
        request_timeout_ms: 60_000,
        max_multi_pv: 218,
        max_moves: 1_024,
        max_body_bytes: 64 << 10,
        max_batch_bytes: 8 << 20,
    };
}

/// A day: beyond it a duration is a mistake.
const MOST_MILLISECONDS: u64 = 24 * 60 * 60 * 1000;
