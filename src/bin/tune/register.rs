//! What the tuner knows of the engine's weights: their order, their names, what may be chosen by name.

use centipawn::engine::weights::{FITTED, Feature, TEXTBOOK, TUNED, Term, Unit, Weights, danger};

use super::model::{Curve, Pair};

/// King danger's curve, as the engine has it.
pub(crate) const CURVE: Curve =
    Curve { middlegame_divisor: danger::MG_DIVISOR as f64, endgame_divisor: danger::EG_DIVISOR as f64 };

/// The weights that the tuner last wrote, in the order of the flat table.
pub(crate) fn fitted() -> Vec<Pair> {
    pairs(&FITTED)
}

/// The same, scaled as the engine plays with them.
pub(crate) fn played() -> Vec<Pair> {
    pairs(&TUNED)
}

/// The textbook's weights; 0 where textbooks have none.
pub(crate) fn textbook() -> Vec<Pair> {
    pairs(&TEXTBOOK)
}

/// The places of a feature's weights in the flat table.
pub(crate) fn places(feature: Feature) -> std::ops::Range<usize> {
    feature.index(0)..feature.index(feature.slots())
}

/// Whether a feature counts units of king danger.
pub(crate) fn is_danger(feature: Feature) -> bool {
    feature.unit() == Unit::Danger
}

/// The features of a name in the API: one feature, or all of a term.
pub(crate) fn named(name: &str) -> Result<Vec<Feature>, String> {
    let features: Vec<_> = Feature::ALL
        .into_iter()
        .filter(|feature| feature.name() == name || feature.term().id() == name)
        .collect();
    if features.is_empty() { Err(format!("no feature and no term is called `{name}`")) } else { Ok(features) }
}

/// The places of a term's weights in the flat table.
pub(crate) fn places_of_term(term: Term) -> impl Iterator<Item = usize> {
    Feature::ALL.into_iter().filter(move |feature| feature.term() == term).flat_map(places)
}

fn pairs(weights: &Weights) -> Vec<Pair> {
    weights.row().iter().map(|weight| [f64::from(weight.mg()), f64::from(weight.eg())]).collect()
}
