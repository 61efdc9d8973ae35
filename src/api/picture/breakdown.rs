//! A breakdown as a picture: the board with what each piece is worth beyond its material, and a bar for each term.

use super::bars::{Bars, Row, WIDTH as TABLE};
use super::board::{BOARD, Board, Heat, MARGIN, Mark, Overlay, heat_sample};
use super::paragraphs::Paragraphs;
use super::style::{Theme, style};
use super::svg::{Caption, Svg};
use super::worth::{PieceWorth, name_of, piece_worths};
use crate::engine::chess::{Color, FenStyle, fen};
use crate::engine::eval::breakdown::{Breakdown, TermLine, pawns};

/// The empty frame around everything.
const PADDING: i32 = 24;
/// The heading above the board.
const HEADING: i32 = 66;
/// The space between board and table.
const GAP: i32 = 28;
/// The legend below the board, coordinates included.
const LEGEND: i32 = MARGIN + 48;
const WIDTH: i32 = PADDING + MARGIN + BOARD + GAP + TABLE + PADDING;

/// Letters in a line below the table, at the most.
const TEXT_COLUMNS: usize = 60;

/// From this many centipawns on a square has the strongest colour.
const STRONGEST_CP: u32 = 60;
/// Colours reach this share of the full colour, in percent, so that the piece stays visible.
const STRONGEST_PERCENT: u32 = 72;

/// What the picture shows.
pub(crate) struct BreakdownPicture<'a> {
    pub(crate) breakdown: &'a Breakdown,
    /// The side that sits at the bottom and whose sign the numbers carry.
    pub(crate) viewer: Color,
    /// What the picture is of, below the verdict.
    pub(crate) subtitle: &'a str,
}

impl BreakdownPicture<'_> {
    /// The picture as SVG.
    pub(crate) fn draw(&self) -> String {
        let rows: Vec<Row> = self.breakdown.terms.iter().map(|line| self.row(line)).collect();
        let bars = Bars { rows: &rows, cp: self.breakdown.cp * self.viewer.sign(), viewer: self.viewer };
        let marks = self.marks();
        let overlay = Overlay { coordinates: true, ..Overlay::default() };
        let board = Board { position: &self.breakdown.position, bottom: self.viewer, marks: &marks, overlay };
        let summary = self.breakdown.summary(self.viewer);
        let (title, reasons) =
            summary.split_first().map_or(("", &[][..]), |(verdict, rest)| (verdict.as_str(), rest));
        let description = self.description(&summary, &rows);
        let text = Paragraphs::broken(reasons, TEXT_COLUMNS);
        let table = bars.height() + GAP + text.height();
        let height = PADDING + HEADING + (BOARD + LEGEND).max(table) + PADDING;
        let caption = Caption { title, description: &description };
        Svg::picture((WIDTH, height), caption, &style(Theme::Auto), |svg| {
            svg.shape("rect", &[("class", &"paper"), ("width", &WIDTH), ("height", &height)]);
            let (left, top) = (PADDING + MARGIN, PADDING + HEADING);
            heading(svg, title, self.subtitle);
            board.draw(svg, (left, top));
            legend(svg, (left, top + BOARD + MARGIN));
            let right = left + BOARD + GAP;
            bars.draw(svg, (right, top));
            text.draw(svg, (right + 6, top + bars.height() + GAP));
        })
    }

    /// The shares of a term; they are the entries of each side, so that they and the result agree to the centipawn.
    fn row(&self, line: &TermLine) -> Row {
        let share = |side: Color| {
            let own = line.features.iter().filter(|entry| entry.side == side);
            own.map(|entry| entry.cp * side.sign()).sum()
        };
        Row {
            title: line.term.title(),
            white: share(Color::White),
            black: share(Color::Black),
            cp: line.cp * self.viewer.sign(),
        }
    }

    fn marks(&self) -> [Option<Mark>; 64] {
        let mut worths = piece_worths(self.breakdown);
        let mut marks: [Option<Mark>; 64] = std::array::from_fn(|_| None);
        for square in self.breakdown.position.occupied() {
            let worth = worths[square.index()].take();
            marks[square.index()] =
                worth.map(|worth| mark(&worth, &name_of(&self.breakdown.position, square)));
        }
        marks
    }

    /// Everything that the picture shows, in words.
    fn description(&self, summary: &[String], rows: &[Row]) -> String {
        let mut lines = vec![self.subtitle.to_owned(), fen::format(&self.breakdown.position, FenStyle::XFen)];
        lines.extend(summary.iter().cloned());
        lines.extend(rows.iter().map(|row| {
            let Row { title, white, black, cp } = row;
            format!("{title}: White {}, Black {}, together {}.", pawns(*white), pawns(*black), pawns(*cp))
        }));
        lines.join("\n")
    }
}

fn mark(worth: &PieceWorth<'_>, name: &str) -> Mark {
    let percent = worth.cp.unsigned_abs().min(STRONGEST_CP) * STRONGEST_PERCENT / STRONGEST_CP;
    let heat = if worth.cp < 0 { Heat::Bad(percent) } else { Heat::Good(percent) };
    let sum = format!("{name}: {} beyond its material", pawns(worth.cp));
    let reasons = worth.reasons.iter().filter(|(_, cp)| *cp != 0);
    let reasons = reasons.map(|(entry, cp)| format!("{} {}", pawns(*cp), entry.text));
    let note = [sum].into_iter().chain(reasons).collect::<Vec<_>>().join("\n");
    Mark { heat, label: pawns(worth.cp), note }
}

fn heading(svg: &mut Svg, title: &str, subtitle: &str) {
    let left = PADDING + MARGIN;
    svg.written("text", &[("class", &"headline"), ("x", &left), ("y", &(PADDING + 18))], title);
    svg.written("text", &[("class", &"subtitle"), ("x", &left), ("y", &(PADDING + 42))], subtitle);
}

/// What colours and numbers mean.
fn legend(svg: &mut Svg, (x, y): (i32, i32)) {
    let samples = [
        (0, Heat::Bad(STRONGEST_PERCENT)),
        (1, Heat::Bad(STRONGEST_PERCENT / 2)),
        (2, Heat::Good(STRONGEST_PERCENT / 2)),
        (3, Heat::Good(STRONGEST_PERCENT)),
    ];
    for (index, heat) in samples {
        heat_sample(svg, heat, (x + index * 22, y + 8));
    }
    let words = [
        "Colour and number: what a piece adds beyond its material,",
        "in pawns, for its owner; orange hurts, blue helps.",
    ];
    for (line, words) in (0..).zip(words) {
        let at = (x + 100, y + 16 + line * 19);
        svg.written("text", &[("class", &"legend"), ("x", &at.0), ("y", &at.1)], words);
    }
}
