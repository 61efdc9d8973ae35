//! The README's examples are what the service really answers.
//!
//! With the environment variable `UPDATE_README` set, the replies in the README are written anew instead.

use std::fs;
use std::path::Path;

use axum::http::Uri;
use serde_json::Value;

use crate::client::{get, post};

#[test]
fn every_curl_gets_the_reply_that_follows_it() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let text = fs::read_to_string(&path).unwrap();
    let examples = examples(&text);
    assert!(examples.len() >= 7, "an example per endpoint");
    let mut updated = text.clone();
    for Example { command, reply } in examples {
        let answer = run(command);
        if std::env::var_os("UPDATE_README").is_some() {
            updated = updated.replacen(
                &format!("{command}\n```\n```json\n{reply}"),
                &format!("{command}\n```\n```json\n{}", laid_out(&answer)),
                1,
            );
        } else {
            let promised: Value = serde_json::from_str(reply).unwrap();
            assert_eq!(promised, answer, "{command}\n(UPDATE_README=1 cargo test --test api readme)");
        }
    }
    if updated != text {
        fs::write(&path, updated).unwrap();
    }
}

/// A `curl` and the JSON that stands below it.
struct Example<'a> {
    command: &'a str,
    reply: &'a str,
}

fn examples(text: &str) -> Vec<Example<'_>> {
    let blocks = text.split("```sh\n").skip(1).filter(|block| block.starts_with("curl"));
    blocks
        .map(|block| {
            let below = block.split_once("\n```\n```json\n");
            let (command, rest) = below.unwrap_or_else(|| panic!("no reply stands below {block}"));
            let (reply, _) = rest.split_once("```").unwrap();
            Example { command, reply }
        })
        .collect()
}

/// Does what the command line would: `curl [--json BODY] URL [| jq PATH]`.
fn run(command: &str) -> Value {
    let (curl, filter) = command.split_once(" | jq ").unwrap_or((command, "."));
    let (body, address) = match curl.strip_prefix("curl --json '") {
        Some(rest) => rest.split_once("' ").map(|(body, address)| (Some(body), address)).unwrap(),
        None => (None, curl.strip_prefix("curl ").unwrap()),
    };
    let uri: Uri = format!("http://{}", address.trim_matches('\'')).parse().unwrap();
    assert_eq!(uri.authority().unwrap(), "localhost:8080");
    let path = uri.path_and_query().unwrap().as_str();
    let reply = match body {
        Some(body) => post(path, &serde_json::from_str(body).unwrap()),
        None => get(path),
    };
    let pointer = filter.replace(".[", "[").replace(['.', '['], "/").replace(']', "");
    reply.json().pointer(pointer.trim_end_matches('/')).cloned().unwrap()
}

/// A JSON text that is easy to read: one member of the outermost object or array a line.
fn laid_out(value: &Value) -> String {
    let lines: Vec<String> = match value {
        Value::Object(members) => {
            members.iter().map(|(name, value)| format!("  \"{name}\": {}", spaced(value))).collect()
        }
        Value::Array(items) => items.iter().map(|item| format!("  {}", spaced(item))).collect(),
        plain => return format!("{plain}\n"),
    };
    let (open, close) = if value.is_object() { ('{', '}') } else { ('[', ']') };
    format!("{open}\n{}\n{close}\n", lines.join(",\n"))
}

/// On one line, with a blank after each comma and colon.
fn spaced(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let inner: Vec<String> =
                members.iter().map(|(name, value)| format!("\"{name}\": {}", spaced(value))).collect();
            format!("{{{}}}", inner.join(", "))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(spaced).collect::<Vec<_>>().join(", ")),
        plain => plain.to_string(),
    }
}
