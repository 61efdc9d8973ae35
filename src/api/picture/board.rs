//! A board: squares, pieces, coordinates, and marks on the squares.

use super::pieces;
use super::svg::Svg;
use crate::engine::chess::{Color, Position, Square};

/// The side of a square.
pub(super) const SQUARE: i32 = 72;
/// The side of the eight by eight squares.
pub(super) const BOARD: i32 = 8 * SQUARE;
/// The strip below and left of the squares that the coordinates stand in.
pub(super) const MARGIN: i32 = 24;

/// The side of a piece; below it a label has room.
const PIECE: i32 = 58;
/// The strip at the lower edge of a square that holds its label.
const LABEL: i32 = 15;

/// What is to be drawn.
pub(super) struct Board<'a> {
    pub(super) position: &'a Position,
    /// The side whose first rank is at the bottom.
    pub(super) bottom: Color,
    /// By square: what is said of the piece there.
    pub(super) marks: &'a [Option<Mark>; 64],
    pub(super) overlay: Overlay<'a>,
}

/// What is drawn beside the pieces.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Overlay<'a> {
    /// The squares of the last move.
    pub(super) last_move: Option<[Square; 2]>,
    /// The king that is in check.
    pub(super) check: Option<Square>,
    pub(super) arrows: &'a [Arrow],
    /// The names of files and ranks.
    pub(super) coordinates: bool,
}

/// An arrow from the middle of a square to that of another, or a ring in one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Arrow {
    pub(crate) from: Square,
    pub(crate) to: Square,
    pub(crate) paint: Paint,
}

/// The colour of an arrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Paint {
    Green,
    Red,
    Yellow,
    Blue,
}

impl Paint {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Green => "green",
            Self::Red => "red",
            Self::Yellow => "yellow",
            Self::Blue => "blue",
        }
    }
}

/// What is said of a piece.
#[derive(Clone, Debug)]
pub(super) struct Mark {
    pub(super) heat: Heat,
    /// A short text below the piece.
    pub(super) label: String,
    /// What a pointer over the square brings up.
    pub(super) note: String,
}

/// The colour of a square: how good or bad, in percent of the strongest colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heat {
    Good(u32),
    Bad(u32),
}

impl Board<'_> {
    /// Draws the board with the upper left corner of its squares at (`x`, `y`), coordinates left of it and below it.
    pub(super) fn draw(&self, svg: &mut Svg, (x, y): (i32, i32)) {
        for square in Square::all() {
            let corner = self.corner(square, (x, y));
            svg.group("g", &[], |svg| self.square(svg, square, corner));
        }
        for arrow in self.overlay.arrows {
            let [from, to] = [arrow.from, arrow.to].map(|square| {
                let (x, y) = self.corner(square, (x, y));
                (x + SQUARE / 2, y + SQUARE / 2)
            });
            draw_arrow(svg, from, to, arrow.paint);
        }
        if self.overlay.coordinates {
            self.coordinates(svg, (x, y));
        }
    }

    fn coordinates(&self, svg: &mut Svg, (x, y): (i32, i32)) {
        for step in 0..8_u8 {
            let index = if self.bottom == Color::White { step } else { 7 - step };
            let (file, rank) = (char::from(b'a' + index), char::from(b'1' + index));
            let offset = i32::from(step) * SQUARE + SQUARE / 2;
            let below = [x + offset, y + BOARD + 17];
            coordinate(svg, below, file);
            coordinate(svg, [x - MARGIN / 2, y + BOARD - offset + 5], rank);
        }
    }

    fn corner(&self, square: Square, (x, y): (i32, i32)) -> (i32, i32) {
        let (file, rank) = (square.file().index() as i32, square.rank().index() as i32);
        let (column, row) = if self.bottom == Color::White { (file, 7 - rank) } else { (7 - file, rank) };
        (x + column * SQUARE, y + row * SQUARE)
    }

    fn square(&self, svg: &mut Svg, square: Square, (x, y): (i32, i32)) {
        let mark = self.marks[square.index()].as_ref();
        if let Some(mark) = mark {
            svg.written("title", &[], &mark.note);
        }
        let class = if square.is_light() { "light-square" } else { "dark-square" };
        svg.shape(
            "rect",
            &[("class", &class), ("x", &x), ("y", &y), ("width", &SQUARE), ("height", &SQUARE)],
        );
        let moved = self.overlay.last_move.is_some_and(|squares| squares.contains(&square));
        for (class, shown) in [("last-move", moved), ("check", self.overlay.check == Some(square))] {
            if shown {
                svg.shape(
                    "rect",
                    &[("class", &class), ("x", &x), ("y", &y), ("width", &SQUARE), ("height", &SQUARE)],
                );
            }
        }
        if let Some(mark) = mark {
            colour(svg, mark.heat, (x, y), SQUARE);
        }
        if let Some(piece) = self.position.piece_at(square) {
            let top = if mark.is_some() { 0 } else { (SQUARE - PIECE) / 2 };
            pieces::draw(svg, piece, (x + (SQUARE - PIECE) / 2, y + top), PIECE);
        }
        if let Some(mark) = mark {
            label(svg, &mark.label, (x, y));
        }
    }
}

