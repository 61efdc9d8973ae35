//! The weaker opponent: what it never does, what it does the less the stronger it is, and what it is given.

use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;

use centipawn::engine::chess::{Game, Move, Position};
use centipawn::engine::eval::Evaluator;
use centipawn::engine::search::{
    Bound, Elo, End, Handicap, Limits, Report, SearchRequest, SearchScore, TranspositionTable, search,
};

use super::{find, game, move_of, position, run, to_depth, to_nodes};

/// Openings, middlegames full of threats, and endgames.
const POSITIONS: [&str; 12] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "rnbqk2r/pp3ppp/2pb1n2/3p4/3P4/2NBPN2/PPQ2PPP/R1B1K2R b KQkq - 1 9",
    "r2q1rk1/pp2bppp/2n1bn2/3p4/3N4/1PN1P3/PB2BPPP/R2Q1RK1 w - - 4 12",
    "2r3k1/pp3ppp/2n1p3/3pPn2/3P4/1B3N2/PP3PPP/3R2K1 b - - 0 20",
    "3r2k1/p4ppp/1pq1p3/8/2P5/1PQ1P3/P4PPP/3R2K1 w - - 0 25",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/5pk1/6p1/3R3p/r6P/5PP1/6K1/8 b - - 3 45",
    "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2PP1N2/PP3PPP/RNBQ1RK1 w - - 0 7",
    "6k1/1p3p1p/p2p2p1/3Pn3/P3P1q1/1P2Q3/6PP/4R1K1 b - - 0 30",
];

fn handicap(elo: u16, seed: u64) -> Handicap {
    Handicap { elo: Elo::new(elo).unwrap(), seed }
}

fn request(game: Game, limits: Limits, handicap: Handicap) -> SearchRequest {
    SearchRequest { handicap: Some(handicap), ..SearchRequest::new(game, Evaluator::default(), limits) }
}

fn play(position: &Position, elo: u16, seed: u64) -> Report {
    run(&request(Game::new(*position), Limits::default(), handicap(elo, seed)))
}

fn chosen(position: &Position, elo: u16, seed: u64) -> Move {
    play(position, elo, seed).best_move().unwrap()
}

/// Centipawns, with a mate as the most of them.
fn centipawns(score: SearchScore) -> i32 {
    match score {
        SearchScore::Cp(centipawns) => centipawns.clamp(-1_000, 1_000),
        SearchScore::Mate(moves) if moves > 0 => 1_000,
        SearchScore::Mate(_) => -1_000,
    }
}

/// What each move is worth to the engine at full strength.
fn truth(position: &Position) -> Vec<(Move, i32)> {
    let all = SearchRequest {
        multi_pv: NonZeroUsize::MAX,
        ..SearchRequest::new(Game::new(*position), Evaluator::default(), to_depth(4))
    };
    run(&all).lines.iter().map(|line| (line.moves[0], centipawns(line.score))).collect()
}

#[test]
fn the_stronger_gives_away_less() {
    let truths: Vec<_> = POSITIONS.iter().map(|fen| (position(fen), truth(&position(fen)))).collect();
    // Strength, games, the most that it may give away on average, in centipawns.
    let levels = [(500, 16, 250), (1000, 16, 180), (1500, 16, 100), (2000, 16, 60)];
    let mut last = i32::MAX;
    for (elo, games, most) in levels {
        let loss = |(position, truth): &(Position, Vec<(Move, i32)>), seed| {
            let mv = chosen(position, elo, seed);
            let (_, worth) = truth.iter().find(|(legal, _)| *legal == mv).unwrap();
            truth[0].1 - worth
        };
        let total: i32 = truths.iter().flat_map(|truth| (0..games).map(move |seed| loss(truth, seed))).sum();
        let mean = total / (games as i32 * POSITIONS.len() as i32);
        assert!(mean < last && mean <= most, "{elo} gives away {mean} centipawns a move");
        last = mean;
    }
}

#[test]
fn the_same_seed_plays_the_same_move_and_others_do_not() {
    for elo in [500, 1000, 1500, 2000] {
        let start = position(POSITIONS[0]);
        assert_eq!(play(&start, elo, 7), play(&start, elo, 7), "{elo}");
        let moves: HashSet<_> = (0..30).map(|seed| chosen(&start, elo, seed).bits()).collect();
        assert!(moves.len() >= 3, "{elo} knows {} first moves", moves.len());
    }
}

#[test]
fn mates_in_one_are_played_but_by_beginners() {
    let suite = include_str!("../../data/suites/mate-in-1.epd");
    let positions: Vec<_> =
        suite.lines().take(25).map(|line| position(line.split(" bm ").next().unwrap())).collect();
    let share = |elo| {
        let mates = |position: &Position, seed| {
            let mut after = *position;
            after.play(chosen(position, elo, seed));
            after.in_check() && !after.has_legal_move()
        };
        let games = || positions.iter().flat_map(|position| (0..8).map(move |seed| mates(position, seed)));
        1_000 * games().filter(|mated| *mated).count() / games().count()
    };
    let (beginner, learner) = (share(500), share(1000));
    assert!(
        (500..800).contains(&beginner) && (800..1_000).contains(&learner),
        "{beginner} {learner} per mille"
    );
    for elo in [1500, 2000] {
        assert_eq!(share(elo), 1_000, "{elo} misses a mate");
    }
}

