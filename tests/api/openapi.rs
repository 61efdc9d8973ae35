//! The document and its browser.

use std::fs;
use std::path::Path;

use centipawn::api::document;
use centipawn::config::Limits;
use clap::{Args, Command};
use serde_json::{Value, json};

use crate::client::{get, post, query};

#[test]
fn the_committed_document_is_the_code_s() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("openapi/centipawn.json");
    let committed = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == document(),
        "openapi/centipawn.json is not what the code says; write it anew: cargo run -- openapi > openapi/centipawn.json"
    );
    assert_eq!(get("/openapi.json").bytes, committed.as_bytes());
}

#[test]
fn everything_in_it_is_described() {
    let document: Value = serde_json::from_str(&document()).unwrap();
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1"));
    for (path, operations) in document["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            let place = format!("{method} {path}");
            for field in ["summary", "description", "operationId"] {
                assert!(operation[field].is_string(), "{place}: {field}");
            }
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                assert!(parameter["description"].is_string(), "{place}: {parameter}");
            }
            for (status, response) in operation["responses"].as_object().unwrap() {
                assert!(!response["description"].as_str().unwrap().is_empty(), "{place} {status}");
            }
        }
    }
    let schemas = &document["components"]["schemas"];
    for (name, schema) in schemas.as_object().unwrap() {
        assert_described(name, schema, schemas);
    }
}

/// Every schema and every property has a description, its own or that of the schema it refers to.
fn assert_described(name: &str, schema: &Value, schemas: &Value) {
    let parts = schema["allOf"].as_array().into_iter().flatten().chain([schema]);
    for (property, value) in parts.filter_map(|part| part["properties"].as_object()).flatten() {
        let target = value["$ref"].as_str().and_then(|target| target.rsplit('/').next());
        let choices = value["oneOf"].as_array().into_iter().flatten();
        let described = value["description"].is_string()
            || choices.into_iter().any(|choice| choice["description"].is_string())
            || target.is_some_and(|target| schemas[target]["description"].is_string());
        assert!(described, "{name}.{property}: {value}");
    }
    assert!(schema["description"].is_string(), "{name}");
}

#[test]
fn every_reference_leads_somewhere() {
    let document: Value = serde_json::from_str(&document()).unwrap();
    let mut left = vec![&document];
    let mut count = 0;
    while let Some(value) = left.pop() {
        if let Some(target) = value["$ref"].as_str() {
            assert!(document.pointer(target.strip_prefix('#').unwrap()).is_some(), "{target}");
            count += 1;
        }
        let members = value.as_object().into_iter().flat_map(|object| object.values());
        left.extend(members.chain(value.as_array().into_iter().flatten()));
    }
    assert!(count > 100, "{count}");
}

/// Every link, followed from the reply for the start position, leads to a 200.
#[test]
fn every_link_leads_somewhere() {
    let document: Value = serde_json::from_str(&document()).unwrap();
    let paths = document["paths"].as_object().unwrap();
    let operations = || {
        paths.iter().flat_map(|(path, methods)| {
            methods.as_object().unwrap().values().map(move |operation| (path, operation))
        })
    };
    let mut followed = 0;
    for (path, operation) in operations() {
        let Some(links) = operation["responses"]["200"]["links"].as_object() else { continue };
        let reply = get(&format!("{path}{}", if path.contains("best-move") { "?depth=1" } else { "" })).ok();
        for (name, link) in links {
            let (target, _) =
                operations().find(|(_, other)| other["operationId"] == link["operationId"]).unwrap();
            let (mut target, mut fields) = (target.clone(), serde_json::Map::new());
            for (parameter, expression) in link["parameters"].as_object().unwrap() {
                let value = resolve(expression.as_str().unwrap(), &reply);
                let slot = format!("{{{parameter}}}");
                if target.contains(&slot) {
                    target = target.replace(&slot, &value);
                } else {
                    fields.insert(parameter.clone(), value.into());
                }
            }
            assert_eq!(get(&format!("{target}?{}", query(&fields.into()))).status, 200, "{path}: {name}");
            followed += 1;
        }
    }
    assert_eq!(followed, 18, "each link of both the `GET` and the `POST`");
}

/// What a runtime expression, alone or within braces, is for this reply.
fn resolve(expression: &str, reply: &Value) -> String {
    let text = |pointer: &str| reply.pointer(pointer).unwrap().as_str().unwrap().to_owned();
    if let Some(pointer) = expression.strip_prefix("$response.body#") {
        return text(pointer);
    }
    expression
        .split('{')
        .map(|part| match part.split_once('}') {
            Some((inner, after)) => text(inner.strip_prefix("$response.body#").unwrap()) + after,
            None => part.to_owned(),
        })
        .collect()
}

