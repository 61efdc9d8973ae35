use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::engine::chess::{Fen, Game, Variant, parse_move};
use crate::engine::eval::{Evaluator, EvaluatorKind};
use crate::engine::search::{Elo, Handicap, SearchRequest, TranspositionTable, search};
use crate::shared_cache::version::Version;

const POSITIONS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    // Mates, for and against; a promotion; one legal move.
    "6k1/5ppp/8/8/8/8/q4PPP/3R2K1 w - - 0 30",
    "1r6/8/8/8/8/8/2k5/K7 w - - 0 1",
    "8/P6k/8/8/8/8/p6K/8 w - - 0 1",
    "k7/8/8/8/8/8/r7/1K6 w - - 12 40",
];

fn game(fen: &str, moves: &[&str]) -> Game {
    let mut game = Game::new(Fen::parse(fen, Variant::Standard).unwrap().position);
    for text in moves {
        game.play(parse_move(game.position(), text).unwrap());
    }
    game
}

fn request(fen: &str, limits: Limits) -> SearchRequest {
    SearchRequest::new(game(fen, &[]), Evaluator::default(), limits)
}

fn found(request: &SearchRequest) -> Report {
    let table = TranspositionTable::new(1).unwrap();
    search(request, &table, &AtomicBool::new(false), &mut |_| ())
}

fn version() -> Version {
    Version::of("a test")
}

/// What there is to ask in many ways: a question with its digest and the bytes of its answer.
struct Case {
    question: Question,
    digest: Digest,
    report: Report,
    bytes: Vec<u8>,
}

impl Case {
    fn of(request: &SearchRequest, version: &Version) -> Self {
        let question = Question::of(request);
        let (digest, report) = (Digest::of(&question, version), found(request));
        let bytes = encode(&report, &digest).unwrap();
        Self { question, digest, report, bytes }
    }

    fn decode(&self, bytes: &[u8]) -> Result<Report, Rejection> {
        decode(bytes, &self.digest, &self.question)
    }

    /// The bytes of another report, with everything that makes them look right.
    fn forged(&self, change: impl FnOnce(&mut Report)) -> Vec<u8> {
        let mut report = self.report.clone();
        change(&mut report);
        encode(&report, &self.digest).unwrap()
    }
}

fn cases() -> Vec<Case> {
    let version = version();
    let lines = |lines| NonZeroUsize::new(lines).unwrap();
    let by_nodes = |nodes| Limits { depth: None, nodes: Some(nodes) };
    let mut cases = Vec::new();
    for fen in POSITIONS {
        for limits in [Limits { depth: Some(4), nodes: None }, by_nodes(1), by_nodes(30), by_nodes(3_000)] {
            let base = request(fen, limits);
            let several = SearchRequest { multi_pv: lines(3), ..base.clone() };
            let all = SearchRequest { multi_pv: lines(218), ..base.clone() };
            let weak = Some(Handicap { elo: Elo::new(800).unwrap(), seed: 7 });
            let weaker = SearchRequest { handicap: weak, multi_pv: lines(4), ..base.clone() };
            let legal = base.game.position().legal_moves();
            let some = SearchRequest { search_moves: legal[..legal.len().min(2)].to_vec(), ..base.clone() };
            let counting = SearchRequest { evaluator: EvaluatorKind::Count.into(), ..base.clone() };
            cases
                .extend([base, several, all, weaker, some, counting].map(|asked| Case::of(&asked, &version)));
        }
    }
    cases
}

#[test]
fn what_a_search_finds_comes_back() {
    let cases = cases();
    assert!(cases.len() > 100);
    for case in &cases {
        assert_eq!(case.decode(&case.bytes).as_ref(), Ok(&case.report), "{:?}", case.question);
    }
    let of_one_line = cases.iter().filter(|case| case.report.lines.len() == 1);
    let largest = of_one_line.map(|case| case.bytes.len()).max().unwrap();
    assert!(largest < 150, "{largest} bytes for one line");
}

#[test]
fn no_answer_is_for_another_question() {
    let (cases, version) = (cases(), version());
    for (number, case) in cases.iter().enumerate().step_by(5) {
        for other in cases.iter().enumerate().filter(|(other, _)| *other != number).map(|(_, other)| other) {
            if case.question == other.question {
                continue;
            }
            assert_ne!(case.digest, other.digest);
            assert_ne!(case.digest.key(&version), other.digest.key(&version));
            assert_eq!(case.decode(&other.bytes), Err(Rejection::Question));
        }
        let next = Version::of("another engine");
        let digest = Digest::of(&case.question, &next);
        assert_ne!(digest.key(&next), case.digest.key(&version));
        assert_eq!(decode(&case.bytes, &digest, &case.question), Err(Rejection::Question));
    }
}

