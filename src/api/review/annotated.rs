//! A review as PGN: the games as they came, with a score for each move, a glyph, a sentence and a better line for each that was
//! wrong.

use std::sync::atomic::AtomicBool;

use super::go_on;
use super::reviewed::Reviewed;
use crate::api::problem::Problem;
use crate::engine::chess::{Position, san};
use crate::game::pgn::{self, Line, Ply, Record, add_eval, without_eval};
use crate::game::review::Judgment;

/// Who has annotated them.
const ANNOTATOR: &str = concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION"));

/// All games of a review.
///
/// # Errors
/// `timeout`, when it was stopped.
pub(super) fn annotated(games: &[Reviewed<'_>], stop: &AtomicBool) -> Result<String, Problem> {
    let written = games.iter().map(|game| Ok(pgn::write(&annotate(game, stop)?)));
    Ok(written.collect::<Result<Vec<_>, Problem>>()?.join("\n"))
}

fn annotate(game: &Reviewed<'_>, stop: &AtomicBool) -> Result<Record, Problem> {
    let mut record = game.study.record.clone();
    let tags = &mut record.tags;
    let mut add = |name: &str, value: &str| {
        if tags.get(name).is_none() {
            tags.set(name, value);
        }
    };
    if let Some((opening, _)) = game.opening() {
        add("ECO", opening.eco);
        add("Opening", opening.name);
    }
    add("Annotator", ANNOTATOR);
    let mut position = *record.start.position();
    for (index, ply) in record.moves.iter_mut().enumerate() {
        go_on(stop)?;
        annotate_ply(game, index, &position, ply);
        position.play(ply.mv);
    }
    Ok(record)
}

/// What others have said of the move stays, but for what the review says itself: score, glyph and judgment, Lichess' among them.
fn annotate_ply(game: &Reviewed<'_>, index: usize, before: &Position, ply: &mut Ply) {
    if let Some(eval) = game.evals.get(index).copied().flatten() {
        let mut comments: Vec<String> = ply.comments.iter().map(|comment| without_eval(comment)).collect();
        for comment in &mut comments {
            if let Some(rest) = Judgment::cut_from(comment) {
                *comment = rest;
                ply.nags.retain(|nag| !nag.judges_the_move());
            }
        }
        comments.retain(|comment| !comment.is_empty());
        let first = if comments.is_empty() { String::new() } else { comments.remove(0) };
        let scored = add_eval(eval, &first);
        ply.comments = (!scored.is_empty()).then_some(scored).into_iter().chain(comments).collect();
    }
    let Some(judgment) = game.verdict.plies.get(index).and_then(|ply| ply.judgment) else { return };
    let better = game.better(index);
    let best = better.first().map(|mv| san::format(before, *mv));
    let said = judgment.comment(best.as_deref());
    ply.comments.push(said);
    ply.nags.retain(|nag| !nag.judges_the_move());
    ply.nags.insert(0, judgment.severity.nag());
    // The first variation with another move is the one that readers take for the better line.
    let first = ply.alternative().and_then(|line| line.moves.first()).map(|ply| ply.mv);
    if !better.is_empty() && first != better.first().copied() {
        let moves = better.iter().copied().map(Ply::new).collect();
        ply.variations.insert(0, Line { preface: Vec::new(), moves });
    }
}
