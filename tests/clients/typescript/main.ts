// Calls the service with a client whose types are made from the OpenAPI document: `main.js BASE_URL`.
import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

const baseUrl = process.argv[2];
const client = createClient<paths, "application/json" | "application/problem+json">({ baseUrl });

const { data: evaluation } = await client.GET("/v1/evaluate", { params: { query: { moves: "e4 e5 Nf3" } } });
assert.equal(evaluation?.turn, "black");
assert.equal(typeof evaluation?.cp, "number");

const { data: best } = await client.POST("/v1/best-move", {
  body: { fen: "7k/R7/1R6/8/8/8/8/K7 w - - 0 1", depth: 4, multiPv: "all", deterministic: true },
});
assert.equal(best?.bestmove, "b6b8");
assert.equal(best?.pvs[0]?.mate, 1);

const { data: breakdown } = await client.POST("/v1/eval-breakdown", { body: { moves: ["e4", "e5"] } });
const sum = breakdown?.terms.reduce((total, term) => total + term.cp, 0);
assert.equal(sum, breakdown?.cp);

const { data: difference } = await client.GET("/v1/eval-breakdown/diff", { params: { query: { move: "e4" } } });
assert.equal(difference?.move?.san, "e4");

const { data: material } = await client.GET("/v1/material/{signature}", {
  params: { path: { signature: "KBBvKN" } },
});
assert.equal(material?.phase.name, "endgame");

const { data: answers } = await client.POST("/v1/evaluate/batch", { body: [{ id: "a" }, { id: 2, fen: "hello" }] });
const first = answers?.[0] as components["schemas"]["EvaluatedItem"];
const second = answers?.[1] as components["schemas"]["FailedItem"];
assert.deepEqual([first.id, first.status, second.id, second.code], ["a", "ongoing", 2, "fen_syntax"]);

const { data: cloud } = await client.GET("/api/cloud-eval", {
  params: { query: { fen: "7k/R7/1R6/8/8/8/8/K7 w - - 0 1" } },
});
assert.deepEqual(cloud?.pvs, [{ moves: "b6b8", mate: 1 }]);

const pictures = createClient<paths, "image/svg+xml">({ baseUrl });
const { data: picture } = await pictures.GET("/v1/board.svg", { parseAs: "text" });
assert.match(picture ?? "", /^<svg /);

const { error, response } = await client.GET("/v1/evaluate", {
  params: { query: { fen: "8/8/8/8/8/8/4K3/8 w - - 0 1" } },
});
assert.equal(response.status, 422);
assert.equal(error?.code, "missing_king");
