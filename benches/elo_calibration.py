#!/usr/bin/env python3
"""How strong the weaker opponents (`elo` of best-move, `UCI_Elo`) really are, on the scale of Stockfish's `UCI_Elo`.

    benches/elo_calibration.py --results FILE [--seconds 600] [--levels 500,700,...] [--report FILE] [--concurrency N]
                               [--centipawn FILE] [--stockfish FILE]

Each level plays the levels of Stockfish that are nearest to it (it has them from 1350 to 2850), and the next two levels of
its own kind, which is what carries the scale below 1350. Openings are played twice, with colours changed. The results go
to FILE, one pairing a line, and a later run goes on from there: run it until the errors are small enough. With
--seconds 0 nothing is played and the results are only read.

A level of Stockfish is the search to a fixed depth, with an error in the choice among its four best lines. It plays here
with exactly that depth (`go depth`): more time would change nothing, less would make it weaker than its name. Our levels
have no limit but their own. There is no clock, so a busy machine makes the games slower and not worse. --cap limits the
positions of a move of Stockfish's all the same: where it cuts the depth short (from about 2500 on), the level counts as being
as strong as its name, and ours come out too strong.

The strengths maximise the likelihood of all results together (expected points 1 / (1 + 10^(-difference / 400)), a draw is
half a point), with Stockfish's levels held fast; the errors are two standard deviations. Then the table of
src/engine/search/handicap/levels.rs is printed with its first column as it should be. Fails when a level is measured
weaker than the one below it. Needs python-chess and Stockfish 12 to 15.1.
"""

import argparse
import concurrent.futures
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import threading
import time

import chess.engine

from openings import after_opening

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "src/engine/search/handicap/levels.rs"
LEVELS = (500, 700, 900, 1100, 1300, 1500, 1700, 1900, 2100, 2300, 2450, 2600)
ANCHORS = (1350, 1500, 1700, 1900, 2100, 2300, 2500, 2700, 2850)
ANCHORS_REACH = 250  # a level plays the anchors that are not further away
LONGEST_GAME = 300  # moves; then it is a draw


def main():
    arguments = parse_arguments()
    results = Results(arguments.results)
    if arguments.seconds:
        play_all(arguments, arguments.centipawn or build(), Schedule(pairings_of(arguments.levels), results))
    if not results.counts:
        sys.exit(f"{arguments.results} has no results yet: play some, with --seconds")
    text, in_order = report(results)
    print(text, end="")
    if arguments.report:
        pathlib.Path(arguments.report).write_text(text)
    sys.exit(0 if in_order else 1)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", required=True, help="file that gathers the results")
    parser.add_argument("--seconds", type=float, default=600, help="how long to play; default 600")
    parser.add_argument("--levels", type=lambda text: tuple(map(int, text.split(","))), default=LEVELS)
    parser.add_argument("--report", help="file for the printed tables")
    parser.add_argument("--concurrency", type=int, default=os.cpu_count(), help="games at once; default: one a core")
    parser.add_argument("--centipawn", help="binary; default: a build with the profile `tune`")
    parser.add_argument("--stockfish", default="stockfish", help="binary of Stockfish 12 to 15.1")
    parser.add_argument("--cap", type=int, default=500_000, help="positions a move of Stockfish's; default 500,000")
    arguments = parser.parse_args()
    if arguments.seconds and not shutil.which(arguments.stockfish):
        parser.error(f"{arguments.stockfish} is not found: say with --stockfish where it is")
    return arguments


def build():
    subprocess.run(["cargo", "build", "-q", "--profile", "tune", "--bin", "centipawn"], cwd=ROOT, check=True)
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    return str(target / "tune" / "centipawn")


def pairings_of(levels):
    """Pairs of players: ("own", elo) and ("stockfish", elo)."""
    pairings = []
    for place, level in enumerate(levels):
        pairings += [(("own", level), ("own", other)) for other in levels[place + 1 : place + 3]]
        near = [anchor for anchor in ANCHORS if abs(anchor - level) <= ANCHORS_REACH]
        pairings += [(("own", level), ("stockfish", anchor)) for anchor in near]
    return pairings


