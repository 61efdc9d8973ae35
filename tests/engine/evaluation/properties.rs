//! What holds of every evaluator in every position: the fast way equals the slow one, the breakdown adds up, and a
//! mirrored position has the negated value.

use centipawn::engine::chess::{Position, Variant};
use proptest::prelude::*;

use crate::bodies::evaluation::{STATUSES, check, check_breakdown, check_ledgers, evaluators};
use crate::data::{any_position, lines, perft_cases, rows};

#[test]
fn everything_adds_up_on_the_perft_positions() {
    for file in ["standard", "edge-cases", "random-odd", "chess960-extra-a", "en-passant-a", "single-check-a"]
    {
        for case in perft_cases(&format!("perft/{file}.epd")).iter().step_by(3) {
            check(&case.position);
        }
    }
}

#[test]
fn everything_adds_up_in_finished_and_bare_positions() {
    for [fen, ..] in rows::<4>("rules/terminal-states.tsv") {
        check(&any_position(&fen, Variant::Standard));
    }
    for [fen, ..] in rows::<4>("rules/insufficient-material.tsv") {
        check(&any_position(&fen, Variant::Standard));
    }
}

#[test]
fn everything_adds_up_with_each_status() {
    for line in lines("perft/standard.epd") {
        let fen = line.split(';').next().unwrap();
        let position = any_position(fen, Variant::Standard);
        for status in STATUSES {
            for evaluator in evaluators() {
                check_breakdown(&position, evaluator, status);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn everything_adds_up_in_random_games(choices in prop::collection::vec(any::<prop::sample::Index>(), 0..160)) {
        let mut position = Position::start();
        for choice in choices {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play(*choice.get(&moves));
            for evaluator in evaluators() {
                check_ledgers(&position, evaluator);
            }
        }
        check(&position);
    }
}