/// Every part of a question, changed alone.
#[test]
fn every_part_of_a_question_is_in_its_digest() {
    let version = version();
    let limits = Limits { depth: Some(5), nodes: Some(1000) };
    let start = POSITIONS[0];
    let base = request(start, limits);
    let digest = |request: &SearchRequest| Digest::of(&Question::of(request), &version);
    let mv = |text| parse_move(base.game.position(), text).unwrap();
    let at = |fen: &str, moves: &[&str]| SearchRequest { game: game(fen, moves), ..base.clone() };
    let handicap = |elo, seed| SearchRequest {
        handicap: Some(Handicap { elo: Elo::new(elo).unwrap(), seed }),
        ..base.clone()
    };
    let others = [
        base.clone(),
        at(start, &["g1f3", "g8f6", "f3g1", "f6g8"]),
        at("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1", &[]),
        at("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 4 1", &[]),
        at("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 4 3", &[]),
        at("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 2", &[]),
        at("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1", &[]),
        at("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQq - 0 1", &[]),
        at("rnbqkbnr/pp1ppppp/8/2pP4/8/8/PPP1PPPP/RNBQKBNR w KQkq - 0 1", &[]),
        at("rnbqkbnr/pp1ppppp/8/2pP4/8/8/PPP1PPPP/RNBQKBNR w KQkq c6 0 1", &[]),
        SearchRequest { evaluator: EvaluatorKind::Count.into(), ..base.clone() },
        SearchRequest { evaluator: EvaluatorKind::Psqt.into(), ..base.clone() },
        SearchRequest { limits: Limits { depth: Some(6), ..limits }, ..base.clone() },
        SearchRequest { limits: Limits { depth: None, ..limits }, ..base.clone() },
        SearchRequest { limits: Limits { nodes: Some(1001), ..limits }, ..base.clone() },
        SearchRequest { limits: Limits { nodes: None, ..limits }, ..base.clone() },
        SearchRequest { multi_pv: NonZeroUsize::new(2).unwrap(), ..base.clone() },
        SearchRequest { search_moves: vec![mv("e2e4")], ..base.clone() },
        SearchRequest { search_moves: vec![mv("e2e4"), mv("d2d4")], ..base.clone() },
        handicap(1000, 0),
        handicap(1001, 0),
        handicap(1000, 1),
    ];
    for (index, one) in others.iter().enumerate() {
        assert_eq!(digest(one), digest(&one.clone()));
        for other in &others[index + 1..] {
            assert_ne!(digest(one), digest(other), "{one:?} {other:?}");
        }
    }
}

#[test]
fn every_changed_bit_is_seen() {
    for case in cases().iter().step_by(17) {
        for place in 0..case.bytes.len().min(400) {
            for bit in 0..8 {
                let mut changed = case.bytes.clone();
                changed[place] ^= 1 << bit;
                assert!(case.decode(&changed).is_err(), "byte {place}, bit {bit}");
            }
        }
        for length in 0..case.bytes.len() {
            assert!(case.decode(&case.bytes[..length]).is_err(), "{length} bytes");
        }
        assert!(case.decode(&[&case.bytes[..], &[0]].concat()).is_err(), "a byte more");
        assert!(case.decode(&case.bytes.repeat(1000)).is_err(), "too much");
    }
}

type Lie = fn(&mut Report);