class Results:
    """Wins, draws and losses of the first of each pair, in a file."""

    def __init__(self, path):
        self.path, self.counts = pathlib.Path(path), {}
        if self.path.exists():
            for line in self.path.read_text().splitlines():
                first, first_elo, second, second_elo, points = line.split()
                self.count((first, int(first_elo)), (second, int(second_elo)), float(points))

    def count(self, first, second, points):
        self.counts.setdefault((first, second), []).append(points)

    def add(self, first, second, points):
        self.count(first, second, points)
        with self.path.open("a") as lines:
            lines.write(f"{first[0]} {first[1]} {second[0]} {second[1]} {points}\n")

    def games(self, pairing):
        return len(self.counts.get(pairing, []))


class Players:
    """The engines: two of ours, so that both sides can be ours, and one Stockfish."""

    def __init__(self, binary, stockfish, cap):
        self.cap, self.engines, self.elo = cap, {}, {}
        for name, command in (("first", [binary, "uci"]), ("second", [binary, "uci"]), ("stockfish", [stockfish])):
            self.engines[name] = chess.engine.SimpleEngine.popen_uci(command, timeout=30)
            self.engines[name].configure({"UCI_LimitStrength": True})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for engine in self.engines.values():
            engine.quit()

    def seat(self, player, name):
        """Chooses the engine of a player and sets its strength."""
        kind, elo = player
        name = name if kind == "own" else "stockfish"
        if self.elo.get(name) != elo:
            self.engines[name].configure({"UCI_Elo": elo})
            self.elo[name] = elo
        if kind == "own":
            return self.engines[name], chess.engine.Limit()
        return self.engines[name], chess.engine.Limit(depth=depth_of(elo), nodes=self.cap)


def depth_of(elo):
    """The depth at which Stockfish of this `UCI_Elo` chooses, by its own formula for the skill level."""
    skill = max((elo - 1346.6) / 143.4, 0) ** (1 / 0.806)
    return 1 + int(min(skill, 20))


class Schedule:
    """Which pairing is next. Each gets games in inverse proportion to the root of what one costs, which is what makes the errors
    smallest in a given time."""

    def __init__(self, pairings, results):
        self.lock, self.began, self.results = threading.Lock(), time.monotonic(), results
        self.numbers = {pairing: number for number, pairing in enumerate(pairings)}
        self.begun = {pairing: results.games(pairing) for pairing in pairings}
        # What pairs of games have taken, and how many did.
        self.seconds = dict.fromkeys(pairings, (1.0, 1))

    def take(self):
        """A pairing, and the opening of its next two games."""

        def spent(pairing):
            seconds, pairs = self.seconds[pairing]
            return (self.begun[pairing] + 1) * math.sqrt(seconds / pairs)

        with self.lock:
            pairing = min(self.numbers, key=spent)
            opening = self.begun[pairing] // 2 * 7 + self.numbers[pairing]
            self.begun[pairing] += 2
            return pairing, opening

    def done(self, pairing, took, points):
        """Two games of a pairing, with the points of its first player, have taken so many seconds."""
        with self.lock:
            for each in points:
                self.results.add(*pairing, each)
            seconds, pairs = self.seconds[pairing]
            self.seconds[pairing] = seconds + took, pairs + 1
            played = sum(len(all_points) for all_points in self.results.counts.values())
            print(f"\r{played} games, {time.monotonic() - self.began:.0f} s", end="", file=sys.stderr, flush=True)


def play_all(arguments, binary, schedule):
    """Plays games at several boards until the time is over."""
    end = time.monotonic() + arguments.seconds

    def play_at_a_board():
        with Players(binary, arguments.stockfish, arguments.cap) as players:
            while time.monotonic() < end:
                pairing, opening = schedule.take()
                started = time.monotonic()
                seats = players.seat(pairing[0], "first"), players.seat(pairing[1], "second")
                points = play(opening, *seats), 1 - play(opening, *reversed(seats))
                schedule.done(pairing, time.monotonic() - started, points)

    with concurrent.futures.ThreadPoolExecutor(arguments.concurrency) as pool:
        boards = [pool.submit(play_at_a_board) for _ in range(arguments.concurrency)]
    print(file=sys.stderr)
    for board in boards:
        board.result()


def play(opening, white, black):
    """White's points."""
    board, game = after_opening(opening), object()
    while board.fullmove_number <= LONGEST_GAME:
        outcome = board.outcome(claim_draw=True)
        if outcome:
            return {True: 1.0, False: 0.0, None: 0.5}[outcome.winner]
        engine, limit = white if board.turn else black
        board.push(engine.play(board, limit, game=game).move)
    return 0.5


