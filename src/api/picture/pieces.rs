//! The pieces, drawn for this service from a few lines and curves on a field of 100 by 100.

use super::svg::Svg;
use crate::engine::chess::{Color, Piece, PieceKind};

/// The side of the field that a piece is drawn on.
pub(super) const FIELD: i32 = 100;

/// The foot that all pieces stand on.
const FOOT: &str = "M26 78H74Q80 78 80 84V90H20V84Q20 78 26 78Z";

/// What a piece is made of, from back to front.
struct Shape {
    /// Outlines, filled with the colour of the piece.
    bodies: &'static [&'static str],
    /// Lines on the body.
    lines: &'static str,
}

/// All pieces as symbols for an HTML page, each named after what it shows: `white-knight`. How they look is up to the
/// page's style sheet, by the classes `white-piece`, `black-piece` and `line`.
pub(crate) fn symbols() -> String {
    Svg::fragment(|svg| {
        svg.group("svg", &[("width", &0), ("height", &0), ("aria-hidden", &"true")], |svg| {
            for piece in Piece::ALL {
                let id = format!("{}-{}", piece.color().name(), piece.kind().name()).to_lowercase();
                let field = format!("0 0 {FIELD} {FIELD}");
                svg.group("symbol", &[("id", &id), ("viewBox", &field)], |svg| {
                    draw(svg, piece, (0, 0), FIELD);
                });
            }
        });
    })
}

/// Draws a piece with the upper left corner of its field at (`x`, `y`), in this size.
pub(super) fn draw(svg: &mut Svg, piece: Piece, (x, y): (i32, i32), size: i32) {
    let Shape { bodies, lines } = shape(piece.kind());
    let class = match piece.color() {
        Color::White => "white-piece",
        Color::Black => "black-piece",
    };
    let (whole, hundredths) = (size / FIELD, size % FIELD);
    let transform = format!("translate({x} {y}) scale({whole}.{hundredths:02})");
    svg.group("g", &[("class", &class), ("transform", &transform)], |svg| {
        for body in bodies {
            svg.shape("path", &[("d", body)]);
        }
        svg.shape("path", &[("d", &FOOT)]);
        if !lines.is_empty() {
            svg.shape("path", &[("class", &"line"), ("d", &lines)]);
        }
    });
}

const fn shape(kind: PieceKind) -> Shape {
    match kind {
        PieceKind::Pawn => Shape {
            bodies: &[
                "M41 46H59Q58 64 70 79H30Q42 64 41 46Z",
                "M36 44Q36 40 40 40H60Q64 40 64 44T60 48H40Q36 48 36 44Z",
                "M36 27A14 14 0 1 1 64 27A14 14 0 1 1 36 27Z",
            ],
            lines: "",
        },
        PieceKind::Knight => Shape {
            bodies: &[
                "M33 79Q32 62 49 47Q40 51 33 52Q30 60 23 60Q14 58 17 48Q26 36 32 24L33 8L44 17Q76 20 74 58Q73 70 70 79Z",
            ],
            lines: "M36 32H38M23 52L25 50M58 26Q68 36 66 58",
        },
        PieceKind::Bishop => Shape {
            bodies: &[
                "M40 64H60Q62 73 70 79H30Q38 73 40 64Z",
                "M50 16Q76 36 66 56Q62 64 50 64T34 56Q24 36 50 16Z",
                "M43 13A7 7 0 1 1 57 13A7 7 0 1 1 43 13Z",
            ],
            lines: "M50 32V52M41 41H59",
        },
        PieceKind::Rook => Shape {
            bodies: &["M35 44H65L70 79H30Z", "M26 14H37V23H45V14H55V23H63V14H74V38L66 46H34L26 38Z"],
            lines: "M38 56H62",
        },
        PieceKind::Queen => Shape {
            bodies: &[
                "M27 79L13 32L31 52L33 22L45 48L50 17L55 48L67 22L69 52L87 32L73 79Z",
                "M7 28A6 6 0 1 1 19 28A6 6 0 1 1 7 28Z",
                "M27 18A6 6 0 1 1 39 18A6 6 0 1 1 27 18Z",
                "M44 12A6 6 0 1 1 56 12A6 6 0 1 1 44 12Z",
                "M61 18A6 6 0 1 1 73 18A6 6 0 1 1 61 18Z",
                "M81 28A6 6 0 1 1 93 28A6 6 0 1 1 81 28Z",
            ],
            lines: "M30 68H70",
        },
        PieceKind::King => Shape {
            bodies: &[
                "M45 44V26H37V17H45V8H55V17H63V26H55V44Z",
                "M28 79Q16 60 16 51Q16 36 32 36Q45 37 50 50Q55 37 68 36Q84 36 84 51Q84 60 72 79Z",
            ],
            lines: "M30 68H70",
        },
    }
}