/// A liar who knows the format: everything fits but what it says.
#[test]
fn what_no_search_finds_is_no_answer() {
    let limits = Limits { depth: Some(4), nodes: Some(100_000) };
    let one_line = Case::of(&request(POSITIONS[1], limits), &version());
    let out_of_range: [(&str, Lie); 19] = [
        ("deeper than asked", |report| report.depth = 5),
        ("too deep", |report| report.depth = 200),
        ("seldepth", |report| report.seldepth = 128),
        ("nodes", |report| report.nodes = 100_001),
        ("hashfull", |report| report.hashfull = 1001),
        ("effort", |report| report.effort = 1001),
        ("not finished", |report| report.depth = 3),
        ("no line", |report| report.lines.clear()),
        ("two lines", |report| report.lines.push(report.lines[0].clone())),
        ("centipawns", |report| report.lines[0].score = SearchScore::Cp(20_001)),
        ("least centipawns", |report| report.lines[0].score = SearchScore::Cp(i32::MIN)),
        ("mate in 65", |report| report.lines[0].score = SearchScore::Mate(65)),
        ("least mate", |report| report.lines[0].score = SearchScore::Mate(i32::MIN)),
        ("mate in none", |report| report.lines[0].score = SearchScore::Mate(0)),
        ("a line too deep", |report| report.lines[0].depth = 6),
        ("correction", |report| report.lines[0].correction = -20_001),
        ("least correction", |report| report.lines[0].correction = i32::MIN),
        ("longer than any", |report| {
            let mv = report.lines[0].moves[0];
            report.lines[0].moves = vec![mv; 257];
        }),
        ("another correction", |report| report.lines[0].correction = i32::MAX),
    ];
    for (what, lie) in out_of_range {
        assert_eq!(one_line.decode(&one_line.forged(lie)), Err(Rejection::Range), "{what}");
    }
    let illegal: [(&str, Lie); 4] = [
        ("no move", |report| report.lines[0].moves.clear()),
        ("a null move", |report| report.lines[0].moves[0] = Move::NONE),
        ("the same move twice", |report| report.lines[0].moves[1] = report.lines[0].moves[0]),
        ("an illegal move at the end", |report| report.lines[0].moves.push(Move::from_bits(u16::MAX))),
    ];
    for (what, lie) in illegal {
        assert_eq!(one_line.decode(&one_line.forged(lie)), Err(Rejection::Move), "{what}");
    }
    let several = SearchRequest { multi_pv: NonZeroUsize::new(3).unwrap(), ..request(POSITIONS[1], limits) };
    let several = Case::of(&several, &version());
    let twice = several.forged(|report| report.lines[1] = report.lines[0].clone());
    assert_eq!(several.decode(&twice), Err(Rejection::Move), "two lines with one move");
    let base = request(POSITIONS[0], limits);
    let mv = |text| parse_move(base.game.position(), text).unwrap();
    let chosen = Case::of(&SearchRequest { search_moves: vec![mv("a2a3")], ..base.clone() }, &version());
    let other = chosen.forged(|report| report.lines[0].moves = vec![mv("e2e4")]);
    assert_eq!(chosen.decode(&other), Err(Rejection::Move), "a move that was not asked for");
}

/// What comes through all checks: legal, and in its ranges, whatever the bytes were.
fn assert_harmless(report: &Report, question: &Question) {
    assert!((1..=question.multi_pv.get()).contains(&report.lines.len()));
    assert!(report.hashfull <= 1000 && report.effort <= 1000 && usize::from(report.depth) <= MAX_PLY);
    for line in &report.lines {
        let mut position = question.position;
        assert!((1..=MOST_MOVES).contains(&line.moves.len()));
        for mv in &line.moves {
            assert!(position.legal_moves().contains(mv));
            position.play(*mv);
        }
    }
}

/// The bytes with a checksum that fits.
fn sealed(content: &[u8]) -> Vec<u8> {
    [content, &checksum(content)].concat()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn random_bytes_are_no_answer(bytes in vec(any::<u8>(), 0..400)) {
        let question = Question::of(&request(POSITIONS[0], Limits { depth: Some(3), nodes: None }));
        let digest = Digest::of(&question, &VERSION);
        prop_assert!(decode(&bytes, &digest, &question).is_err());
        let with_the_right_head = [&[FORMAT][..], &digest.mark(), &bytes].concat();
        if let Ok(report) = decode(&sealed(&with_the_right_head), &digest, &question) {
            assert_harmless(&report, &question);
        }
    }

    /// Bytes of a true answer with some changed, lost or put in, and a checksum that fits.
    #[test]
    fn mutated_answers_are_harmless(
        which in any::<proptest::sample::Index>(),
        changes in vec((any::<proptest::sample::Index>(), any::<u8>(), 0..3_u8), 1..6),
    ) {
        let case = &CASES[which.index(CASES.len())];
        let head = 1 + MARK_BYTES;
        let mut content = case.bytes[..case.bytes.len() - CHECKSUM_BYTES].to_vec();
        for (place, byte, kind) in changes {
            if content.len() <= head {
                break;
            }
            let place = head + place.index(content.len() - head);
            match kind {
                0 => content[place] = byte,
                1 => content.insert(place, byte),
                _ => drop(content.remove(place)),
            }
        }
        if let Ok(report) = case.decode(&sealed(&content)) {
            assert_harmless(&report, &case.question);
        }
    }
}

static VERSION: std::sync::LazyLock<Version> = std::sync::LazyLock::new(version);
static CASES: std::sync::LazyLock<Vec<Case>> = std::sync::LazyLock::new(cases);
