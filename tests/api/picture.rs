//! `Accept: image/svg+xml`: the breakdown as a picture.

use axum::body::Body;
use axum::http::{Method, Request, header};
use roxmltree::{Document, Node};
use serde_json::{Value, json};

use crate::client::{Reply, post, query, send, with_headers};

const POSITIONS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
    "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
    "8/8/4k3/8/8/3NK3/8/8 w - - 0 1",
    "8/5k2/8/3P4/8/8/5K2/8 b - - 0 1",
    "8/PPPPPPPP/nr4RN/qb4BQ/kb4BK/nr4RN/pppppppp/8 w - - 0 1",
];

fn picture(fields: &Value) -> Reply {
    let path = format!("/v1/eval-breakdown?{}", query(fields));
    let reply = with_headers(Method::GET, &path, &[("accept", "image/svg+xml")]);
    assert_eq!(reply.status, 200, "{fields} {:?}", reply.bytes);
    assert_eq!(reply.header("content-type"), "image/svg+xml");
    reply
}

fn text_of(reply: &Reply) -> String {
    String::from_utf8(reply.bytes.to_vec()).unwrap()
}

/// The texts of all elements of this name and class.
fn texts<'a>(document: &'a Document<'_>, name: &str, class: &str) -> Vec<&'a str> {
    let wanted = |node: &Node<'_, '_>| {
        let classes = node.attribute("class").unwrap_or_default();
        node.has_tag_name(name) && classes.split(' ').any(|one| one == class)
    };
    document.descendants().filter(wanted).map(|node| node.text().unwrap_or_default()).collect()
}

/// `+0.28` as centipawns.
fn centipawns(pawns: &str) -> i64 {
    (pawns.parse::<f64>().unwrap() * 100.0).round() as i64
}

#[test]
fn it_is_well_formed_and_needs_nothing_from_outside() {
    for fen in POSITIONS {
        for pov in ["white", "turn"] {
            let text = text_of(&picture(&json!({ "fen": fen, "pov": pov })));
            let document = Document::parse(&text).unwrap_or_else(|error| panic!("{fen}: {error}"));
            let root = document.root_element();
            assert!(root.has_tag_name(("http://www.w3.org/2000/svg", "svg")));
            assert_eq!(root.attribute("role"), Some("img"));
            let labels = root.attribute("aria-labelledby").unwrap().split(' ');
            for (id, name) in labels.zip(["title", "desc"]) {
                let node = root.children().find(|node| node.attribute("id") == Some(id)).unwrap();
                assert!(node.has_tag_name(("http://www.w3.org/2000/svg", name)));
                assert!(!node.text().unwrap().is_empty(), "{fen} {name}");
            }
            for node in document.descendants() {
                assert!(!["image", "script", "use", "foreignObject"].contains(&node.tag_name().name()));
                assert!(
                    node.attributes().all(|it| !it.name().contains("href") && !it.value().contains("url("))
                );
            }
            assert!(!text.replace("http://www.w3.org/2000/svg", "").contains("//"), "{fen}");
            assert!(!text.contains("@import") && text.contains("prefers-color-scheme: dark"), "{fen}");
        }
    }
}

#[test]
fn it_shows_what_the_breakdown_says() {
    for fen in POSITIONS {
        for pov in ["white", "turn"] {
            let fields = json!({ "fen": fen, "pov": pov });
            let (body, text) = (post("/v1/eval-breakdown", &fields).ok(), text_of(&picture(&fields)));
            let document = Document::parse(&text).unwrap();
            let headline = texts(&document, "text", "headline");
            assert_eq!(headline, [body["summary"][0].as_str().unwrap()], "{fen}");
            // A row has a title and three numbers: White's share, Black's share and the result.
            let rows = texts(&document, "text", "row");
            let terms = body["terms"].as_array().unwrap();
            for (row, term) in rows.chunks(4).zip(terms) {
                let [white, black, cp] = [row[1], row[2], row[3]].map(centipawns);
                assert_eq!(cp, term["cp"].as_i64().unwrap(), "{fen} {row:?}");
                let sign = if pov == "turn" && body["turn"] == "black" { -1 } else { 1 };
                assert_eq!(sign * (white - black), cp, "{fen} {row:?}");
            }
            let total = texts(&document, "text", "total");
            assert_eq!((total[0], centipawns(total[1])), ("Total", body["cp"].as_i64().unwrap()), "{fen}");
            let placement = &fen[..fen.find(' ').unwrap()];
            let pieces = placement.chars().filter(char::is_ascii_alphabetic).count();
            let drawn = ["white-piece", "black-piece"].map(|class| texts(&document, "g", class).len());
            assert_eq!(drawn[0] + drawn[1], pieces, "{fen}");
        }
    }
}

