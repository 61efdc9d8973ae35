//! `GET /v1/eval-breakdown/terms`: what the evaluation knows, and what each piece of knowledge is worth.

use std::borrow::Cow;
use std::collections::BTreeMap;

use axum::response::Response;
use serde::{Deserialize, Serialize};
use utoipa::openapi::RefOr;
use utoipa::openapi::path::{Parameter, ParameterIn};
use utoipa::{IntoResponses, ToSchema};

use crate::api::fields::{EvaluatorName, query_parameters};
use crate::api::identity::{EngineIdentity, identity};
use crate::api::input::Query;
use crate::api::json;
use crate::api::problem::{Problem, problems};
use crate::api::reply::Weight;
use crate::engine::eval::{Evaluate, Evaluator, EvaluatorKind};
use crate::engine::weights::{Feature, Score, Term, Unit, Weights};

/// Every term of an evaluator.
#[derive(Serialize, ToSchema)]
#[schema(as = TermList)]
pub(crate) struct TermsReply {
    evaluator: EvaluatorName,
    /// The terms, in the order of a breakdown.
    terms: Vec<TermDescription>,
    engine: EngineIdentity,
}

/// A term: a family of features.
#[derive(Serialize, ToSchema)]
pub(crate) struct TermDescription {
    /// Its name in a breakdown.
    #[schema(value_type = String, examples("mobility"))]
    id: &'static str,
    /// Its heading.
    #[schema(value_type = String, examples("Mobility"))]
    title: &'static str,
    /// What it is about.
    #[schema(value_type = String, examples("How many safe squares each piece can go to."))]
    description: &'static str,
    /// The unit of what it adds to a breakdown; that of its weights stands with each feature.
    #[schema(value_type = String, examples("centipawns"))]
    unit: &'static str,
    /// Its features, each with its weights.
    weights: Vec<FeatureDescription>,
}

/// A feature: one reason for which points are given.
#[derive(Serialize, ToSchema)]
pub(crate) struct FeatureDescription {
    /// Its name in a breakdown.
    #[schema(value_type = String, examples("knightMobility"))]
    name: &'static str,
    /// Its heading.
    #[schema(value_type = String, examples("Knight mobility"))]
    title: &'static str,
    /// What it means.
    #[schema(value_type = String, examples("The number of safe squares a knight can go to."))]
    meaning: &'static str,
    /// What the place of a value in the row stands for; null for a single value.
    #[schema(value_type = Option<String>, required = true, examples("safe squares, 0 to 8"))]
    by: Option<&'static str>,
    /// The unit of the values: `centipawns`, or `danger units`, which all that threatens a king collects and which become
    /// centipawns together.
    #[schema(value_type = String, examples("centipawns"))]
    unit: &'static str,
    /// The values: one, or a row of them.
    values: Vec<Weight>,
    /// Where the values come from.
    #[schema(value_type = String, examples("Set by hand for this engine."))]
    source: Cow<'static, str>,
}

/// Whose terms.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct TermsRequest {
    /// By default `full`.
    evaluator: Option<EvaluatorName>,
}

impl utoipa::IntoParams for TermsRequest {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        query_parameters::<Self>()
    }
}

struct TermsProblems;

impl IntoResponses for TermsProblems {
    fn responses() -> BTreeMap<String, RefOr<utoipa::openapi::Response>> {
        problems(&[304, 400, 414, 500])
    }
}

/// The terms of an evaluator
///
/// Each term with its features, what they mean and what they are worth.
#[utoipa::path(
    get, path = "/v1/eval-breakdown/terms", tag = "evaluation", operation_id = "getTerms", params(TermsRequest),
    responses((
            status = 200, description = "The terms.", body = TermsReply,
            headers(("ETag" = String, description = "A strong validator."))
        ), TermsProblems)
)]
pub(crate) async fn get(Query(request): Query<TermsRequest>) -> Result<Response, Problem> {
    json::pure(&TermsReply::new(request.evaluator.unwrap_or_default()))
}

impl TermsReply {
    fn new(name: EvaluatorName) -> Self {
        let evaluator = Evaluator::from(EvaluatorKind::from(name));
        let weights = evaluator.weights();
        let terms = evaluator.terms().iter().map(|term| TermDescription::new(*term, weights)).collect();
        Self { evaluator: name, terms, engine: identity() }
    }
}

impl TermDescription {
    /// A term with those of its features that have a worth in this set of weights.
    fn new(term: Term, weights: &Weights) -> Self {
        let counts = |feature: &Feature| weights.of(*feature).iter().any(|weight| *weight != Score::ZERO);
        let features = Feature::ALL.into_iter().filter(|feature| feature.term() == term).filter(counts);
        Self {
            id: term.id(),
            title: term.title(),
            description: term.description(),
            unit: "centipawns",
            weights: features.map(|feature| FeatureDescription::new(feature, weights)).collect(),
        }
    }
}

impl FeatureDescription {
    fn new(feature: Feature, weights: &Weights) -> Self {
        Self {
            name: feature.name(),
            title: feature.title(),
            meaning: feature.meaning(),
            by: Some(feature.slot()).filter(|slot| !slot.is_empty()),
            unit: match feature.unit() {
                Unit::Points => "centipawns",
                Unit::Danger => "danger units",
            },
            values: weights.of(feature).iter().map(|weight| Weight::from(*weight)).collect(),
            source: weights.source(feature),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Feature, FeatureDescription};
    use crate::engine::weights::TUNED;

    #[test]
    fn weights_carry_the_unit_of_their_feature() {
        for (feature, unit) in [(Feature::KingShelter, "centipawns"), (Feature::SafeCheck, "danger units")] {
            assert_eq!(FeatureDescription::new(feature, &TUNED).unit, unit, "{feature:?}");
        }
    }
}
