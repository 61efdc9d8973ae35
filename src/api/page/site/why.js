// Why a position is worth what it is, and what a move changes: the breakdown as bars, sentences and colours on the board.

import { byId, make, pieceName, setText } from "./dom.js";
import { Refusal, ask, curlGet, isAbort, pause, persist } from "./service.js";
import { squareOf } from "./rules.js";
import { showCurl } from "./curl.js";
import { Terms } from "./terms.js";
import { heatOf, litBy, pieceWorths, worthWords } from "./worth.js";

const SETTLE_MS = 60;
const AT_ONCE = "At once, without looking ahead";

export class Why {
  /** `board` is coloured; `bestOf(request)` is the engine's first line in a position, if it is known. */
  constructor(board, { bestOf, onarrows }) {
    Object.assign(this, { board, bestOf, onarrows, titles: new Map(), mode: "position" });
    this.heading = make("h3", { class: "why-title" });
    this.choice = make("div", { class: "choice" });
    this.summary = make("ul", { class: "summary" });
    this.message = make("p", { class: "problem", role: "status" });
    this.terms = new Terms((light) => this.light(light));
    byId("why-body").append(this.heading, this.choice, this.message, this.summary, this.terms.element);
    byId("why-position").addEventListener("click", () => this.turnTo("position"));
    byId("why-move").addEventListener("click", () => {
      this.pick = undefined;
      this.turnTo("move");
    });
    const heat = byId("heat-on");
    heat.checked = localStorage.getItem("heat") === "on";
    heat.addEventListener("change", () => {
      localStorage.setItem("heat", heat.checked ? "on" : "off");
      this.paint();
    });
  }

  /** Takes the names of terms from the service. */
  name(terms) {
    for (const { id, title, description, weights } of terms) {
      this.titles.set(id, { title, description });
      for (const { name, title: featureTitle, meaning } of weights) {
        this.titles.set(name, { title: featureTitle, description: meaning });
      }
    }
    this.terms.name(this.titles);
  }

  title(id) {
    return this.titles.get(id)?.title ?? id;
  }

  /** Turns to a position of the game. */
  show(subject) {
    if (subject.node.parent === null) this.mode = "position";
    this.subject = subject;
    this.pick = undefined;
    this.worths = new Map();
    this.breakdown = undefined;
    this.load();
  }

  /** Explains a line of the engine: what its move changes, or what the best line has over it. */
  explain(line, best) {
    this.pick = line.moves[0] === best.moves[0] ? { move: line.moves[0] } : { lineA: line.moves, lineB: best.moves };
    this.turnTo("move");
    this.heading.scrollIntoView({ block: "nearest" });
  }

  /** Explains what another line would have had over the one that began with the move that was played. */
  compare(lineA, lineB) {
    this.pick = { isPlayed: true, lineA, lineB };
    this.turnTo("move");
  }

  turnTo(mode) {
    this.mode = mode;
    if (mode === "position") this.pick = undefined;
    this.load();
  }

  load() {
    byId("why-position").setAttribute("aria-pressed", String(this.mode === "position"));
    byId("why-move").setAttribute("aria-pressed", String(this.mode === "move"));
    byId("why-move").disabled = this.subject.node.parent === null && this.pick === undefined;
    this.abort?.abort();
    this.abort = new AbortController();
    this.light(undefined);
    this.run(this.abort.signal).catch((error) => {
      if (isAbort(error) || this.abort.signal.aborted) return;
      if (!(error instanceof Refusal)) throw error;
      setText(this.message, error.message);
    });
  }

  async run(signal) {
    await pause(SETTLE_MS, signal);
    const question = this.mode === "move" ? this.moveQuestion() : undefined;
    if (this.mode === "move") await this.runMove(question, signal);
    // The colours on the board are always those of the position shown.
    const breakdown = this.breakdown ?? await this.ask("/v1/eval-breakdown", this.subject.request, signal);
    this.breakdown = breakdown;
    this.worths = pieceWorths(breakdown.terms, this.subject.position);
    if (this.mode === "position") this.renderPosition(breakdown);
    this.paint();
  }

  ask(path, body, signal) {
    const work = () => ask(path, body, signal);
    return persist(work, signal, (reason, left) => setText(this.message, `${reason} Trying again in ${left} s.`));
  }

  /** The request about a move: the one picked, else the one that led here. */
  moveQuestion() {
    const { node, request, parentRequest } = this.subject;
    if (this.pick === undefined) return { ...parentRequest, move: node.uci };
    const { isPlayed, ...fields } = this.pick;
    return { ...(isPlayed ? parentRequest : request), ...fields };
  }

  async runMove(question, signal) {
    const body = { ...question, pov: "turn" };
    const diff = await this.ask("/v1/eval-breakdown/diff", body, signal);
    this.renderMove(diff);
    showCurl(byId("why-curl"), curlGet("/v1/eval-breakdown/diff", body));
  }

