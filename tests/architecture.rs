//! The house rules that can be counted: which room may name which, how long files are, what the engine must not know.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};

/// A part of `src/`, and the crate paths it may name beside its own. The first entry that fits a file is its room.
struct Room {
    /// A folder or file stem below `src/`.
    place: &'static str,
    /// Paths below `crate::` that it may use; a longer path is allowed with its prefix.
    may_use: &'static [&'static str],
    /// Other people's crates that must not appear.
    must_not_use: &'static [&'static str],
}

/// What would let a clock, a network or a log into a pure function.
const OUTSIDE: &[&str] = &[
    "axum",
    "clap",
    "serde",
    "serde_json",
    "tokio",
    "toml",
    "tower",
    "tower_http",
    "tracing",
    "utoipa",
    "std::fs",
    "std::net",
    "std::io",
    "std::time",
    "std::thread",
    "pyrrhic_rs",
    "redis",
];
const HTTP: &[&str] = &["axum", "tower", "tower_http", "utoipa"];
/// What has no business among the threads that search.
const HTTP_AND_STORES: &[&str] = &["axum", "redis", "serde", "serde_json", "tower", "tower_http", "utoipa"];
const HTTP_AND_JSON: &[&str] = &["axum", "serde", "serde_json", "tower", "tower_http", "utoipa"];
/// What has no business where files of endgame tables are read.
const BESIDE_THE_FILES: &[&str] = &[
    "axum",
    "clap",
    "serde",
    "serde_json",
    "tokio",
    "tower",
    "tower_http",
    "tracing",
    "utoipa",
    "std::net",
    "std::thread",
];
/// What has no business in the few lines before the command line takes over.
const NEARLY_ALL: &[&str] = &["axum", "clap", "serde", "tokio", "tracing", "std::fs", "std::net"];
/// What the tuner and its data must not know: they are about the engine, not the service.
const BESIDE_THE_ENGINE: &[&str] = &[
    "axum",
    "tokio",
    "tower",
    "utoipa",
    "centipawn::api",
    "centipawn::cli",
    "centipawn::config",
    "centipawn::pool",
    "centipawn::telemetry",
    "centipawn::uci",
];

const ROOMS: &[Room] = &[
    Room { place: "engine/weights", may_use: &[], must_not_use: OUTSIDE },
    Room { place: "engine/chess", may_use: &["engine::weights"], must_not_use: OUTSIDE },
    Room {
        place: "engine/eval",
        may_use: &["engine::chess", "engine::prefetch", "engine::weights"],
        must_not_use: OUTSIDE,
    },
    // The one file of the engine that starts threads: the helpers of a search.
    Room {
        place: "engine/search/parallel",
        may_use: &["engine::eval", "engine::search"],
        must_not_use: &["clap", "serde", "tokio", "tracing", "std::fs", "std::io", "std::time"],
    },
    Room {
        place: "engine/search",
        may_use: &["engine::chess", "engine::eval", "engine::prefetch", "engine::weights"],
        must_not_use: OUTSIDE,
    },
    Room { place: "engine", may_use: &[], must_not_use: OUTSIDE },
    Room { place: "pool", may_use: &["engine"], must_not_use: HTTP_AND_STORES },
    Room { place: "shared_cache", may_use: &["engine", "pool"], must_not_use: HTTP_AND_JSON },
    Room { place: "tablebase", may_use: &["engine"], must_not_use: BESIDE_THE_FILES },
    Room {
        place: "game",
        may_use: &["engine::chess", "engine::eval", "engine::weights"],
        must_not_use: OUTSIDE,
    },
    Room { place: "config", may_use: &[], must_not_use: HTTP },
    Room { place: "telemetry", may_use: &["config"], must_not_use: HTTP },
    Room { place: "cpu", may_use: &[], must_not_use: NEARLY_ALL },
    // The one file of the API that starts threads: those that serve connections.
    Room {
        place: "api/serve",
        may_use: &["api", "config"],
        must_not_use: &["clap", "serde", "toml", "std::fs"],
    },
    Room {
        place: "api",
        may_use: &["config", "engine", "game", "pool", "telemetry"],
        must_not_use: &["clap", "redis", "toml", "std::fs", "std::thread"],
    },
    Room { place: "uci", may_use: &["engine", "tablebase"], must_not_use: HTTP },
    Room {
        place: "cli",
        may_use: &["api", "config", "engine", "pool", "shared_cache", "tablebase", "telemetry", "uci"],
        must_not_use: HTTP,
    },
    Room { place: "bin/datagen", may_use: &[], must_not_use: BESIDE_THE_ENGINE },
    Room { place: "bin/spar", may_use: &[], must_not_use: BESIDE_THE_ENGINE },
    Room { place: "bin/tune", may_use: &[], must_not_use: BESIDE_THE_ENGINE },
    Room { place: "lib", may_use: &[], must_not_use: OUTSIDE },
    Room { place: "main", may_use: &[], must_not_use: NEARLY_ALL },
];

