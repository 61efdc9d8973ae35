//! Real examples for the OpenAPI document: requests, and what the service answers to them.
//!
//! They stand in `examples.json`, one after the other. A test sends every request and compares the reply, or writes it
//! anew with the environment variable `UPDATE_EXAMPLES` set.

use serde::Deserialize;
use serde_json::{Map, Value, json};

/// A request and its reply.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Example {
    /// The operation's id; `*` stands for a refusal that is the same everywhere.
    operation: String,
    name: String,
    /// Of one that is the same everywhere: it happens only where this status does too.
    only_with: Option<u16>,
    /// What it shows.
    summary: String,
    /// Of the path and of the query string.
    #[serde(default)]
    parameters: Map<String, Value>,
    body: Option<Value>,
    #[serde(default = "json_type")]
    content_type: String,
    status: u16,
    media_type: String,
    /// JSON, or text; of a stream the last object.
    reply: Value,
}

fn json_type() -> String {
    "application/json".to_owned()
}

/// Puts the examples into a document, each at its request and at its reply. A request that is refused is told in the
/// summary of the refusal alone: a browser that offers examples offers what works.
pub(super) fn illustrate(document: &mut Value) {
    // A damaged file shows in the test that compares the document, and as a document without examples.
    let examples: Vec<Example> = serde_json::from_str(include_str!("examples.json")).unwrap_or_default();
    let (everywhere, own): (Vec<_>, Vec<_>) = examples.iter().partition(|example| example.operation == "*");
    for (index, example) in own.iter().enumerate() {
        let first = own[..index].iter().find(|earlier| earlier.operation == example.operation);
        let mut operations = operations(document);
        if let Some(operation) = operations.find(|operation| operation["operationId"] == *example.operation) {
            example.illustrate(operation, first.unwrap_or(example));
        }
    }
    for operation in operations(document) {
        let id = operation["operationId"].clone();
        let has_its_own =
            |status| own.iter().any(|example| id == *example.operation && example.status == status);
        for example in everywhere.iter().filter(|example| !has_its_own(example.status)) {
            let may_happen = example
                .only_with
                .is_none_or(|status| operation["responses"].get(status.to_string()).is_some());
            if may_happen {
                example.add(example.reply_in(operation), &example.reply);
            }
        }
    }
}

fn operations(document: &mut Value) -> impl Iterator<Item = &mut Value> {
    let paths = document["paths"].as_object_mut().into_iter().flat_map(Map::values_mut);
    paths.filter_map(Value::as_object_mut).flat_map(Map::values_mut)
}

impl Example {
    fn illustrate(&self, operation: &mut Value, first: &Self) {
        self.add(self.reply_in(operation), &self.reply);
        if self.status >= 400 {
            return;
        }
        if let Some(body) = &self.body {
            let content = operation.pointer_mut("/requestBody/content");
            self.add(content.and_then(|content| content.get_mut(&self.content_type)), body);
        }
        // Browsers fill in the first example of each parameter, and these have to go together.
        let together = self.parameters.iter().filter(|(name, _)| first.parameters.contains_key(*name));
        for (name, value) in together {
            let parameters = operation["parameters"].as_array_mut().into_iter().flatten();
            self.add(parameters.into_iter().find(|parameter| parameter["name"] == **name), value);
        }
    }

    /// The place of its reply.
    fn reply_in<'a>(&self, operation: &'a mut Value) -> Option<&'a mut Value> {
        operation.pointer_mut(&format!("/responses/{}/content", self.status))?.get_mut(&self.media_type)
    }

    fn add(&self, place: Option<&mut Value>, value: &Value) {
        if let Some(place) = place {
            let mut shown = place["examples"].as_object().into_iter().flat_map(Map::values);
            // Two examples that differ elsewhere are one here, but their replies are two.
            if place.get("in").is_some() && shown.any(|other| other["value"] == *value) {
                return;
            }
            place["examples"][&self.name] = json!({ "summary": self.summary, "value": value });
        }
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt;

    use super::{Example, Value};
    use crate::api::envelope::panicked;

    /// The one that no request of a test can bring about.
    #[tokio::test]
    async fn the_fault_is_what_is_said_of_one() {
        let examples: Vec<Example> = serde_json::from_str(include_str!("examples.json")).unwrap();
        let bytes = panicked(&"a secret").into_body().collect().await.unwrap().to_bytes();
        let shown = examples.into_iter().find(|example| example.status == 500).unwrap();
        assert_eq!(shown.reply, serde_json::from_slice::<Value>(&bytes).unwrap());
    }
}
