// A whole game reviewed: the advantage, the errors of both sides and why they are errors.

import { announce, byId, make, setText } from "./dom.js";
import { Chart } from "./chart.js";
import { Refusal, curlPost, isAbort, listen, persist } from "./service.js";
import { showCurl } from "./curl.js";

/** Positions searched for each move. */
const EFFORTS = [["Quick", 20_000], ["Usual", 100_000], ["Deep", 400_000]];
const OWN = "own";
/** White's expected score before the first move, in percent: that of 15 centipawns, as in the formulas of the review. */
const START_PERCENT = 51.4;

export class Review {
  /**
   * `ongo(node)` is told which move is to be shown, `onexplain(node, why)` which is wrong and why,
   * `onreviewed()` that moves have got judgments.
   */
  constructor({ ongo, onexplain, onreviewed }) {
    this.tell = { ongo, onexplain, onreviewed };
    this.chart = new Chart((ply) => this.go(ply));
    this.state = byId("review-state");
    this.bar = byId("review-progress");
    byId("review-chart").append(this.chart.element);
    byId("review-start").addEventListener("click", () => (this.abort === undefined ? this.run() : this.cancel()));
    byId("review-effort").addEventListener("change", () => this.showCurl());
  }

  /** Turns to a game, with the review it has, if any. */
  open(game) {
    this.cancel();
    this.game = game;
    const hasOwn = game.mainLine().some(({ commands }) => commands.some((command) => command.startsWith("[%eval ")));
    const options = EFFORTS.map(([name, nodes]) => make("option", { value: nodes, title: `${nodes} positions for each move` }, name));
    if (hasOwn) options.unshift(make("option", { value: OWN }, "Its own evaluations"));
    byId("review-effort").replaceChildren(...options);
    byId("review-effort").value = hasOwn ? OWN : String(EFFORTS[1][1]);
    this.render();
    this.changed();
  }

  /** The game has grown or lost moves. */
  changed() {
    const line = this.game.mainLine();
    if (this.game.review?.nodes.some((node, index) => node !== line[index])) {
      this.game.review = undefined;
      this.render();
    }
    byId("review-start").disabled = this.abort === undefined && this.game.root.children.length === 0;
    this.showCurl();
  }

  request() {
    const effort = byId("review-effort").value;
    if (effort === OWN) return { pgn: this.game.pgn(), useEvals: true };
    return { ...this.game.request(this.game.mainLine().at(-1) ?? this.game.root), nodes: Number(effort) };
  }

  showCurl() {
    showCurl(byId("review-curl"), curlPost("/v1/games/review", this.request()));
  }

  async run() {
    this.abort = new AbortController();
    const { signal } = this.abort;
    const { game } = this;
    const nodes = game.mainLine();
    this.busy(true);
    try {
      await persist(() => this.listen(game, nodes, signal), signal, (reason, left) => this.say(`${reason} Trying again in ${left} s.`));
    } catch (error) {
      if (signal.aborted || isAbort(error)) return;
      if (!(error instanceof Refusal)) throw error;
      this.say(error.message);
    }
    this.abort = undefined;
    this.busy(false);
  }

  async listen(game, nodes, signal) {
    for await (const told of listen("/v1/games/review", this.request(), signal)) {
      if (told.event === "error") throw new Refusal(told, told.status, 1);
      if (told.event === "progress") {
        this.bar.max = told.plies;
        this.bar.value = told.ply;
        this.say(`Move ${Math.ceil(told.ply / 2)} of ${Math.ceil(told.plies / 2)}`);
      } else this.finish(game, nodes, told.games[0]);
    }
  }

  finish(game, nodes, review) {
    game.review = { ...review, nodes };
    review.plies.forEach((ply, index) => {
      nodes[index].judgment = ply.judgment ?? undefined;
    });
    this.say("");
    this.render();
    this.tell.onreviewed();
    const { white, black } = review.players;
    announce(`Reviewed. Accuracy: White ${percent(white.accuracy)}, Black ${percent(black.accuracy)}.`);
  }

  cancel() {
    this.abort?.abort();
    this.abort = undefined;
    this.busy(false);
    this.say("");
  }

  busy(isBusy) {
    byId("review-effort").disabled = isBusy;
    this.bar.hidden = !isBusy;
    this.bar.removeAttribute("value");
    setText(byId("review-start"), isBusy ? "Cancel" : "Review the game");
  }

  say(text) {
    setText(this.state, text);
  }

  render() {
    const { review } = this.game;
    byId("review-result").hidden = review === undefined;
    if (review === undefined) return;
    const { opening, plies, players } = review;
    setText(byId("review-opening"), opening ? `${opening.eco} ${opening.name}` : "");
    byId("review-players").replaceChildren(player("White", players.white), player("Black", players.black));
    this.chart.show(START_PERCENT, plies);
    const errors = plies.flatMap((ply, index) => (ply.judgment ? [this.error(ply, review.nodes[index])] : []));
    byId("review-errors").replaceChildren(...errors);
    byId("review-none").hidden = errors.length > 0;
  }

  /** An error of the game, and why it is one. */
  error(ply, node) {
    const { name, comment } = ply.judgment;
    const button = make("button", { type: "button", onclick: () => this.tell.onexplain(node, ply.why) },
      make("strong", { class: `glyph ${name.toLowerCase()}` }, node.title), ` ${comment ?? name}`);
    const reasons = (ply.why?.summary ?? []).slice(0, 1).map((sentence) => make("p", { class: "reason" }, sentence));
    return make("li", {}, button, ...reasons);
  }

  go(ply) {
    const { nodes } = this.game.review;
    this.tell.ongo(ply === 0 ? this.game.root : nodes[ply - 1]);
  }

  /** Marks the move shown in the chart. */
  mark(node) {
    const nodes = this.game.review?.nodes ?? [];
    const index = nodes.indexOf(node);
    this.chart.mark(node.parent === null ? 0 : index < 0 ? null : index + 1);
  }
}

const percent = (share) => (share === null || share === undefined ? "–" : `${share.toFixed(0)} %`);

/** How a side has played. */
function player(side, { accuracy, acpl, inaccuracy, mistake, blunder }) {
  const count = (number, kind, many) => make("span", { class: `tally ${kind}` }, make("strong", {}, String(number)), ` ${number === 1 ? kind : many}`);
  return make("div", { class: "player" },
    make("h3", {}, side),
    make("span", { class: "accuracy", title: "How near the moves came to the best ones, by Lichess' formula" }, make("strong", {}, percent(accuracy)), " accuracy"),
    make("span", { class: "muted", title: "Average loss of a move in hundredths of a pawn" }, `${acpl ?? "–"} centipawns lost a move`),
    make("span", { class: "tallies" }, count(inaccuracy, "inaccuracy", "inaccuracies"), count(mistake, "mistake", "mistakes"), count(blunder, "blunder", "blunders")));
}
