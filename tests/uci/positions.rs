//! What `position` takes, and what comes of it.

use super::{Engine, last};

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
