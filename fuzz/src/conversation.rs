//! Any bytes as what a chess program says to the engine.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use centipawn::uci;

/// As many lines make a conversation.
const LINES: usize = 24;

/// Reads the bytes as lines of UCI, searches made short. Nothing may panic or hang; whatever is said is text, a search has at
/// most one best move, and the engine says that it is ready no more often than it is asked.
pub fn conversation(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let lines: Vec<String> = text.lines().filter_map(bounded).take(LINES).collect();
    let output = Said::default();
    if let Err(error) = uci::run(lines.join("\n").as_bytes(), output.clone()) {
        panic!("{error}");
    }
    let said = output.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let said = String::from_utf8(said).unwrap_or_else(|error| panic!("{error}"));
    let asked = |word: &str| lines.iter().filter(|line| words(line).any(|said| said == word)).count();
    let told = |word: &str| said.lines().filter(|line| words(line).next() == Some(word)).count();
    assert!(told("bestmove") <= asked("go"), "{lines:?}\n{said}");
    assert!(told("readyok") <= asked("isready"), "{lines:?}\n{said}");
    assert!(told("uciok") <= asked("uci"), "{lines:?}\n{said}");
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split_whitespace()
}

/// The line, if what it asks for takes neither long nor much: a search of few positions, no deep count of moves, no large
/// table, no crowd of threads and no folder of the machine.
fn bounded(line: &str) -> Option<String> {
    let lower = line.to_lowercase();
    let dear = ["hash", "threads", "path"].iter().any(|option| lower.contains(option));
    let long = words(line).any(|word| word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_digit()));
    if dear && long || lower.contains("path") {
        return None;
    }
    let searches = words(line).any(|word| word == "go");
    let counts = words(line).any(|word| word == "perft");
    match (searches, counts) {
        (true, true) => Some(format!("{line} perft 2")),
        (true, false) => Some(format!("{line} nodes 200 depth 5")),
        (false, _) => Some(line.to_owned()),
    }
}

/// What the engine has said.
#[derive(Clone, Default)]
struct Said(Arc<Mutex<Vec<u8>>>);

impl Write for Said {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
