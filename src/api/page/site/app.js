// The analysis page: one game, one place in it, and the views that follow that place.

import { Analysis } from "./analysis.js";
import { Board } from "./board.js";
import { copy, showCurl } from "./curl.js";
import { announce, byId, setText } from "./dom.js";
import { Game } from "./game.js";
import { isForeign, readAddress, writeAddress } from "./address.js";
import { wireKey } from "./key.js";
import { MoveList } from "./moves.js";
import { Opening } from "./opening.js";
import { Review } from "./review.js";
import { nameOf, squareOf } from "./rules.js";
import { ask, curlGet } from "./service.js";
import { Why } from "./why.js";

/** So long a complaint about a move stays. */
const SAID_MS = 4000;

class App {
  constructor() {
    this.board = new Board(byId("board"), {
      onmove: (move) => this.play(move),
      onillegal: (from, to) => this.say(`${nameOf(from)} to ${nameOf(to)} is not a legal move.`),
      oninspect: (square) => this.inspect(square),
    });
    this.analysis = new Analysis({
      onplay: (moves) => this.playLine(moves),
      onwhy: (line, best) => this.why.explain(line, best),
      onarrows: (lines) => this.point(lines),
      onended: (words) => this.end(words),
    });
    this.why = new Why(this.board, {
      bestOf: (request) => this.analysis.bestOf(request),
      onarrows: (arrows) => this.board.point(arrows),
    });
    this.moves = new MoveList((node) => this.goTo(node));
    this.review = new Review({
      ongo: (node) => this.goTo(node),
      onexplain: (node, best) => this.explain(node, best),
      onreviewed: () => this.reviewed(),
    });
    this.opening = new Opening({ onload: (games, first) => this.load(games, first) });
    this.games = [];
    this.wire();
  }

