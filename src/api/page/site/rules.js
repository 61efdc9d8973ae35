// The rules of chess, as far as a board needs them: legal moves, SAN and FEN. The service stays the judge of positions and
// games; this file saves a request for every dot that is shown on the board. Checked against tests/data/rules.
//
// Squares are numbers, a1 = 0, b1 = 1, ... h8 = 63; pieces are FEN's letters, "" for none; sides are "w" and "b".

export const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

export const nameOf = (square) => "abcdefgh"[square & 7] + ((square >> 3) + 1);
export const squareOf = (name) => "abcdefgh".indexOf(name[0]) + 8 * (Number(name[1]) - 1);
export const sideOf = (piece) => (piece === "" ? "" : piece < "a" ? "w" : "b");
export const other = (side) => (side === "w" ? "b" : "w");

const ALL_AROUND = [[1, 0], [0, 1], [-1, 0], [0, -1], [1, 1], [1, -1], [-1, 1], [-1, -1]];
const STRAIGHT = ALL_AROUND.slice(0, 4);
const DIAGONAL = ALL_AROUND.slice(4);
const KNIGHT = [[1, 2], [2, 1], [-1, 2], [-2, 1], [1, -2], [2, -1], [-1, -2], [-2, -1]];
const STEPS = { n: KNIGHT, b: DIAGONAL, r: STRAIGHT, q: ALL_AROUND, k: ALL_AROUND };
const SLIDERS = "brq";

/** The square so many files and ranks away, or -1 off the board. */
function step(square, [files, ranks]) {
  const file = (square & 7) + files;
  const rank = (square >> 3) + ranks;
  return file < 0 || file > 7 || rank < 0 || rank > 7 ? -1 : rank * 8 + file;
}

/** Squares that a piece reaches over an otherwise empty path, the first occupied one included. */
function* reach(board, square, kind) {
  for (const direction of STEPS[kind]) {
    let to = step(square, direction);
    while (to >= 0) {
      yield to;
      if (board[to] !== "" || !SLIDERS.includes(kind)) break;
      to = step(to, direction);
    }
  }
}

function isAttacked(board, square, by) {
  const owned = (letter) => (by === "w" ? letter.toUpperCase() : letter);
  for (const kind of ["n", "b", "r", "q", "k"]) {
    for (const from of reach(board, square, kind)) if (board[from] === owned(kind)) return true;
  }
  const behind = by === "w" ? -1 : 1;
  return [-1, 1].some((file) => {
    const from = step(square, [file, behind]);
    return from >= 0 && board[from] === owned("p");
  });
}

const isKing = (side) => (piece) => piece === (side === "w" ? "K" : "k");

/** A position; it is never changed, `play` gives a new one. */
export class Position {
  /** Reads a FEN that the service has written. `chess960` says how castling is spelt in UCI and shown on the board. */
  static read(fen, chess960) {
    const [placement, turn, castling, ep, halfmoves, number] = fen.split(" ");
    const board = Array(64).fill("");
    placement.split("/").forEach((row, index) => {
      let square = 56 - 8 * index;
      for (const letter of row) {
        if (letter >= "1" && letter <= "8") square += Number(letter);
        else board[square++] = letter;
      }
    });
    const rooks = new Set();
    for (const letter of castling.replace("-", "")) rooks.add(castlingRook(board, letter));
    return new Position({
      board, turn, rooks, chess960,
      ep: ep === "-" ? -1 : squareOf(ep), halfmoves: Number(halfmoves ?? 0), number: Number(number ?? 1),
    });
  }

  constructor(fields) {
    Object.assign(this, fields);
  }

  king(side = this.turn) {
    return this.board.findIndex(isKing(side));
  }

  inCheck() {
    return isAttacked(this.board, this.king(), other(this.turn));
  }

  /** Legal moves: `from`, `to` (where the moving piece ends), `promotion`, and for castling the `rook`'s square. */
  moves() {
    const king = this.king();
    this.legal ??= [...this.candidates()].filter((move) => (
      !isAttacked(this.boardAfter(move), move.from === king ? move.to : king, other(this.turn))
    ));
    return this.legal;
  }

  * candidates() {
    for (let from = 0; from < 64; from++) {
      const piece = this.board[from];
      if (sideOf(piece) !== this.turn) continue;
      const kind = piece.toLowerCase();
      if (kind === "p") {
        yield* this.pawnMoves(from);
        continue;
      }
      for (const to of reach(this.board, from, kind)) {
        if (sideOf(this.board[to]) !== this.turn) yield { from, to };
      }
    }
    for (const rook of this.rooks) {
      if (sideOf(this.board[rook]) === this.turn) yield* this.castling(rook);
    }
  }

  * pawnMoves(from) {
    const forward = this.turn === "w" ? 1 : -1;
    const targets = [];
    const single = step(from, [0, forward]);
    if (this.board[single] === "") {
      targets.push(single);
      const double = step(single, [0, forward]);
      if (from >> 3 === (this.turn === "w" ? 1 : 6) && this.board[double] === "") targets.push(double);
    }
    for (const file of [-1, 1]) {
      const to = step(from, [file, forward]);
      if (to >= 0 && (sideOf(this.board[to]) === other(this.turn) || to === this.ep)) targets.push(to);
    }
    for (const to of targets) {
      if (to >> 3 === 0 || to >> 3 === 7) {
        for (const promotion of "qrbn") yield { from, to, promotion };
      } else yield { from, to };
    }
  }

