// Loading positions and games: the dialog, pasting, dropped files, and the FEN below the board.

import { byId, setText } from "./dom.js";
import { Game, readPgn } from "./game.js";
import { ask } from "./service.js";

/** A position as the service writes it, and what it repaired; throws with the service's own words where it refuses it. */
export async function canonical(fen, chess960) {
  const request = chess960 ? { fen, variant: "chess960" } : { fen };
  const reply = await ask("/v1/evaluate", request);
  return { fen: reply.fen, repairs: reply.warnings.map(({ detail }) => detail) };
}

/** A game without moves, from a position. */
const position = (fen, chess960) => ({ headers: {}, read: async () => new Game(await canonical(fen, chess960), chess960) });

/** A text that begins like piece placement is a FEN, everything else a PGN. */
const isFen = (text) => /^\s*[pnbrqk1-8]+\/[pnbrqk1-8]+/i.test(text);

export class Opening {
  /** `onload(games, first)` is told what was loaded: the games found, to be read when they are wanted, and the first one, read. */
  constructor({ onload }) {
    this.onload = onload;
    this.chess960 = false;
    this.dialog = byId("open-dialog");
    this.text = byId("open-text");
    byId("open").addEventListener("click", () => this.show(""));
    byId("open-cancel").addEventListener("click", () => this.dialog.close());
    byId("open-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.load(this.text.value);
    });
    byId("open-file").addEventListener("change", ({ target }) => this.take(target.files[0]));
    byId("fen-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.loadFen();
    });
    document.addEventListener("paste", (event) => this.paste(event));
    document.addEventListener("dragover", (event) => event.preventDefault());
    document.addEventListener("drop", (event) => {
      event.preventDefault();
      this.take(event.dataTransfer.files[0]);
    });
  }

  show(text) {
    this.text.value = text;
    setText(byId("open-error"), "");
    if (!this.dialog.open) this.dialog.showModal();
    this.text.focus();
  }

  paste(event) {
    if (event.target.closest("input, textarea") !== null) return;
    const text = event.clipboardData.getData("text");
    if (text.trim() === "") return;
    event.preventDefault();
    this.show(text);
    this.load(text);
  }

  async take(file) {
    if (file === undefined) return;
    const text = await file.text();
    this.show(text);
    this.load(text);
  }

  async load(text) {
    const chess960 = byId("open-960").checked;
    try {
      const games = isFen(text) ? [position(text.trim(), chess960)] : readPgn(text, canonical);
      if (games.length === 0) throw new Error("There is nothing here yet: paste a FEN or a PGN.");
      const first = await games[0].read();
      this.dialog.close();
      this.onload(games, first);
    } catch (error) {
      setText(byId("open-error"), error.message);
    }
  }

  async loadFen() {
    const input = byId("fen");
    try {
      const game = position(input.value.trim(), this.chess960);
      const first = await game.read();
      this.complain("");
      this.onload([game], first);
    } catch (error) {
      this.complain(error.message);
    }
  }

  /** Shows what is wrong with an address, and the FEN in it if that is what is wrong. */
  refuse({ text, words }) {
    if (text !== undefined) byId("fen").value = text;
    this.complain(words);
  }

  complain(words) {
    setText(byId("fen-error"), words);
    byId("fen").setAttribute("aria-invalid", String(words !== ""));
  }

  showFen(fen) {
    if (document.activeElement === byId("fen")) return;
    byId("fen").value = fen;
    this.complain("");
  }
}
