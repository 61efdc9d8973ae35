//! `GET /v1/material/{signature}`: what the material table says of a constellation.

use std::collections::BTreeMap;

use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use axum::response::Response;
use serde::Serialize;
use utoipa::openapi::RefOr;
use utoipa::{IntoResponses, ToSchema};

use crate::api::evaluate::MaterialSource;
use crate::api::identity::{EngineIdentity, identity};
use crate::api::input::{NoFields, Query};
use crate::api::json;
use crate::api::problem::{Code, Problem, problems, sentence};
use crate::api::reply::{Phase, Scale, SideName, Weight};
use crate::engine::eval::GamePhase;
use crate::engine::eval::material::{self, DrawKnowledge, Entry, Signature, SignatureError, Source};
use crate::engine::eval::{Blend, PieceValues, ScaleReason};

/// The entry of a constellation. Scores are White's minus Black's.
#[derive(Serialize, ToSchema)]
#[schema(as = Material)]
pub(crate) struct MaterialReply {
    /// The constellation: White's pieces, `v`, Black's pieces.
    #[schema(pattern = "^K[QRBNP]*vK[QRBNP]*$", examples("KRPvKR"))]
    signature: String,
    source: MaterialSource,
    /// What the pieces are worth by themselves, with each set of piece values.
    values: ValueSets,
    /// What they gain or lose by the company they keep: bishop pairs, knights against bishops.
    imbalance: Weight,
    /// Values (classic) and imbalance tapered and scaled, in centipawns.
    #[schema(examples(64))]
    cp: i32,
    phase: Phase,
    scale: Scale,
    /// The named endgame, if it is one.
    #[schema(required = true)]
    endgame: Option<NamedEndgame>,
    engine: EngineIdentity,
}

/// The same balance by each set of piece values.
#[derive(Serialize, ToSchema)]
pub(crate) struct ValueSets {
    /// 9 5 3 3 1.
    classic: Weight,
    /// 9.5 4.5 3 3 1.
    euwe: Weight,
}

/// An endgame that has a name.
#[derive(Serialize, ToSchema)]
pub(crate) struct NamedEndgame {
    /// Its signature, the stronger side first; `x` stands for any mating force, `s` for one or more.
    #[schema(value_type = String, examples("KPvK"))]
    name: &'static str,
    /// The side that plays for a win.
    side: SideName,
}

struct MaterialProblems;

impl IntoResponses for MaterialProblems {
    fn responses() -> BTreeMap<String, RefOr<utoipa::openapi::Response>> {
        problems(&[304, 400, 414, 422, 500])
    }
}

/// Look up material
///
/// The material table's entry for a constellation: values, imbalance, phase, draw knowledge.
#[utoipa::path(
    get, path = "/v1/material/{signature}", tag = "evaluation", operation_id = "getMaterial",
    params((
        "signature" = String, Path, description = "White's pieces, a `v` and Black's pieces, kings included; any case \
        and order.", min_length = 3, max_length = 40, pattern = "^[KQRBNPkqrbnp]+[vV][KQRBNPkqrbnp]+$"
    )),
    responses((
            status = 200, description = "The entry.", body = MaterialReply,
            headers(("ETag" = String, description = "A strong validator."))
        ), MaterialProblems)
)]
pub(crate) async fn get(
    signature: Result<Path<String>, PathRejection>,
    _: Query<NoFields>,
) -> Result<Response, Problem> {
    let Ok(Path(text)) = signature else {
        let detail = "The signature in the path is not percent-encoded UTF-8.";
        return Err(Problem::new(Code::SignatureSyntax, detail).in_field("signature"));
    };
    let signature: Signature = text.parse()?;
    json::pure(&MaterialReply::new(signature))
}

impl From<SignatureError> for Problem {
    fn from(error: SignatureError) -> Self {
        let code = match error {
            SignatureError::Sides | SignatureError::Letter(_) | SignatureError::Kings(_) => {
                Code::SignatureSyntax
            }
            SignatureError::TooManyPieces(_) => Code::TooMuchMaterial,
        };
        Self::new(code, sentence(&error)).in_field("signature")
    }
}

impl MaterialReply {
    fn new(signature: Signature) -> Self {
        let entry = material::entry(signature.key());
        Self {
            signature: signature.to_string(),
            source: Source::of(signature.key()).into(),
            values: ValueSets {
                classic: entry.value(PieceValues::Classic).into(),
                euwe: entry.value(PieceValues::Euwe).into(),
            },
            imbalance: entry.imbalance().into(),
            cp: centipawns(&entry),
            phase: GamePhase { value: entry.phase() }.into(),
            scale: Scale::new(entry.scale(), entry.draw().map(DrawKnowledge::name)),
            endgame: entry
                .endgame()
                .map(|(endgame, side)| NamedEndgame { name: endgame.name(), side: side.into() }),
            engine: identity(),
        }
    }
}

fn centipawns(entry: &Entry) -> i32 {
    let blend = Blend {
        phase: entry.phase(),
        scale: entry.scale(),
        reason: entry.draw().map(ScaleReason::Material),
        damping: Blend::FULL_DAMPING,
    };
    blend.centipawns(entry.value(PieceValues::Classic) + entry.imbalance())
}