  /** Every square between and under king and rook is free of others, and the king's path is not attacked. */
  * castling(rook) {
    const from = this.king();
    const isShort = rook > from;
    const home = from & 56;
    const [to, rookTo] = isShort ? [home + 6, home + 5] : [home + 2, home + 3];
    const board = [...this.board];
    board[from] = board[rook] = "";
    const path = (a, b) => Array.from({ length: Math.abs(a - b) + 1 }, (_, index) => Math.min(a, b) + index);
    if ([...path(from, to), ...path(rook, rookTo)].some((square) => board[square] !== "")) return;
    // Whether the king is attacked where it ends is seen with the other moves, when the rook is there that may shield it.
    board[rook] = this.board[rook];
    const isCrossed = (square) => square === from || square !== to;
    if (path(from, to).filter(isCrossed).some((square) => isAttacked(board, square, other(this.turn)))) return;
    yield { from, to, rook };
  }

  /** The board after a move, which is not checked. */
  boardAfter({ from, to, promotion, rook }) {
    const board = [...this.board];
    const piece = board[from];
    board[from] = "";
    if (rook !== undefined) {
      board[rook] = "";
      board[rook > from ? to - 1 : to + 1] = this.turn === "w" ? "R" : "r";
    }
    if (to === this.ep && piece.toLowerCase() === "p") board[(from & 56) | (to & 7)] = "";
    board[to] = promotion === undefined ? piece : this.turn === "w" ? promotion.toUpperCase() : promotion;
    return board;
  }

  /** The position after a move, which is not checked. */
  play(move) {
    const { from, to, rook } = move;
    const piece = this.board[from];
    const isPawn = piece.toLowerCase() === "p";
    const captures = rook === undefined && this.board[to] !== "";
    const rooks = new Set(this.rooks);
    rooks.delete(from);
    rooks.delete(to);
    if (piece.toLowerCase() === "k") {
      for (const each of rooks) if (sideOf(this.board[each]) === this.turn) rooks.delete(each);
    }
    return new Position({
      board: this.boardAfter(move), rooks, turn: other(this.turn), chess960: this.chess960,
      ep: isPawn && Math.abs(to - from) === 16 ? (from + to) / 2 : -1,
      halfmoves: isPawn || captures ? 0 : this.halfmoves + 1,
      number: this.number + (this.turn === "b" ? 1 : 0),
    });
  }

  /** The square that a player names as the target: in Chess960 castling is the king on its rook. */
  target(move) {
    return move.rook !== undefined && this.chess960 ? move.rook : move.to;
  }

  uci(move) {
    return nameOf(move.from) + nameOf(this.target(move)) + (move.promotion ?? "");
  }

  san(move) {
    const after = this.play(move);
    const check = after.inCheck() ? (after.moves().length === 0 ? "#" : "+") : "";
    return this.sanWithoutCheck(move) + check;
  }

  sanWithoutCheck(move) {
    if (move.rook !== undefined) return move.rook > move.from ? "O-O" : "O-O-O";
    const piece = this.board[move.from].toUpperCase();
    const target = nameOf(move.to);
    if (piece === "P") {
      const capture = (move.from & 7) === (move.to & 7) ? "" : `${nameOf(move.from)[0]}x`;
      return capture + target + (move.promotion === undefined ? "" : `=${move.promotion.toUpperCase()}`);
    }
    const rivals = this.moves().filter((rival) => rival.to === move.to && rival.from !== move.from
      && rival.rook === undefined && this.board[rival.from] === this.board[move.from]);
    const [file, rank] = nameOf(move.from);
    const sharesFile = rivals.some((rival) => (rival.from & 7) === (move.from & 7));
    const sharesRank = rivals.some((rival) => rival.from >> 3 === move.from >> 3);
    const origin = rivals.length === 0 ? "" : !sharesFile ? file : !sharesRank ? rank : file + rank;
    return piece + origin + (this.board[move.to] === "" ? "" : "x") + target;
  }

  /** The legal move that a text names, in SAN (long and careless forms too) or UCI; undefined if none or several do. */
  find(text) {
    const plain = text.replace(/[+#!?]+$/, "").replace(/\s*e\.p\.$/, "").replace(/=/, "");
    const castling = plain.replace(/0/g, "O").toUpperCase();
    if (castling === "O-O" || castling === "O-O-O") {
      return this.moves().find((move) => move.rook !== undefined && this.sanWithoutCheck(move) === castling);
    }
    const uci = plain.toLowerCase();
    const named = this.moves().find((move) => this.uci(move) === uci
      || (move.rook !== undefined && [move.to, move.rook].some((to) => nameOf(move.from) + nameOf(to) === uci)));
    return named ?? this.findBySan(plain);
  }

  findBySan(text) {
    const parts = /^([NBRQK]?)([a-h]?)([1-8]?)[x:-]?([a-h][1-8])([NBRQnbrq]?)$/.exec(text);
    if (parts === null) return undefined;
    const [, kind, file, rank, target, promotion] = parts;
    const fits = this.moves().filter((move) => move.rook === undefined
      && this.board[move.from].toUpperCase() === (kind || "P")
      && nameOf(move.to) === target
      && nameOf(move.from).includes(file) && nameOf(move.from).includes(rank)
      && (move.promotion ?? "") === promotion.toLowerCase());
    return fits.length === 1 ? fits[0] : undefined;
  }
}

/** The square of the rook that a letter of the castling field means: X-FEN's KQkq the outermost, Shredder-FEN's a file. */
function castlingRook(board, letter) {
  const side = sideOf(letter);
  const home = side === "w" ? 0 : 56;
  const isRook = (square) => board[square] === (side === "w" ? "R" : "r");
  const row = Array.from({ length: 8 }, (_, file) => home + file);
  const king = board.findIndex(isKing(side));
  switch (letter.toLowerCase()) {
    case "k": return row.findLast((square) => square > king && isRook(square));
    case "q": return row.find((square) => square < king && isRook(square));
    default: return home + "abcdefgh".indexOf(letter.toLowerCase());
  }
}
