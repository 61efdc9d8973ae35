//! The position from which a game starts, as its tags say.

use super::error::Fault;
use super::record::{Notice, Tags};
use crate::engine::chess::{Fen, Game, Position, Variant};

/// Whether the tag `Variant` names rules that are known here.
#[must_use]
pub fn is_supported_variant(name: &str) -> bool {
    variant(name, Variant::Standard).is_some()
}

/// The game before its first move. `variant` holds where no tag names another one.
///
/// # Errors
/// [`Fault::Variant`] and [`Fault::Fen`].
pub(super) fn start(tags: &Tags, default: Variant) -> Result<(Game, Vec<Notice>), Fault> {
    let name = tags.get("Variant").unwrap_or_default();
    let variant = variant(name, default).ok_or_else(|| Fault::Variant(name.to_owned()))?;
    let fen = tags.get("FEN").filter(|_| tags.get("SetUp") != Some("0"));
    let Some(fen) = fen.map(str::trim).filter(|fen| !fen.is_empty()) else {
        return Ok((Game::with_variant(Position::start(), variant), Vec::new()));
    };
    let read = Fen::parse(fen, variant).map_err(Fault::Fen)?;
    // Not every program names the variant: Lichess says "From Position".
    let (read, variant, taken) = match read.as_chess960(fen) {
        Some(other) => (other, Variant::Chess960, Some(Notice::TakenAsChess960)),
        None => (read, variant, None),
    };
    let notices = read.warnings.into_iter().map(Notice::Fen).chain(taken).collect();
    Ok((Game::with_variant(read.position, variant), notices))
}

fn variant(name: &str, default: Variant) -> Option<Variant> {
    let letters = name.chars().filter(|letter| letter.is_alphanumeric());
    match letters.flat_map(char::to_lowercase).collect::<String>().as_str() {
        "" | "chess" | "fromposition" => Some(default),
        "standard" | "standardchess" | "normal" | "classical" => Some(Variant::Standard),
        "chess960" | "960" | "fischerandom" | "fischerrandom" | "fischerandomchess"
        | "fischerrandomchess" | "frc" | "dfrc" | "freestyle" | "freestylechess" => Some(Variant::Chess960),
        _ => None,
    }
}
