//! What is proved, what is not, and that nothing is lost between two attempts.

use std::sync::atomic::AtomicBool;

use super::{Proofs, Prover, Unanswered};
use crate::engine::chess::{Fen, Move, Position, Status, Variant, uci_move};
use crate::engine::search::limits::Budget;

/// A mate in four with a quiet first move and a quiet third one: 1. h3 gxh4+ 2. Kf4 g5+ 3. Kf5 g4 4. hxg4#.
const MATE_IN_FOUR: &str = "8/8/6pp/6pk/7P/6K1/7P/8 w - - 0 1";

fn position(fen: &str) -> Position {
    Fen::parse(fen, Variant::Standard).unwrap().position
}

/// What one attempt of so many nodes finds, and how many it has taken.
fn attempt(
    proofs: &mut Proofs,
    position: &Position,
    moves: &[Move],
    (bound, nodes): (u8, u64),
    drawn: &[u64],
) -> (Result<Option<Vec<Move>>, Unanswered>, u64) {
    let stop = AtomicBool::new(false);
    let mut budget = Budget::new(None, &stop);
    let mut prover = Prover { proofs, budget: &mut budget, last_node: nodes, drawn: drawn.to_vec() };
    (prover.mating_line(position, moves, bound), budget.nodes())
}

fn line(position: &Position, moves: &[Move], bound: u8, drawn: &[u64]) -> Option<Vec<Move>> {
    attempt(&mut Proofs::new(), position, moves, (bound, u64::MAX), drawn).0.unwrap()
}

#[test]
fn a_mate_is_found_within_its_distance_and_not_sooner() {
    let position = position(MATE_IN_FOUR);
    let moves = position.legal_moves();
    for bound in 1..4 {
        assert_eq!(line(&position, &moves, bound, &[]), None, "{bound}");
    }
    for bound in [4, 5, 12] {
        let line = line(&position, &moves, bound, &[]).unwrap();
        assert!(line.len() == 7 || bound > 4 && (7..2 * usize::from(bound)).contains(&line.len()), "{bound}");
        let mut child = position;
        for mv in line {
            assert!(child.is_legal(mv), "{bound}");
            child.play(mv);
        }
        assert_eq!(Status::of(&child, 1), Status::Checkmate, "{bound}");
    }
}

#[test]
fn an_attempt_goes_on_where_the_one_before_has_ended() {
    let position = position(MATE_IN_FOUR);
    let moves = position.legal_moves();
    let whole = attempt(&mut Proofs::new(), &position, &moves, (4, u64::MAX), &[]).1;
    let mut proofs = Proofs::new();
    let (result, nodes) = attempt(&mut proofs, &position, &moves, (4, whole * 3 / 4), &[]);
    assert_eq!((result, nodes), (Err(Unanswered::TooLong), whole * 3 / 4));
    let (result, nodes) = attempt(&mut proofs, &position, &moves, (4, u64::MAX), &[]);
    assert!(result.unwrap().is_some() && nodes < whole * 3 / 4, "{nodes} of {whole}");
}

#[test]
fn what_some_moves_do_not_others_may() {
    let position = position(MATE_IN_FOUR);
    let key = uci_move::parse(&position, "h2h3").unwrap();
    let (key, others): (Vec<Move>, Vec<Move>) = position.legal_moves().iter().partition(|mv| **mv == key);
    let mut proofs = Proofs::new();
    let mut mates =
        |moves: &[Move]| attempt(&mut proofs, &position, moves, (4, u64::MAX), &[]).0.unwrap().is_some();
    assert_eq!((mates(&others), mates(&key), mates(&position.legal_moves())), (false, true, true));
}

#[test]
fn what_the_game_has_drawn_is_no_mate() {
    let position = position(MATE_IN_FOUR);
    let moves = position.legal_moves();
    let mut after = position;
    after.play(uci_move::parse(&position, "h2h3").unwrap());
    assert_eq!(line(&position, &moves, 4, &[after.key()]), None);
}
