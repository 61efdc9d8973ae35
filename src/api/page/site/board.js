// A board to play on: by dragging, by clicking, and by keyboard, where it is a grid of 64 named cells.
//
// A board of our own, because what matters here is in the cells: each is a real element with a name for screen readers, and
// heat, marks and worths lie in it. Pieces move by transforms alone, so a drag costs no layout.

import { make, makeSvg, pieceImage, pieceName, prefersStillness } from "./dom.js";
import { nameOf, sideOf, squareOf } from "./rules.js";

/** A pointer that has moved so far, in pixels, drags; before that it clicks. */
const DRAG_THRESHOLD = 4;
const SLIDE_MS = 160;
/** From this many centipawns on a square has its strongest colour, as in the service's pictures. */
const STRONGEST_CP = 60;
const STRONGEST_OPACITY = 0.72;

export class Board {
  /**
   * `onmove(move)` is told a legal move, `onillegal(from, to)` one that is not, `oninspect(square or null)` the square that is
   * pointed at or focused.
   */
  constructor(element, { onmove, onillegal, oninspect }) {
    this.element = element;
    this.tell = { onmove, onillegal, oninspect };
    this.isFlipped = false;
    this.selected = null;
    this.cursor = squareOf("e2");
    this.cells = [];
    this.build();
    this.listen();
  }

  build() {
    this.rows = Array.from({ length: 8 }, () => make("div", { role: "row", class: "row" }));
    for (let square = 0; square < 64; square++) {
      const shade = ((square & 7) + (square >> 3)) % 2 === 0 ? "dark" : "light";
      const cell = make("div", { role: "gridcell", class: `square ${shade}`, tabindex: "-1" },
        make("div", { class: "heat" }), make("div", { class: "worth", "aria-hidden": "true" }));
      cell.square = square;
      this.cells.push(cell);
    }
    this.arrows = makeSvg("svg", { class: "arrows", viewBox: "0 0 8 8", "aria-hidden": "true" });
    this.element.append(...this.rows, this.arrows);
    this.arrange();
  }

  /** Puts the cells in the order in which the board is seen. */
  arrange() {
    this.rows.forEach((row, index) => {
      const rank = this.isFlipped ? index : 7 - index;
      const files = [0, 1, 2, 3, 4, 5, 6, 7].map((file) => (this.isFlipped ? 7 - file : file));
      row.replaceChildren(...files.map((file) => this.cells[rank * 8 + file]));
      files.forEach((file, column) => {
        const cell = this.cells[rank * 8 + file];
        cell.toggleAttribute("data-first-file", column === 0);
        cell.toggleAttribute("data-last-rank", index === 7);
        cell.dataset.file = "abcdefgh"[file];
        cell.dataset.rank = String(rank + 1);
      });
    });
  }

  flip(isFlipped) {
    this.isFlipped = isFlipped;
    this.arrange();
    this.drawArrows();
  }

  /** Shows a position; `last` is the move that led to it, `slide` the move to be animated, backwards if it is taken back. */
  show(position, { last, slide, isBack = false } = {}) {
    this.position = position;
    this.closePromotion();
    const inCheck = position.inCheck() ? position.king() : -1;
    for (const cell of this.cells) {
      const piece = position.board[cell.square];
      if (cell.piece !== piece) this.put(cell, piece);
      cell.classList.toggle("last", cell.square === last?.from || cell.square === last?.to);
      cell.classList.toggle("check", cell.square === inCheck);
      cell.classList.toggle("movable", sideOf(piece) === position.turn);
    }
    this.select(null);
    if (slide !== undefined && !prefersStillness()) this.slide(slide, isBack);
    this.rove(this.cursor);
  }

  put(cell, piece) {
    cell.image?.remove();
    cell.piece = piece;
    cell.image = piece === "" ? undefined : pieceImage(piece, { class: "piece" });
    if (cell.image !== undefined) cell.insertBefore(cell.image, cell.lastChild);
  }

