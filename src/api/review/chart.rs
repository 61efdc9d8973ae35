//! A review as a picture: the course of each game.

use std::sync::atomic::AtomicBool;

use super::go_on;
use super::reviewed::Reviewed;
use crate::api::picture::{GameChart, MoveMark, advantage};
use crate::api::problem::Problem;
use crate::engine::chess::{Color, Position, san};
use crate::game::review::{PlayerReview, win_percent};

/// A chart for each game.
///
/// # Errors
/// `timeout`, when it was stopped.
pub(super) fn drawn(games: &[Reviewed<'_>], stop: &AtomicBool) -> Result<String, Problem> {
    let charts = games.iter().map(|game| {
        go_on(stop)?;
        Ok(chart(game))
    });
    Ok(advantage(&charts.collect::<Result<Vec<_>, Problem>>()?))
}

fn chart(game: &Reviewed<'_>) -> GameChart {
    let start = game.study.record.start.position();
    let after = game.verdict.plies.iter().map(|ply| ply.win_percent);
    GameChart {
        title: title(game),
        subtitle: subtitle(game),
        chances: [Some(win_percent(game.start))].into_iter().chain(after).collect(),
        played_before: played_before(start),
        marks: marks(game, start),
        players: Color::ALL.map(|color| player(game, color)),
    }
}

/// The half-moves before a position, by its move number.
fn played_before(start: &Position) -> usize {
    2 * (usize::from(start.fullmoves()).max(1) - 1) + usize::from(start.turn() == Color::Black)
}

fn name<'a>(game: &'a Reviewed<'_>, color: Color) -> &'a str {
    let tag = game.study.record.tags.get(color.name()).filter(|name| !matches!(name.trim(), "" | "?"));
    tag.unwrap_or(color.name())
}

fn title(game: &Reviewed<'_>) -> String {
    let result = game.study.record.termination.map_or("*", |termination| termination.text());
    let players = format!("{} – {}", name(game, Color::White), name(game, Color::Black));
    if result == "*" { players } else { format!("{players}  {result}") }
}

fn subtitle(game: &Reviewed<'_>) -> String {
    let opening = game.opening().map(|(opening, _)| format!("{} {}", opening.eco, opening.name));
    let moves = match game.moves.len().div_ceil(2) {
        1 => "1 move".to_owned(),
        moves => format!("{moves} moves"),
    };
    opening.into_iter().chain([moves]).collect::<Vec<_>>().join(" · ")
}

fn marks(game: &Reviewed<'_>, start: &Position) -> Vec<MoveMark> {
    let mut position = *start;
    let mut marks = Vec::new();
    for (index, mv) in game.moves.iter().enumerate() {
        if let Some(judgment) = game.verdict.plies.get(index).and_then(|ply| ply.judgment) {
            let best = game.better(index).first().map(|mv| san::format(&position, *mv));
            let played = san::format(&position, *mv);
            let dots = if position.turn() == Color::White { "." } else { "..." };
            let said = judgment.comment(best.as_deref());
            let note = format!("{}{dots} {played}: {said}", position.fullmoves());
            marks.push(MoveMark { ply: index + 1, severity: judgment.severity, note });
        }
        position.play(*mv);
    }
    marks
}

fn player(game: &Reviewed<'_>, color: Color) -> String {
    let PlayerReview { inaccuracies, mistakes, blunders, acpl, accuracy } = game.verdict.players[color];
    let side = color.name();
    let who = match name(game, color) {
        name if name == side => side.to_owned(),
        name => format!("{name} ({side})"),
    };
    let count =
        |number: usize, one: &str, many: &str| format!("{number} {}", if number == 1 { one } else { many });
    let counted = [
        count(inaccuracies, "inaccuracy", "inaccuracies"),
        count(mistakes, "mistake", "mistakes"),
        count(blunders, "blunder", "blunders"),
    ];
    let averages = [
        acpl.map(|loss| format!("average loss {loss} centipawns")),
        accuracy.map(|accuracy| format!("accuracy {accuracy:.1} %")),
    ];
    let said: Vec<String> = counted.into_iter().chain(averages.into_iter().flatten()).collect();
    format!("{who}: {}.", said.join(", "))
}
