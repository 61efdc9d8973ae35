//! The terms of a breakdown as a table with a bar for each.

use super::svg::Svg;
use crate::engine::chess::Color;
use crate::engine::eval::breakdown::pawns;

/// The width of the table.
pub(super) const WIDTH: i32 = 436;

/// The height of a row.
const ROW: i32 = 25;
/// Where the columns of White's and Black's shares and of the result end.
const WHITE_END: i32 = 200;
const BLACK_END: i32 = 264;
const CP_END: i32 = WIDTH - 4;
/// The axis of the bars, and how far they reach to either side.
const AXIS: i32 = 322;
const REACH: i32 = 48;
/// The longest bar stands for this many centipawns at least, so that trifles look like trifles.
const LEAST_SCALE: i32 = 50;

/// A row of the table. Shares are in centipawns, each good for its owner; `cp` is from the reader's point of view.
pub(super) struct Row {
    pub(super) title: &'static str,
    pub(super) white: i32,
    pub(super) black: i32,
    pub(super) cp: i32,
}

/// The table: a row for each term, and what they add up to.
pub(super) struct Bars<'a> {
    pub(super) rows: &'a [Row],
    pub(super) cp: i32,
    /// The side for which a positive `cp` is good.
    pub(super) viewer: Color,
}

impl Bars<'_> {
    /// The height of the whole table.
    pub(super) fn height(&self) -> i32 {
        ROW * (self.rows.len() as i32 + 2) + 12
    }

    /// Draws the table with its upper left corner at (`x`, `y`).
    pub(super) fn draw(&self, svg: &mut Svg, (x, y): (i32, i32)) {
        let line = |row: i32| y + row * ROW + 17;
        let result = match self.viewer {
            Color::White => "For White",
            Color::Black => "For Black",
        };
        for (end, title) in [(WHITE_END, "White"), (BLACK_END, "Black"), (CP_END, result)] {
            text(svg, "head number", (x + end, line(0)), title);
        }
        text(svg, "head", (x + 6, line(0)), "Term");
        let most = self.rows.iter().map(|row| row.cp.abs()).chain([self.cp.abs(), LEAST_SCALE]).max();
        let scale = most.unwrap_or(LEAST_SCALE);
        for (index, row) in (1..).zip(self.rows) {
            if index % 2 == 1 {
                let top = y + index * ROW;
                svg.shape(
                    "rect",
                    &[("class", &"stripe"), ("x", &x), ("y", &top), ("width", &WIDTH), ("height", &ROW)],
                );
            }
            draw_row(svg, row, (x, line(index)), scale);
        }
        let end = self.rows.len() as i32 + 1;
        let top = y + end * ROW + 4;
        rule(svg, "rule", [x, top, x + WIDTH, top]);
        rule(svg, "axis", [x + AXIS, y + ROW, x + AXIS, y + end * ROW + 8 + ROW]);
        text(svg, "total", (x + 6, line(end) + 6), "Total");
        text(svg, "total number", (x + CP_END, line(end) + 6), &pawns(self.cp));
        bar(svg, self.cp, (x + AXIS, line(end) + 6), scale);
    }
}

fn draw_row(svg: &mut Svg, row: &Row, (x, y): (i32, i32), scale: i32) {
    let quiet = [row.white, row.black, row.cp] == [0; 3];
    let (class, number) = if quiet { ("row silent", "row number silent") } else { ("row", "row number") };
    text(svg, class, (x + 6, y), row.title);
    for (end, cp) in [(WHITE_END, row.white), (BLACK_END, row.black)] {
        text(svg, number, (x + end, y), &pawns(cp));
    }
    text(svg, number, (x + CP_END, y), &pawns(row.cp));
    bar(svg, row.cp, (x + AXIS, y), scale);
}

/// A bar from the axis: to the right for what is good, to the left for what is bad.
fn bar(svg: &mut Svg, cp: i32, (axis, y): (i32, i32), scale: i32) {
    if cp == 0 {
        return;
    }
    let width = (cp.abs() * REACH / scale).max(1);
    let (class, left) = if cp > 0 { ("bar good", axis) } else { ("bar bad", axis - width) };
    let (top, height) = (y - 11, 13);
    svg.shape(
        "rect",
        &[("class", &class), ("x", &left), ("y", &top), ("width", &width), ("height", &height), ("rx", &2)],
    );
}

fn rule(svg: &mut Svg, class: &str, [x1, y1, x2, y2]: [i32; 4]) {
    svg.shape("line", &[("class", &class), ("x1", &x1), ("y1", &y1), ("x2", &x2), ("y2", &y2)]);
}

fn text(svg: &mut Svg, class: &str, (x, y): (i32, i32), words: &str) {
    svg.written("text", &[("class", &class), ("x", &x), ("y", &y)], words);
}
