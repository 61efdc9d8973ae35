// Lets the README's evaluation bar rise and fall: `evaluation_bar.mjs BASE_URL`.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";

const source = await readFile(new URL("../../docs/evaluation-bar.js", import.meta.url), "utf8");
assert.ok(source.trimEnd().split("\n").length <= 20, "it is said to have 20 lines");
const { evaluationBar } = await import(`data:text/javascript,${encodeURIComponent(source)}`);

/** What the bar needs of an element, and how often it was drawn. */
function element() {
  const drawn = [];
  const style = { set background(value) { drawn.push(Number(/#eee ([\d.]+)%/.exec(value)[1])); } };
  return { drawn, style, title: "", label: "", setAttribute(name, value) { this[name] = value; } };
}

async function show(fen) {
  const bar = element();
  await evaluationBar(bar, fen, process.argv[2]);
  return bar;
}

// All other pieces are there, so that no search finds the mate within its two seconds.
const queenUp = await show("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1");
assert.ok(queenUp.drawn.length > 1, "it is drawn as the search deepens");
assert.ok(queenUp.drawn.every((share) => share >= 0 && share < 30), `${queenUp.drawn}`);
assert.match(queenUp.title, /^-\d+\.\d\d$/);
assert.equal(queenUp["aria-label"], `Evaluation for White: ${queenUp.title}`);

const mate = await show("7k/R7/1R6/8/8/8/8/K7 w - - 0 1");
assert.deepEqual([mate.drawn.at(-1), mate.title], [100, "Mate in 1"]);

const over = await show("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
assert.deepEqual(over.drawn, []);
await assert.rejects(show("8/8/8/8/8/8/4K3/8 w - - 0 1"), /Black has no king/);
