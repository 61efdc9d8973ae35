//! `centipawn uci` as a GUI sees it: the program in a process of its own, its input and its output.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod options;
mod positions;
mod searches;

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

/// Queens face queens: captures never end.
const EXPLOSIVE: &str = "position fen 8/PPPPPPPP/nr4RN/qb4BQ/kb4BK/nr4RN/pppppppp/8 w - - 0 1";

/// Longer than any answer takes, however busy the machine is.
const PATIENCE: Duration = Duration::from_secs(30);

/// An engine to talk to.
struct Engine {
    process: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
}

impl Engine {
    fn start() -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_centipawn"))
            .arg("uci")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        let (sender, receiver) = mpsc::channel();
        std::thread::spawn(move || {
            output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        let mut engine = Self { input: process.stdin.take(), process, output: receiver };
        engine.ask("uci", "uciok");
        engine
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    /// The lines up to the first that begins so, that one included.
    fn read_to(&self, last: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line =
                self.output.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("no {last} after {lines:?}"));
            lines.push(line);
            if lines.last().unwrap().starts_with(last) {
                return lines;
            }
        }
    }

    fn ask(&mut self, line: &str, last: &str) -> Vec<String> {
        self.say(line);
        self.read_to(last)
    }

    /// The engine must still be there, with nothing else to say.
    fn is_ready(&mut self) {
        assert_eq!(self.ask("isready", "readyok"), ["readyok"]);
    }

    /// Everything that is still to come, once the input has ended.
    fn end_of_input(mut self) -> Vec<String> {
        self.input = None;
        let rest = self.output.iter().collect();
        assert!(self.process.wait().unwrap().success());
        rest
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.input = None;
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn last(lines: &[String]) -> &str {
    lines.last().unwrap()
}

#[test]
fn it_introduces_itself_and_quits() {
    let mut engine = Engine::start();
    let lines = engine.ask("uci", "uciok");
    assert!(lines[0].starts_with("id name centipawn "));
    let options = [
        "Hash",
        "Threads",
        "MultiPV",
        "UCI_Chess960",
        "UCI_AnalyseMode",
        "Clear Hash",
        "Evaluator",
        "SyzygyPath",
        "UCI_LimitStrength",
        "UCI_Elo",
    ];
    for option in options {
        assert!(
            lines.iter().any(|line| line.starts_with(&format!("option name {option} type "))),
            "{option}"
        );
    }
    engine.is_ready();
    engine.say("quit");
    assert!(engine.process.wait().unwrap().success());
}

#[test]
fn perft_ends_in_the_total() {
    let mut engine = Engine::start();
    engine.say("position startpos");
    let lines = engine.ask("go perft 3", "Nodes searched");
    assert!(lines.contains(&"e2e4: 600".to_owned()));
    assert_eq!(lines.iter().filter(|line| line.contains(": ")).count(), 21);
    assert_eq!(last(&lines), "Nodes searched: 8902");
    engine.say("setoption name UCI_Chess960 value true");
    engine.say("position fen bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9");
    assert_eq!(last(&engine.ask("go perft 2", "Nodes searched")), "Nodes searched: 528");
}

#[test]
fn perft_is_stopped_and_refused() {
    let mut engine = Engine::start();
    engine.say("position startpos");
    engine.say("go perft 20");
    let start = Instant::now();
    engine.is_ready();
    engine.say("stop");
    engine.is_ready();
    assert_eq!(last(&engine.ask("go perft 1", "Nodes searched")), "Nodes searched: 20");
    for depth in ["0", "21", "100000"] {
        let lines = engine.ask(&format!("go perft {depth}"), "info string");
        assert!(last(&lines).contains("perft wants a "), "{lines:?}");
    }
    engine.say("go perft 20");
    engine.say("quit");
    assert!(engine.process.wait().unwrap().success());
    assert!(start.elapsed() < Duration::from_secs(5));
}

#[test]
fn bad_input_is_answered_and_survived() {
    let mut engine = Engine::start();
    let bad = [
        "hello",
        "position",
        "position fen",
        "position fen hello",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position startpos moves e2e5",
        "position startpos moves \u{1f600}",
        "go perft x",
        "setoption",
        "setoption name",
        "setoption name Nonsense value 1",
        "setoption name Hash value 0",
        "setoption name Hash value many",
        "setoption name Threads value 0",
        "setoption name Evaluator value nnue",
        "setoption name UCI_LimitStrength value perhaps",
        "setoption name UCI_Elo value 499",
        "setoption name UCI_Elo value 2801",
    ];
    for line in bad {
        let answer = engine.ask(line, "info string error: ");
        assert_eq!(answer.len(), 1, "{line}: {answer:?}");
    }
    engine.input.as_mut().unwrap().write_all(b"\xff\xfe\x00\n\n   \n").unwrap();
    engine.read_to("info string error: ");
    for line in ["stop", "ponderhit", "debug on", "register later", "ucinewgame", "setoption name Clear Hash"]
    {
        engine.say(line);
        engine.is_ready();
    }
    assert!(last(&engine.ask("go depth 0", "bestmove")).len() > "bestmove ".len());
}
