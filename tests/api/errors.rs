//! Every way to be refused: status, code, field, and one shape for all.

use axum::body::Body;
use axum::http::{Method, Request, header};
use centipawn::config::Limits;
use serde_json::{Value, json};

use crate::client::{Reply, get, post, post_bytes, post_text, query, send, with_headers};

/// Checks the shape that all errors share, and returns the body.
fn check(reply: &Reply, status: u16, code: &str) -> Value {
    assert_eq!(reply.status.as_u16(), status, "{code}: {:?}", reply.bytes);
    assert_eq!(reply.header("content-type"), "application/problem+json", "{code}");
    assert!(!reply.header("x-request-id").is_empty(), "{code}");
    let body = reply.json();
    for field in ["type", "title", "status", "detail", "code", "error", "field"] {
        assert!(body.get(field).is_some(), "{code}: no {field} in {body}");
    }
    assert_eq!(body["code"], code, "{body}");
    assert_eq!(body["status"], status);
    assert_eq!(body["type"], format!("urn:centipawn:problem:{code}"));
    assert_eq!(body["error"], body["detail"]);
    assert!(body["detail"].as_str().unwrap().ends_with(['.', '?']), "{body}");
    body
}

/// Body, code, field, what the detail has to mention.
type Refusal<'a> = (&'a str, &'a str, Option<&'a str>, &'a str);