  name(cell) {
    const parts = [nameOf(cell.square), cell.piece === "" ? "empty" : pieceName(cell.piece)];
    if (cell.classList.contains("check")) parts.push("in check");
    if (cell.classList.contains("target")) parts.push("can be reached");
    const label = parts.join(", ");
    if (cell.getAttribute("aria-label") !== label) cell.setAttribute("aria-label", label);
  }

  slide({ from, to, rook }, isBack) {
    const parts = [[from, to]];
    if (rook !== undefined) parts.push([rook, rook > from ? to - 1 : to + 1]);
    for (const [start, end] of parts) {
      const [here, there] = isBack ? [start, end] : [end, start];
      const image = this.cells[here].image;
      const [x, y] = [0, 1].map((axis) => this.place(there)[axis] - this.place(here)[axis]);
      image?.animate([{ transform: `translate(${x * 100}%, ${y * 100}%)` }, { transform: "none" }],
        { duration: SLIDE_MS, easing: "cubic-bezier(.2, .7, .3, 1)" });
    }
  }

  /** Column and row of a square as the board is seen. */
  place(square) {
    const [file, rank] = [square & 7, square >> 3];
    return this.isFlipped ? [7 - file, rank] : [file, 7 - rank];
  }

  // Playing

  targets(from) {
    return this.position.moves().filter((move) => move.from === from);
  }

  /** The moves that a player means by two squares; castling is the king's two steps or, in both variants, its own rook. */
  meant(from, to) {
    return this.targets(from).filter((move) => this.position.target(move) === to || move.rook === to);
  }

  select(square) {
    this.selected = square;
    const targets = square === null ? [] : this.targets(square).map((move) => this.position.target(move));
    for (const cell of this.cells) {
      cell.setAttribute("aria-selected", String(cell.square === square));
      cell.classList.toggle("target", targets.includes(cell.square));
      this.name(cell);
    }
  }

  /** What a click or Enter on a square means. */
  choose(square) {
    const isOwn = sideOf(this.position.board[square]) === this.position.turn;
    const from = this.selected;
    if (from !== null && from !== square && this.meant(from, square).length > 0) this.attempt(from, square);
    else if (isOwn) this.select(from === square ? null : square);
    else if (from !== null) this.attempt(from, square);
  }

  async attempt(from, to) {
    const moves = this.meant(from, to);
    this.select(null);
    if (moves.length === 0) {
      this.tell.onillegal(from, to);
      return;
    }
    const move = moves.length > 1 ? await this.promote(moves, to) : moves[0];
    if (move !== undefined) this.tell.onmove(move);
  }

  /** Asks what a pawn becomes. */
  promote(moves, to) {
    const [column, row] = this.place(to);
    const focused = document.activeElement;
    return new Promise((resolve) => {
      const close = (move) => {
        dialog.remove();
        this.closePromotion = () => {};
        focused?.focus?.({ preventScroll: true });
        resolve(move);
      };
      const button = (move) => {
        const piece = this.position.turn === "w" ? move.promotion.toUpperCase() : move.promotion;
        return make("button", { type: "button", "aria-label": pieceName(piece), onclick: () => close(move) }, pieceImage(piece));
      };
      const dialog = make("div", { class: "promotion", role: "dialog", "aria-label": "Promote to", "aria-modal": "true" },
        ...moves.map(button));
      dialog.style.left = `${column * 12.5}%`;
      dialog.style[row < 4 ? "top" : "bottom"] = "0";
      dialog.addEventListener("keydown", (event) => this.promotionKey(event, dialog, close));
      dialog.addEventListener("focusout", ({ relatedTarget }) => {
        if (relatedTarget !== null && !dialog.contains(relatedTarget)) close(undefined);
      });
      this.closePromotion = () => close(undefined);
      this.element.append(dialog);
      dialog.firstChild.focus({ preventScroll: true });
    });
  }

  closePromotion() {}

