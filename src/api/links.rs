//! What may be asked next about the position of a reply, told by the OpenAPI document's links.

use serde_json::{Map, Value, json};

/// The operations whose reply names a position, and where to go from there.
const LINKS: [(&[&str], &[&Link]); 3] = [
    (&["getEvaluation", "evaluate"], &[&BEST_MOVE, &BREAKDOWN, &MATERIAL, &BOARD]),
    (&["getBestMove", "findBestMove"], &[&CHANGE, &BOARD_WITH_ARROW, &EVALUATION]),
    (&["getEvalBreakdown", "breakDown"], &[&BEST_MOVE, &BOARD]),
];

struct Link {
    name: &'static str,
    description: &'static str,
    operation: &'static str,
    /// Each with the runtime expression of its value.
    parameters: &'static [(&'static str, &'static str)],
}

const FEN: (&str, &str) = ("fen", "$response.body#/fen");

const BEST_MOVE: Link = Link {
    name: "bestMove",
    description: "What to play in this position.",
    operation: "getBestMove",
    parameters: &[FEN],
};
const EVALUATION: Link = Link {
    name: "evaluation",
    description: "What this position is worth without a search.",
    operation: "getEvaluation",
    parameters: &[FEN],
};
const BREAKDOWN: Link = Link {
    name: "breakdown",
    description: "Why this position is worth that.",
    operation: "getEvalBreakdown",
    parameters: &[FEN],
};
const MATERIAL: Link = Link {
    name: "material",
    description: "What the pieces alone say.",
    operation: "getMaterial",
    parameters: &[("signature", "$response.body#/material/signature")],
};
const CHANGE: Link = Link {
    name: "change",
    description: "What the best move changes, term by term; there is none where the game is over.",
    operation: "getEvalBreakdownDiff",
    parameters: &[FEN, ("move", "$response.body#/bestmove")],
};
const BOARD: Link = Link {
    name: "board",
    description: "A picture of this position.",
    operation: "getBoard",
    parameters: &[FEN],
};
const BOARD_WITH_ARROW: Link = Link {
    name: "boardWithArrow",
    description: "A picture of this position with the best move as an arrow; there is none where the game is over.",
    operation: "getBoard",
    parameters: &[FEN, ("arrows", "G{$response.body#/from}{$response.body#/to}")],
};

/// Puts the links into a document, each at the reply with status 200.
pub(super) fn link(document: &mut Value) {
    let paths = document["paths"].as_object_mut().into_iter().flat_map(Map::values_mut);
    for operation in paths.filter_map(Value::as_object_mut).flat_map(Map::values_mut) {
        let found = LINKS.iter().find(|(from, _)| from.iter().any(|id| operation["operationId"] == *id));
        if let Some((_, links)) = found {
            operation["responses"]["200"]["links"] = links.iter().map(|link| link.told()).collect();
        }
    }
}

impl Link {
    fn told(&self) -> (String, Value) {
        let parameters: Map<_, _> =
            self.parameters.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect();
        let told = json!({ "operationId": self.operation, "description": self.description, "parameters": parameters });
        (self.name.to_owned(), told)
    }
}
