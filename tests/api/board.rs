//! `GET /v1/board.svg`: a picture of a position.

use roxmltree::{Document, Node};
use serde_json::{Value, json};

use crate::client::{get, query};

fn picture(fields: &Value) -> String {
    let reply = get(&format!("/v1/board.svg?{}", query(fields)));
    assert_eq!(reply.status, 200, "{fields} {:?}", reply.bytes);
    assert_eq!(reply.header("content-type"), "image/svg+xml");
    String::from_utf8(reply.bytes.to_vec()).unwrap()
}

fn with_class<'a, 'input>(document: &'a Document<'input>, class: &str) -> Vec<Node<'a, 'input>> {
    let has =
        |node: &Node<'_, '_>| node.attribute("class").unwrap_or_default().split(' ').any(|one| one == class);
    document.descendants().filter(has).collect()
}

/// Column and row of a mark on a square, from the upper left.
fn place(node: Node<'_, '_>, corner: (i32, i32)) -> (i32, i32) {
    let number = |name| node.attribute(name).unwrap().parse::<i32>().unwrap();
    ((number("x") - corner.0) / 72, (number("y") - corner.1) / 72)
}

/// The upper left corner of the squares: that of the square that is first in both directions.
fn corner(document: &Document<'_>) -> (i32, i32) {
    let squares = [with_class(document, "light-square"), with_class(document, "dark-square")].concat();
    assert_eq!(squares.len(), 64);
    let least = |name| squares.iter().map(|node| node.attribute(name).unwrap().parse::<i32>().unwrap()).min();
    (least("x").unwrap(), least("y").unwrap())
}

fn said(document: &Document<'_>, name: &str) -> String {
    let node = document
        .root_element()
        .children()
        .find(|node| node.has_tag_name(("http://www.w3.org/2000/svg", name)));
    node.unwrap().text().unwrap().to_owned()
}

#[test]
fn the_start_position_is_whole_and_needs_nothing_from_outside() {
    let text = picture(&json!({}));
    let document = Document::parse(&text).unwrap();
    assert_eq!(said(&document, "title"), "White to move");
    let description = said(&document, "desc");
    assert!(
        description.contains("White king on e1") && description.contains("Black pawn on h7"),
        "{description}"
    );
    for (class, count) in
        [("white-piece", 16), ("black-piece", 16), ("coordinate", 16), ("last-move", 0), ("check", 0)]
    {
        assert_eq!(with_class(&document, class).len(), count, "{class}");
    }
    assert!(!text.contains("href") && !text.contains("<script") && !text.contains("url("));
}

#[test]
fn the_last_move_and_a_check_are_marked_from_either_side() {
    let mate = "e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7";
    for (orientation, [h5, f7, e8]) in
        [("white", [(7, 3), (5, 1), (4, 0)]), ("black", [(0, 4), (2, 6), (3, 7)])]
    {
        let text = picture(&json!({ "moves": mate, "orientation": orientation }));
        let document = Document::parse(&text).unwrap();
        let corner = corner(&document);
        let places = |class| {
            with_class(&document, class).into_iter().map(|node| place(node, corner)).collect::<Vec<_>>()
        };
        let mut moved = places("last-move");
        moved.sort_unstable();
        let mut expected = [h5, f7];
        expected.sort_unstable();
        assert_eq!((moved.as_slice(), places("check")), (expected.as_slice(), vec![e8]));
        assert_eq!(said(&document, "title"), "Checkmate: White has won");
        assert!(said(&document, "desc").contains("Last move: h5 to f7."));
    }
    let text = picture(&json!({ "moves": mate, "lastMove": "a2a1q" }));
    let document = Document::parse(&text).unwrap();
    let marked = with_class(&document, "last-move").into_iter().map(|node| place(node, corner(&document)));
    assert_eq!(marked.collect::<Vec<_>>(), [(0, 7), (0, 6)], "what is asked for, not what was played");
}

