//! Threads, queues and tables.

use std::thread;

use clap::Args;

use super::between;

/// Threads, queues and tables of the two request pools.
#[derive(Args, Clone, Copy, Debug, PartialEq, Eq)]
#[command(next_help_heading = "Request pools")]
pub struct PoolOptions {
    /// Threads that search for single requests [default: one per core]
    #[arg(
        long,
        env = "CENTIPAWN_INTERACTIVE_THREADS",
        value_name = "N",
        default_value_t = cores(),
        hide_default_value = true,
        value_parser = between::<usize>(1, 1024)
    )]
    pub interactive_threads: usize,

    /// Threads that search for the same single request, helpers included; with more than one, lower --interactive-threads
    /// so that both multiplied are the cores
    #[arg(
        long,
        env = "CENTIPAWN_SEARCH_THREADS",
        value_name = "N",
        default_value_t = 1,
        value_parser = between::<usize>(1, 1024)
    )]
    pub search_threads: usize,

    /// Single requests that may wait for a thread; more are refused with 503 and Retry-After
    #[arg(
        long,
        env = "CENTIPAWN_INTERACTIVE_QUEUE",
        value_name = "N",
        default_value_t = 64,
        value_parser = between::<usize>(0, 1_000_000)
    )]
    pub interactive_queue: usize,

    /// Searches of one client, as single requests, that may wait or run at once, more are refused with 429 and Retry-After;
    /// 0 for no such bound, because clients take turns in the queue however much one of them sends
    #[arg(
        long,
        env = "CENTIPAWN_SEARCHES_PER_CLIENT",
        value_name = "N",
        default_value_t = 0,
        value_parser = between::<usize>(0, 1_000_000)
    )]
    pub searches_per_client: usize,

    /// Transposition table shared by the threads for single requests, in MiB; memory is used only as it fills
    #[arg(
        long,
        env = "CENTIPAWN_INTERACTIVE_HASH_MIB",
        value_name = "MIB",
        default_value_t = 32,
        value_parser = between::<usize>(1, 1 << 20)
    )]
    pub interactive_hash_mib: usize,

    /// Threads that work on batches [default: one per core]
    #[arg(
        long,
        env = "CENTIPAWN_BULK_THREADS",
        value_name = "N",
        default_value_t = cores(),
        hide_default_value = true,
        value_parser = between::<usize>(1, 1024)
    )]
    pub bulk_threads: usize,

    /// Batches that are worked on at once; more are refused with 503 and Retry-After
    #[arg(
        long,
        env = "CENTIPAWN_BULK_REQUESTS",
        value_name = "N",
        default_value_t = 16,
        value_parser = between::<usize>(1, 100_000)
    )]
    pub bulk_requests: usize,

    /// Batches and reviews of one client that are worked on at once; more are refused with 429 and Retry-After [default:
    /// half of --bulk-requests]
    #[arg(
        long,
        env = "CENTIPAWN_BULK_REQUESTS_PER_CLIENT",
        value_name = "N",
        value_parser = between::<usize>(1, 100_000)
    )]
    pub bulk_requests_per_client: Option<usize>,

    /// Transposition table shared by the threads that work on batches, in MiB; memory is used only as it fills
    #[arg(
        long,
        env = "CENTIPAWN_BULK_HASH_MIB",
        value_name = "MIB",
        default_value_t = 32,
        value_parser = between::<usize>(1, 1 << 20)
    )]
    pub bulk_hash_mib: usize,

    /// Cache of the results of deterministic searches, in MiB; memory is used only as it fills; 0 searches each time
    #[arg(
        long,
        env = "CENTIPAWN_RESULT_CACHE_MIB",
        value_name = "MIB",
        default_value_t = 32,
        value_parser = between::<u64>(0, 1 << 20)
    )]
    pub result_cache_mib: u64,
}

fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}
