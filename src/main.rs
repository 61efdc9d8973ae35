//! The `centipawn` binary.

use std::env;
use std::process::ExitCode;

use centipawn::{cli, cpu};
use mimalloc::MiMalloc;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    if !cpu::is_sufficient() {
        cpu::complain();
        return ExitCode::from(2);
    }
    cli::run(env::args_os())
}