#[test]
fn arrows_point_and_rings_go_round() {
    let text = picture(&json!({ "arrows": "e2e4,Rd8h4,Ye5,Bb1c3" }));
    // The dark look has no colour for an arrow but its own.
    let dark = text.split("prefers-color-scheme: dark").nth(1).unwrap().split("</style>").next().unwrap();
    for class in ["arrow", "tip", "ring", "green", "red", "yellow", "blue"] {
        assert!(text.contains(class) && !dark.contains(&format!(".{class} ")), "{class}");
    }
    let document = Document::parse(&text).unwrap();
    for (paint, shape) in
        [("green", "polygon"), ("red", "polygon"), ("yellow", "circle"), ("blue", "polygon")]
    {
        let drawn = with_class(&document, paint);
        assert_eq!(drawn.len(), 1, "{paint}");
        assert_eq!(drawn[0].tag_name().name(), shape);
    }
    let (x, y) = corner(&document);
    let tip = format!("{}.0,{}.0", x + 4 * 72 + 36, y + 4 * 72 + 36);
    assert!(with_class(&document, "green")[0].attribute("points").unwrap().contains(&tip), "e4 is {tip}");
    let description = said(&document, "desc");
    assert!(
        description.contains("A red arrow from d8 to h4.")
            && description.contains("A yellow ring around e5.")
    );
    picture(&json!({ "arrows": (["a1h8"; 64].join(",")) }));
}

#[test]
fn themes_and_coordinates_are_the_clients_choice() {
    let auto = picture(&json!({}));
    assert!(auto.contains("prefers-color-scheme"));
    assert_eq!(picture(&json!({ "theme": "auto" })), auto);
    let [light, dark] = ["light", "dark"].map(|theme| picture(&json!({ "theme": theme })));
    assert!(!light.contains("prefers-color-scheme") && !dark.contains("prefers-color-scheme"));
    assert!(!light.contains("#16181c") && dark.contains("#16181c"));
    let text = picture(&json!({ "coordinates": false }));
    assert!(with_class(&Document::parse(&text).unwrap(), "coordinate").is_empty());
}

#[test]
fn what_cannot_be_drawn_is_an_error() {
    let cases = [
        (json!({ "lastMove": "e9e4" }), 400, "invalid_field", "lastMove"),
        (json!({ "lastMove": "e2" }), 400, "invalid_field", "lastMove"),
        (json!({ "lastMove": "e2e4k" }), 400, "invalid_field", "lastMove"),
        (json!({ "lastMove": "éé" }), 400, "invalid_field", "lastMove"),
        (json!({ "arrows": "" }), 400, "invalid_field", "arrows"),
        (json!({ "arrows": "e2e4," }), 400, "invalid_field", "arrows"),
        (json!({ "arrows": "Ge2é4" }), 400, "invalid_field", "arrows"),
        (json!({ "arrows": "Ke4" }), 400, "invalid_field", "arrows"),
        (json!({ "arrows": (["e4"; 65].join(",")) }), 400, "invalid_field", "arrows"),
        (json!({ "orientation": "side" }), 400, "invalid_field", "orientation"),
        (json!({ "theme": "wood" }), 400, "invalid_field", "theme"),
        (json!({ "coordinates": "yes" }), 400, "invalid_field", "coordinates"),
        (json!({ "pov": "white" }), 400, "unknown_field", "pov"),
        (json!({ "fen": "hello" }), 400, "fen_syntax", "fen"),
        (json!({ "fen": "8/8/8/8/8/8/4K3/8 w - - 0 1" }), 422, "missing_king", "fen"),
        (json!({ "moves": "e5" }), 422, "illegal_move", "moves"),
    ];
    for (fields, status, code, field) in cases {
        let reply = get(&format!("/v1/board.svg?{}", query(&fields)));
        let problem = reply.json();
        assert_eq!(reply.status, status, "{fields}");
        assert_eq!((&problem["code"], &problem["field"]), (&json!(code), &json!(field)), "{fields}");
    }
}
