//! `GET /v1/eval-breakdown/terms`: what the evaluation knows, and what each piece of knowledge is worth.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use axum::body::Bytes;
use axum::response::Response;
use serde::Serialize;
use utoipa::openapi::RefOr;
use utoipa::{IntoResponses, ToSchema};

use crate::api::identity::identity;
use crate::api::json;
use crate::api::problem::{Problem, problems};
use crate::api::reply::{EngineIdentity, Weight};
use crate::engine::weights::{Feature, Score, TUNED, Term};

/// Every term of the evaluation.
#[derive(Serialize, ToSchema)]
#[schema(as = Terms)]
pub(crate) struct TermsReply {
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
    /// The unit of its weights.
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
    /// The values: one, or a row of them.
    values: Vec<Weight>,
    /// Where the values come from.
    #[schema(value_type = String, examples("Set by hand for this engine."))]
    source: &'static str,
}

struct TermsProblems;

impl IntoResponses for TermsProblems {
    fn responses() -> BTreeMap<String, RefOr<utoipa::openapi::Response>> {
        problems(&[500])
    }
}

/// The terms of the evaluation
///
/// Each term with its features, what they mean and what they are worth.
#[utoipa::path(
    get, path = "/v1/eval-breakdown/terms", tag = "evaluation", operation_id = "getTerms",
    responses((status = 200, description = "The terms.", body = TermsReply), TermsProblems)
)]
pub(crate) async fn get() -> Result<Response, Problem> {
    static REPLY: LazyLock<Result<Bytes, Problem>> = LazyLock::new(|| json::bytes(&TermsReply::new()));
    REPLY.clone().map(json::from_bytes)
}

impl TermsReply {
    fn new() -> Self {
        Self { terms: Term::ALL.into_iter().map(TermDescription::from).collect(), engine: identity() }
    }
}

impl From<Term> for TermDescription {
    fn from(term: Term) -> Self {
        let counts = |feature: Feature| TUNED.of(feature).iter().any(|weight| *weight != Score::ZERO);
        let features = Feature::ALL.into_iter().filter(|feature| feature.term() == term && counts(*feature));
        Self {
            id: term.id(),
            title: term.title(),
            description: term.description(),
            unit: "centipawns",
            weights: features.map(FeatureDescription::from).collect(),
        }
    }
}

impl From<Feature> for FeatureDescription {
    fn from(feature: Feature) -> Self {
        Self {
            name: feature.name(),
            title: feature.title(),
            meaning: feature.meaning(),
            by: Some(feature.slot()).filter(|slot| !slot.is_empty()),
            values: TUNED.of(feature).iter().map(|weight| Weight::from(*weight)).collect(),
            source: TUNED.source(feature),
        }
    }
}