#[test]
fn the_mirrored_board_has_the_same_labels() {
    let labels = |fen: &str| {
        let text = text_of(&picture(&json!({ "fen": fen })));
        let mut labels: Vec<String> = {
            let document = Document::parse(&text).unwrap();
            texts(&document, "text", "label").into_iter().map(str::to_owned).collect()
        };
        labels.sort();
        labels
    };
    let (white, black) = (
        "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
        "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/2N5/PPPP1PPP/R1BQKBNR b KQkq - 2 3",
    );
    assert!(labels(white).len() > 20);
    assert_eq!(labels(white), labels(black));
}

#[test]
fn the_side_whose_view_is_asked_for_sits_at_the_bottom() {
    let coordinates = |pov: &str| {
        let text = text_of(&picture(&json!({ "moves": "e4", "pov": pov })));
        let document = Document::parse(&text).unwrap();
        texts(&document, "text", "coordinate").join("")
    };
    assert_eq!(coordinates("white"), "a1b2c3d4e5f6g7h8");
    assert_eq!(coordinates("turn"), "h8g7f6e5d4c3b2a1");
}

#[test]
fn with_a_search_it_is_the_leaf() {
    let fields = json!({ "moves": "e4 e5", "searched": true, "depth": 4, "deterministic": true });
    let body = post("/v1/eval-breakdown", &fields).ok();
    let reply = picture(&fields);
    let text = text_of(&reply);
    let document = Document::parse(&text).unwrap();
    let description = document.descendants().find(|node| node.has_tag_name("desc")).unwrap();
    assert!(description.text().unwrap().contains(body["leafFen"].as_str().unwrap()), "{description:?}");
    let subtitle = texts(&document, "text", "subtitle");
    assert!(subtitle[0].contains(body["line"]["san"][0].as_str().unwrap()), "{subtitle:?}");
    assert!(reply.header("etag").starts_with('"'));
}

#[test]
fn data_is_sent_unless_a_picture_is_preferred() {
    for (accept, content_type) in [
        ("*/*", "application/json"),
        ("application/json", "application/json"),
        ("text/plain", "application/json"),
        ("application/json, image/svg+xml;q=0.9", "application/json"),
        ("image/svg+xml, */*;q=0.8", "image/svg+xml"),
        ("image/*", "image/svg+xml"),
    ] {
        let got = with_headers(Method::GET, "/v1/eval-breakdown", &[("accept", accept)]);
        let request = Request::post("/v1/eval-breakdown")
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::ACCEPT, accept);
        let posted = send(request.body(Body::from("{}")).unwrap());
        for reply in [got, posted] {
            assert_eq!(reply.header("content-type"), content_type, "{accept}");
            let vary =
                reply.headers.get_all("vary").iter().map(|value| value.to_str().unwrap().to_lowercase());
            assert!(vary.into_iter().any(|value| value.split(", ").any(|name| name == "accept")), "{accept}");
        }
    }
}

#[test]
fn an_error_is_a_problem_for_those_who_want_a_picture_too() {
    let reply = with_headers(Method::GET, "/v1/eval-breakdown?fen=hello", &[("accept", "image/svg+xml")]);
    assert_eq!((reply.status.as_u16(), reply.header("content-type")), (400, "application/problem+json"));
}
