//! centipawn: what a chess position is worth, what to play, and why.
//!
//! # The house
//!
//! Rules, evaluation and search are a pure [`engine`]; a [`pool`] gives it threads and time; an [`api`] gives it HTTP. Arrows run
//! one way only, and `tests/architecture.rs` holds them to it:
//!
//! ```text
//! main -> cli -> api -> pool -> engine::search -> engine::eval -> engine::chess -> engine::weights
//!         cli, uci -> tablebase -> engine::search
//!         cli -> shared_cache -> pool
//!         api -> game -> engine::eval
//!         api -> telemetry -> config
//! ```
//!
//! | room | what it knows | what it must not know |
//! |---|---|---|
//! | [`engine::weights`] | every number of the evaluation, once, with meaning and source | everything else |
//! | [`engine::chess`] | the rules: position, legal moves, keys, FEN, SAN, outcome | evaluation, search |
//! | [`engine::eval`] | position to score, and why: ledger, terms, material table | search, clocks, threads |
//! | [`engine::search`] | position to best move: nodes, ordering, transposition table | HTTP, wall clock |
//! | [`tablebase`] | files of endgame tables, for the search's [`Tablebase`](engine::search::Tablebase) | HTTP, threads |
//! | [`game`] | PGN in and out, opening names, review formulas | HTTP |
//! | [`pool`] | threads, bounded queues, deadlines, cancellation, drain | HTTP, JSON, FEN |
//! | [`shared_cache`] | Redis, for the pool's [`SecondLevel`](pool::SecondLevel) of results | HTTP, JSON |
//! | [`api`] | HTTP, JSON, OpenAPI: one file per endpoint | the inside of the engine |
//! | [`uci`], [`cli`] | the other faces: UCI, terminal | HTTP |
//! | [`config`], [`telemetry`], [`cpu`] | settings; log lines, traces, what the system knows of the process; the processor | everything else |
//!
//! Beside the service stand `src/bin/tune`, the tuner of the weights, `src/bin/datagen`, which plays games for it, and
//! `src/bin/spar`, which plays the search against itself under two sets of its parameters or of the evaluation's emphasis;
//! all three know the engine alone.
//!
//! # One request, from socket to search
//!
//! `POST /v1/best-move {"fen": "...", "movetime": 300}`:
//!
//! 1. [`api::serve`] accepts the connection and [`api::service`] finds the endpoint's file. The clock of the request starts here.
//! 2. The body becomes a [`Position`](engine::chess::Position) and a [`Game`](engine::chess::Game) by
//!    [`Fen::parse`](engine::chess::Fen::parse) and [`parse_move`](engine::chess::parse_move), or a problem with a code. From
//!    here on nobody checks the position again.
//! 3. The handler submits a [`Job`](pool::Job) to the interactive [`Pool`](pool::Pool). A full queue answers
//!    [`Busy`](pool::Refused::Busy) at once; otherwise the handler awaits a [`Ticket`](pool::Ticket).
//! 4. A worker thread runs [`search`](engine::search::search) over the pool's
//!    [`TranspositionTable`](engine::search::TranspositionTable); its leaves are worth what an
//!    [`Evaluator`](engine::eval::Evaluator) says, a sum of what its terms posted to a [`Ledger`](engine::eval::Ledger).
//! 5. After 300 ms the [`Clock`](pool::Clock) raises the search's stop flag. If the client leaves before that, the ticket is dropped and
//!    raises it too.
//! 6. The [`Report`](engine::search::Report) of the last finished iteration becomes the reply, in the API's own types.
//!
//! A static evaluation stops after step 2: it takes less time than the way to another thread.
//!
//! # Invariants
//!
//! - `Position::put_piece` and `remove_piece` are the only places that change a board; keys, piece-square sum and phase
//!   follow there. Updated equals computed from scratch.
//! - Posting to a ledger is the only way to change a score, so the breakdown is exactly what the search counts:
//!   features add up to terms, terms to centipawns. Mirrored equals negated.
//! - A position that exists is legal. What is illegal is an error of the parser.
//! - The engine has no clock and no I/O, and no threads but the helpers that a search may be given: one thread with a fresh
//!   table visits the same nodes for the same request everywhere.
//! - CPU work has a bounded queue, an absolute deadline and a way out. A panic costs one request.
//! - Engine types are never serialised; the API has its own.

pub mod api;
pub mod cli;
pub mod config;
pub mod cpu;
pub mod engine;
pub mod game;
pub mod pool;
pub mod shared_cache;
pub mod tablebase;
pub mod telemetry;
pub mod uci;
