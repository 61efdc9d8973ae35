// The engine's lines for the position shown, streamed while they are searched, and the evaluation bar.

import { announce, byId, make, scoreText, scoreWords, setText } from "./dom.js";
import { Refusal, ask, curlPost, isAbort, listen, pause, persist } from "./service.js";
import { showCurl } from "./curl.js";

/** So long a position is shown before it is searched, so that stepping through a game starts no searches. */
const SETTLE_MS = 120;
/** So long the first word of a search may take before the page says that it waits. */
const WAITING_MS = 1500;
const TIMES_S = [1, 3, 10, 30];
const USUAL_TIME_S = 10;
/** Positions whose result is remembered. */
const REMEMBERED = 200;
/** The verdicts of the service's own breakdown, by centipawns. */
const VERDICTS = [[15, "about equal"], [60, "slightly better"], [160, "better"], [400, "much better"]];

export class Analysis {
  /**
   * `onplay(uci moves)` is told which moves of a line are to be played, `onwhy(line, best)` which line is to be explained,
   * `onended(words)` how the game has ended.
   */
  constructor({ onplay, onwhy, onarrows, onended }) {
    this.tell = { onplay, onwhy, onarrows, onended };
    this.results = new Map();
    this.bests = new Map();
    this.rows = [];
    this.frame = undefined;
    byId("engine-on").addEventListener("change", () => this.restart());
    byId("engine-time").addEventListener("change", () => this.restart());
    byId("engine-lines").addEventListener("change", () => {
      this.reserve();
      this.restart();
    });
    this.offerTimes(Infinity);
    this.reserve();
  }

  /** Offers no more than the service allows. */
  offerTimes(maxMs) {
    const select = byId("engine-time");
    const chosen = select.value || String(USUAL_TIME_S);
    const times = TIMES_S.filter((seconds) => seconds * 1000 <= maxMs);
    if (times.length === 0) times.push(maxMs / 1000);
    select.replaceChildren(...times.map((seconds) => make("option", { value: seconds }, `${seconds} s`)));
    select.value = times.includes(Number(chosen)) ? chosen : String(times.at(-1));
  }

  get lineCount() {
    return Number(byId("engine-lines").value);
  }

  get isOn() {
    return byId("engine-on").checked;
  }

  /** Room for the lines, so that nothing moves when they come. */
  reserve() {
    while (this.rows.length > this.lineCount) this.rows.pop().row.remove();
    while (this.rows.length < this.lineCount) {
      const entry = new LineRow(this.rows.length, this.tell);
      this.rows.push(entry);
      byId("lines").append(entry.row);
    }
  }

  restart() {
    if (this.subject !== undefined) this.show(this.subject);
  }

  /** Turns to a position: `request` is what the service needs to know of it. Whatever ran for the one before is left. */
  show(subject) {
    this.subject = subject;
    this.leave();
    this.status = undefined;
    this.abort = new AbortController();
    const { signal } = this.abort;
    this.question = { ...subject.request, movetime: Number(byId("engine-time").value) * 1000, multiPv: this.lineCount };
    showCurl(byId("engine-curl"), curlPost("/v1/best-move", this.question));
    this.key = JSON.stringify(this.question);
    const known = this.results.get(this.key);
    byId("lines").classList.toggle("stale", known === undefined);
    if (known !== undefined) this.render(known);
    else if (this.isOn) this.run(signal);
    else this.judge(signal);
  }

  leave() {
    this.abort?.abort();
    cancelAnimationFrame(this.frame);
    this.frame = undefined;
  }

  async run(signal) {
    try {
      await pause(SETTLE_MS, signal);
      this.progress("Searching…");
      let standIn;
      await persist(() => this.stream(signal), signal, (reason, left) => {
        standIn ??= this.judge(signal);
        this.problem(`${reason} Trying again in ${left} s.`);
      });
    } catch (error) {
      if (signal.aborted || isAbort(error)) return;
      if (!(error instanceof Refusal)) throw error;
      this.problem(error.message);
    }
  }