def report(results):
    """The tables, and whether every level is stronger than the one below it."""
    strengths = fit(results.counts)
    levels = sorted(strengths)
    lines = ["requested  measured         games  points"]
    for level in levels:
        elo, error = strengths[level]
        points = [p for (a, b), all_points in results.counts.items() for p in own_points(level, a, b, all_points)]
        lines.append(f"{level:9}  {elo:6.0f} +-{error:4.0f}  {len(points):8}  {sum(points) / len(points):6.1%}")
    lines += ["", "pairing                              games  points"]
    for ((kind, elo), (other, other_elo)), points in sorted(results.counts.items()):
        pairing = f"{kind} {elo} - {other} {other_elo}"
        lines.append(f"{pairing:<35}  {len(points):5}  {sum(points) / len(points):6.1%}")
    measured = [(level, strengths[level][0]) for level in levels]
    lines += ["", "levels.rs, first column as measured:"]
    for elo, rest in re.findall(r"^    level\(([\d_]+), (\[.*\])\),$", TABLE.read_text(), re.MULTILINE):
        lines.append(f"    level({between(measured, int(elo.replace('_', ''))):.0f}, {rest}),")
    in_order = all(low[1] < high[1] for low, high in zip(measured, measured[1:]))
    lines += ["", "in order" if in_order else "NOT in order"]
    return "\n".join(lines) + "\n", in_order


def own_points(level, first, second, points):
    """The points of our level in a pairing, if it took part."""
    if first == ("own", level):
        return points
    return [1 - point for point in points] if second == ("own", level) else []


def between(measured, elo):
    """The measured strength at a requested one, in proportion between its neighbours, or beyond them as between the last."""
    place = next((i for i, (requested, _) in enumerate(measured) if requested >= elo), len(measured) - 1)
    place = min(max(place, 1), len(measured) - 1)
    (low, low_elo), (high, high_elo) = measured[place - 1], measured[place]
    return low_elo + (high_elo - low_elo) * (elo - low) / (high - low)


def fit(counts):
    """The strength of each of our levels and two standard deviations of it, by Newton's method."""
    levels = sorted({elo for pairing in counts for kind, elo in pairing if kind == "own"})
    place = {level: index for index, level in enumerate(levels)}
    elos = [float(level) for level in levels]
    rate = math.log(10) / 400
    for _ in range(100):
        gradient = [0.0] * len(levels)
        curvature = [[0.0] * len(levels) for _ in levels]
        for index, level in enumerate(levels):
            # One drawn game against a twin of the requested strength keeps a level finite that has won or lost all.
            pull(gradient, curvature, rate, (index, None), elos[index] - level, 1, 0.5)
        for ((kind, elo), (other, other_elo)), points in counts.items():
            sides = place[elo], place[other_elo] if other == "own" else None
            difference = elos[sides[0]] - (elos[sides[1]] if other == "own" else other_elo)
            pull(gradient, curvature, rate, sides, difference, len(points), sum(points))
        inverse = inverted(curvature)
        steps = [sum(a * b for a, b in zip(row, gradient)) for row in inverse]
        elos = [elo + max(-200, min(200, step)) for elo, step in zip(elos, steps)]
        if max(map(abs, steps)) < 0.01:
            break
    return {level: (elos[i], 2 * math.sqrt(inverse[i][i])) for level, i in place.items()}


def pull(gradient, curvature, rate, sides, difference, games, points):
    """Adds what some games say to the derivatives of the likelihood."""
    expected = 1 / (1 + math.exp(-rate * difference))
    slope, bend = rate * (points - games * expected), rate * rate * games * expected * (1 - expected)
    for sign, side in zip((1, -1), sides):
        if side is None:
            continue
        gradient[side] += sign * slope
        for other_sign, other in zip((1, -1), sides):
            if other is not None:
                curvature[side][other] += sign * other_sign * bend


def inverted(matrix):
    """The inverse, by elimination; the matrix is positive definite."""
    size = len(matrix)
    rows = [row[:] + [float(i == j) for j in range(size)] for i, row in enumerate(matrix)]
    for i in range(size):
        rows[i] = [value / rows[i][i] for value in rows[i]]
        for j in range(size):
            if j != i:
                rows[j] = [a - rows[j][i] * b for a, b in zip(rows[j], rows[i])]
    return [row[size:] for row in rows]


if __name__ == "__main__":
    main()
