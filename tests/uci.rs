//! `centipawn uci` as a GUI sees it: the program in a process of its own, its input and its output.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

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
fn as_many_threads_are_taken_as_are_offered() {
    let mut engine = Engine::start();
    let offer = "option name Threads type spin default 1 min 1 max ";
    let lines = engine.ask("uci", "uciok");
    let most: usize = lines.iter().find_map(|line| line.strip_prefix(offer)).unwrap().parse().unwrap();
    assert_eq!(most, 4 * std::thread::available_parallelism().unwrap().get());
    engine.ask(&format!("setoption name Threads value {}", most + 1), "info string error: ");
    engine.say(&format!("setoption name Threads value {most}"));
    engine.say("go infinite");
    std::thread::sleep(Duration::from_millis(200));
    engine.ask("stop", "bestmove");
    engine.is_ready();
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
fn an_iteration_is_told_once() {
    let mut engine = Engine::start();
    engine.say("position startpos");
    let lines = engine.ask("go depth 4", "bestmove");
    let depths = lines.iter().filter(|line| line.starts_with("info depth"));
    let depths: Vec<_> = depths.map(|line| line.split_whitespace().nth(2).unwrap()).collect();
    assert_eq!(depths, ["1", "2", "3", "4"]);
}

#[test]
fn a_mate_is_told_with_its_line() {
    let mut engine = Engine::start();
    engine.say("position fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");
    let lines = engine.ask("go depth 5", "bestmove");
    assert_eq!(last(&lines), "bestmove d1d8");
    let info = &lines[lines.len() - 2];
    assert!(info.contains(" score mate 1 ") && info.ends_with(" pv d1d8"), "{info}");
    assert!(engine.ask("go mate 1", "bestmove").iter().any(|line| line.contains("score mate 1")));
}

#[test]
fn limits_are_kept() {
    let mut engine = Engine::start();
    engine.say("position startpos moves e2e4 e7e5");
    let lines = engine.ask("go nodes 5000", "bestmove");
    assert!(lines[lines.len() - 2].contains(" nodes 5000 "), "{lines:?}");
    engine.say(EXPLOSIVE);
    for go in ["go movetime 100", "go wtime 1000 btime 1000", "go wtime 300 btime 1 winc 50 binc 50"] {
        let start = Instant::now();
        engine.ask(go, "bestmove");
        assert!(start.elapsed() < Duration::from_secs(1), "{go}");
    }
}

#[test]
fn the_first_iteration_is_finished_however_little_time_there_is() {
    let mut engine = Engine::start();
    engine.say("position fen 4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1");
    for go in
        ["go movetime 0", "go movetime -5", "go nodes 0", "go nodes 1", "go wtime 0 btime 0", "go wtime -9"]
    {
        let lines = engine.ask(go, "bestmove");
        assert!(last(&lines).starts_with("bestmove e4d5"), "{go}: {lines:?}");
        let info = &lines[lines.len() - 2];
        assert!(info.starts_with("info depth ") && info.contains(" pv e4d5"), "{go}: {lines:?}");
    }
    for go in ["go infinite", "go ponder wtime 1 btime 1", "go"] {
        engine.say(&format!("{go}\nstop"));
        let lines = engine.read_to("bestmove");
        assert!(last(&lines).starts_with("bestmove e4d5"), "{go}: {lines:?}");
    }
    engine.say("go nodes 0 searchmoves e1e2 e1f2");
    let lines = engine.read_to("bestmove");
    assert!(
        ["bestmove e1e2", "bestmove e1f2"].iter().any(|best| last(&lines).starts_with(best)),
        "{lines:?}"
    );
    assert!(lines[lines.len() - 2].contains(" pv e1"), "{lines:?}");
}

#[test]
fn stop_is_obeyed_at_once_and_infinite_waits_for_it() {
    let mut engine = Engine::start();
    engine.say(EXPLOSIVE);
    engine.say("go infinite");
    std::thread::sleep(Duration::from_millis(200));
    engine.ask("isready", "readyok");
    let start = Instant::now();
    engine.ask("stop", "bestmove");
    assert!(start.elapsed() < Duration::from_millis(100), "{:?}", start.elapsed());
    engine.say("position fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");
    engine.say("go infinite");
    std::thread::sleep(Duration::from_millis(200));
    let before = engine.ask("isready", "readyok");
    assert!(!before.iter().any(|line| line.starts_with("bestmove")), "told before it was asked");
    assert_eq!(last(&engine.ask("stop", "bestmove")), "bestmove d1d8");
}

#[test]
fn pondering_ends_with_a_hit_or_a_stop() {
    let mut engine = Engine::start();
    engine.say("position startpos");
    engine.say("go ponder wtime 500 btime 500");
    std::thread::sleep(Duration::from_millis(100));
    engine.ask("ponderhit", "bestmove");
    engine.say("go ponder movetime 1");
    engine.ask("stop", "bestmove");
    engine.say("ponderhit");
    engine.is_ready();
}

#[test]
fn several_lines_and_chosen_moves() {
    let mut engine = Engine::start();
    engine.say("setoption name MultiPV value 3");
    let lines = engine.ask("go depth 4", "bestmove");
    for line in 1..=3 {
        assert!(
            lines
                .iter()
                .any(|text| text.contains(" depth 4 ") && text.contains(&format!(" multipv {line} ")))
        );
    }
    let lines = engine.ask("go depth 3 searchmoves a2a3 h2h3", "bestmove");
    assert!(["bestmove a2a3", "bestmove h2h3"].iter().any(|best| last(&lines).starts_with(best)));
}

#[test]
fn castling_is_written_as_the_variant_wants() {
    let castling = "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves";
    let mut engine = Engine::start();
    engine.say(&format!("{castling} e1g1"));
    engine.is_ready();
    engine.say("setoption name UCI_Chess960 value true");
    engine.say(&format!("{castling} e1h1"));
    engine.is_ready();
    let lines = engine.ask("go depth 1", "bestmove");
    assert!(!last(&lines).ends_with("0000"));
}

#[test]
fn a_game_that_is_over_has_a_score_but_no_best_move() {
    let mut engine = Engine::start();
    for (fen, score) in [
        ("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", " depth 0 seldepth 0 multipv 1 score mate 0 "),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", " depth 0 seldepth 0 multipv 1 score cp 0 "),
    ] {
        engine.say(&format!("position fen {fen}"));
        for go in ["go depth 3", "go movetime 0", "go wtime 100 btime 100"] {
            let lines = engine.ask(go, "bestmove");
            let [info, best] = &lines[..] else { panic!("{fen}: {lines:?}") };
            assert!(info.contains(score) && best == "bestmove 0000", "{fen}: {lines:?}");
        }
    }
}

/// The GUI decides when a game is over.
#[test]
fn a_draw_is_played_on() {
    let mut engine = Engine::start();
    let shuffle = "g1f3 g8f6 f3g1 f6g8 ".repeat(4);
    for (position, score) in [
        ("fen 7k/8/8/8/8/8/8/K7 w - - 0 1", Some(0)),
        ("fen 7k/8/8/8/8/8/8/KB6 w - - 0 1", Some(0)),
        ("fen 7k/8/8/8/8/8/8/KQ6 w - - 150 200", Some(0)),
        (&format!("startpos moves {shuffle}"), None),
    ] {
        engine.say(&format!("position {position}"));
        for go in ["go depth 3", "go wtime 1000 btime 1000"] {
            let lines = engine.ask(go, "bestmove");
            let info = &lines[lines.len() - 2];
            let best = last(&lines).split(' ').nth(1).unwrap();
            assert!(info.contains(&format!(" pv {best}")), "{position}: {lines:?}");
            if let Some(score) = score {
                assert!(info.contains(&format!(" score cp {score} ")), "{position}: {lines:?}");
            }
        }
    }
    let lines = engine.ask("go depth 3 searchmoves a2a3", "bestmove");
    assert!(last(&lines).starts_with("bestmove a2a3"), "{lines:?}");
    engine.say("position fen 7k/8/8/8/8/8/8/K7 w - - 0 1");
    let lines = engine.ask("go depth 3 searchmoves a1b2", "bestmove");
    assert!(last(&lines).starts_with("bestmove a1b2"), "{lines:?}");
}

#[test]
fn what_of_a_fen_is_ignored_is_said() {
    let mut engine = Engine::start();
    let chess960 = "position fen bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
    let lines = engine.ask(chess960, "info string");
    assert!(last(&lines).starts_with("info string warning: ") && last(&lines).ends_with(" UCI_Chess960"));
    engine.say("setoption name UCI_Chess960 value true");
    engine.say(chess960);
    engine.is_ready();
    let lines = engine.ask("position fen 4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "info string");
    assert!(last(&lines).ends_with(" en-passant square"), "{lines:?}");
}

#[test]
fn moves_may_be_in_san() {
    let mut engine = Engine::start();
    engine.say("position startpos moves Nf3 e7e5 e4");
    assert!(
        engine
            .ask("d", "Status")
            .contains(&"Fen: rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 0 2".to_owned())
    );
}

/// To play on from the position before would be to answer another question than was asked.
#[test]
fn there_is_no_position_after_one_that_was_refused() {
    let mut engine = Engine::start();
    let missing = "info string error: there is no position: the last one was refused";
    for (refused, next) in [
        ("position startpos moves e2e4 e7e4", "position startpos moves e2e4"),
        ("position fen hello", "ucinewgame"),
        ("position fen", "position startpos"),
        ("position", "position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
    ] {
        engine.ask(refused, "info string error: ");
        assert_eq!(engine.ask("go wtime 1000 btime 1000", "bestmove"), [missing, "bestmove 0000"]);
        for command in ["d", "eval", "go perft 1"] {
            assert_eq!(engine.ask(command, "info string error: "), [missing], "{command}");
        }
        engine.say(next);
        assert_ne!(last(&engine.ask("go depth 1", "bestmove")), "bestmove 0000", "{next}");
    }
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

#[test]
fn every_go_has_one_best_move() {
    let mut engine = Engine::start();
    engine.say("position startpos");
    for (go, said) in [
        ("go depth 2 foo", "passed over: go does not know 'foo'"),
        ("go foo depth 2", "passed over: go does not know 'foo'"),
        ("go depth 2 nodestime 100", "passed over: go does not know 'nodestime'"),
        ("go depth", "passed over: depth wants a number"),
        ("go movetime x", "passed over: go does not know 'x'"),
        (
            "go searchmoves e2e4 e2e5 depth 2",
            "passed over: 'e2e5' is not legal: the pawn on e2 cannot go to e5",
        ),
        ("go depth -1", ""),
        ("go wtime 1000.0 btime 1000.0 movestogo -1", ""),
        ("go wtime 99999999999999999999 btime 1 depth 2", ""),
    ] {
        let lines = engine.ask(go, "bestmove");
        assert_ne!(last(&lines), "bestmove 0000", "{go}: {lines:?}");
        assert!(said.is_empty() || lines.contains(&format!("info string {said}")), "{go}: {lines:?}");
        engine.is_ready();
    }
    let lines = engine.ask("go searchmoves e2e4 e2e5 depth 2", "bestmove");
    assert!(last(&lines).starts_with("bestmove e2e4 "), "{lines:?}");
    engine.say("go infinite");
    engine.say("go foo");
    engine.ask("stop", "bestmove");
    engine.read_to("bestmove");
    engine.is_ready();
}

/// As some libraries ask if there are no moves to choose from.
#[test]
fn no_move_is_the_best_of_none() {
    let mut engine = Engine::start();
    engine.say("position startpos");
    for go in ["go nodes 1000 searchmoves 0000", "go searchmoves e2e5 depth 1"] {
        let lines = engine.ask(go, "bestmove");
        assert_eq!(last(&lines), "bestmove 0000", "{go}");
        assert!(
            lines.contains(&"info string error: none of the moves to choose from can be made".to_owned())
        );
    }
    for (go, end) in [("go infinite searchmoves 0000", "stop"), ("go ponder searchmoves 0000", "ponderhit")] {
        engine.say(go);
        let before = engine.ask("isready", "readyok");
        assert!(!before.iter().any(|line| line.starts_with("bestmove")), "{go}: {before:?}");
        assert_eq!(engine.ask(end, "bestmove"), ["bestmove 0000"], "{go}");
    }
}

#[test]
fn options_take_effect() {
    let mut engine = Engine::start();
    engine.say("position fen 4k3/8/8/8/8/8/PPPP4/4K3 w - - 0 1");
    engine.say("setoption name Evaluator value count");
    assert!(last(&engine.ask("eval", "Evaluation")).starts_with("Evaluation: 400 "));
    engine.say("setoption name Hash value 1");
    engine.say("setoption name Threads value 2");
    engine.say("setoption name evaluator value psqt");
    assert!(engine.ask("go depth 3", "bestmove").len() > 1);
    assert!(engine.ask("d", "Status").iter().any(|line| line == "Fen: 4k3/8/8/8/8/8/PPPP4/4K3 w - - 0 1"));
}

#[test]
#[cfg(target_os = "linux")]
fn the_memory_of_the_table_is_there_before_the_search() {
    let mut engine = Engine::start();
    let of_the_process = |engine: &Engine| {
        let status = std::fs::read_to_string(format!("/proc/{}/status", engine.process.id())).unwrap();
        let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        resident.trim().trim_end_matches(" kB").parse::<usize>().unwrap() / 1024
    };
    engine.is_ready();
    let at_first = of_the_process(&engine);
    assert!(at_first >= 64, "{at_first} MiB");
    engine.say("setoption name Hash value 256");
    engine.is_ready();
    let grown = of_the_process(&engine);
    assert!(grown >= 256, "{grown} MiB");
}

#[test]
#[cfg(target_arch = "x86_64")]
fn endgame_tables_are_opened_changed_and_closed() {
    let tables = concat!(
        "setoption name SyzygyPath value ",
        env!("CARGO_MANIFEST_DIR"),
        "/tests/data/endgames/syzygy"
    );
    let mut engine = Engine::start();
    engine.say("position fen 8/8/8/3k4/8/8/8/R3K3 w - - 0 1");
    let mut hits = |setoption: &str, said: &str| {
        if said.is_empty() {
            engine.say(setoption);
        } else {
            let lines = engine.ask(setoption, "info string");
            assert!(last(&lines).contains(said), "{lines:?}");
        }
        let lines = engine.ask("go depth 3", "bestmove");
        let info = &lines[lines.len() - 2];
        let hits = info.split(" tbhits ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap();
        (hits.parse::<u64>().unwrap() > 0, info.contains(" score cp 20000 "))
    };
    let found = "6 Syzygy tables of up to 4 men";
    assert_eq!(hits("setoption name SyzygyPath value <empty>", ""), (false, false));
    assert_eq!(hits(tables, found), (true, true));
    assert_eq!(hits(tables, found), (true, true));
    assert_eq!(
        hits("setoption name SyzygyPath value /no/such/folder", "error: cannot read the folder"),
        (false, false)
    );
    assert_eq!(hits(tables, found), (true, true));
    assert_eq!(hits("setoption name SyzygyPath", ""), (false, false));
}

#[test]
fn a_limited_strength_is_obeyed() {
    let mut engine = Engine::start();
    let nodes = |lines: &[String]| -> u64 {
        let info = &lines[lines.len() - 2];
        info.split(" nodes ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap()
    };
    engine.say("setoption name UCI_Elo value 700");
    engine.say("position startpos");
    assert_eq!(nodes(&engine.ask("go nodes 5000", "bestmove")), 5_000, "not limited yet");
    engine.say("setoption name UCI_LimitStrength value true");
    for go in ["go", "go nodes 5000", "go wtime 1000 btime 1000", "go movetime 5000"] {
        let lines = engine.ask(go, "bestmove");
        assert!(nodes(&lines) < 1_000, "{go}: {lines:?}");
        let told = lines[lines.len() - 2].split(" pv ").nth(1).unwrap();
        let told = told.split(' ').next().unwrap();
        assert_eq!(last(&lines).split(' ').nth(1), Some(told), "{lines:?}");
    }
    let openings: std::collections::HashSet<_> =
        (0..20).map(|_| last(&engine.ask("go", "bestmove"))[9..13].to_owned()).collect();
    assert!(openings.len() > 2, "{openings:?}");
    engine.say("setoption name UCI_AnalyseMode value true");
    assert_eq!(nodes(&engine.ask("go nodes 5000", "bestmove")), 5_000, "an analysis is never weakened");
}

#[test]
fn the_end_of_the_input_lets_a_search_finish_but_not_an_endless_one() {
    let mut engine = Engine::start();
    engine.say("go depth 6");
    assert!(last(&engine.end_of_input()).starts_with("bestmove "));
    let mut engine = Engine::start();
    engine.say("go infinite");
    assert!(last(&engine.end_of_input()).starts_with("bestmove "));
    let mut engine = Engine::start();
    engine.say(EXPLOSIVE);
    engine.say("go");
    assert!(last(&engine.end_of_input()).starts_with("bestmove "));
}
