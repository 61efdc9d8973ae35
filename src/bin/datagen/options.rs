//! The command line.

use std::path::PathBuf;

use clap::Parser;

/// Plays games of the engine against itself and writes their quiet positions, for `tune` and for the win model.
///
/// A line is `FEN | cp | result | game`: what the search said and the points, both White's, and the game's key in
/// hexadecimal digits; `benches/label.py` has another engine say what they are worth instead. Left out are positions in
/// check, positions whose best move captures or promotes, and those of the opening's random moves. The same options write
/// the same file on every machine.
#[derive(Clone, Debug, Parser)]
#[command(name = "datagen", max_term_width = 110)]
pub(crate) struct Options {
    /// Where the positions are written
    pub(crate) output: PathBuf,

    /// How many games
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) games: u64,

    /// Positions that each search may visit
    #[arg(long, default_value_t = 3000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) nodes: u64,

    /// A file with one FEN or EPD a line, to begin from one of them by lot; the start position otherwise
    #[arg(long)]
    pub(crate) openings: Option<PathBuf>,

    /// Moves by lot before the game begins
    #[arg(long, default_value_t = 8, value_name = "PLIES")]
    pub(crate) random: u32,

    /// The most that either side may be ahead when the game begins, in centipawns
    #[arg(long, default_value_t = 150, value_name = "CENTIPAWNS")]
    pub(crate) balance: i32,

    /// Writes leaves instead: where the main lines of short searches end, from the positions of the games and from those
    /// after up to two moves by lot; cp is what the search said
    #[arg(long)]
    pub(crate) leaves: bool,

    /// Decides all lots
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
}

#[cfg(test)]
mod tests {
    use super::Options;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_sound() {
        Options::command().debug_assert();
    }
}
