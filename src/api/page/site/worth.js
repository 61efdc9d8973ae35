// What the entries of a breakdown mean for the pieces on the board.

import { pawns } from "./dom.js";
import { nameOf, sideOf, squareOf } from "./rules.js";

const sign = (side) => (side === "white" ? 1 : -1);
const letter = (side) => (side === "white" ? "w" : "b");

/** A number in so many whole parts that differ by one at the most; odd centipawns go to the first. */
function shares(cp, parts) {
  const whole = Math.trunc(cp / parts);
  const odd = Math.abs(cp % parts);
  return Array.from({ length: parts }, (_, index) => whole + (index < odd ? Math.sign(cp) : 0));
}

/**
 * By square: what the piece there adds beyond its material by these terms, in centipawns good for its owner, with the entries
 * that say so. An entry about several pieces of its side is shared among them evenly, as the service's pictures do it.
 */
export function pieceWorths(terms, position) {
  const worths = new Map();
  for (const term of terms) {
    if (term.term === "material") continue;
    for (const feature of term.features) {
      const own = feature.squares.map(squareOf).filter((square) => sideOf(position.board[square]) === letter(feature.side));
      shares(feature.cp, own.length || 1).forEach((share, index) => {
        if (own.length === 0) return;
        const worth = worths.get(own[index]) ?? { cp: 0, reasons: [] };
        const cp = share * sign(feature.side);
        worth.cp += cp;
        worth.reasons.push({ term: term.term, feature, cp });
        worths.set(own[index], worth);
      });
    }
  }
  return worths;
}

/** What the board shows of these worths: colour and number. */
export function heatOf(worths) {
  return new Map([...worths].map(([square, { cp }]) => [square, { cp, label: pawns(cp) }]));
}

/** What the board shows of a term or a feature: its pieces with their shares, and the other squares that it names. */
export function litBy(terms, position) {
  const shown = heatOf(pieceWorths(terms, position));
  for (const term of terms) {
    for (const { squares } of term.features) {
      for (const name of squares) {
        const square = squareOf(name);
        shown.set(square, { ...shown.get(square), isLit: true });
      }
    }
  }
  return shown;
}

/** `f3: +0.34 beyond its material: mobility +0.20, ...`, the weightiest terms first. */
export function worthWords(square, worth, title) {
  if (worth === undefined) return `${nameOf(square)}: nothing beyond its material.`;
  const byTerm = new Map();
  for (const { term, cp } of worth.reasons) byTerm.set(term, (byTerm.get(term) ?? 0) + cp);
  const reasons = [...byTerm].filter(([, cp]) => cp !== 0).sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]));
  const list = reasons.map(([term, cp]) => `${title(term).toLowerCase()} ${pawns(cp)}`).join(", ");
  return `${nameOf(square)}: ${pawns(worth.cp)} beyond its material${list === "" ? "" : `: ${list}`}.`;
}
