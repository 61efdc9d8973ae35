// A game as a tree of moves, read from PGN and written as PGN.

import { Position, START } from "./rules.js";

/** By numeric annotation glyph; those behind them are about positions. */
const SIGNS = [undefined, "!", "?", "!!", "??", "!?", "?!"];

/** A move played, and everything after it. The root has no move. */
class Node {
  constructor(parent, move, position) {
    this.parent = parent;
    this.move = move;
    this.position = position;
    this.uci = move && parent.position.uci(move);
    this.ply = parent === null ? 0 : parent.ply + 1;
    this.children = [];
    this.comment = "";
    /** Commands of comments, such as clocks and evaluations, as they stand: `[%clk 0:05:00]`. */
    this.commands = [];
    /** What annotators think of it, as numeric annotation glyphs. */
    this.nags = [];
  }

  /** The sign of an annotator who judges the move: `!?`. */
  get sign() {
    return SIGNS[this.nags.find((nag) => nag < SIGNS.length)];
  }

  get san() {
    return this.sanText ??= this.parent.position.san(this.move);
  }

  /** The move with its number: `12. Nf3`, `12... Nf6`. */
  get title() {
    const { turn, number } = this.parent.position;
    return `${number}${turn === "w" ? "." : "..."} ${this.san}`;
  }

  /** Plays a move, along the tree where it is there already. */
  play(move) {
    const uci = this.position.uci(move);
    return this.children.find((known) => known.uci === uci) ?? this.branch(move);
  }

  /** Plays a move as one of its own, even where the same is there already. */
  branch(move) {
    const child = new Node(this, move, this.position.play(move));
    this.children.push(child);
    return child;
  }

  /** From the first move to this one. */
  path() {
    const nodes = [];
    for (let node = this; node.parent !== null; node = node.parent) nodes.unshift(node);
    return nodes;
  }

  /** This one's path and what follows by first choices. */
  line() {
    const nodes = this.path();
    for (let node = this.children[0]; node !== undefined; node = node.children[0]) nodes.push(node);
    return nodes;
  }
}

export class Game {
  /** From a position, with what the service had to repair in it, in its words. */
  constructor({ fen, repairs } = { fen: START, repairs: [] }, chess960 = false, headers = {}) {
    this.fen = fen;
    this.repairs = repairs;
    this.chess960 = chess960;
    this.headers = headers;
    this.root = new Node(null, undefined, Position.read(fen, chess960));
  }

  /** What the service needs to know of a place in the game. */
  request(node) {
    const request = {};
    if (this.fen !== START) request.fen = this.fen;
    const moves = node.path().map(({ uci }) => uci);
    if (moves.length > 0) request.moves = moves;
    if (this.chess960) request.variant = "chess960";
    return request;
  }

  /** Takes a move and all that follows it out of the tree; gives what is then the last move before. */
  remove(node) {
    const { children } = node.parent;
    children.splice(children.indexOf(node), 1);
    return node.parent;
  }

  mainLine() {
    return this.root.line();
  }

  /** The game as PGN, with its variations. */
  pgn() {
    const headers = {
      Event: "?", Site: "?", Date: "????.??.??", Round: "?", White: "?", Black: "?", Result: "*", ...this.headers,
    };
    if (this.fen !== START) Object.assign(headers, { SetUp: "1", FEN: this.fen });
    if (this.chess960) headers.Variant = "Chess960";
    const escape = (text) => text.replace(/[\\"]/g, "\\$&");
    const tags = Object.entries(headers).map(([name, value]) => `[${name} "${escape(value)}"]\n`).join("");
    return `${tags}\n${wrap([...written(this.root, true), headers.Result].join(" "))}\n`;
  }
}

/** The moves after a node as words of movetext. `restart` says that the number must stand even before Black's move. */
function* written(node, restart) {
  const [first, ...others] = node.children;
  if (first === undefined) return;
  yield* moveText(first, restart);
  for (const other of others) {
    yield "(";
    yield* moveText(other, true);
    yield* written(other, other.comment !== "");
    yield ")";
  }
  yield* written(first, others.length > 0 || first.comment !== "");
}

function* moveText(node, restart) {
  const { turn, number } = node.parent.position;
  if (turn === "w") yield `${number}.`;
  else if (restart) yield `${number}...`;
  yield node.san;
  for (const nag of node.nags) yield `$${nag}`;
  const words = [...node.commands, node.comment.replaceAll("}", ")")].filter((word) => word !== "");
  if (words.length > 0) yield `{ ${words.join(" ")} }`;
}

function wrap(text) {
  const lines = [""];
  for (const word of text.replaceAll("( ", "(").replaceAll(" )", ")").split(" ")) {
    const last = lines.at(-1);
    if (last !== "" && last.length + 1 + word.length > 80) lines.push(word);
    else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`;
  }
  return lines.join("\n");
}

/** What is wrong with a PGN, in words, with the line it stands in. */
export class PgnError extends Error {}

const TOKEN = new RegExp([
  String.raw`\[\s*(?<tag>\w+)\s*"(?<value>(?:\\.|[^"\\\n])*)"\s*\]`,
  // Quotes in a value that should have been escaped, and lines that are no header at all.
  String.raw`^\[\s*(?<dirtyTag>\w+)\s*"(?<dirtyValue>[^\n]*)"\s*\]`,
  String.raw`(?<junk>^\[[^\n]*)`,
  String.raw`\{(?<comment>[^}]*)\}?`,
  String.raw`;(?<rest>[^\n]*)`,
  String.raw`(?<escape>^%[^\n]*)`,
  String.raw`(?<nag>\$\d+|[!?]+)`,
  String.raw`(?<open>\()|(?<close>\))`,
  String.raw`(?<result>1-0|0-1|1/2-1/2|\*)`,
  String.raw`(?<number>\d+\s*\.+|\d+(?=\s)|\.+)`,
  String.raw`(?<san>[A-Za-z0-9][A-Za-z0-9+#=:x/-]*)`,
  String.raw`(?<other>\S)`,
].join("|"), "gms");

