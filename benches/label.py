#!/usr/bin/env python3
"""Asks a UCI engine for the evaluation of each position of a file, for `tune` to learn from.

  datagen leaves.txt --leaves --games 4000
  label.py leaves.txt labelled.txt --engine stockfish --nodes 2000

Reads lines `FEN | cp | result | game` and writes them with the engine's centipawns, White's, and the points that these
let White expect, 1 / (1 + 10^(-cp / SCALE)), as the result. A position occurs once; where the engine sees a mate, or more
than --limit centipawns, or no move, it is left out. The engines keep their table, so other counts of jobs give slightly
other labels.
"""

import argparse
import subprocess
import sys
import threading
import time
from pathlib import Path


class Engine:
    """A UCI engine over pipes."""

    def __init__(self, command, options):
        self.process = subprocess.Popen(
            command.split(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.say("uci")
        for option in options:
            name, _, value = option.partition("=")
            self.say(f"setoption name {name} value {value}")
        self.say("isready")
        while self.process.stdout.readline().strip() != "readyok":
            if self.process.poll() is not None:
                sys.exit(f"{command} ended before it was ready")

    def say(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def lines(self, fen, nodes):
        """The last of each of its lines, best first: the kind of its score, the score for the side to move, and the moves."""
        self.say(f"position fen {fen}\ngo nodes {nodes}")
        found = {}
        for line in self.process.stdout:
            words = line.split()
            if words[:1] == ["bestmove"]:
                return [found[number] for number in sorted(found)]
            if "score" in words and "upperbound" not in words and "lowerbound" not in words:
                kind, value = words[words.index("score") + 1 :][:2]
                number = int(words[words.index("multipv") + 1]) if "multipv" in words else 1
                moves = words[words.index("pv") + 1 :] if "pv" in words else []
                found[number] = kind, int(value), moves
        sys.exit("the engine has ended")

    def centipawns(self, fen, nodes):
        """For the side to move; nothing for a mate or where there is no move."""
        lines = self.lines(fen, nodes)
        return lines[0][1] if lines and lines[0][0] == "cp" else None


def points(centipawns, scale):
    """What so many centipawns let their side expect."""
    return 1 / (1 + 10 ** (-centipawns / scale))


def label(lines, arguments, kept, count):
    engine = Engine(arguments.engine, arguments.option)
    for line in lines:
        fen, _, _, game = (field.strip() for field in line.split("|"))
        cp = engine.centipawns(fen, arguments.nodes)
        count[0] += 1
        if cp is not None and abs(cp) <= arguments.limit:
            white = cp if fen.split()[1] == "w" else -cp
            kept.append(f"{fen} | {white} | {points(white, arguments.scale):.4f} | {game}\n")
    engine.say("quit")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("positions", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--engine", default="stockfish")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--nodes", type=int, default=2000)
    parser.add_argument("--scale", type=float, default=215, help="the centipawns that make ten to one")
    parser.add_argument("--limit", type=int, default=2000)
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()

    unique = {}
    for line in arguments.positions.read_text().splitlines():
        unique.setdefault(" ".join(line.split()[:4]), line)
    lines = list(unique.values())
    share = -(-len(lines) // arguments.jobs)
    shares = [lines[start : start + share] for start in range(0, len(lines), share)]
    kept, counts, threads = [[] for _ in shares], [[0] for _ in shares], []
    for work in zip(shares, kept, counts):
        threads.append(threading.Thread(target=label, args=(work[0], arguments, *work[1:]), daemon=True))
        threads[-1].start()
    started = time.monotonic()
    while any(thread.is_alive() for thread in threads):
        for thread in threads:
            thread.join(10 / len(threads))
        done, seconds = sum(count[0] for count in counts), time.monotonic() - started
        left = seconds * (len(lines) - done) / max(done, 1)
        print(f"{done} of {len(lines)} positions, {seconds:.0f} s, {left:.0f} s left", file=sys.stderr)
    if sum(count[0] for count in counts) < len(lines):
        sys.exit("an engine ended before its work was done: nothing is written")
    arguments.output.write_text("".join(line for part in kept for line in part))


if __name__ == "__main__":
    main()
