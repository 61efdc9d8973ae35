// The table of terms: a bar for each, opening to the entries it is made of.

import { make, pawns, setText } from "./dom.js";

/** The longest bar stands for this many centipawns at least, so that trifles look like trifles. */
const LEAST_SCALE = 50;
/** More entries than these are opened by a button. */
const FIRST_ENTRIES = 12;

export class Terms {
  /** `onlight(terms)` is told what is pointed at, focused or pinned; undefined for nothing. */
  constructor(onlight) {
    this.onlight = onlight;
    this.rows = new Map();
    this.titles = new Map();
    this.pinned = undefined;
    this.caption = make("caption", { class: "hidden" }, "The terms of the evaluation");
    this.heads = [1, 2, 3].map(() => make("th", { scope: "col", class: "number" }));
    const head = make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "Term"), this.heads[0], this.heads[1],
      make("td", { "aria-hidden": "true" }), this.heads[2]));
    this.body = make("tbody");
    this.total = makeBar();
    this.totalNumber = make("td", { class: "number" });
    const foot = make("tfoot", {}, make("tr", {}, make("th", { scope: "row" }, "Total"), make("td"), make("td"),
      make("td", { class: "barcell", "aria-hidden": "true" }, this.total), this.totalNumber));
    this.element = make("table", { class: "terms" }, this.caption, head, this.body, foot);
    for (const [enter, leave] of [["pointerover", "pointerout"], ["focusin", "focusout"]]) {
      this.element.addEventListener(enter, (event) => this.point(event));
      this.element.addEventListener(leave, (event) => {
        if (!this.element.contains(event.relatedTarget)) this.onlight(this.pinned?.light);
      });
    }
  }

  name(titles) {
    this.titles = titles;
    for (const row of this.rows.values()) row.name(titles);
  }

  /** `heads` of the three columns of numbers, `rows` with `{id, columns, cp, entries, light}`, the total `cp`, whom bars favour. */
  show({ heads, rows, cp, paint }) {
    this.unpin();
    this.element.dataset.paint = paint;
    this.heads.forEach((head, index) => setText(head, heads[index]));
    const scale = Math.max(LEAST_SCALE, Math.abs(cp), ...rows.map((row) => Math.abs(row.cp)));
    for (const row of rows) {
      if (!this.rows.has(row.id)) {
        const made = new TermRow(row.id, this);
        made.name(this.titles);
        this.rows.set(row.id, made);
        this.body.append(made.row, made.detail);
      }
      this.rows.get(row.id).show(row, scale);
    }
    setBar(this.total, cp, scale);
    setText(this.totalNumber, pawns(cp));
  }

  /** Lights what the pointer or the focus is on. */
  point({ target }) {
    const light = target.closest("[data-lights]")?.light;
    this.onlight(light ?? this.pinned?.light);
  }

  pin(element) {
    this.unpin();
    this.pinned = element;
    this.onlight(element.light);
  }

  unpin() {
    if (this.pinned?.matches(".entry")) this.pinned.setAttribute("aria-pressed", "false");
    this.pinned = undefined;
  }

  /** Marks the terms and entries that a piece has a share in. */
  touch(reasons) {
    const features = new Set(reasons.map(({ feature }) => feature));
    const terms = new Set(reasons.filter(({ cp }) => cp !== 0).map(({ term }) => term));
    for (const [id, row] of this.rows) row.touch(terms.has(id), features);
  }
}

/** A term and, below it, its entries. */
class TermRow {
  constructor(id, table) {
    this.id = id;
    this.table = table;
    this.isOpen = false;
    this.button = make("button", { type: "button", class: "term", "aria-expanded": "false", onclick: () => this.toggle() });
    this.numbers = [make("td", { class: "number side" }), make("td", { class: "number side" }), make("td", { class: "number" })];
    this.bar = makeBar();
    this.row = make("tr", { "data-lights": true }, make("th", { scope: "row" }, this.button), this.numbers[0], this.numbers[1],
      make("td", { class: "barcell", "aria-hidden": "true" }, this.bar), this.numbers[2]);
    this.list = make("ul", { class: "entries" });
    this.detail = make("tr", { class: "detail", hidden: true }, make("td", { colspan: "5" }, this.list));
  }

  name(titles) {
    setText(this.button, titles.get(this.id)?.title ?? this.id);
    this.button.title = titles.get(this.id)?.description ?? "";
    this.titles = titles;
  }

  show({ columns, cp, entries, light }, scale) {
    this.entries = entries;
    this.row.light = light;
    this.row.classList.toggle("silent", entries.length === 0 && cp === 0);
    [...columns, cp].forEach((number, index) => setText(this.numbers[index], pawns(number)));
    setBar(this.bar, cp, scale);
    this.button.disabled = entries.length === 0;
    if (this.isOpen) this.fill(FIRST_ENTRIES);
  }

  toggle() {
    this.isOpen = !this.isOpen;
    this.button.setAttribute("aria-expanded", String(this.isOpen));
    this.detail.hidden = !this.isOpen;
    if (this.isOpen) {
      this.fill(FIRST_ENTRIES);
      this.table.pin(this.row);
    } else this.table.unpin();
  }

  fill(most) {
    const sorted = this.entries.toSorted((a, b) => Math.abs(b.cp) - Math.abs(a.cp));
    const items = sorted.slice(0, most).map((entry) => make("li", {}, this.entry(entry)));
    if (sorted.length > most) {
      const rest = sorted.length - most;
      items.push(make("li", {}, make("button", { type: "button", class: "small", onclick: () => this.fill(Infinity) }, `${rest} more`)));
    }
    if (items.length === 0) items.push(make("li", { class: "muted" }, "Nothing on this board."));
    this.list.replaceChildren(...items);
  }

  entry({ cp, text, name, side, light }) {
    const title = this.titles.get(name);
    const button = make("button", {
      type: "button", class: `entry ${side}`, "aria-pressed": "false", "data-lights": true, title: title && `${title.title}: ${title.description}`,
      onclick: () => {
        const isPinned = button.getAttribute("aria-pressed") === "true";
        if (isPinned) this.table.unpin();
        else {
          this.table.pin(button);
          button.setAttribute("aria-pressed", "true");
        }
      },
    }, make("span", {}, text), make("span", { class: "number" }, pawns(cp)));
    button.light = light;
    return button;
  }

  touch(isTouched, features) {
    this.row.classList.toggle("touched", isTouched);
    for (const entry of this.list.querySelectorAll(".entry")) {
      entry.classList.toggle("touched", features.has(entry.light[0].features[0]));
    }
  }
}

const makeBar = () => make("div", { class: "axis" }, make("div", { class: "length" }));

/** From the middle to the right for what is above zero, to the left for what is below. */
function setBar(bar, cp, scale) {
  bar.firstChild.style.width = `${(Math.abs(cp) / scale) * 50}%`;
  bar.classList.toggle("below", cp < 0);
}
