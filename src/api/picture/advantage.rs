//! The course of games: White's chance to win after each half-move, with the moves that were wrong.

use super::paragraphs::Paragraphs;
use super::style::{Theme, style};
use super::svg::{Caption, Svg};
use crate::game::review::Severity;

const WIDTH: i32 = 860;
/// The empty frame around everything.
const PADDING: i32 = 24;
/// The heading above a chart.
const HEADING: i32 = 62;
/// Where the chart begins, right of the percents, and its size.
const LEFT: i32 = PADDING + 48;
const PLOT: (i32, i32) = (WIDTH - PADDING - LEFT, 220);
/// The numbers of the moves below the chart.
const AXIS: i32 = 30;
/// The space between games.
const GAP: i32 = 30;
const LEGEND: i32 = 30;
/// Letters in a line of the text below the chart, at the most.
const TEXT_COLUMNS: usize = 110;
/// So many numbers stand below the chart, or fewer.
const MOST_NUMBERS: usize = 16;

/// A game as a chart.
pub(crate) struct GameChart {
    /// Who played.
    pub(crate) title: String,
    pub(crate) subtitle: String,
    /// White's chance to win in percent, of each position from the start on, where it is known.
    pub(crate) chances: Vec<Option<f64>>,
    /// The half-moves that were played before the start, by its move number.
    pub(crate) played_before: usize,
    /// The moves that were wrong, in their order.
    pub(crate) marks: Vec<MoveMark>,
    /// What is said of each player.
    pub(crate) players: [String; 2],
}

/// A move that was wrong.
pub(crate) struct MoveMark {
    /// Which half-move, from 1.
    pub(crate) ply: usize,
    pub(crate) severity: Severity,
    /// The move and what is said of it.
    pub(crate) note: String,
}

/// All charts, one below the other.
pub(crate) fn advantage(games: &[GameChart]) -> String {
    let heights: Vec<i32> = games.iter().map(GameChart::height).collect();
    let gaps = GAP * (games.len() as i32 - 1).max(0);
    let height = PADDING + heights.iter().sum::<i32>() + gaps + LEGEND + PADDING;
    let title = match games {
        [game] => game.title.clone(),
        _ => format!("{} games", games.len()),
    };
    let description = games.iter().map(GameChart::description).collect::<Vec<_>>().join("\n\n");
    let caption = Caption { title: &title, description: &description };
    Svg::picture((WIDTH, height), caption, &style(Theme::Auto), |svg| {
        svg.shape("rect", &[("class", &"paper"), ("width", &WIDTH), ("height", &height)]);
        let mut top = PADDING;
        for (game, height) in games.iter().zip(heights) {
            game.draw(svg, top);
            top += height + GAP;
        }
        legend(svg, top - GAP + LEGEND);
    })
}

impl GameChart {
    fn text(&self) -> Paragraphs {
        Paragraphs::broken(&self.players, TEXT_COLUMNS)
    }

    fn height(&self) -> i32 {
        HEADING + PLOT.1 + AXIS + self.text().height()
    }

    fn draw(&self, svg: &mut Svg, top: i32) {
        svg.written("text", &[("class", &"headline"), ("x", &PADDING), ("y", &(top + 18))], &self.title);
        svg.written("text", &[("class", &"subtitle"), ("x", &PADDING), ("y", &(top + 42))], &self.subtitle);
        let plot = Plot { chances: &self.chances, top: top + HEADING };
        plot.draw(svg);
        self.numbers(svg, &plot);
        for mark in &self.marks {
            if let Some(at) = plot.point(mark.ply) {
                draw_mark(svg, mark.severity, at, Some(&mark.note));
            }
        }
        self.text().draw(svg, (PADDING, plot.top + PLOT.1 + AXIS));
    }

    /// The numbers of the moves, below White's.
    fn numbers(&self, svg: &mut Svg, plot: &Plot<'_>) {
        let last = self.chances.len().saturating_sub(1);
        let step = [5, 10, 20, 50].into_iter().find(|step| last / 2 / step < MOST_NUMBERS).unwrap_or(100);
        let y = plot.top + PLOT.1 + 18;
        for ply in 1..=last {
            let number = (self.played_before + ply).div_ceil(2);
            let is_white = (self.played_before + ply) % 2 == 1;
            if is_white && number.is_multiple_of(step) {
                let x = plot.x(ply);
                svg.written("text", &[("class", &"head middle"), ("x", &x), ("y", &y)], &number.to_string());
            }
        }
    }

    /// Everything that the chart shows, in words.
    fn description(&self) -> String {
        let mut lines = vec![self.title.clone(), self.subtitle.clone()];
        lines.extend(self.players.iter().cloned());
        lines.extend(self.marks.iter().map(|mark| mark.note.clone()));
        lines.join("\n")
    }
}

