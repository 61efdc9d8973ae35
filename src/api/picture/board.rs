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
