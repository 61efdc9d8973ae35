//! The `centipawn` binary.

use std::env;
use std::io::{self, Write};
use std::process::ExitCode;

use centipawn::{cli, cpu};
use mimalloc::MiMalloc;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    if let Err(unsupported) = cpu::check() {
        // Nobody reads a closed stderr.
        let _ = writeln!(io::stderr(), "error: {unsupported}");
        return ExitCode::from(2);
    }
    cli::run(env::args_os())
}
