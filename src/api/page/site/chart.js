// A game's advantage, ply by ply: White's expected score as an area, judgments as dots on its edge.

import { make, makeSvg } from "./dom.js";

const WIDTH = 1000;
const HEIGHT = 100;

export class Chart {
  /** `ongo(ply)` is told which ply is to be shown. */
  constructor(ongo) {
    this.ongo = ongo;
    this.area = makeSvg("path", { class: "white-area" });
    this.svg = makeSvg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" },
      this.area, makeSvg("path", { class: "middle", d: `M0 ${HEIGHT / 2}H${WIDTH}` }));
    this.dots = make("div", { class: "dots", "aria-hidden": "true" });
    this.cursor = make("div", { class: "cursor" });
    this.element = make("div", {
      class: "chart", role: "slider", tabindex: "0", "aria-label": "The game move by move", "aria-valuemin": "0",
    }, this.svg, this.dots, this.cursor);
    this.element.addEventListener("pointerdown", (event) => this.press(event));
    this.element.addEventListener("pointermove", (event) => {
      if (this.element.hasPointerCapture(event.pointerId)) this.press(event);
    });
    this.element.addEventListener("keydown", (event) => this.key(event));
  }

  /** `start` is White's expected score before the first move, in percent; `plies` are those of a review. */
  show(start, plies) {
    this.plies = plies;
    const percents = [start, ...plies.map(({ winPercent }) => winPercent)];
    const points = percents.map((percent, ply) => `${this.x(ply) * WIDTH} ${HEIGHT - percent}`);
    this.area.setAttribute("d", `M0 ${HEIGHT}L${points.join("L")}L${WIDTH} ${HEIGHT}Z`);
    this.dots.replaceChildren(...plies.flatMap(({ winPercent, judgment }, index) => {
      if (!judgment) return [];
      const dot = make("span", { class: `dot ${judgment.name.toLowerCase()}` });
      dot.style.left = `${this.x(index + 1) * 100}%`;
      dot.style.top = `${100 - winPercent}%`;
      return [dot];
    }));
    this.element.setAttribute("aria-valuemax", String(plies.length));
    this.mark(this.ply ?? 0);
  }

  x(ply) {
    return ply / Math.max(1, this.plies.length);
  }

  /** Puts the cursor at a ply; null where the move shown is not one of the game. */
  mark(ply) {
    this.ply = ply;
    if (this.plies === undefined) return;
    this.cursor.hidden = ply === null || ply > this.plies.length;
    if (this.cursor.hidden) return;
    this.cursor.style.left = `${this.x(ply) * 100}%`;
    const shown = this.plies[ply - 1];
    const words = shown === undefined ? "Start" : `${shown.san}, ${shown.winPercent.toFixed(0)} % for White`
      + (shown.judgment ? `, ${shown.judgment.name}` : "");
    this.element.setAttribute("aria-valuenow", String(ply));
    this.element.setAttribute("aria-valuetext", words);
  }

  press(event) {
    this.element.setPointerCapture(event.pointerId);
    const { left, width } = this.element.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (event.clientX - left) / width));
    const ply = Math.round(share * this.plies.length);
    if (ply !== this.ply) this.ongo(ply);
  }

  key(event) {
    const ply = this.ply ?? 0;
    const last = this.plies.length;
    const to = {
      ArrowLeft: ply - 1, ArrowDown: ply - 1, ArrowRight: ply + 1, ArrowUp: ply + 1, PageUp: ply + 10, PageDown: ply - 10,
      Home: 0, End: last,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.ongo(Math.min(last, Math.max(0, to)));
  }
}
