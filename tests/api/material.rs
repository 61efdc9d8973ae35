//! `/v1/material/{signature}`.

use serde_json::{Value, json};

use crate::client::get;

#[test]
fn signatures_are_read_leniently() {
    // As asked, as told, where from.
    let cases = [
        ("KRPvKR", "KRPvKR", "table"),
        ("KBBvKNP", "KBBvKNP", "table"),
        ("kprvkr", "KRPvKR", "table"),
        ("KQQvK", "KQQvK", "hash"),
        ("KvK", "KvK", "table"),
    ];
    for (asked, told, source) in cases {
        let body = get(&format!("/v1/material/{asked}")).ok();
        assert_eq!((&body["signature"], &body["source"]), (&json!(told), &json!(source)), "{asked}");
        for field in ["values", "imbalance", "cp", "phase", "scale", "engine"] {
            assert!(!body[field].is_null(), "{asked} {field}");
        }
    }
    assert_eq!(
        get("/v1/material/KvK").ok()["scale"],
        json!({ "value": 0, "max": 64, "reason": "insufficientMaterial" })
    );
    assert_eq!(get("/v1/material/KQvK").ok()["values"]["euwe"], json!({ "mg": 950, "eg": 950 }));
}

#[test]
fn what_is_no_signature_is_refused() {
    let cases = [
        ("KRP", 400, "signature_syntax"),
        ("RvK", 400, "signature_syntax"),
        ("KXvK", 400, "signature_syntax"),
        ("%ff", 400, "signature_syntax"),
        ("KPPPPPPPPPvK", 422, "too_much_material"),
    ];
    for (asked, status, code) in cases {
        let reply = get(&format!("/v1/material/{asked}"));
        assert_eq!((reply.status.as_u16(), &reply.json()["code"]), (status, &json!(code)), "{asked}");
        assert_ne!(reply.json()["field"], Value::Null);
    }
}