/// Small, with an argument each for its safety and for its use.
const WITH_UNSAFE_CODE: &[&str] =
    &["src/cpu.rs", "src/engine/chess/pext.rs", "src/engine/search/pages.rs", "src/engine/prefetch.rs"];

/// Lines of a file; a screen is about fifty.
const MOST_LINES: usize = 500;
/// Written by the tuner, as long as its tables are.
const GENERATED: &str = "src/engine/weights/tuned.rs";
/// Lines of `main.rs`: wiring only.
const MOST_LINES_OF_MAIN: usize = 60;

#[test]
fn arrows_run_one_way() {
    let wrong: Vec<_> = sources("src").iter().flat_map(|(path, text)| trespasses(path, text)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn files_are_short() {
    let files = ["src", "tests", "benches"].iter().flat_map(|folder| sources(folder));
    for (path, text) in files.filter(|(path, _)| path != GENERATED) {
        let most = if path == "src/main.rs" { MOST_LINES_OF_MAIN - 1 } else { MOST_LINES };
        let lines = text.lines().count();
        assert!(lines <= most, "{path} has {lines} lines; at most {most}");
    }
}

#[test]
fn every_folder_and_file_has_a_room() {
    for (path, _) in sources("src") {
        assert!(
            room(&path).is_some(),
            "{path} belongs to no room: name it in the table of this test and in src/lib.rs"
        );
    }
    for Room { place, .. } in ROOMS {
        assert!(sources("src").iter().any(|(path, _)| is_in(path, place)), "nothing is in src/{place}");
    }
}

#[test]
fn unsafe_code_stands_in_the_named_modules() {
    for (path, text) in sources("src") {
        let named = WITH_UNSAFE_CODE.contains(&path.as_str());
        // A word of content security policies.
        let text = text.replace("'unsafe-inline'", "");
        assert!(named || !without_comments(&text).contains("unsafe"), "{path} has unsafe code");
    }
}

/// The wall clock jumps; deadlines, timeouts and limits go by the monotonic one.
#[test]
fn the_wall_clock_is_read_where_the_world_needs_it() {
    const READERS: [&str; 4] = [
        // Keys expire on a date.
        "src/config/keys.rs",
        "src/api/guard/keyring.rs",
        // Traces of several services are laid side by side.
        "src/telemetry/traces/",
        // Weights are told apart by when they were made.
        "src/bin/",
    ];
    for (path, text) in sources("src") {
        let code = without_comments(&text);
        let code = code.split("\nmod tests {").next().unwrap();
        let may = READERS.iter().any(|reader| path.starts_with(reader));
        assert!(may || !code.contains("SystemTime"), "{path} reads the wall clock");
    }
}

#[test]
fn a_trespass_is_seen() {
    for (path, text) in [
        ("src/engine/chess/fen.rs", "use crate::engine::eval::Evaluator;"),
        ("src/engine/chess/fen.rs", "use crate::{api::AppState, engine::chess::Square};"),
        (
            "src/engine/chess/fen.rs",
            "use crate::engine::{\n    chess::Square,\n    search::{Limits, Report},\n};",
        ),
        ("src/engine/chess/fen.rs", "fn f() -> crate::pool::Snapshot { todo() }"),
        ("src/engine/chess/fen.rs", "use super::super::eval::Evaluator;"),
        ("src/engine/chess/fen/fields.rs", "use super::super::super::search::Limits;"),
        ("src/engine/eval/blend.rs", "use super::super::search::Limits;"),
        ("src/engine/eval/mod.rs", "use super::search::Limits;"),
        ("src/engine/eval/mod.rs", "use serde::Serialize;"),
        ("src/engine/search/root.rs", "let now = std::time::Instant::now();"),
        ("src/engine/search/root.rs", "#[derive(serde::Serialize)] struct Line;"),
        ("src/engine/mod.rs", "use tracing::info;"),
        ("src/pool/crew.rs", "use crate::api::AppState;"),
        ("src/pool/crew.rs", "use axum::Router;"),
        ("src/pool/crew.rs", "use super::super::config::Settings;"),
        ("src/config.rs", "use crate::pool::PoolSettings;"),
        ("src/uci/session.rs", "use crate::api::AppState;"),
        ("src/pool/results.rs", "use crate::shared_cache::SharedCache;"),
        ("src/pool/second_level.rs", "use redis::Client;"),
        ("src/api/metrics.rs", "use crate::shared_cache::SharedCache;"),
        ("src/shared_cache/mod.rs", "use crate::config::Settings;"),
        ("src/tablebase/mod.rs", "use crate::pool::PoolSettings;"),
        ("src/game/pgn/reader.rs", "use crate::engine::search::Limits;"),
        ("src/game/pgn/reader.rs", "use serde::Serialize;"),
        ("src/engine/search/tablebase/nodes.rs", "use crate::tablebase::Syzygy;"),
        ("src/engine/search/tablebase/nodes.rs", "use pyrrhic_rs::TableBases;"),
        ("src/bin/tune/dataset.rs", "use centipawn::pool::PoolSettings;"),
    ] {
        assert!(!trespasses(path, text).is_empty(), "not seen in {path}: {text}");
    }
}

#[test]
fn what_is_allowed_is_let_be() {
    for (path, text) in [
        (
            "src/engine/chess/fen/fields.rs",
            "use super::super::{Square, fen::FenError};\nuse crate::engine::chess::Move;",
        ),
        (
            "src/engine/eval/terms/rooks.rs",
            "use crate::engine::{chess::Square, eval::Ledger, weights::{Score, Term}};",
        ),
        (
            "src/engine/chess/square.rs",
            "// as serde would\n/// See crate::api for more.\nlet serde_like = 1;",
        ),
        (
            "src/api/evaluate.rs",
            "use crate::engine::eval::Evaluator;\nuse crate::api::Problem;\nuse axum::Json;",
        ),
        ("src/cli/serve.rs", "use crate::api::{self, AppState};\nuse crate::telemetry;"),
        (
            "src/tablebase/prober.rs",
            "use crate::engine::search::Wdl;\nuse pyrrhic_rs::TableBases;\nuse std::fs;",
        ),
        (
            "src/bin/tune/dataset.rs",
            "use super::matrix::Matrix;\nuse centipawn::engine::eval::Full;\nuse std::fs::File;",
        ),
        ("src/pool/search.rs", "use crate::engine::search::{Report, search};\nuse super::clock::Clock;"),
    ] {
        assert_eq!(trespasses(path, text), Vec::<String>::new(), "in {path}: {text}");
    }
}

/// Every way in which a file breaks the table.
fn trespasses(path: &str, text: &str) -> Vec<String> {
    let Some(room) = room(path) else { return vec![format!("{path} belongs to no room")] };
    let code = without_comments(text);
    let own = room.place.replace('/', "::");
    let paths = crate_paths(path, &code);
    let named = paths.iter().filter(|named| {
        let allowed = room.may_use.iter().any(|prefix| is_below(named, prefix));
        !allowed && !is_below(named, &own) && !is_below(&own, named)
    });
    let foreign = room.must_not_use.iter().filter(|name| mentions(&code, name));
    named
        .map(|named| format!("{path} names crate::{named}"))
        .chain(foreign.map(|name| format!("{path} uses {name}")))
        .collect()
}

/// Every path into this crate that the code names, without `crate::`; groups in braces are spread out.
fn crate_paths(path: &str, code: &str) -> Vec<String> {
    let module = module_of(path);
    let mut paths = Vec::new();
    for (start, _) in code.match_indices("crate::").filter(|(start, _)| starts_a_word(code, *start)) {
        spread(&root_of(path), &code[start + "crate::".len()..], &mut paths);
    }
    for (start, _) in code.match_indices("super::").filter(|(start, _)| starts_a_word(code, *start)) {
        if code[..start].ends_with("super::") {
            continue;
        }
        let mut rest = &code[start..];
        let mut base = module.as_slice();
        while let Some(up) = rest.strip_prefix("super::") {
            rest = up;
            base = &base[..base.len().saturating_sub(1)];
        }
        spread(&base.join("::"), rest, &mut paths);
    }
    paths
}

/// What `crate` means in a file: the library, or the folder of a binary.
fn root_of(path: &str) -> String {
    let module = module_of(path);
    if module.first() == Some(&"bin") { module[..2].join("::") } else { String::new() }
}

/// Adds the paths that `rest` begins with to `paths`, each below `base`.
fn spread(base: &str, rest: &str, paths: &mut Vec<String>) {
    let rest = rest.trim_start();
    let join = |name: &str| if base.is_empty() { name.to_owned() } else { format!("{base}::{name}") };
    if let Some(group) = rest.strip_prefix('{') {
        for member in members(group) {
            spread(base, member, paths);
        }
        return;
    }
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    let (name, after) = rest.split_at(end);
    if let Some(deeper) = after.strip_prefix("::") {
        spread(&join(name), deeper, paths);
    } else {
        paths.push(if name == "self" || name.is_empty() { base.to_owned() } else { join(name) });
    }
    // `use super::*` in the tests of a file at the top.
    paths.retain(|path| !path.is_empty());
}

/// The parts of a group between its commas, up to its closing brace.
fn members(group: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
    for (at, letter) in group.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 0 => {
                parts.push(&group[start..at]);
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&group[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.retain(|part| !part.trim().is_empty());
    parts
}

/// The module that a file is, as the parts of its path below the crate.
fn module_of(path: &str) -> Vec<&str> {
    let mut parts: Vec<_> = path.trim_start_matches("src/").trim_end_matches(".rs").split('/').collect();
    if parts.last() == Some(&"mod") {
        parts.pop();
    }
    parts
}

/// Whether the code names a crate or a module of the standard library, as the start of a path.
fn mentions(code: &str, name: &str) -> bool {
    let paths = code.match_indices(&format!("{name}::")).any(|(start, _)| starts_a_word(code, start));
    let uses = ["use ", "extern crate "].iter().any(|key| code.contains(&format!("{key}{name};")));
    let grouped = name.strip_prefix("std::").is_some_and(|module| {
        let mut paths = Vec::new();
        for (start, _) in code.match_indices("std::{").filter(|(start, _)| starts_a_word(code, *start)) {
            spread("", &code[start + "std::".len()..], &mut paths);
        }
        paths.iter().any(|path| is_below(path, module))
    });
    paths || uses || grouped || code.contains(&format!("use {name} "))
}

fn starts_a_word(code: &str, start: usize) -> bool {
    !code[..start].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':' || c == '$')
        || code[..start].ends_with("super::")
}

/// The code without what follows `//` in a line.
fn without_comments(text: &str) -> String {
    text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

fn room(path: &str) -> Option<&'static Room> {
    ROOMS.iter().find(|room| is_in(path, room.place))
}

fn is_in(path: &str, place: &str) -> bool {
    let below = path.trim_start_matches("src/").trim_end_matches(".rs");
    below.strip_prefix(place).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn is_below(path: &str, prefix: &str) -> bool {
    path.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// Every Rust file below a folder of the package, with its path from the package's root.
fn sources(folder: &str) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![root.join(folder)];
    let mut files: Vec<PathBuf> = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    let name = |path: &Path| path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
    files.iter().map(|path| (name(path), fs::read_to_string(path).unwrap())).collect()
}
