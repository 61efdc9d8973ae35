//! The analysis page at `/`: what it is made of, how it is kept, and that it asks nothing of any other host.

use std::collections::BTreeSet;

use axum::http::Method;

use crate::client::{Reply, get, with_headers};

fn text(reply: &Reply) -> String {
    String::from_utf8(reply.bytes.to_vec()).unwrap()
}

/// The values of an attribute, wherever it stands.
fn attributes<'a>(html: &'a str, name: &str) -> Vec<&'a str> {
    let key = format!(" {name}=\"");
    html.split(&key).skip(1).map(|rest| rest.split('"').next().unwrap()).collect()
}

/// The modules that a module names.
fn imports(script: &str) -> Vec<&str> {
    let names = script.lines().filter_map(|line| line.split_once(" from \"./"));
    names.map(|(_, rest)| rest.split('"').next().unwrap()).collect()
}

fn page() -> String {
    let reply = get("/");
    assert_eq!(reply.status, 200);
    assert_eq!(reply.header("content-type"), "text/html; charset=utf-8");
    text(&reply)
}

/// The files that the page names, as paths.
fn files(html: &str) -> BTreeSet<String> {
    let named = attributes(html, "href").into_iter().chain(attributes(html, "src"));
    named.filter(|path| path.starts_with("page/")).map(|path| format!("/{path}")).collect()
}

#[test]
fn everything_it_names_is_there_and_of_this_host() {
    let html = page();
    assert!(!html.contains("://"), "an outside address");
    assert!(!html.contains(['{', '}']), "a place that was not filled in");
    let files = files(&html);
    assert!(files.len() > 10, "{files:?}");
    for file in &files {
        let reply = get(file);
        assert_eq!(reply.status, 200, "{file}");
        let body = text(&reply).replace("http://www.w3.org/2000/svg", "");
        assert!(!body.contains("://"), "{file} has an outside address");
        let media_type = match file.rsplit('.').next().unwrap() {
            "js" => "text/javascript; charset=utf-8",
            "css" => "text/css; charset=utf-8",
            _ => "image/svg+xml",
        };
        assert_eq!(reply.header("content-type"), media_type, "{file}");
    }
}

#[test]
fn modules_are_loaded_without_waiting_for_each_other() {
    let files = files(&page());
    let folder = files.iter().find_map(|file| file.strip_suffix("app.js")).unwrap();
    for file in &files {
        let script = text(&get(file));
        for import in imports(&script) {
            assert!(
                files.contains(&format!("{folder}{import}")),
                "{file} imports {import}, which is not preloaded"
            );
        }
    }
}

#[test]
fn all_pieces_are_drawn_into_it() {
    let html = page();
    for color in ["white", "black"] {
        for kind in ["pawn", "knight", "bishop", "rook", "queen", "king"] {
            assert!(html.contains(&format!("<symbol id=\"{color}-{kind}\"")), "{color} {kind}");
        }
    }
}

#[test]
fn it_may_do_nothing_but_load_itself_and_ask_this_host() {
    let reply = get("/");
    let policy = reply.header("content-security-policy");
    for rule in ["default-src 'none'", "script-src 'self'", "connect-src 'self'", "base-uri 'none'"] {
        assert!(policy.split("; ").any(|stated| stated == rule), "{rule} is not in {policy}");
    }
    assert!(!policy.contains("unsafe"), "{policy}");
    assert_eq!(reply.header("x-content-type-options"), "nosniff");
    let html = text(&reply);
    for forbidden in [" style=\"", " onclick=\"", "<style", "<script>"] {
        assert!(!html.contains(forbidden), "the policy would block {forbidden}");
    }
}

#[test]
fn the_page_is_asked_for_anew_and_its_files_are_kept() {
    let html = page();
    assert_eq!(get("/").header("cache-control"), "no-cache");
    for file in files(&html) {
        assert_eq!(get(&file).header("cache-control"), "public, max-age=31536000, immutable", "{file}");
    }
    // A page that is still open after an update asks for a file of its time.
    let old = get("/page/0000000000000000/app.js");
    assert_eq!((old.status.as_u16(), old.header("cache-control")), (200, "no-cache"));
    let unknown = get("/page/0000000000000000/nothing.js");
    assert_eq!((unknown.status.as_u16(), unknown.json()["code"].as_str()), (404, Some("not_found")));
}

#[test]
fn what_a_browser_has_is_not_sent_again() {
    let script = files(&page()).into_iter().find(|file| file.ends_with("/app.js")).unwrap();
    for path in ["/", &script] {
        let ask = |headers: &[(&str, &str)]| with_headers(Method::GET, path, headers);
        let (plain, packed) = (ask(&[]), ask(&[("accept-encoding", "gzip, br")]));
        assert_eq!(
            (plain.header("content-encoding"), packed.header("content-encoding")),
            ("", "gzip"),
            "{path}"
        );
        assert!(packed.bytes.len() * 2 < plain.bytes.len(), "{path}");
        assert_ne!(plain.header("etag"), packed.header("etag"), "{path}");
        for (form, coding) in [(&plain, "identity"), (&packed, "gzip")] {
            let tag = form.header("etag");
            assert!(tag.starts_with('"'), "{tag}");
            let again = ask(&[("accept-encoding", coding), ("if-none-match", tag)]);
            assert_eq!(
                (again.status.as_u16(), again.bytes.len(), again.header("etag")),
                (304, 0, tag),
                "{path}"
            );
        }
    }
}