  async stream(signal) {
    // All engines may be taken: then the request waits in the service's queue.
    const waiting = setTimeout(() => this.progress("Waiting for a free engine…"), WAITING_MS);
    signal.addEventListener("abort", () => clearTimeout(waiting), { once: true });
    try {
      for await (const told of listen("/v1/best-move", this.question, signal)) {
        clearTimeout(waiting);
        if (told.event === "error") throw new Refusal(told, told.status, 1);
        if (told.event === "bestmove") this.finish(told);
        else this.later(told);
      }
    } finally {
      // Who is refused does not wait.
      clearTimeout(waiting);
    }
  }

  /** Shows the newest of what comes within a frame. */
  later(told) {
    this.latest = told;
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      this.render(this.latest);
    });
  }

  finish(told) {
    cancelAnimationFrame(this.frame);
    this.frame = undefined;
    remember(this.results, this.key, told);
    this.render(told);
    const best = told.pvs[0];
    if (best !== undefined) announce(`${scoreWords(best)}, best is ${best.san[0]}, depth ${told.depth}.`);
  }

  /** Without a search, or as long as none can be had: the static evaluation alone. */
  async judge(signal) {
    try {
      const told = await persist(() => ask("/v1/evaluate", this.subject.request, signal), signal,
        (reason, left) => this.problem(`${reason} Trying again in ${left} s.`));
      this.render({ ...told, pvs: [] });
    } catch (error) {
      if (signal.aborted || isAbort(error)) return;
      if (!(error instanceof Refusal)) throw error;
      this.problem(error.message);
    }
  }

  progress(text) {
    setText(byId("progress"), text);
    byId("progress").classList.remove("problem");
  }

  problem(text) {
    setText(byId("progress"), text);
    byId("progress").classList.add("problem");
  }

  render(told) {
    byId("lines").classList.remove("stale");
    const best = told.pvs[0];
    this.rows.forEach((row, index) => row.show(told.pvs[index], best, this.subject));
    this.tell.onarrows(told.pvs);
    if (best === undefined) {
      const ended = ending(told);
      this.headline(ended ?? told, ended === undefined ? verdict(told) : ended.text);
      if (ended !== undefined) this.progress("The game is over.");
      else if (!this.isOn) this.progress("Static evaluation; the engine is off.");
      if (ended !== undefined) {
        this.tell.onended(ended.text);
        announce(ended.text);
      }
      return;
    }
    remember(this.bests, JSON.stringify(this.subject.request), best);
    this.headline(best, verdict(best));
    this.progress(progress(told));
  }

  /** The first line in a position that has been searched. */
  bestOf(request) {
    return this.bests.get(JSON.stringify(request));
  }

  headline(worth, words) {
    setText(byId("score"), worth.label ?? scoreText(worth));
    setText(byId("verdict"), words);
    const bar = byId("bar");
    const percent = worth.winPercent;
    bar.firstElementChild.style.transform = `scaleY(${percent / 100})`;
    bar.classList.toggle("black-ahead", percent < 50);
    setText(bar.lastElementChild, worth.brief ?? worth.label ?? shortScore(worth));
    bar.setAttribute("aria-valuenow", percent.toFixed(0));
    bar.setAttribute("aria-valuetext", worth.label === undefined ? `${percent.toFixed(0)} %: ${scoreWords(worth)}` : words);
  }
}

/** Puts the newest in, the oldest out. */
function remember(map, key, value) {
  map.delete(key);
  map.set(key, value);
  if (map.size > REMEMBERED) map.delete(map.keys().next().value);
}