/// The chances of a game where they are drawn.
struct Plot<'a> {
    chances: &'a [Option<f64>],
    top: i32,
}

impl Plot<'_> {
    fn x(&self, ply: usize) -> f64 {
        let last = self.chances.len().saturating_sub(1).max(1);
        tenths(f64::from(LEFT) + f64::from(PLOT.0) * f64::from(ply as u32) / f64::from(last as u32))
    }

    fn y(&self, percent: f64) -> f64 {
        tenths(f64::from(self.top) + f64::from(PLOT.1) * (1.0 - percent / 100.0))
    }

    /// Where a position stands, if its chance is known.
    fn point(&self, ply: usize) -> Option<(f64, f64)> {
        let percent = (*self.chances.get(ply)?)?;
        Some((self.x(ply), self.y(percent)))
    }

    /// White's share below the curve, and Black's above it.
    fn draw(&self, svg: &mut Svg) {
        let (width, height) = PLOT;
        let bottom = self.top + height;
        svg.shape(
            "rect",
            &[("class", &"unknown"), ("x", &LEFT), ("y", &self.top), ("width", &width), ("height", &height)],
        );
        for run in self.runs() {
            let curve: Vec<String> = run.iter().map(|(x, y)| format!("{x},{y}")).collect();
            let ends = run.first().zip(run.last()).map(|((first, _), (last, _))| (*first, *last));
            let Some((first, last)) = ends else { continue };
            let curve = curve.join(" ");
            for (class, edge) in [("black-share", self.top), ("white-share", bottom)] {
                let points = format_args!("{first},{edge} {curve} {last},{edge}");
                svg.shape("polygon", &[("class", &class), ("points", &points)]);
            }
            svg.shape("polyline", &[("class", &"curve"), ("points", &curve)]);
        }
        for percent in [0, 50, 100] {
            let y = self.y(f64::from(percent));
            let (left, right) = (LEFT, LEFT + width);
            let class = if percent == 50 { "axis" } else { "rule" };
            svg.shape("line", &[("class", &class), ("x1", &left), ("y1", &y), ("x2", &right), ("y2", &y)]);
            let at: (i32, f64) = (LEFT - 8, y + 4.0);
            let label = format!("{percent} %");
            svg.written("text", &[("class", &"head number"), ("x", &at.0), ("y", &at.1)], &label);
        }
    }

    /// The positions of known chances, as far as they follow each other.
    fn runs(&self) -> Vec<Vec<(f64, f64)>> {
        let points: Vec<_> = (0..self.chances.len()).map(|ply| self.point(ply)).collect();
        points.split(Option::is_none).map(|run| run.iter().copied().flatten().collect()).collect()
    }
}

/// What marks mean; each severity has a shape of its own, for those who cannot tell the colours.
fn legend(svg: &mut Svg, y: i32) {
    let mut x = LEFT;
    for (severity, width) in [(Severity::Inaccuracy, 106), (Severity::Mistake, 90), (Severity::Blunder, 90)] {
        draw_mark(svg, severity, (f64::from(x + 6), f64::from(y - 5)), None);
        svg.written("text", &[("class", &"legend"), ("x", &(x + 18)), ("y", &y)], severity.name());
        x += width;
    }
    let words = "Light: White's chance to win. Dark: Black's.";
    svg.written("text", &[("class", &"legend"), ("x", &x), ("y", &y)], words);
}

fn draw_mark(svg: &mut Svg, severity: Severity, (x, y): (f64, f64), note: Option<&str>) {
    let (class, corners): (_, &[(i32, i32)]) = match severity {
        Severity::Inaccuracy => ("mark inaccuracy", &[]),
        Severity::Mistake => ("mark mistake", &[(0, -6), (6, 0), (0, 6), (-6, 0)]),
        Severity::Blunder => ("mark blunder", &[(-5, -5), (5, -5), (5, 5), (-5, 5)]),
    };
    svg.group("g", &[("class", &class)], |svg| {
        if let Some(note) = note {
            svg.written("title", &[], note);
        }
        if corners.is_empty() {
            svg.shape("circle", &[("cx", &x), ("cy", &y), ("r", &4.5)]);
        } else {
            let corner = |(dx, dy): &(i32, i32)| {
                format!("{},{}", tenths(x + f64::from(*dx)), tenths(y + f64::from(*dy)))
            };
            let points = corners.iter().map(corner).collect::<Vec<_>>().join(" ");
            svg.shape("polygon", &[("points", &points)]);
        }
    });
}

fn tenths(length: f64) -> f64 {
    (length * 10.0).round() / 10.0
}