/// A small field in the colour of a heat, for a legend.
pub(super) fn heat_sample(svg: &mut Svg, heat: Heat, at: (i32, i32)) {
    colour(svg, heat, at, 20);
}

/// Lays the colour of a heat over a square of this size.
fn colour(svg: &mut Svg, heat: Heat, (x, y): (i32, i32), size: i32) {
    let (class, percent) = match heat {
        Heat::Good(percent) => ("good", percent),
        Heat::Bad(percent) => ("bad", percent),
    };
    let opacity = format!("{}.{:02}", percent / 100, percent % 100);
    svg.shape(
        "rect",
        &[
            ("class", &class),
            ("fill-opacity", &opacity),
            ("x", &x),
            ("y", &y),
            ("width", &size),
            ("height", &size),
        ],
    );
}

/// Writes a label at the lower edge of a square.
fn label(svg: &mut Svg, words: &str, (x, y): (i32, i32)) {
    let (left, top, width) = (x + 11, y + SQUARE - LABEL - 1, SQUARE - 22);
    svg.shape(
        "rect",
        &[("class", &"pill"), ("x", &left), ("y", &top), ("width", &width), ("height", &LABEL), ("rx", &4)],
    );
    let (middle, line) = (x + SQUARE / 2, y + SQUARE - 4);
    svg.written("text", &[("class", &"label"), ("x", &middle), ("y", &line)], words);
}

fn coordinate(svg: &mut Svg, [x, y]: [i32; 2], name: char) {
    svg.written("text", &[("class", &"coordinate"), ("x", &x), ("y", &y)], &name.to_string());
}

/// The half width of an arrow's shaft, and of its head; and how long the head is.
const SHAFT: f64 = 6.0;
const HEAD: f64 = 19.0;
const HEAD_LENGTH: f64 = 30.0;
/// An arrow begins so far from the middle of its square.
const START: f64 = 20.0;

/// Draws an arrow between two points, or a ring where they are one.
fn draw_arrow(svg: &mut Svg, from: (i32, i32), to: (i32, i32), paint: Paint) {
    if from == to {
        let class = format!("arrow ring {}", paint.name());
        svg.shape("circle", &[("class", &class), ("cx", &from.0), ("cy", &from.1), ("r", &(SQUARE / 2 - 4))]);
        return;
    }
    let (dx, dy) = (f64::from(to.0 - from.0), f64::from(to.1 - from.1));
    let length = dx.hypot(dy);
    // Along the arrow and across it, from its beginning.
    let corner = |along: f64, across: f64| {
        let (along, across) = (along / length, across / length);
        let x = f64::from(from.0) + dx * along - dy * across;
        let y = f64::from(from.1) + dy * along + dx * across;
        format!("{x:.1},{y:.1}")
    };
    let neck = length - HEAD_LENGTH;
    let outline = [
        corner(START, -SHAFT),
        corner(neck, -SHAFT),
        corner(neck, -HEAD),
        corner(length, 0.0),
        corner(neck, HEAD),
        corner(neck, SHAFT),
        corner(START, SHAFT),
    ];
    let class = format!("arrow tip {}", paint.name());
    svg.shape("polygon", &[("class", &class), ("points", &outline.join(" "))]);
}