fn check_refusals(refusals: &[Refusal<'_>], send: impl Fn(&str) -> Reply) {
    for (text, code, field, mention) in refusals {
        let body = check(&send(text), 400, code);
        assert_eq!(body["field"].as_str(), *field, "{body}");
        assert!(body["detail"].as_str().unwrap().contains(mention), "{mention}: {body}");
    }
}

/// Objects of JSON, or near enough, that are no request.
const BODIES: &[Refusal<'_>] = &[
    ("[]", "invalid_field", None, "object"),
    ("[null, null, null, null, null, null, null, null]", "invalid_field", None, "object"),
    ("null", "invalid_field", None, "object"),
    ("\"hello\"", "invalid_field", None, "object"),
    ("{\"fne\": \"x\"}", "unknown_field", Some("fne"), "did you mean `fen`?"),
    ("{\"multi_pv\": 2}", "unknown_field", Some("multi_pv"), "did you mean `multiPv`?"),
    ("{\"move_time\": 2}", "unknown_field", Some("move_time"), "did you mean `movetime`?"),
    ("{\"searchmove\": \"e4\"}", "unknown_field", Some("searchmove"), "did you mean `search"),
    ("{\"xyzzy\": 1}", "unknown_field", Some("xyzzy"), "fields are fen, moves"),
    ("{\"skill\": 3}", "unknown_field", Some("skill"), "no field `skill`"),
    ("{\"fen\": \"a\", \"fen\": \"b\"}", "duplicate_field", Some("fen"), "twice"),
    (
        "{\"multiPv\": 1, \"multipv\": 2}",
        "duplicate_field",
        Some("multiPv"),
        "`multipv` is another name of `multiPv`, which is so given twice; which",
    ),
    (
        "{\"searchmoves\": \"e4\", \"searchMoves\": \"e4\"}",
        "duplicate_field",
        Some("searchMoves"),
        "`searchmoves` is another name of `searchMoves`",
    ),
    ("{\"multipv\": 1, \"multipv\": 2}", "duplicate_field", Some("multipv"), "`multipv` is given twice"),
    ("{\"fen\": 3}", "invalid_field", Some("fen"), "expected a FEN"),
    ("{\"moves\": 3}", "invalid_field", Some("moves"), "expected an array of moves"),
    ("{\"moves\": [3]}", "invalid_field", Some("moves"), "expected a string"),
    ("{\"moves\": [\"a string that is no move\"]}", "invalid_field", Some("moves"), "16 characters"),
    ("{\"variant\": \"atomic\"}", "invalid_field", Some("variant"), "`standard`"),
    ("{\"pov\": \"black\"}", "invalid_field", Some("pov"), "`white`"),
    ("{\"evaluator\": \"nnue\"}", "invalid_field", Some("evaluator"), "`full`"),
    ("{\"depth\": \"12\"}", "invalid_field", Some("depth"), "expected a whole number from 1 to 127"),
    ("{\"depth\": 0}", "invalid_field", Some("depth"), "expected a whole number from 1 to 127"),
    (
        "{\"depth\": 128}",
        "invalid_field",
        Some("depth"),
        "expected a whole number from 1 to 127 and no more than `maxDepth` of /v1/limits",
    ),
    ("{\"depth\": -1}", "invalid_field", Some("depth"), "expected a whole number"),
    ("{\"depth\": 1.5}", "invalid_field", Some("depth"), "expected a whole number"),
    ("{\"depth\": 1e300}", "invalid_field", Some("depth"), "expected a whole number"),
    ("{\"nodes\": 18446744073709551616}", "invalid_field", Some("nodes"), "expected a whole number"),
    ("{\"multiPv\": \"many\"}", "invalid_field", Some("multiPv"), "\"all\""),
    ("{\"multiPv\": 219}", "invalid_field", Some("multiPv"), "218"),
    ("{\"elo\": 499}", "invalid_field", Some("elo"), "expected a whole number from 500 to 2600"),
    ("{\"elo\": 2601}", "invalid_field", Some("elo"), "expected a whole number from 500 to 2600"),
    ("{\"elo\": \"weak\"}", "invalid_field", Some("elo"), "expected a whole number from 500 to 2600"),
    ("{\"deterministic\": 1}", "invalid_field", Some("deterministic"), "boolean"),
    ("{\"depth\": 3, \"nodes\": 9}", "conflicting_fields", Some("nodes"), "one of"),
    ("{\"depth\": 3, \"movetime\": 9}", "conflicting_fields", Some("movetime"), "one of"),
    ("{\"deterministic\": true}", "conflicting_fields", Some("deterministic"), "`depth` or `nodes`"),
    ("{\"deterministic\": true, \"movetime\": 9}", "conflicting_fields", Some("deterministic"), "`depth` or"),
    ("{\"strategy\": \"greedy\", \"depth\": 3}", "conflicting_fields", Some("strategy"), "one ply"),
    ("{\"strategy\": \"greedy\", \"elo\": 900}", "conflicting_fields", Some("strategy"), "`elo`"),
    (
        "{\"elo\": 900, \"movetime\": 9, \"deterministic\": true}",
        "conflicting_fields",
        Some("deterministic"),
        "or",
    ),
    ("{\"elo\": 900, \"depth\": 3, \"nodes\": 9}", "conflicting_fields", Some("nodes"), "one of"),
    ("{\"pieceValues\": \"euwe\"}", "conflicting_fields", Some("pieceValues"), "`count`"),
    ("{\"depth\": 120}", "limit_exceeded", Some("depth"), "100"),
    ("{\"nodes\": 2000000000}", "limit_exceeded", Some("nodes"), "1000000000"),
    ("{\"movetime\": 80000000}", "limit_exceeded", Some("movetime"), "30000"),
    ("{\"timeoutMs\": 80000000}", "limit_exceeded", Some("timeoutMs"), "60000"),
    ("{\"strategy\": \"greedy\", \"timeoutMs\": 80000000}", "limit_exceeded", Some("timeoutMs"), "60000"),
];

const QUERIES: &[Refusal<'_>] = &[
    ("fen=%zz", "query_syntax", None, "%25"),
    ("fen=%4", "query_syntax", None, "%25"),
    ("fen=%ff", "query_syntax", None, "UTF-8"),
    ("fne=x", "unknown_field", Some("fne"), "did you mean `fen`?"),
    ("depht=3", "unknown_field", Some("depht"), "did you mean `depth`?"),
    ("depth=3&depth=3", "duplicate_field", Some("depth"), "twice"),
    ("multiPv=2&multipv=3", "duplicate_field", Some("multiPv"), "`multipv` is another name of `multiPv`"),
    (
        "searchmoves=e4&searchMoves=e4",
        "duplicate_field",
        Some("searchMoves"),
        "another name of `searchMoves`",
    ),
    ("depth=", "invalid_field", Some("depth"), "expected a whole number from 1 to 127"),
    ("depth=three", "invalid_field", Some("depth"), "expected a whole number from 1 to 127"),
    ("depth=3.5", "invalid_field", Some("depth"), "expected a whole number from 1 to 127"),
    ("depth=-3", "invalid_field", Some("depth"), "expected a whole number from 1 to 127"),
    ("multiPv=some", "invalid_field", Some("multiPv"), "\"all\""),
    ("elo=3000", "invalid_field", Some("elo"), "expected a whole number from 500 to 2600"),
    ("deterministic=yes", "invalid_field", Some("deterministic"), "boolean"),
    ("pov=black", "invalid_field", Some("pov"), "`white`"),
    ("nodes=1&movetime=1", "conflicting_fields", Some("movetime"), "one of"),
    ("searched=true", "unknown_field", Some("searched"), "no field `searched`"),
];

#[test]
fn bodies_that_are_no_json() {
    let deep = format!("{{\"moves\": {}", "[".repeat(50_000));
    let deeper = "[".repeat(50_000);
    let refusals = [
        ("", "json_syntax", None, "empty"),
        ("{", "json_syntax", None, "line 1, column 1"),
        ("{\n  \"fen\": }\n", "json_syntax", None, "line 2, column 10"),
        ("{\"fen\": \"\\ud800\"}", "json_syntax", None, "line 1"),
        ("{} {}", "json_syntax", None, "line 1, column 4"),
        (&deep, "json_syntax", None, "recursion limit"),
        (&deeper, "json_syntax", None, "EOF while parsing"),
    ];
    check_refusals(&refusals, |text| post_text("/v1/best-move", text));
    check(&post_bytes("/v1/evaluate", b"{\"fen\": \"\xff\"}"), 400, "json_syntax");
}

#[test]
fn bodies_with_fields_that_cannot_be_read() {
    check_refusals(BODIES, |text| post_text("/v1/best-move", text));
    let many = vec!["e4"; Limits::DEFAULT.max_moves + 1];
    let body = check(&post("/v1/evaluate", &json!({ "moves": many })), 400, "limit_exceeded");
    assert_eq!(body["field"], "moves");
    assert_eq!(
        body["detail"],
        "`moves` has 1025 moves; this server allows 1024 at the most (see /v1/limits)."
    );
    let body = check(&post("/v1/best-move", &json!({ "searchMoves": many })), 400, "limit_exceeded");
    assert_eq!(body["field"], "searchMoves");
    let lines = json!({ "lineA": many, "lineB": ["e4"] });
    let body = check(&post("/v1/eval-breakdown/diff", &lines), 400, "limit_exceeded");
    assert!(body["detail"].as_str().unwrap().starts_with("`lineA` has 1025 moves;"), "{body}");
    let wide = format!("e4{}", " ".repeat(20_000));
    check(&post("/v1/evaluate", &json!({ "moves": wide })), 400, "invalid_field");
}

#[test]
fn query_strings_that_cannot_be_read() {
    check_refusals(QUERIES, |text| get(&format!("/v1/best-move?{text}")));
    check(&get(&format!("/v1/evaluate?fen={}", "x".repeat(62_000))), 414, "uri_too_long");
    check(&post("/v1/evaluate?depth=3", &json!({})), 400, "query_syntax");
}

#[test]
fn what_takes_no_fields_refuses_them() {
    for path in ["/v1/limits", "/v1/material/KvK"] {
        let body = check(&get(&format!("{path}?x=1")), 400, "unknown_field");
        assert_eq!(
            (&body["field"], &body["detail"]),
            (&json!("x"), &json!("There is no field `x` here; it takes none."))
        );
        check(&get(&format!("{path}?{}", "x".repeat(62_000))), 414, "uri_too_long");
        assert_eq!(get(&format!("{path}?")).status, 200);
    }
}

#[test]
fn moves_that_are_illegal() {
    // Moves, ply, move, number of legal moves there.
    let cases = [
        (json!(["e2e5"]), 0, "e2e5", 20),
        (json!("e4 e5 Ke3"), 2, "Ke3", 29),
        (json!(["e4", "e5", "Nf3", "xyz"]), 3, "xyz", 29),
        (json!(["f3", "e5", "g4", "Qh4#", "e4"]), 4, "e4", 0),
        (json!("0000"), 0, "0000", 20),
        (json!("-1"), 0, "-1", 20),
    ];
    for (moves, ply, text, legal) in cases {
        for path in ["/v1/evaluate", "/v1/best-move", "/v1/eval-breakdown"] {
            let fields = json!({ "moves": moves });
            for reply in [post(path, &fields), get(&format!("{path}?{}", query(&fields)))] {
                let body = check(&reply, 422, "illegal_move");
                assert_eq!(
                    (&body["ply"], &body["move"], &body["field"]),
                    (&json!(ply), &json!(text), &json!("moves"))
                );
                assert_eq!(body["legalMoves"].as_array().unwrap().len(), legal, "{body}");
            }
        }
    }
    check(&get("/v1/best-move?searchmoves=0000"), 422, "illegal_move");
    let body = check(&post("/v1/best-move", &json!({ "searchMoves": ["e4", "e2e5"] })), 422, "illegal_move");
    assert_eq!(
        (&body["ply"], &body["move"], &body["field"]),
        (&json!(1), &json!("e2e5"), &json!("searchMoves"))
    );
    assert_eq!(body["legalMoves"].as_array().unwrap().len(), 20);
}

#[test]
fn requests_that_go_nowhere() {
    check(&get("/v1/nothing"), 404, "not_found");
    for path in ["/docs/nothing.js", "/docs/%ff", "/page/%ff/app.js", "/page/a/%ff"] {
        check(&get(path), 404, "not_found");
    }
    for (method, path, allowed) in [
        (Method::DELETE, "/v1/evaluate", ["GET", "POST"].as_slice()),
        (Method::POST, "/v1/limits", &["GET"]),
        (Method::PUT, "/healthz", &["GET"]),
    ] {
        let reply = with_headers(method, path, &[]);
        check(&reply, 405, "method_not_allowed");
        assert!(allowed.iter().all(|method| reply.header("allow").contains(method)), "{path}");
    }
}

#[test]
fn bodies_of_the_wrong_kind_or_size() {
    let typed = |content_type: &str| {
        let request = Request::post("/v1/evaluate").header(header::CONTENT_TYPE, content_type);
        send(request.body(Body::from("{}")).unwrap())
    };
    for content_type in ["text/plain", "application/x-www-form-urlencoded", "application/jsonx", "json", ""] {
        check(&typed(content_type), 415, "unsupported_media_type");
    }
    for content_type in
        ["application/json", "application/json; charset=utf-8", "Application/JSON", "application/x+json"]
    {
        assert_eq!(typed(content_type).status, 200, "{content_type}");
    }
    check(
        &send(Request::post("/v1/evaluate").body(Body::from("{}")).unwrap()),
        415,
        "unsupported_media_type",
    );
    for (path, taken) in [
        ("/v1/evaluate/batch", ["`Content-Type: application/json`", "`application/x-ndjson`"]),
        ("/v1/games/review", ["`Content-Type: application/json`", "`application/x-chess-pgn`"]),
    ] {
        let request = Request::post(path).header(header::CONTENT_TYPE, "text/plain");
        let body = check(&send(request.body(Body::from("{}")).unwrap()), 415, "unsupported_media_type");
        assert!(taken.iter().all(|name| body["detail"].as_str().unwrap().contains(name)), "{body}");
    }
    for (path, content_type) in [
        ("/v1/evaluate", "application/json"),
        ("/v1/evaluate/batch", "application/x-ndjson"),
        ("/v1/games/review", "application/x-chess-pgn"),
    ] {
        let zipped = Request::post(path)
            .header(header::CONTENT_TYPE, content_type)
            .header(header::CONTENT_ENCODING, "gzip");
        let body = check(&send(zipped.body(Body::from("{}")).unwrap()), 415, "unsupported_media_type");
        assert_eq!(body["title"], "Unsupported media type");
        assert!(body["detail"].as_str().unwrap().contains("uncompressed"), "{body}");
    }
    let padded = |bytes: usize| post_text("/v1/evaluate", &format!("{{{}}}", " ".repeat(bytes - 2)));
    assert_eq!(padded(Limits::DEFAULT.max_body_bytes).status, 200);
    check(&padded(Limits::DEFAULT.max_body_bytes + 1), 413, "body_too_large");
    check(&post("/v1/evaluate", &json!({ "fen": "x".repeat(513) })), 400, "invalid_field");
}

#[test]
fn what_a_client_sent_is_repeated_in_part() {
    let (short, long) = ("é".repeat(20), "é".repeat(20_000));
    let pgn = |text: &str| json!({ "pgn": text });
    let cases = [
        ("/v1/evaluate", json!({ "pov": long }), "invalid_field", "`white` or `turn`."),
        ("/v1/evaluate", json!({ "depth": long }), "invalid_field", "whole number"),
        ("/v1/evaluate", json!({ &*long: 1 }), "unknown_field", "the fields are fen"),
        ("/v1/games/review", pgn(&format!("[Variant \"{long}\"]\n\n1. e4 *")), "pgn_syntax", "or Chess960."),
        ("/v1/games/review", pgn(&format!("1. e4 {long} *")), "pgn_syntax", "nor a result."),
        ("/v1/games/review", pgn(&format!("1. e4 N{} *", "f6".repeat(20_000))), "", "."),
    ];
    for (path, body, code, mention) in cases {
        let reply = post(path, &body);
        assert!(reply.bytes.len() < 5_000, "{path}: {} bytes", reply.bytes.len());
        let told = reply.json();
        assert!(code.is_empty() || told["code"] == code, "{told}");
        assert!(told["detail"].as_str().unwrap().contains(mention), "{told}");
    }
    let arrows = get(&format!("/v1/board.svg?arrows={}", "x".repeat(50_000)));
    assert!(arrows.status == 400 && arrows.bytes.len() < 3_000, "{} bytes", arrows.bytes.len());
    let told = post("/v1/evaluate", &json!({ "pov": short })).json();
    assert!(told["detail"].as_str().unwrap().contains(&short), "{told}");
}

#[test]
fn a_byte_order_mark_before_json_is_ignored() {
    for (path, media, text) in [
        ("/v1/evaluate", "application/json", "{}"),
        ("/v1/games/review", "application/json", "{\"moves\": \"e4\", \"nodes\": 10}"),
        ("/v1/evaluate/batch", "application/json", "[{}]"),
        ("/v1/evaluate/batch", "application/x-ndjson", "{}\n{}\n"),
    ] {
        let request = Request::post(path).header(header::CONTENT_TYPE, media);
        let reply = send(request.body(Body::from(format!("\u{feff}{text}"))).unwrap());
        assert_eq!(reply.status, 200, "{path}");
        let told = String::from_utf8_lossy(&reply.bytes);
        assert!(!told.contains("json_syntax"), "{media}: {told}");
    }
    check(&post_text("/v1/evaluate", "\u{feff}"), 400, "json_syntax");
    check(&post_text("/v1/evaluate", "\u{feff}\u{feff}{}"), 400, "json_syntax");
}