/**
 * Finds the games of a PGN, whose moves are read when a game is wanted. `canonical` gives a start position as the service
 * writes it, with what it repaired, or throws with its words.
 */
export function readPgn(text, canonical) {
  const games = [];
  let game;
  for (const { groups, index } of text.replace(/^\uFEFF/, "").matchAll(TOKEN)) {
    if (groups.escape !== undefined || groups.junk !== undefined) continue;
    const tag = groups.tag ?? groups.dirtyTag;
    const begins = tag === undefined ? game?.isOver : game?.tokens.length > 0 || game?.headers[tag] !== undefined;
    if (game === undefined || begins) games.push(game = new PgnGame(text, canonical));
    if (tag === undefined) game.add(groups, index);
    else game.headers[tag] = (groups.value ?? groups.dirtyValue).replace(/\\(["\\])/g, "$1");
  }
  return games;
}

const COMMAND = /\[%[^\]]*\]/g;

/** A game as it was found. */
class PgnGame {
  headers = {};
  tokens = [];
  depth = 0;
  isOver = false;

  constructor(text, canonical) {
    Object.assign(this, { text, canonical });
  }

  add(groups, index) {
    this.tokens.push({ groups, index });
    this.depth += groups.open === undefined ? (groups.close === undefined ? 0 : -1) : 1;
    if (groups.result !== undefined && this.depth <= 0) this.isOver = true;
  }

  /** Reads its moves. */
  async read() {
    const { FEN: fen, SetUp: _, Variant: variant, ...headers } = this.headers;
    const chess960 = /960|fischer/i.test(variant ?? "");
    if (variant !== undefined && !chess960 && !/^(standard|from position|normal|chess)$/i.test(variant)) {
      throw new PgnError(`The variant “${variant}” is not one that is played here.`);
    }
    const game = new Game(fen === undefined ? undefined : await this.canonical(fen, chess960), chess960, headers);
    const place = { node: game.root, stack: [], isBranch: false, lost: Infinity };
    for (const { groups, index } of this.tokens) {
      take(groups, place, game, () => `line ${this.text.slice(0, index).split("\n").length}`);
    }
    return game;
  }
}

/**
 * Takes a token. The place is the `node` that is reached, the `stack` of those that variations in brackets go back to, whether
 * the next move begins a variation (`isBranch`), and how deep in brackets (`lost`) something stands that is no legal move.
 */
function take({ comment, rest, nag, open, close, result, san, other }, place, game, where) {
  const { node, stack } = place;
  if (open !== undefined) {
    if (node.parent === null) throw new PgnError(`A variation before the first move (${where()}).`);
    stack.push(node);
    Object.assign(place, { node: node.parent, isBranch: true });
  } else if (close !== undefined) {
    if (stack.length === 0) throw new PgnError(`A closing bracket without its opening one (${where()}).`);
    if (stack.length <= place.lost) place.lost = Infinity;
    Object.assign(place, { node: stack.pop(), isBranch: false });
  } else if (stack.length >= place.lost) return;
  else if (comment !== undefined || rest !== undefined) remark(node, comment ?? rest);
  else if (nag !== undefined) {
    if (node.parent !== null) node.nags.push(nag.startsWith("$") ? Number(nag.slice(1)) : SIGNS.indexOf(nag.slice(0, 2)));
  } else if (result !== undefined) {
    if (stack.length === 0) game.headers.Result ??= result;
  } else if (san !== undefined) step(san, place, where);
  else if (other !== undefined) throw new PgnError(`“${other}” means nothing in a PGN (${where()}).`);
}

/** Plays a move. One that is not legal ends the variation it stands in: people write null moves there, and threats. */
function step(san, place, where) {
  const { node, stack, isBranch } = place;
  const move = node.position.find(san);
  if (move !== undefined) Object.assign(place, { node: isBranch ? node.branch(move) : node.play(move), isBranch: false });
  else if (stack.length > 0) place.lost = stack.length;
  else {
    const { number, turn } = node.position;
    throw new PgnError(`“${san}” is no legal move at ${number}${turn === "w" ? "." : "..."} (${where()}).`);
  }
}

/** Takes a comment apart: commands, which are kept as they are, and words. */
function remark(node, text) {
  node.commands.push(...(text.match(COMMAND) ?? []));
  const words = text.replace(COMMAND, "").replace(/\s+/g, " ").trim();
  if (words !== "") node.comment += (node.comment === "" ? "" : " ") + words;
}
