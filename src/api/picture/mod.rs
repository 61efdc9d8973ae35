//! Pictures: SVG with pieces of our own drawing, without fonts for them and without anything from outside.
//!
//! [`board`] and [`pieces`] draw any position, alone it is a [`position`]; [`bars`] and [`worth`] are about a breakdown, which [`breakdown`] puts
//! together; [`advantage`] is the course of games. Readers see it in light and dark ([`style`]); those who cannot see it have title, description and notes.

mod advantage;
mod bars;
mod board;
mod breakdown;
mod paragraphs;
mod pieces;
mod position;
mod style;
mod svg;
mod worth;

pub(crate) use advantage::{GameChart, MoveMark, advantage};
pub(crate) use board::{Arrow, Paint};
pub(crate) use breakdown::BreakdownPicture;
pub(crate) use pieces::symbols;
pub(crate) use position::PositionPicture;
pub(crate) use style::Theme;
