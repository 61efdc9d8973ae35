#!/usr/bin/env python3
"""Groups of positions that a search had to choose between, each with what a stronger engine says of the choice.

  siblings.py groups.txt tcec-quiet.txt.xz --sample 100000 --own "target/release/centipawn uci" --engine stockfish
  tune groups.txt --common 0 --blend-eval 0 --start played

From a position of the files (lines `FEN | ...`), or one after up to two moves by lot, our engine searches its best moves. A
group are the ends of their lines, each with what --engine says of the move that its line begins with: White's centipawns and
points, 1 / (1 + 10^(-cp / SCALE)), and a key that the group has in common, `FEN | cp | points | key`, which `tune` reads.
At such an end our search believed its evaluation, so what is wrong there about moves beside each other is what weights can
mend. Lines that end in check or mate, or whose move is worth more than --limit, are left out.
Needs python-chess (`pip install chess`). The engines keep their table, so other counts of jobs give slightly other labels.
"""

import argparse
import lzma
import random
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import chess

from label import Engine, points


def positions(paths):
    for path in paths:
        with lzma.open(path, "rt") if path.suffix == ".xz" else path.open() as lines:
            for line in lines:
                yield line.split("|")[0].strip()


def stray(fen, lots, most):
    """The position after up to so many moves by lot."""
    board = chess.Board(fen, chess960=True)
    for _ in range(lots.randrange(most + 1)):
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(lots.choice(moves))
    return board


def end(board, moves):
    """Where a line ends; nothing in check or where nobody can move."""
    board = board.copy()
    for move in moves:
        board.push_uci(move)
    return None if board.is_check() or board.is_game_over() else board.fen()


def group(board, own, judge, arguments, key):
    """The lines of a group."""
    fen, sign = board.fen(), 1 if board.turn else -1
    worth = {moves[0]: cp for kind, cp, moves in judge.lines(fen, arguments.nodes) if kind == "cp" and moves}
    lines = []
    for kind, cp, moves in own.lines(fen, arguments.own_nodes):
        if kind != "cp" or not moves or moves[0] not in worth or abs(cp) > arguments.limit:
            continue
        white, last = worth[moves[0]] * sign, end(board, moves)
        if last is not None and abs(white) <= arguments.limit:
            lines.append(f"{last} | {white} | {points(white, arguments.scale):.4f} | {key:010x}\n")
    return lines if len(lines) > 1 else []


def open_engines(engines, arguments):
    common = ["UCI_Chess960=true", "Hash=16"]
    engines.own = Engine(arguments.own, [*common, f"MultiPV={arguments.moves}"])
    # More moves than ours shows, so that few of its moves are missing.
    engines.judge = Engine(arguments.engine, [*common, f"MultiPV={arguments.moves + 4}"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", type=Path)
    parser.add_argument("positions", type=Path, nargs="+")
    parser.add_argument("--sample", type=int, default=100_000, help="positions, drawn at random")
    parser.add_argument("--own", default="target/release/centipawn uci", help="the engine whose lines are followed")
    parser.add_argument("--own-nodes", type=int, default=15_000)
    parser.add_argument("--engine", default="stockfish", help="the engine that says what moves are worth")
    parser.add_argument("--nodes", type=int, default=15_000)
    parser.add_argument("--moves", type=int, default=6, help="of a position, the best by our engine")
    parser.add_argument("--stray", type=int, default=2, help="the most moves by lot before")
    parser.add_argument("--scale", type=float, default=215, help="the centipawns that make ten to one")
    parser.add_argument("--limit", type=int, default=1200)
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()

    lots = random.Random(arguments.seed)
    fens = list(positions(arguments.positions))
    fens = lots.sample(fens, min(arguments.sample, len(fens)))
    roots = [(fen, lots.getrandbits(64)) for fen in fens]
    engines = threading.local()

    def search(root):
        fen, seed = root
        own_lots = random.Random(seed)
        board = stray(fen, own_lots, arguments.stray)
        if board.legal_moves.count() < 2:
            return []
        return group(board, engines.own, engines.judge, arguments, own_lots.getrandbits(40))

    started, written = time.monotonic(), 0
    pool = ThreadPoolExecutor(arguments.jobs, initializer=open_engines, initargs=(engines, arguments))
    try:
        with arguments.output.open("w") as output:
            for done, lines in enumerate(pool.map(search, roots), 1):
                output.writelines(lines)
                written += len(lines)
                if done % 1000 == 0 or done == len(roots):
                    seconds = time.monotonic() - started
                    left = seconds * (len(roots) - done) / done
                    print(f"{done} of {len(roots)} positions, {written} lines, {seconds:.0f} s, {left:.0f} s left", file=sys.stderr)
    finally:
        pool.shutdown(cancel_futures=True)


if __name__ == "__main__":
    main()