  renderPosition(breakdown) {
    const [verdict, ...reasons] = breakdown.summary;
    setText(this.heading, verdict.replace(/-(?=\d)/, "\u2212"));
    setText(this.message, "");
    this.choice.replaceChildren(make("span", { class: "muted", title: "Nothing is searched: this is how the position looks as it stands" },
      AT_ONCE));
    this.summarize(reasons);
    const rows = breakdown.terms.map((term) => {
      const own = (side) => term.features.filter((feature) => feature.side === side).reduce((sum, { cp }) => sum + cp, 0);
      return {
        id: term.term, columns: [own("white"), -own("black")], cp: term.cp,
        entries: term.features.map((feature) => ({
          cp: feature.cp, text: feature.text, name: feature.name, side: feature.side, light: [{ term: term.term, features: [feature] }],
        })),
        light: [term],
      };
    });
    this.terms.show({ heads: ["White", "Black", "For White"], rows, cp: breakdown.cp, paint: "sides" });
    showCurl(byId("why-curl"), curlGet("/v1/eval-breakdown", this.subject.request));
  }

  renderMove(diff) {
    const mover = diff.turn === "white" ? "White" : "Black";
    const isChoice = diff.move === undefined;
    setText(this.heading, isChoice ? `${diff.moveB.san} instead of ${diff.moveA.san}` : `What ${diff.move.san} changes`);
    setText(this.message, "");
    this.offerComparison(diff);
    this.summarize(diff.summary);
    const heads = isChoice ? [`With ${diff.moveA.san}`, `With ${diff.moveB.san}`] : ["Before", "After"];
    const rows = diff.terms.map((term) => ({
      id: term.term, columns: [term.before.cp, term.after.cp], cp: term.change.cp,
      entries: term.features.map((feature) => ({
        cp: feature.cp, text: changeText(feature, heads[0]), name: feature.name, side: feature.side, light: changeLight(term, [feature]),
      })),
      light: changeLight(term, term.features),
    }));
    const columns = isChoice ? [diff.moveA.san, diff.moveB.san] : heads;
    this.terms.show({ heads: [...columns, `For ${mover}`], rows, cp: diff.change.cp, paint: "good" });
    const moves = isChoice ? [[diff.moveB.uci, "best"], [diff.moveA.uci, "other"]] : [[diff.move.uci, "best"]];
    if (this.pick !== undefined) {
      this.onarrows(moves.map(([uci, kind]) => ({ from: squareOf(uci.slice(0, 2)), to: squareOf(uci.slice(2, 4)), kind })));
    }
  }

  /** Below the heading: what was looked at, and beside the move that was played what the engine would have played, if it has said so. */
  offerComparison(diff) {
    const { node, request, parentRequest } = this.subject;
    const lines = [diff.lineB, diff.lineA].filter((line) => line !== undefined)
      .map(({ san }) => make("p", { class: "compared muted" }, san.join(" ")));
    const note = lines.length > 0 ? lines : [make("span", { class: "muted", title: "What the opponent can do about it does not count" }, AT_ONCE)];
    const best = this.pick === undefined || this.pick.isPlayed ? this.bestOf(parentRequest) : undefined;
    if (best === undefined || node.parent === null || best.moves[0] === node.uci) {
      this.choice.replaceChildren(...note);
      return;
    }
    const toggle = () => {
      const reply = this.bestOf(request)?.moves ?? [];
      this.pick = this.pick === undefined ? { isPlayed: true, lineA: [node.uci, ...reply], lineB: best.moves } : undefined;
      this.load();
    };
    const label = this.pick === undefined ? `Compare with ${best.san[0]}, the engine's choice` : `What ${node.san} changes`;
    this.choice.replaceChildren(make("button", { type: "button", class: "small", onclick: toggle }, label), ...lines);
  }

  summarize(sentences) {
    this.summary.replaceChildren(...sentences.map((sentence) => make("li", {}, sentence.replace(/-(?=\d)/g, "\u2212"))));
  }

  // Colours on the board

  /** Lights the squares of terms or features; of nothing, goes back to what is usual. */
  light(terms) {
    this.lit = terms;
    this.paint();
  }

  paint() {
    const { lit, subject } = this;
    if (subject === undefined) return;
    if (lit !== undefined) this.board.heat(litBy(lit, subject.position));
    else this.board.heat(byId("heat-on").checked ? heatOf(this.worths) : new Map());
  }

  /** Tells what the piece on a square adds, and points to its terms; of null, to none. */
  inspect(square) {
    const piece = square === null ? "" : this.subject.position.board[square];
    const worth = piece === "" ? undefined : this.worths.get(square);
    this.terms.touch(worth === undefined ? [] : worth.reasons);
    if (piece === "" || this.breakdown === undefined) return "";
    if (piece.toLowerCase() === "k" && worth === undefined) return "";
    return `${pieceName(piece)} ${worthWords(square, worth, (id) => this.title(id))}`;
  }
}

/** `first` names the first of the two boards. */
function changeText({ kind, before, after }, first) {
  switch (kind) {
    case "appeared": return `New: ${after.text}`;
    case "vanished": return `Gone: ${before.text}`;
    case "reweighed": return `${after.text} It counts differently now.`;
    default: return before.text === after.text ? after.text : `${after.text} ${first}: ${before.text}`;
  }
}

/** Squares without numbers: a change belongs to no piece's worth. */
function changeLight({ term }, features) {
  const squares = features.flatMap(({ before, after }) => [...(before?.squares ?? []), ...(after?.squares ?? [])]);
  return [{ term, features: [{ cp: 0, side: "", squares }] }];
}

