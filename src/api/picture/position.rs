//! A position as a picture.

use super::board::{Arrow, BOARD, Board, MARGIN, Overlay};
use super::style::{Theme, style};
use super::svg::{Caption, Svg};
use super::worth::name_of;
use crate::engine::chess::{Color, FenStyle, Position, Square, Status, fen};

/// The frame of a board without coordinates.
const FRAME: i32 = 8;

/// What the picture shows.
pub(crate) struct PositionPicture<'a> {
    pub(crate) position: &'a Position,
    pub(crate) status: Status,
    /// The side that sits at the bottom.
    pub(crate) bottom: Color,
    pub(crate) last_move: Option<[Square; 2]>,
    pub(crate) arrows: &'a [Arrow],
    pub(crate) theme: Theme,
    pub(crate) coordinates: bool,
}

impl PositionPicture<'_> {
    /// The picture as SVG.
    pub(crate) fn draw(&self) -> String {
        let position = self.position;
        let overlay = Overlay {
            last_move: self.last_move,
            check: position.in_check().then(|| position.king(position.turn())),
            arrows: self.arrows,
            coordinates: self.coordinates,
        };
        let marks = [const { None }; 64];
        let board = Board { position, bottom: self.bottom, marks: &marks, overlay };
        let (left, below) = if self.coordinates { (MARGIN, MARGIN) } else { (FRAME, FRAME) };
        let (width, height) = (left + BOARD + FRAME, FRAME + BOARD + below);
        let (title, description) = (self.title(), self.description());
        let caption = Caption { title: &title, description: &description };
        Svg::picture((width, height), caption, &style(self.theme), |svg| {
            svg.shape("rect", &[("class", &"paper"), ("width", &width), ("height", &height), ("rx", &4)]);
            board.draw(svg, (left, FRAME));
        })
    }

    /// Whose move it is, or how the game ended.
    fn title(&self) -> String {
        let turn = self.position.turn();
        match self.status {
            Status::Checkmate => format!("Checkmate: {} has won", (!turn).name()),
            Status::Stalemate => "Stalemate".to_owned(),
            _ if self.status.is_over() => "Drawn".to_owned(),
            _ if self.position.in_check() => format!("{} to move, in check", turn.name()),
            _ => format!("{} to move", turn.name()),
        }
    }

    /// Everything on the board, in words.
    fn description(&self) -> String {
        let mut lines = vec![fen::format(self.position, FenStyle::XFen)];
        for color in [Color::White, Color::Black] {
            let pieces: Vec<_> = self
                .position
                .by_color(color)
                .into_iter()
                .map(|square| name_of(self.position, square))
                .collect();
            lines.push(format!("{}.", pieces.join(", ")));
        }
        lines.extend(self.last_move.map(|[from, to]| format!("Last move: {from} to {to}.")));
        lines.extend(self.arrows.iter().map(|arrow| {
            let Arrow { from, to, paint } = arrow;
            let paint = paint.name();
            if from == to {
                format!("A {paint} ring around {from}.")
            } else {
                format!("A {paint} arrow from {from} to {to}.")
            }
        }));
        lines.join("\n")
    }
}