  wire() {
    const onClick = (id, action) => byId(id).addEventListener("click", action);
    onClick("first", () => this.goTo(this.game.root));
    onClick("back", () => this.goTo(this.node.parent));
    onClick("forward", () => this.goTo(this.node.children[0]));
    onClick("last", () => this.goTo(this.node.line().at(-1)));
    onClick("new", () => this.load([], new Game()));
    onClick("flip", () => this.flip(!this.board.isFlipped));
    onClick("remove", () => this.remove());
    onClick("copy-fen", ({ target }) => copy(byId("fen").value, target));
    onClick("copy-pgn", ({ target }) => copy(this.game.pgn(), target));
    onClick("copy-link", ({ target }) => copy(location.href, target));
    byId("game-select").addEventListener("change", ({ target }) => this.choose(this.games[Number(target.value)]));
    byId("move-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.type(byId("move-text"));
    });
    document.addEventListener("keydown", (event) => this.key(event));
    for (const name of ["popstate", "hashchange"]) addEventListener(name, () => isForeign() && this.start());
  }

  /** Begins with what the address says. */
  async start() {
    const { game, node, isFlipped, problem } = await readAddress();
    this.flip(isFlipped);
    this.games = [];
    this.open(game, node);
    await this.fenShown;
    if (problem !== undefined) this.opening.refuse(problem);
  }

  load(games, first) {
    this.games = games;
    this.open(first);
  }

  /** Opens another of the games that were loaded. */
  async choose(game) {
    try {
      this.open(await game.read());
    } catch (error) {
      this.say(error.message);
    }
  }

  open(game, node = game.root) {
    this.game = game;
    this.opening.chess960 = game.chess960;
    const choice = byId("game-choice");
    choice.hidden = this.games.length < 2;
    if (!choice.hidden && byId("game-select").games !== this.games) this.offerGames();
    const { White: white, Black: black, Result: result } = game.headers;
    const parts = [
      white === undefined && black === undefined ? undefined : `${white ?? "?"} – ${black ?? "?"}`,
      game.chess960 ? "Chess960" : undefined, result === "*" ? undefined : result,
    ].filter((part) => part !== undefined);
    byId("players").hidden = parts.length === 0;
    setText(byId("players"), parts.join(", "));
    this.moves.show(game);
    this.review.open(game);
    this.goTo(node, { isJump: true });
    if (game.repairs.length > 0) this.say(game.repairs.join(" "));
  }

  /** Moves have got judgments. */
  reviewed() {
    this.moves.show(this.game);
    this.moves.mark(this.node);
    this.review.mark(this.node);
  }

  /** Shows a move and what the best one would have had over it. */
  explain(node, why) {
    this.goTo(node);
    if (why) this.why.compare(why.played.moves, why.best.moves);
  }

  /** The game has other moves than before. */
  grown() {
    this.moves.show(this.game);
    this.review.changed();
  }

  offerGames() {
    const select = byId("game-select");
    select.games = this.games;
    select.replaceChildren(...this.games.map(({ headers }, index) => (
      new Option(`${index + 1}. ${headers.White ?? "?"} – ${headers.Black ?? "?"}`, index)
    )));
  }

  /** Shows a place in the game. */
  goTo(node, { isJump = false } = {}) {
    if (node === undefined || node === null) return;
    const before = this.node;
    this.node = node;
    this.ending = undefined;
    const { position } = node;
    const slide = isJump ? {} : node.parent === before ? { slide: node.move } : before?.parent === node ? { slide: before.move, isBack: true } : {};
    this.board.show(position, { last: node.move, ...slide });
    this.board.point([]);
    this.moves.mark(node);
    this.review.mark(node);
    this.saidAt = undefined;
    this.inspect(null);
    const request = this.game.request(node);
    this.subject = { node, position, request, parentRequest: node.parent && this.game.request(node.parent) };
    this.analysis.show(this.subject);
    this.why.show(this.subject);
    this.fenShown = this.showFen();
    this.showPicture();
    byId("first").disabled = byId("back").disabled = byId("remove").disabled = node.parent === null;
    byId("forward").disabled = byId("last").disabled = node.children.length === 0;
    writeAddress(this.game, node, this.board.isFlipped);
  }

  play(move) {
    const count = this.node.children.length;
    const node = this.node.play(move);
    if (this.node.children.length > count) this.grown();
    this.goTo(node);
    announce(node.title);
  }

  playLine(moves) {
    let { node } = this;
    for (const uci of moves) node = node.play(node.position.find(uci));
    this.grown();
    this.goTo(node, { isJump: moves.length > 1 });
  }

  type(input) {
    const text = input.value.trim();
    const move = this.node.position.find(text);
    if (move === undefined) {
      if (text !== "") this.say(`“${text}” is no legal move here.`);
      return;
    }
    input.value = "";
    this.play(move);
  }

  remove() {
    if (this.node.parent === null) return;
    const parent = this.game.remove(this.node);
    this.grown();
    this.goTo(parent);
  }

  flip(isFlipped) {
    this.board.flip(isFlipped);
    byId("flip").setAttribute("aria-pressed", String(isFlipped));
    byId("bar").classList.toggle("flipped", isFlipped);
    if (this.node === undefined) return;
    this.showPicture();
    writeAddress(this.game, this.node, isFlipped);
  }

  /** The request for a picture of the board as it is seen. */
  showPicture() {
    const seen = this.board.isFlipped ? { orientation: "black" } : {};
    showCurl(byId("board-curl"), curlGet("/v1/board.svg", { ...this.subject.request, ...seen }));
  }

  /** Arrows for the first moves of lines: the best one stronger than the others. */
  point(lines) {
    const arrow = ({ moves, multipv }) => ({
      from: squareOf(moves[0].slice(0, 2)), to: squareOf(moves[0].slice(2, 4)), kind: multipv === 1 ? "best" : "other",
    });
    if (this.why.pick === undefined) this.board.point(lines.slice(0, 1).map(arrow));
  }

  inspect(square) {
    const words = this.subject === undefined ? "" : this.why.inspect(square);
    if (words === "" && performance.now() - (this.saidAt ?? -Infinity) < SAID_MS) return;
    byId("note").classList.remove("problem");
    setText(byId("note"), words === "" ? this.turnWords() : words);
  }

  /** Something that went wrong with a move, below the board. */
  say(text) {
    byId("note").classList.add("problem");
    setText(byId("note"), text);
    this.saidAt = performance.now();
    announce(text);
  }

  /** The game has ended where it is shown, as the service has it: by repetition or the seventy-five-move rule, for example. */
  end(words) {
    const before = this.turnWords();
    this.ending = words;
    if (byId("note").textContent === before) setText(byId("note"), this.turnWords());
  }

  turnWords() {
    if (this.ending !== undefined) return `${this.ending}.`;
    const { position } = this.node;
    const side = position.turn === "w" ? "White" : "Black";
    if (position.moves().length > 0) return `${side} to move${position.inCheck() ? ", in check" : ""}.`;
    return position.inCheck() ? `${side} is checkmated.` : `${side} has no legal move.`;
  }

  /** The service writes the FEN, so that it is the one it would take and give everywhere. */
  async showFen() {
    const { node } = this;
    const { fen } = await ask("/v1/evaluate", this.subject.request).catch(() => ({}));
    if (fen !== undefined && node === this.node) this.opening.showFen(fen);
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest("input, select, textarea, dialog, pre, .board") !== null) return;
    const target = {
      ArrowLeft: () => this.node.parent,
      ArrowRight: () => this.node.children[0],
      Home: () => this.game.root,
      End: () => this.node.line().at(-1),
    }[event.key]?.();
    if (target === undefined || target === null) return;
    event.preventDefault();
    this.goTo(target);
  }
}

function wireTheme() {
  const select = byId("theme");
  const apply = () => {
    if (select.value === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = select.value;
  };
  select.value = localStorage.getItem("theme") ?? "auto";
  select.addEventListener("change", () => {
    localStorage.setItem("theme", select.value);
    apply();
  });
  apply();
}

wireTheme();
wireKey();
const app = new App();
app.start();
ask("/v1/eval-breakdown/terms").then(({ terms }) => app.why.name(terms)).catch(() => {});
ask("/v1/limits").then(({ maxMovetimeMs }) => app.analysis.offerTimes(maxMovetimeMs)).catch(() => {});
