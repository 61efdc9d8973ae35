#!/usr/bin/env python3
"""Groups of positions that a search had to choose between, each with what a stronger engine says of the choice.

  siblings.py groups.txt tcec-quiet.txt.xz --sample 100000 --own "target/release/centipawn uci" --engine stockfish
  tune groups.txt --common 0.3 --blend-eval 0

From a position of the files (lines `FEN | ...`), or one after up to two moves by lot, our engine searches its best moves.
Where their lines end it said what they are worth; --engine says what they are worth. A group are these ends, White's
centipawns and points of --engine's (1 / (1 + 10^(-cp / SCALE))), and a key of the position they come from:
`FEN | cp | points | key`, which `tune` reads. What matters to play is what is wrong about moves beside each other in a search
that believed it, so that is what the weights can learn here. Lines that end in check, in mate or far ahead are left out.
Needs python-chess (`pip install chess`). The engines keep their table, so other counts of jobs give slightly other labels.
"""

import argparse
import lzma
import queue
import random
import sys
import threading
import time
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


def work(roots, found, arguments):
    common = ["UCI_Chess960=true", "Hash=16"]
    own = Engine(arguments.own, [*common, f"MultiPV={arguments.moves}"])
    # Beyond as many as ours shows, so that few of its moves are missing among theirs.
    judge = Engine(arguments.engine, [*common, f"MultiPV={arguments.moves + 4}"])
    while True:
        try:
            fen, seed = roots.get_nowait()
        except queue.Empty:
            break
        lots = random.Random(seed)
        board = stray(fen, lots, arguments.stray)
        choice = board.legal_moves.count() > 1
        found.put(group(board, own, judge, arguments, lots.getrandbits(40)) if choice else [])
    own.say("quit")
    judge.say("quit")


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
    roots, found = queue.SimpleQueue(), queue.SimpleQueue()
    for fen in fens:
        roots.put((fen, lots.getrandbits(64)))
    threads = [threading.Thread(target=work, args=(roots, found, arguments), daemon=True) for _ in range(arguments.jobs)]
    for thread in threads:
        thread.start()
    started, written = time.monotonic(), 0
    with arguments.output.open("w") as output:
        for done in range(1, len(fens) + 1):
            while True:
                try:
                    lines = found.get(timeout=60)
                    break
                except queue.Empty:
                    if not all(thread.is_alive() for thread in threads):
                        sys.exit("an engine ended before its work was done")
            output.writelines(lines)
            written += len(lines)
            if done % 1000 == 0 or done == len(fens):
                seconds = time.monotonic() - started
                left = seconds * (len(fens) - done) / done
                print(f"{done} of {len(fens)} positions, {written} lines, {seconds:.0f} s, {left:.0f} s left", file=sys.stderr)


if __name__ == "__main__":
    main()
