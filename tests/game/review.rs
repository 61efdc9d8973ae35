//! Reviews of games that Lichess has analysed, from its own evaluations.

use centipawn::engine::chess::{ByColor, Color};
use centipawn::game::pgn::Eval;
use centipawn::game::review::{Course, Review, START, review};

use crate::data::rows;

struct Analysed {
    id: String,
    evals: Vec<Option<Eval>>,
    /// Number of the half-move and the comment, with `_` for spaces.
    judgments: Vec<(usize, String)>,
    /// Inaccuracies, mistakes, blunders, average loss.
    players: ByColor<Vec<usize>>,
}

fn games() -> Vec<Analysed> {
    let eval = |text: &str| match text.strip_prefix('#') {
        Some(moves) => Eval::Mate(moves.parse().unwrap()),
        None => Eval::Cp(text.parse().unwrap()),
    };
    let numbers = |text: &str| text.split(' ').map(|number| number.parse().unwrap()).collect();
    let judgment = |text: &str| {
        let (ply, comment) = text.split_once(':').unwrap();
        (ply.parse().unwrap(), comment.replace('_', " "))
    };
    let game = |row: Vec<String>| {
        let mut evals: Vec<_> = row[2].split(' ').map(|text| Some(eval(text))).collect();
        // The move that mates has none.
        evals.resize(row[1].split(' ').count(), None);
        Analysed {
            evals,
            judgments: row[3].split(' ').map(judgment).collect(),
            players: ByColor { white: numbers(&row[4]), black: numbers(&row[5]) },
            id: row[0].clone(),
        }
    };
    rows("review/lichess-games.tsv").into_iter().map(game).collect()
}

fn reviewed(game: &Analysed, best: &[bool]) -> Review {
    review(&Course { first: Color::White, start: START, evals: &game.evals, best })
}

#[test]
fn the_average_loss_is_that_of_lichess() {
    let games = games();
    assert_eq!(games.len(), 50);
    for game in &games {
        let players = reviewed(game, &[]).players;
        for color in Color::ALL {
            assert_eq!(players[color].acpl, Some(game.players[color][3] as u32), "{} {color:?}", game.id);
        }
    }
}

#[test]
fn the_judgments_are_those_of_lichess() {
    let (mut judged, mut surplus) = (0, 0);
    for game in games() {
        let given =
            |ply: usize| game.judgments.iter().find(|(own, _)| *own == ply).map(|(_, comment)| comment);
        for (ply, verdict) in reviewed(&game, &[]).plies.iter().enumerate() {
            match (verdict.judgment, given(ply)) {
                (Some(judgment), Some(comment)) => {
                    let best = comment.trim_end_matches(" was best.").rsplit(' ').next();
                    assert_eq!(judgment.comment(best), *comment, "{} {ply}", game.id);
                    judged += 1;
                }
                // Lichess has found nothing better, whatever its evaluations say.
                (Some(_), None) => surplus += 1,
                (None, None) => {}
                (None, Some(comment)) => panic!("{} {ply}: {comment}", game.id),
            }
        }
        let best: Vec<bool> = (0..game.evals.len()).map(|ply| given(ply).is_none()).collect();
        let players = reviewed(&game, &best).players;
        for color in Color::ALL {
            let player = players[color];
            let counts = [player.inaccuracies, player.mistakes, player.blunders];
            assert_eq!(counts, game.players[color][..3], "{} {color:?}", game.id);
        }
    }
    assert_eq!((judged, surplus), (835, 33));
}

#[test]
fn what_is_not_known_is_left_out() {
    let known =
        |evals: &[Option<Eval>]| review(&Course { first: Color::Black, start: START, evals, best: &[] });
    let (one, two) = (Some(Eval::Cp(15)), Some(Eval::Cp(400)));
    let gap = known(&[one, None, two, two]);
    assert_eq!(
        gap.plies.iter().map(|ply| ply.accuracy.is_some()).collect::<Vec<_>>(),
        [true, false, false, true]
    );
    assert_eq!((gap.players.black.acpl, gap.players.white.acpl), (Some(0), Some(0)));
    assert_eq!((gap.players.black.accuracy, gap.players.white.accuracy), (None, None));
    let cut = known(&[two, two, None]);
    assert_eq!((cut.players.black.acpl, cut.players.black.blunders), (Some(385), 1));
    assert!(cut.players.black.accuracy.is_some_and(|accuracy| accuracy < 50.0));
    let mated = known(&[one, one, Some(Eval::Won(Color::Black))]);
    assert_eq!(mated.players, known(&[one, one]).players, "a mate on the board counts in no average");
    assert_eq!(mated.plies[2].accuracy, Some(100.0));
    let nothing = known(&[None, None]).players.white;
    assert_eq!((nothing.acpl, nothing.accuracy), (None, None));
}