#[test]
fn a_get_takes_what_the_post_takes() {
    let document: Value = serde_json::from_str(&document()).unwrap();
    for path in ["/v1/evaluate", "/v1/best-move", "/v1/eval-breakdown", "/v1/eval-breakdown/diff"] {
        let operations = &document["paths"][path];
        let body = operations["post"]["requestBody"]["content"]["application/json"]["schema"]["$ref"]
            .as_str()
            .unwrap();
        let schema = &document["components"]["schemas"][body.rsplit('/').next().unwrap()];
        assert_eq!(schema["additionalProperties"], false, "{path}");
        let parameters =
            operations["get"]["parameters"].as_array().unwrap().iter().map(|parameter| &parameter["name"]);
        let names: Vec<_> = parameters.map(|name| name.as_str().unwrap()).collect();
        assert_eq!(names, schema["properties"].as_object().unwrap().keys().collect::<Vec<_>>(), "{path}");
    }
}

/// What stands there as the longest list is taken: no longer one in a body, and in a query string what fits.
#[test]
fn lists_of_moves_are_as_long_as_they_are_said_to_be() {
    let document: Value = serde_json::from_str(&document()).unwrap();
    let parameters = document["paths"]["/v1/evaluate"]["get"]["parameters"].as_array().unwrap();
    let moves = parameters.iter().find(|parameter| parameter["name"] == "moves").unwrap();
    let choices = document["components"]["schemas"]["Moves"]["oneOf"].as_array().unwrap();
    let longest = |schema: &Value| schema["maxLength"].as_u64().unwrap() as usize;
    let padded = |length: usize| format!("e4{}", " ".repeat(length - 2));
    let in_query = padded(longest(&moves["schema"])).replace(' ', "%20");
    assert_eq!(get(&format!("/v1/evaluate?moves={in_query}")).status, 200);
    let in_body = longest(&choices[0]);
    for (length, status) in [(in_body, 200), (in_body + 1, 400)] {
        assert_eq!(post("/v1/evaluate", &json!({ "moves": padded(length) })).status, status);
    }
    let most = choices[1]["maxItems"].as_u64().unwrap();
    assert_eq!(document["components"]["schemas"]["Limits"]["properties"]["maxMoves"]["maximum"], most);
    for (number, is_taken) in [(most, true), (most + 1, false)] {
        let settings = Limits::augment_args(Command::new("limits"));
        let parsed = settings.try_get_matches_from(["limits", "--max-moves", &number.to_string()]);
        assert_eq!(parsed.is_ok(), is_taken, "no server can be told to take {number}");
    }
}

#[test]
fn the_example_of_an_error_is_one_that_is_sent() {
    let document: Value = serde_json::from_str(&document()).unwrap();
    let properties = &document["components"]["schemas"]["Problem"]["properties"];
    let sent = post("/v1/evaluate", &json!({ "moves": ["e2e5"] })).json();
    for field in ["type", "title", "status", "detail", "error", "field", "ply", "move"] {
        assert_eq!(properties[field]["examples"][0], sent[field], "{field}");
    }
}

#[test]
fn readiness_is_not_said_to_depend_on_the_queue() {
    let document: Value = serde_json::from_str(&document()).unwrap();
    let unready = &document["paths"]["/readyz"]["get"]["responses"]["503"];
    assert_eq!(unready["description"], "The server is shutting down, or no engine does its work.");
    assert!(unready["headers"]["Retry-After"].is_object());
}

#[test]
fn the_browser_needs_no_internet() {
    let reply = get("/docs");
    assert_eq!((reply.status.as_u16(), reply.header("location")), (307, "/docs/"));
    let page = get("/docs/");
    assert!(page.header("content-type").starts_with("text/html"));
    let html = String::from_utf8(page.bytes.to_vec()).unwrap();
    assert!(html.contains("<title>centipawn: the API</title>"), "{html}");
    let sources = html.split("src=\"").chain(html.split("href=\"")).skip(1);
    for source in sources.map(|rest| rest.split('"').next().unwrap()).filter(|source| !source.contains('<')) {
        assert!(!source.contains("//"), "{source}");
        assert_eq!(get(&format!("/docs/{}", source.trim_start_matches("./"))).status, 200, "{source}");
    }
    let start = String::from_utf8(get("/docs/swagger-initializer.js").bytes.to_vec()).unwrap();
    assert!(start.contains("/openapi.json") && start.contains("\"validatorUrl\": \"none\""), "{start}");
    assert!(!start.contains("https://"), "{start}");
    assert!(
        start.contains("\"layout\": \"BaseLayout\""),
        "without the bar that asks for another contract: {start}"
    );
}
