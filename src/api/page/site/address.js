// The address bar carries the position, so that a link to it can be shared: `?fen=...&moves=...&ply=...`.

import { Game } from "./game.js";
import { START } from "./rules.js";
import { canonical } from "./opening.js";

/** What stood in the address when this page wrote it last. */
let written;

const hashNames = () => location.hash.includes("=");

/** Whether the address is now another one than this page has written; a jump within the page is not. */
export const isForeign = () => hashNames() || location.search !== written;

/**
 * What the address names. On a bad position it is the start position, on a bad move the game before it; and `problem` says what
 * is wrong, in the service's words where they are its.
 */
export async function readAddress() {
  const fields = new URLSearchParams(hashNames() ? location.hash.slice(1) : location.search);
  const isFlipped = fields.get("orientation") === "black";
  const chess960 = fields.get("variant") === "chess960";
  const fen = fields.get("fen")?.replaceAll("_", " ");
  let game;
  try {
    game = new Game(fen === undefined ? undefined : await canonical(fen, chess960), chess960);
  } catch (error) {
    game = new Game();
    return { game, node: game.root, isFlipped, problem: { text: fen, words: error.message } };
  }
  const moves = (fields.get("moves") ?? "").split(/[\s_,]+/).filter((move) => move !== "");
  let node = game.root;
  for (const text of moves) {
    const move = node.position.find(text);
    if (move === undefined) {
      const words = `The address has the move “${text}”, which is not legal there.`;
      return { game, node, isFlipped, problem: { words } };
    }
    node = node.play(move);
  }
  const ply = fields.has("ply") ? Number(fields.get("ply")) : node.ply;
  return { game, node: node.path()[ply - 1] ?? (ply === 0 ? game.root : node), isFlipped };
}

/** Names a place in the address, without a step in the browser's history. */
export function writeAddress(game, node, isFlipped) {
  const fields = [];
  if (game.fen !== START) fields.push(`fen=${game.fen.replaceAll(" ", "_")}`);
  if (game.chess960) fields.push("variant=chess960");
  const line = node.line();
  if (line.length > 0) fields.push(`moves=${line.map(({ uci }) => uci).join("_")}`);
  if (node.ply < line.length) fields.push(`ply=${node.ply}`);
  if (isFlipped) fields.push("orientation=black");
  const query = fields.length === 0 ? location.pathname : `?${fields.join("&")}`;
  // Browsers limit how often this may be done; an address that lags behind for a moment does no harm.
  try {
    history.replaceState(null, "", query);
    written = location.search;
  } catch {
    // The next step sets it right.
  }
}
