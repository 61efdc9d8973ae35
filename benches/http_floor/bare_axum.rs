//! The floor under `POST /v1/evaluate`: an axum handler that parses the same body and answers the same bytes, and does
//! nothing else. `benches/http_floor.sh` measures the service against it.
//!
//! Usage: `bare_axum ADDR REPLY_FILE`, where the file holds the bytes to answer.

use std::env;
use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::net::SocketAddr;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use axum::routing::post;
use axum::{Json, Router};
use mimalloc::MiMalloc;
use serde::Deserialize;
use tokio::net::TcpListener;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// The shape of the service's own request: parsing it is part of the floor.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "the floor parses the fields and leaves it at that")]
struct EvaluateRequest {
    fen: Option<String>,
    moves: Option<Moves>,
    variant: Option<String>,
    pov: Option<String>,
    evaluator: Option<String>,
    piece_values: Option<String>,
    quiescence: Option<bool>,
    depth: Option<u8>,
    nodes: Option<u64>,
    movetime: Option<u64>,
}

#[derive(Deserialize)]
#[serde(untagged)]
#[expect(dead_code, reason = "the floor parses the fields and leaves it at that")]
enum Moves {
    List(Vec<String>),
    Line(String),
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let (Some(address), Some(reply_file)) = (arguments.next(), arguments.next()) else {
        return Err("usage: bare_axum ADDR REPLY_FILE".into());
    };
    let reply = Bytes::from(fs::read(reply_file)?);
    let router = Router::new().route("/v1/evaluate", post(answer)).with_state(reply);
    let listener = TcpListener::bind(address.parse::<SocketAddr>()?).await?;
    axum::serve(listener, router).await?;
    Ok(())
}

async fn answer(State(reply): State<Bytes>, Json(request): Json<EvaluateRequest>) -> impl IntoResponse {
    black_box(request);
    ([(CONTENT_TYPE, "application/json")], reply)
}