/** A line of the list: its place is kept even while there is nothing to say. */
class LineRow {
  constructor(index, { onplay, onwhy, onarrows }) {
    this.index = index;
    this.score = make("span", { class: "score" });
    this.moves = make("span", { class: "pv" });
    this.why = make("button", { type: "button", class: "small", onclick: () => onwhy(this.line, this.best) }, "why");
    this.row = make("li", { class: "pvline" }, this.score, this.moves, this.why);
    this.row.addEventListener("pointerenter", () => this.line && onarrows([this.line]));
    this.row.addEventListener("pointerleave", () => this.best && onarrows([this.best]));
    this.moves.addEventListener("click", ({ target }) => {
      const count = Number(target.dataset.count);
      if (count > 0) onplay(this.line.moves.slice(0, count));
    });
    this.show(undefined);
  }

  show(line, best, subject) {
    this.line = line;
    this.best = best;
    this.row.classList.toggle("vacant", line === undefined);
    this.why.disabled = line === undefined;
    if (line === undefined) {
      this.known = undefined;
      this.score.textContent = "";
      this.moves.replaceChildren();
      return;
    }
    setText(this.score, scoreText(line));
    this.score.classList.toggle("for-black", line.winPercent < 50);
    this.score.title = scoreWords(line) + (line.bound === "exact" ? "" : `, or ${line.bound === "lower" ? "more" : "less"} for the side to move`);
    const known = [subject.position.number, ...line.moves].join(" ");
    if (known === this.known) return;
    this.known = known;
    this.why.setAttribute("aria-label", `Why ${line.san[0]}?`);
    this.why.title = this.index === 0 ? `What ${line.san[0]} changes` : `${line.san[0]} compared with ${best.san[0]}`;
    let { turn, number } = subject.position;
    const parts = [];
    line.san.forEach((san, index) => {
      const count = turn === "w" || index === 0 ? make("span", { class: "count" }, `${number}${turn === "w" ? "." : "…"}`) : undefined;
      const button = make("button", {
        type: "button", "data-count": index + 1, tabindex: index === 0 ? "0" : "-1",
        "aria-label": index === 0 ? `Play ${san}` : undefined,
      }, san);
      parts.push(make("span", { class: "step" }, count, button), " ");
      number += turn === "b" ? 1 : 0;
      turn = turn === "w" ? "b" : "w";
    });
    this.moves.replaceChildren(...parts);
  }
}

/** For the narrow bar: one digit after the point, none for large scores. */
function shortScore({ cp, mate }) {
  if (mate !== undefined) return `#${Math.abs(mate)}`;
  const size = Math.abs(cp) / 100;
  return size >= 10 ? size.toFixed(0) : size.toFixed(1);
}

function verdict(worth) {
  if (worth.mate !== undefined) return scoreWords(worth);
  const leader = worth.cp < 0 ? "Black" : "White";
  const words = VERDICTS.find(([limit]) => Math.abs(worth.cp) < limit)?.[1] ?? "winning";
  return words === "about equal" ? "About equal" : `${leader} is ${words}`;
}

const DRAWS = {
  stalemate: "Stalemate",
  insufficientMaterial: "Drawn: neither side can mate",
  fiftyMoves: "Drawn by the fifty-move rule",
  seventyFiveMoves: "Drawn by the seventy-five-move rule",
  threefold: "Drawn by threefold repetition",
  fivefold: "Drawn by fivefold repetition",
};

/** How a game has ended, for the headline; undefined if it has not. */
function ending({ status, winner }) {
  if (status === "checkmate") {
    const isWhite = winner === "white";
    return { label: isWhite ? "1–0" : "0–1", winPercent: isWhite ? 100 : 0, text: `Checkmate: ${isWhite ? "White" : "Black"} has won` };
  }
  return status in DRAWS ? { label: "½–½", brief: "½", winPercent: 50, text: DRAWS[status] } : undefined;
}

function progress({ depth, nodes, nps, stopReason }) {
  const millions = (count) => (count >= 1e6 ? `${(count / 1e6).toFixed(1)} M` : `${Math.round(count / 1e3)} k`);
  const speed = nps === null ? "" : `, ${millions(nps)}/s`;
  return `Depth ${depth}${stopReason === undefined ? "…" : ""}, ${millions(nodes)} positions${speed}`;
}
