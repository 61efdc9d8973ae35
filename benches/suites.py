#!/usr/bin/env python3
"""How many positions of test suites the engine solves in a given time a move, beside other engines in the same run.

    benches/suites.py SUITE... [--seconds 1] [--sample N] [--against COMMAND]... [--option NAME=VALUE]... [--missed]
                      [--concurrency N] [--centipawn FILE]

A SUITE is a file with one EPD a line. It is solved by the best move (`bm`) or by none of the worst (`am`); by a mate in `dm` moves
or fewer; or it pays points by move (`c9` the moves, `c8` the points), of which all that could be had are 100 %. COMMAND is another
UCI engine; it is given the options that it has. Beside the engines stands what the best of them, position by position, has made.
--sample takes N positions of each suite, evenly spread; --missed names those that an engine did not solve. Each engine has one
thread and an empty table of 64 MiB for each position. Needs python-chess (`pip install chess`) and a machine that does nothing else.
"""

import argparse
import concurrent.futures
import os
import pathlib
import shlex
import sys
import threading

import chess
import chess.engine

from service import release_build

HASH_MEBIBYTES = 64


def main():
    arguments = parse_arguments()
    engines = with_options([f"{arguments.centipawn or release_build()} uci", *arguments.against], arguments.option)
    names = ["centipawn", *(pathlib.Path(shlex.split(command)[0]).name for command in arguments.against), "best of them"]
    print(f"{'suite':<24} {'positions':>9}  " + "  ".join(f"{name:>16}" for name in names))
    for path in arguments.suites:
        positions = sample(read(path), arguments.sample)
        points = [run(*engine, positions, arguments) for engine in engines]
        points.append([max(of_one_position) for of_one_position in zip(*points)])
        print(f"{pathlib.Path(path).stem:<24} {len(positions):9}  " + "  ".join(f"{share(each):>16}" for each in points), flush=True)
        if arguments.missed:
            for name, each in zip(names, points):
                print(f"    missed by {name}: {', '.join(missed(positions, each)) or 'none'}", flush=True)


def with_options(commands, given):
    """The engines' commands, each with those of the options that it has; one that no engine has is a mistake."""
    options, engines = {"Hash": HASH_MEBIBYTES, **dict(option.split("=", 1) for option in given)}, []
    for command in commands:
        with chess.engine.SimpleEngine.popen_uci(shlex.split(command)) as engine:
            engines.append((command, {name: value for name, value in options.items() if name in engine.options}))
    for name in options:
        if not any(name in own for _, own in engines):
            sys.exit(f"None of the engines has an option {name!r}: look for its name in what they answer to `uci`.")
    return engines


def read(path):
    """The positions of a suite, each with what its EPD says."""
    lines = [line for line in pathlib.Path(path).read_text().splitlines() if line.strip()]
    positions = []
    for line in lines:
        board = chess.Board()
        positions.append((board, board.set_epd(line)))
    return positions


def sample(positions, count):
    count = min(count or len(positions), len(positions))
    return [positions[index * len(positions) // count] for index in range(count)]


def run(command, options, positions, arguments):
    """The points of an engine: for each position those it made and those it could make."""
    local, engines, done = threading.local(), [], []

    def solve(position):
        if not hasattr(local, "engine"):
            local.engine = chess.engine.SimpleEngine.popen_uci(shlex.split(command))
            local.engine.configure(options)
            engines.append(local.engine)
        board, operations = position
        limit = chess.engine.Limit(time=arguments.seconds)
        result = local.engine.play(board, limit, game=object(), info=chess.engine.INFO_SCORE)
        done.append(points(board, operations, result))
        print(f"\r{len(done)} of {len(positions)}", end="", file=sys.stderr, flush=True)
        return done[-1]

    with concurrent.futures.ThreadPoolExecutor(arguments.concurrency) as pool:
        results = list(pool.map(solve, positions))
    print("\r", end="", file=sys.stderr)
    for engine in engines:
        engine.quit()
    return results


def points(board, operations, result):
    """What a move is worth in a position, and what the best one is."""
    if "c9" in operations:
        paid = dict(zip(operations["c9"].split(), map(int, operations["c8"].split())))
        return paid.get(result.move.uci(), 0), max(paid.values())
    if "dm" in operations:
        mate = result.info["score"].relative.mate() if "score" in result.info else None
        return int(mate is not None and 0 < mate <= operations["dm"]), 1
    solved = result.move in operations["bm"] if "bm" in operations else result.move not in operations["am"]
    return int(solved), 1


def missed(positions, results):
    """What the positions are called that were not solved, or not with all points."""
    unsolved = (position for position, (made, possible) in zip(positions, results) if made < possible)
    return [operations.get("id", board.fen()) for board, operations in unsolved]


def share(results):
    made, possible = (sum(column) for column in zip(*results))
    return f"{made}/{possible} {made / possible:6.1%}"


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suites", nargs="+", metavar="SUITE")
    parser.add_argument("--seconds", type=float, default=1.0, help="for each position")
    parser.add_argument("--sample", type=int, metavar="N")
    parser.add_argument("--against", action="append", default=[], metavar="COMMAND")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="of the engines that have it")
    parser.add_argument("--missed", action="store_true")
    parser.add_argument("--concurrency", type=int, default=os.cpu_count())
    parser.add_argument("--centipawn", metavar="FILE")
    return parser.parse_args()


if __name__ == "__main__":
    main()