#[test]
fn what_hangs_is_taken() {
    // A position in which a queen may be taken at once, and the move that does it.
    let cases = [
        ("rnb1kbnr/pppp1ppp/8/4q3/8/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 4", "Nxe5"),
        ("r1bqkbnr/pppp1ppp/2n5/4Q3/4P3/8/PPPP1PPP/RNB1KBNR b KQkq - 0 4", "Nxe5"),
        ("4k3/8/8/3q4/4P3/8/5PPP/4K3 w - - 0 1", "exd5"),
    ];
    for (fen, mv) in cases {
        let position = position(fen);
        let taken =
            |elo| (0..100).filter(|seed| chosen(&position, elo, *seed) == move_of(&position, mv)).count();
        assert!(taken(500) >= 85, "500 takes the queen {} times by {mv}", taken(500));
        for elo in [1000, 1500] {
            assert!(taken(elo) >= 99, "{elo} takes the queen {} times by {mv}", taken(elo));
        }
    }
}

#[test]
fn what_was_taken_is_taken_back() {
    let position = position("r1bqkb1r/ppp2ppp/2n5/3Np3/8/5N2/PPPP1PPP/R1BQKB1R b KQkq - 0 5");
    let square = move_of(&position, "Qxd5").to();
    for (elo, least) in [(500, 65), (1000, 88), (1500, 98)] {
        let taken = (0..100).filter(|seed| chosen(&position, elo, *seed).to() == square).count();
        assert!(taken >= least, "{elo} takes back {taken} times of 100");
    }
}

#[test]
fn limits_are_kept_and_its_own_are_the_most() {
    let start = || Game::new(position(POSITIONS[2]));
    for elo in [500, 1200, 2600] {
        let own = handicap(elo, 1).elo.nodes();
        for nodes in [1, 50, 20_000] {
            let report = run(&request(start(), to_nodes(nodes), handicap(elo, 1)));
            assert!(
                report.nodes <= nodes.min(own) && report.best_move().is_some(),
                "{elo} {nodes}: {report:?}"
            );
        }
        let report = run(&request(start(), to_depth(2), handicap(elo, 1)));
        assert!(report.depth <= 2 && report.nodes <= own, "{elo}: {report:?}");
    }
    let stopped = AtomicBool::new(true);
    let table = TranspositionTable::new(1).unwrap();
    let wish = request(start(), Limits::default(), handicap(1500, 1));
    let report = search(&wish, &table, &stopped, &mut |_| ());
    assert_eq!((report.end, report.nodes), (End::Stopped, 0));
    assert!(start().position().legal_moves().contains(&report.best_move().unwrap()));
}

#[test]
fn what_stronger_searches_found_is_not_known_to_it() {
    let table = TranspositionTable::new(16).unwrap();
    let start = Game::new(position(POSITIONS[3]));
    let wish = request(start.clone(), Limits::default(), handicap(1400, 3));
    let alone = run(&wish);
    let full = SearchRequest::new(start, Evaluator::default(), to_depth(7));
    search(&full, &table, &AtomicBool::new(false), &mut |_| ());
    assert_eq!(search(&wish, &table, &AtomicBool::new(false), &mut |_| ()), alone);
}

#[test]
fn the_move_comes_first_and_the_best_of_the_rest_follow() {
    // The last has a mate in one, which nobody but a beginner looks beyond.
    let positions = [POSITIONS[5], "4rkr1/1p1Rn1pp/p3p2B/4Qp2/8/8/PPq2PPP/3R2K1 w - - 0 1"].map(position);
    for (position, seed) in
        positions.into_iter().flat_map(|position| (0..20).map(move |seed| (position, seed)))
    {
        let one = request(Game::new(position), Limits::default(), handicap(900, seed));
        let all = SearchRequest { multi_pv: NonZeroUsize::MAX, ..one.clone() };
        let (one, all) = (run(&one), run(&all));
        assert_eq!((one.lines.len(), &one.lines[0]), (1, &all.lines[0]));
        let moves: HashSet<_> = all.lines.iter().map(|line| line.moves[0].bits()).collect();
        assert_eq!((moves.len(), all.lines.len()), (position.legal_moves().len(), moves.len()));
        let exact = all.lines[1..].iter().filter(|line| line.bound == Bound::Exact);
        let scores: Vec<_> = exact.map(|line| centipawns(line.score)).collect();
        assert!(scores.is_sorted_by(|better, worse| better >= worse), "{scores:?}");
        assert!(all.lines.iter().all(|line| line.bound != Bound::Lower));
    }
}

#[test]
fn the_choice_can_be_restricted() {
    let start = Game::new(position(POSITIONS[0]));
    let moves = ["a2a3", "h2h4"].map(|text| move_of(start.position(), text));
    for seed in 0..20 {
        let wish = request(start.clone(), Limits::default(), handicap(800, seed));
        let report = run(&SearchRequest { search_moves: moves.to_vec(), ..wish });
        assert!(moves.contains(&report.best_move().unwrap()));
    }
}

#[test]
fn an_only_move_and_the_end_of_the_game_need_no_thought() {
    let only = game("7k/8/8/8/8/8/1r6/K7 w - - 0 1", "");
    let report = run(&request(only, Limits::default(), handicap(2600, 1)));
    assert_eq!(report.lines.len(), 1);
    assert!(matches!(report.end, End::OnlyMove | End::Nodes), "{report:?}");
    let over = game("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "");
    assert_eq!(run(&request(over.clone(), Limits::default(), handicap(900, 1))), find(over, to_depth(3)));
}

/// Whole games against itself from every position: nothing illegal is ever played, and they end.
#[test]
fn games_are_played_to_their_end() {
    for (number, fen) in POSITIONS.iter().enumerate() {
        let mut game = Game::new(position(fen));
        for ply in 0..60 {
            if game.status().is_over() {
                break;
            }
            let wish =
                request(game.clone(), Limits::default(), handicap(500 + 100 * (ply % 8), number as u64));
            let mv = run(&wish).best_move().unwrap();
            assert!(game.position().legal_moves().contains(&mv), "{fen} {mv:?}");
            game.play(mv);
        }
    }
}
