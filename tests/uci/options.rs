//! What `setoption` sets.

use std::time::Duration;

use super::{Engine, last};

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
    // What cannot be had leaves the tables as they were.
    assert_eq!(
        hits("setoption name SyzygyPath value /no/such/folder", "error: cannot read the folder"),
        (true, true)
    );
    let with_another = format!("{tables}{}/no/such/folder", if cfg!(windows) { ';' } else { ':' });
    assert_eq!(hits("setoption name SyzygyPath", ""), (false, false));
    assert_eq!(hits(&with_another, "passed over: there is no folder /no/such/folder"), (true, true));
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