  promotionKey(event, dialog, close) {
    const buttons = [...dialog.children];
    const index = buttons.indexOf(document.activeElement);
    const turn = { ArrowDown: 1, ArrowUp: -1, ArrowRight: 1, ArrowLeft: -1, Tab: event.shiftKey ? -1 : 1 }[event.key];
    if (event.key === "Escape") close(undefined);
    else if (turn !== undefined) buttons.at((index + turn) % buttons.length).focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // Pointers and keys

  listen() {
    const { element } = this;
    element.addEventListener("pointerdown", (event) => this.press(event));
    element.addEventListener("pointerover", (event) => {
      const cell = event.target.closest(".square");
      if (cell !== null && event.pointerType === "mouse" && this.drag === undefined) this.tell.oninspect(cell.square);
    });
    element.addEventListener("pointerleave", ({ pointerType }) => {
      if (pointerType === "mouse") this.tell.oninspect(null);
    });
    element.addEventListener("focusin", ({ target }) => {
      if (target.square !== undefined && target.matches(":focus-visible")) this.tell.oninspect(target.square);
    });
    element.addEventListener("focusout", ({ target }) => {
      if (target.square !== undefined) this.tell.oninspect(null);
    });
    element.addEventListener("keydown", (event) => this.key(event));
    element.addEventListener("contextmenu", (event) => {
      if (this.drag !== undefined) event.preventDefault();
    });
  }

  press(event) {
    const cell = event.target.closest(".square");
    if (cell === null || this.position === undefined || event.button !== 0 || !event.isPrimary) return;
    this.closePromotion();
    // Else the browser would move the focus, away from the question what a pawn becomes.
    event.preventDefault();
    if (!this.element.contains(document.activeElement)) document.activeElement?.blur();
    if (event.pointerType !== "mouse") this.tell.oninspect(cell.piece === "" ? null : cell.square);
    if (!cell.classList.contains("movable")) {
      this.choose(cell.square);
      return;
    }
    const wasSelected = this.selected === cell.square;
    if (this.selected !== null && this.meant(this.selected, cell.square).length > 0) {
      this.choose(cell.square);
      return;
    }
    this.select(cell.square);
    this.rove(cell.square);
    this.grab(event, cell, wasSelected);
  }

  grab(event, cell, wasSelected) {
    const { image } = cell;
    const box = this.element.getBoundingClientRect();
    const start = [event.clientX, event.clientY];
    const side = box.width / 8;
    const [column, row] = this.place(cell.square);
    // The piece hangs at the pointer by its middle; under a finger it is larger and above.
    const isTouch = event.pointerType === "touch";
    const middle = [box.left + (column + 0.5) * side, box.top + (row + (isTouch ? 1.1 : 0.5)) * side];
    this.drag = { isMoving: false, over: null };
    image.setPointerCapture?.(event.pointerId);
    const move = (at) => {
      if (!this.drag.isMoving) {
        if (Math.hypot(at.clientX - start[0], at.clientY - start[1]) < DRAG_THRESHOLD) return;
        this.drag.isMoving = true;
        cell.classList.add("dragged");
        this.element.classList.add("dragging");
      }
      const shift = `translate3d(${at.clientX - middle[0]}px, ${at.clientY - middle[1]}px, 0)`;
      image.style.transform = isTouch ? `${shift} scale(1.7)` : shift;
      this.hover(this.under(at, box));
    };
    const end = (at) => {
      image.removeEventListener("pointermove", move);
      for (const name of ["pointerup", "pointercancel"]) image.removeEventListener(name, end);
      const { isMoving } = this.drag;
      this.drag = undefined;
      this.hover(null);
      this.element.classList.remove("dragging");
      cell.classList.remove("dragged");
      image.style.transform = "";
      const to = at.type === "pointercancel" ? null : this.under(at, box);
      if (!isMoving) this.release(wasSelected);
      else if (to !== null && to !== cell.square) this.attempt(cell.square, to);
      else this.select(null);
    };
    image.addEventListener("pointermove", move);
    for (const name of ["pointerup", "pointercancel"]) image.addEventListener(name, end);
  }

  /** A click on an own piece: the second one lets go of it. */
  release(wasSelected) {
    if (wasSelected) this.select(null);
  }

  under({ clientX, clientY }, box) {
    const column = Math.floor((clientX - box.left) / (box.width / 8));
    const row = Math.floor((clientY - box.top) / (box.height / 8));
    if (column < 0 || column > 7 || row < 0 || row > 7) return null;
    return this.isFlipped ? row * 8 + 7 - column : (7 - row) * 8 + column;
  }

  hover(square) {
    const { drag } = this;
    if (drag?.over === square) return;
    this.cells.forEach((cell) => cell.classList.toggle("over", cell.square === square));
    if (drag !== undefined) drag.over = square;
  }

  key(event) {
    if (event.target.square === undefined || this.position === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    const flip = this.isFlipped ? -1 : 1;
    const square = event.target.square;
    const steps = { ArrowLeft: [-flip, 0], ArrowRight: [flip, 0], ArrowUp: [0, flip], ArrowDown: [0, -flip] };
    if (event.key in steps) {
      const [files, ranks] = steps[event.key];
      const [file, rank] = [(square & 7) + files, (square >> 3) + ranks];
      if (file >= 0 && file < 8 && rank >= 0 && rank < 8) this.rove(rank * 8 + file, true);
    } else if (event.key === "Enter" || event.key === " ") this.choose(square);
    else if (event.key === "Escape" && this.selected !== null) this.select(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Makes a cell the one that the tab key reaches, and focuses it if it is asked to. */
  rove(square, withFocus = false) {
    this.cells[this.cursor].tabIndex = -1;
    this.cursor = square;
    this.cells[square].tabIndex = 0;
    if (withFocus) this.cells[square].focus();
  }

  // What is said about the position

  /** Colours squares: by square `{cp, label}`, good for the piece's owner being positive; null for a square that is only marked. */
  heat(worths) {
    for (const cell of this.cells) {
      const worth = worths.get(cell.square);
      const cp = worth?.cp ?? 0;
      const [heat, label] = [cell.firstChild, cell.lastChild];
      heat.style.opacity = (Math.min(Math.abs(cp), STRONGEST_CP) / STRONGEST_CP) * STRONGEST_OPACITY;
      heat.classList.toggle("bad", cp < 0);
      label.textContent = worth?.label ?? "";
      cell.classList.toggle("labelled", worth?.label !== undefined);
      cell.classList.toggle("lit", worth?.isLit === true);
    }
  }

  /** Arrows over the board: `{from, to, kind}`, squares as numbers. */
  point(arrows) {
    const known = JSON.stringify(arrows);
    if (known === this.known) return;
    this.known = known;
    this.pointing = arrows;
    this.drawArrows();
  }

  drawArrows() {
    const shapes = (this.pointing ?? []).map(({ from, to, kind }) => {
      const [[x1, y1], [x2, y2]] = [this.place(from), this.place(to)].map(([x, y]) => [x + 0.5, y + 0.5]);
      return makeSvg("path", { class: `arrow ${kind}`, d: arrowPath(x1, y1, x2, y2) });
    });
    this.arrows.replaceChildren(...shapes);
  }
}

/** The outline of an arrow between the middles of two squares, in squares. */
function arrowPath(x1, y1, x2, y2) {
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const corner = ([along, across]) => `${(x1 + dx * along - dy * across).toFixed(3)} ${(y1 + dy * along + dx * across).toFixed(3)}`;
  const neck = length - 0.42;
  const outline = [[0.3, -0.075], [neck, -0.075], [neck, -0.23], [length - 0.06, 0], [neck, 0.23], [neck, 0.075], [0.3, 0.075]];
  return `M${outline.map(corner).join("L")}Z`;
}
