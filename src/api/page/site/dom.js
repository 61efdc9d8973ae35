// Making elements, without markup in strings.

const SVG = "http://www.w3.org/2000/svg";

/** An element: attributes as they are, functions as listeners (`onclick`), then children and texts. */
export function make(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function makeSvg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

export const byId = (id) => document.getElementById(id);

/** Sets the text only where it differs, so that nothing is announced or selected away in vain. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Pawns with a sign, as people write evaluations: +0.31, −1.20, 0.00. */
export function pawns(cp) {
  const text = (Math.abs(cp) / 100).toFixed(2);
  return cp > 0 ? `+${text}` : cp < 0 ? `\u2212${text}` : text;
}

/** A score short enough for a label: +0.31, or #3 and −#3 for a mate. */
export function scoreText({ cp, mate }) {
  if (mate === undefined) return Math.abs(cp) < 1000 ? pawns(cp) : pawns(cp).slice(0, -1);
  return mate < 0 ? `\u2212#${-mate}` : `#${mate}`;
}

/** The same in words. */
export function scoreWords({ cp, mate }) {
  if (mate !== undefined) {
    const moves = Math.abs(mate);
    return `${mate < 0 ? "Black" : "White"} mates in ${moves} ${moves === 1 ? "move" : "moves"}`;
  }
  return cp === 0 ? "equal, 0.00" : `${cp > 0 ? "White" : "Black"} is ahead by ${(Math.abs(cp) / 100).toFixed(2)} pawns`;
}

const NAMES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };

/** `White knight`. */
export function pieceName(piece) {
  return `${piece < "a" ? "White" : "Black"} ${NAMES[piece.toLowerCase()]}`;
}

/** A picture of a piece, from the drawings in the page. */
export function pieceImage(piece, attributes = {}) {
  const id = (piece < "a" ? "white-" : "black-") + NAMES[piece.toLowerCase()];
  return makeSvg("svg", { viewBox: "0 0 100 100", "aria-hidden": "true", ...attributes },
    makeSvg("use", { href: `#${id}` }));
}

export const prefersStillness = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Speaks to those who listen to the page. */
export function announce(text) {
  setText(byId("announcer"), text);
}
