// The list of moves, with variations and comments below the moves they belong to.

import { byId, make } from "./dom.js";

const GLYPHS = { Inaccuracy: "?!", Mistake: "?", Blunder: "??" };

export class MoveList {
  /** `onselect(node)` is told which move is to be shown. */
  constructor(onselect) {
    this.element = byId("moves");
    this.buttons = new Map();
    this.element.addEventListener("click", ({ target }) => {
      const button = target.closest("button");
      if (button !== null) onselect(button.node);
    });
  }

  /** Shows a game anew, after it has grown or is another. */
  show(game) {
    this.buttons.clear();
    const children = game.root.children.length === 0
      ? [make("p", { class: "empty" }, "No move yet. Play on the board, type a move, or paste a game.")]
      : [...this.rows(game)];
    this.element.replaceChildren(...children);
  }

  * rows(game) {
    let row = null;
    for (let node = game.root; node.children.length > 0;) {
      const [first, ...others] = node.children;
      const { turn, number } = node.position;
      if (row === null || turn === "w") {
        row = make("div", { class: "moverow" }, make("span", { class: "count" }, `${number}.`));
        if (turn === "b") row.append(make("span", { class: "gap" }, "…"));
        yield row;
      }
      row.append(this.button(first));
      if (others.length > 0 || first.comment !== "") {
        row = null;
        if (first.comment !== "") yield make("p", { class: "comment" }, first.comment);
        for (const other of others) yield make("p", { class: "variation" }, ...this.words(other, true));
      }
      node = first;
    }
  }

  /** A variation as running text. */
  * words(node, restart) {
    const { turn, number } = node.parent.position;
    if (turn === "w" || restart) yield make("span", { class: "count" }, `${number}${turn === "w" ? "." : "…"}`);
    yield this.button(node);
    if (node.comment !== "") yield make("span", { class: "comment" }, node.comment);
    const [first, ...others] = node.children;
    for (const other of others) yield make("span", { class: "nested" }, "(", ...this.words(other, true), ")");
    if (first !== undefined) yield* this.words(first, others.length > 0 || node.comment !== "");
  }

  button(node) {
    const { judgment } = node;
    const button = make("button", { type: "button", class: "move", "aria-label": judgment && `${node.san}, ${judgment.name}` }, node.san);
    if (judgment !== undefined) {
      button.append(make("span", { class: `glyph ${judgment.name.toLowerCase()}`, title: judgment.comment ?? judgment.name },
        GLYPHS[judgment.name] ?? ""));
    } else if (node.sign !== undefined) {
      button.append(make("span", { class: "glyph" }, node.sign));
    }
    button.node = node;
    this.buttons.set(node, button);
    return button;
  }

  /** Marks the move shown and brings it into view, without moving the page. */
  mark(node) {
    this.marked?.removeAttribute("aria-current");
    this.marked = this.buttons.get(node);
    const { element, marked } = this;
    if (marked === undefined) {
      element.scrollTop = 0;
      return;
    }
    marked.setAttribute("aria-current", "true");
    const top = marked.offsetTop;
    if (top < element.scrollTop) element.scrollTop = top - 8;
    else if (top + marked.offsetHeight > element.scrollTop + element.clientHeight) {
      element.scrollTop = top + marked.offsetHeight - element.clientHeight + 8;
    }
  }
}
