//! The UCI face: a GUI or a match runner talks to the engine over standard input and output.
//!
//! The caller's thread reads and answers commands; searches have their own thread, and a timer beside it, so that `stop` and
//! `isready` are answered at once. Nothing that comes in ends the program but `quit` and the end of the
//! input; what is not understood is answered with an `info string`. Moves may be in SAN too.
//!
//! Source: the UCI protocol of Kahlen and Meyer-Kahlen (2006); `go perft` as in Stockfish.

mod clock;
mod command;
mod options;
mod runner;
mod session;
mod thinking;
mod way;
mod wire;

use std::io::{self, BufRead, Write};

use session::{Flow, Session};

/// Talks UCI until `quit` or the end of the input. A search that ends by itself is finished then; one that
/// does not is stopped.
///
/// # Errors
/// If the input cannot be read, or the system gives no memory for the table or no threads.
pub fn run(mut input: impl BufRead, output: impl Write + Send + 'static) -> io::Result<()> {
    let mut session = Session::new(output)?;
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            session.finish();
            return Ok(());
        }
        if session.obey(&String::from_utf8_lossy(&line)) == Flow::Quit {
            return Ok(());
        }
    }
}
