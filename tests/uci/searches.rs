//! What `go` is answered.

use std::time::{Duration, Instant};

use super::{EXPLOSIVE, Engine, last};

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
fn every_second_it_is_told_how_far_the_search_is() {
    let mut engine = Engine::start();
    engine.say("position startpos");
    for threads in ["1", "2"] {
        engine.say(&format!("setoption name Threads value {threads}"));
        let lines = engine.ask("go movetime 2500", "bestmove");
        let count = lines.iter().filter(|line| line.starts_with("info nodes ")).count();
        assert!((1..=2).contains(&count), "{threads}: {lines:?}");
        let nodes: Vec<u64> = lines
            .iter()
            .filter_map(|line| line.split(" nodes ").nth(1)?.split(' ').next()?.parse().ok())
            .collect();
        assert!(nodes.len() > count && nodes.is_sorted(), "{threads}: {nodes:?}");
        let currents: Vec<_> = lines.iter().filter_map(|line| line.split_once(" currmove ")).collect();
        assert_eq!(currents.len(), count, "{threads}: {lines:?}");
        for (iteration, current) in currents {
            let depth: u8 = iteration.strip_prefix("info depth ").unwrap().parse().unwrap();
            let (mv, number) = current.split_once(" currmovenumber ").unwrap();
            let number: usize = number.parse().unwrap();
            assert!(depth > 1 && mv.len() == 4 && (1..=20).contains(&number), "{iteration} {current}");
        }
    }
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
    // An analysis is held back until `stop`, whatever else is said.
    for go in ["go infinite depth 1", "go ponder infinite depth 1"] {
        engine.say(go);
        engine.read_to("info depth 1 ");
        engine.say("ponderhit");
        std::thread::sleep(Duration::from_millis(50));
        engine.is_ready();
        engine.ask("stop", "bestmove");
    }
}

#[test]
fn what_was_thought_in_the_opponents_time_counts() {
    let mut engine = Engine::start();
    engine.say("position startpos");
    engine.say("go ponder wtime 20000 btime 20000");
    // More than twice what this clock allows the most doubtful move.
    std::thread::sleep(Duration::from_secs(4));
    let start = Instant::now();
    engine.ask("ponderhit", "bestmove");
    assert!(start.elapsed() < Duration::from_millis(200), "{:?}", start.elapsed());
}

#[test]
fn an_analysis_of_the_only_move_goes_on() {
    let only_move = "position fen 8/8/5k1K/6bR/8/8/8/1b2Q3 w - - 0 1";
    let depth = |lines: &[String]| -> u32 {
        let info = lines.iter().rfind(|line| line.starts_with("info depth ")).unwrap();
        info.split(' ').nth(2).unwrap().parse().unwrap()
    };
    let mut engine = Engine::start();
    engine.say(only_move);
    let in_a_game = depth(&engine.ask("go wtime 60000 btime 60000", "bestmove"));
    assert!(depth(&engine.ask("go movetime 1000", "bestmove")) > in_a_game);
    engine.say("go infinite");
    std::thread::sleep(Duration::from_secs(1));
    assert!(depth(&engine.ask("stop", "bestmove")) > in_a_game);
    let lines = engine.ask("go mate 7", "bestmove");
    assert!(lines[lines.len() - 2].contains(" score mate "), "{lines:?}");
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
        ("go searchmoves e2e5 e7e5 depth 2", ""),
        ("go depth -1", ""),
        ("go wtime 1000.0 btime 1000.0 movestogo -1", ""),
        ("go wtime 99999999999999999999 btime 1 depth 2", ""),
    ] {
        let lines = engine.ask(go, "bestmove");
        assert_ne!(last(&lines), "bestmove 0000", "{go}: {lines:?}");
        assert!(said.is_empty() || lines.contains(&format!("info string {said}")), "{go}: {lines:?}");
        engine.is_ready();
    }
    for go in ["go searchmoves e2e4 e2e5 depth 2", "go searchmoves e4 depth 2"] {
        let lines = engine.ask(go, "bestmove");
        assert!(last(&lines).starts_with("bestmove e2e4 "), "{go}: {lines:?}");
    }
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
    for go in ["go nodes 1000 searchmoves 0000", "go searchmoves 0000 depth 1"] {
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
    let mut engine = Engine::start();
    engine.say("go ponder depth 6\nponderhit");
    let lines = engine.end_of_input();
    assert!(lines.iter().any(|line| line.starts_with("info depth 6 ")), "{lines:?}");
    let mut engine = Engine::start();
    engine.say("go perft 3\ngo perft 2\ngo depth 1");
    let lines = engine.end_of_input();
    assert!(lines.contains(&"Nodes searched: 8902".to_owned()), "{lines:?}");
    assert!(lines.contains(&"Nodes searched: 400".to_owned()), "{lines:?}");
}

#[test]
#[cfg(unix)]
fn nothing_is_searched_for_nobody() {
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_centipawn"))
        .arg("uci")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(child.stdin.as_mut().unwrap(), b"go depth 100\n").unwrap();
    drop((child.stdin.take(), child.stdout.take()));
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(start.elapsed() < super::PATIENCE, "it still searches");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn what_moves_lose_on_their_way_is_kept_back() {
    const LINE: &str = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 d7d6 c2c3 e8g8";
    let thought = |lost: Duration| {
        let mut engine = Engine::start();
        let mut think = |after: usize, left: Duration| {
            let played: Vec<_> = LINE.split(' ').take(after).collect();
            engine.say(&format!("position startpos moves {}", played.join(" ")));
            let start = Instant::now();
            engine.ask(&format!("go wtime {} btime 60000", left.as_millis()), "bestmove");
            start.elapsed()
        };
        let mut left = Duration::from_secs(10);
        for after in (0..16).step_by(2) {
            left -= think(after, left) + lost;
        }
        think(16, Duration::from_secs(20))
    };
    let [fast, slow] = [0, 800].map(|lost| thought(Duration::from_millis(lost)));
    assert!(slow < fast / 2, "{slow:?} {fast:?}");
}
