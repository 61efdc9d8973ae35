#!/usr/bin/env python3
"""How much stronger the engine is than another one, in games with clocks; and whether it ever fails in one.

    benches/strength.py OPPONENT [--games 100] [--base 2] [--increment 0.02] [--threads 1] [--option NAME=VALUE]...
                        [--concurrency N] [--centipawn FILE]

OPPONENT is the command of a UCI engine, such as /usr/games/ethereal-chess; `self` is the engine against itself. Every opening is
played twice, with colours changed. A side that thinks longer than it has, plays an illegal move or dies loses; if it was the engine,
the script fails. Moments in which the whole machine stood still, as a shared one does, or in which its host gave a core to others
("steal" in /proc/stat) are on nobody's clock. Games end early where both sides have agreed on the outcome for long. Prints the
result as it grows, with the error that the truth stays within in 95 of 100 matches, and the least time that the engine ever had
left after a move. Needs python-chess (`pip install chess`) and a machine that does nothing else.
"""

import argparse
import concurrent.futures
import math
import os
import pathlib
import re
import shlex
import sys
import threading
import time

import chess
import chess.engine

from openings import after_opening
from service import release_build

# Both sides say so much, in centipawns, for so many plies: the game is decided.
DECIDED, DECIDED_PLIES = 800, 8
# Or so little, after so many plies: it is drawn.
EVEN, EVEN_PLIES, EVEN_FROM_PLY = 8, 12, 80
# A clock that has just run out may be the runner's fault.
GRACE_SECONDS = 0.02
# A machine shared with others stands still now and then. A thread that only sleeps sees it when it oversleeps by so much.
NAP_SECONDS, STALL_SECONDS = 0.002, 0.01
# What a host takes from a core is told at the core's next tick, which may come after the move.
TICK_SECONDS = 0.02
REPLY_SECONDS = 30
# Of each core: user, nice, system, idle, iowait, irq, softirq, steal, after its name.
STATISTICS, STEAL_FIELD, TICKS_PER_SECOND = pathlib.Path("/proc/stat"), 8, os.sysconf("SC_CLK_TCK")


class Failure(Exception):
    """A side lost by something else than chess."""

    def __init__(self, side, reason):
        super().__init__(reason)
        self.side = side


def main():
    arguments = parse_arguments()
    engine = f"{arguments.centipawn or release_build()} uci"
    opponent = engine if arguments.opponent == "self" else arguments.opponent
    match = Match(arguments, engine, opponent)
    with concurrent.futures.ThreadPoolExecutor(arguments.concurrency) as pool:
        list(pool.map(match.play, range(arguments.games)))
    print(f"{match.summary()}; {match.stalls.summary()}")
    if match.own_failures:
        sys.exit(1)


class Match:
    """Games between the engine and its opponent, counted as the engine's."""

    def __init__(self, arguments, engine, opponent):
        self.arguments, self.commands = arguments, (engine, opponent)
        self.results, self.failures, self.own_failures = [], 0, 0
        # The least that the engine had left after a move, in seconds.
        self.least = math.inf
        self.lock, self.stalls = threading.Lock(), Stalls()

    def play(self, number):
        board = after_opening(number // 2)
        # The engine is player 0, and has White in every second game.
        white = number % 2
        players = [Player(command, self.options(index), self.stalls) for index, command in enumerate(self.commands)]
        try:
            score = self.game(board, (players[white], players[1 - white]))
            points, note = (score if white == 0 else 1 - score), None
        except Failure as failure:
            loser = white if failure.side else 1 - white
            points, note = float(loser), f"game {number}, {board.fen()}: {('engine', 'opponent')[loser]} {failure}"
        finally:
            for player in players:
                player.close()
        with self.lock:
            self.least = min(self.least, players[0].least)
            self.results.append(points)
            if note:
                print(note, file=sys.stderr)
                self.failures += 1
                self.own_failures += points == 0
            if len(self.results) % 10 == 0:
                print(self.summary(), file=sys.stderr)

    def options(self, index):
        own = {"Threads": str(self.arguments.threads)} if index == 0 else {}
        others = dict(option.split("=", 1) for option in self.arguments.option)
        return own if index == 0 else others

    def game(self, board, sides):
        """White's points."""
        clocks = [self.arguments.base, self.arguments.base]
        decided = even = 0
        while not board.is_game_over(claim_draw=True):
            index = 0 if board.turn else 1
            move, white_cp = sides[index].think(board, clocks, self.arguments.increment)
            decided = (max(decided, 0) + 1 if white_cp > 0 else min(decided, 0) - 1) if abs(white_cp) >= DECIDED else 0
            even = even + 1 if abs(white_cp) <= EVEN and board.ply() >= EVEN_FROM_PLY else 0
            if abs(decided) >= DECIDED_PLIES:
                return 1.0 if decided > 0 else 0.0
            if even >= EVEN_PLIES:
                return 0.5
            board.push(move)
        return {"1-0": 1.0, "0-1": 0.0}.get(board.result(claim_draw=True), 0.5)

    def summary(self):
        games = len(self.results)
        mean = sum(self.results) / games
        error = 1.96 * math.sqrt(sum((result - mean) ** 2 for result in self.results)) / games
        mean = min(max(mean, 0.5 / games), 1 - 0.5 / games)
        elo, slope = -400 * math.log10(1 / mean - 1), 400 / math.log(10) / (mean * (1 - mean))
        won, drawn, lost = (self.results.count(points) for points in (1.0, 0.5, 0.0))
        return f"{games} games +{won} ={drawn} -{lost}: {elo:+.0f} +- {slope * error:.0f} Elo, {self.failures} failures, {self.least * 1000:.0f} ms left at the least"


def stolen():
    """Seconds since the start of the machine in which its host gave each core to others; nothing where that is not told."""
    if not STATISTICS.exists():
        return []
    cores = (line.split() for line in STATISTICS.read_text().splitlines() if re.match(r"cpu\d", line))
    return [int(core[STEAL_FIELD]) / TICKS_PER_SECOND for core in cores]


class Stalls(threading.Thread):
    """The times at which the machine stood still, with every process on it, or a core was taken from it: no clock of the match
    ran then."""

    def __init__(self):
        super().__init__(daemon=True)
        self.stalls, self.stolen_before = [], stolen()
        self.start()

    def run(self):
        while True:
            began = time.perf_counter()
            time.sleep(NAP_SECONDS)
            overslept = time.perf_counter() - began - NAP_SECONDS
            if overslept > STALL_SECONDS:
                self.stalls.append((time.perf_counter(), overslept))

    def now(self):
        """From when on :meth:`since` counts."""
        return time.perf_counter(), stolen()

    def since(self, moment):
        """Seconds lost after this moment: stood still, or stolen from the core that lost most."""
        start, stolen_before = moment
        lost = 0
        for ended, seconds in reversed(self.stalls):
            if ended < start:
                break
            lost += min(seconds, ended - start)
        return max([lost, *differences(stolen_before)])

    def summary(self):
        still = f"the machine stood still {len(self.stalls)} times, {sum(seconds for _, seconds in self.stalls):.1f} s in all"
        return f"{still}; stolen from its cores: {sum(differences(self.stolen_before)):.1f} s"


def differences(before):
    """What has been stolen from each core since."""
    return [after - earlier for earlier, after in zip(before, stolen())]


class Player:
    """One engine in one game."""

    def __init__(self, command, options, stalls):
        self.stalls, self.least = stalls, math.inf
        self.engine = chess.engine.SimpleEngine.popen_uci(shlex.split(command), timeout=REPLY_SECONDS)
        self.engine.configure(options)

    def think(self, board, clocks, increment):
        """The move and White's centipawns; the clock of the side to move runs."""
        index = 0 if board.turn else 1
        limit = chess.engine.Limit(white_clock=clocks[0], black_clock=clocks[1], white_inc=increment, black_inc=increment)
        started, moment = time.perf_counter(), self.stalls.now()
        try:
            result = self.engine.play(board, limit, info=chess.engine.INFO_BASIC | chess.engine.INFO_SCORE)
        except (chess.engine.EngineTerminatedError, TimeoutError) as error:
            raise Failure(board.turn, "died or fell silent") from error
        except chess.engine.EngineError as error:
            raise Failure(board.turn, f"said what it must not: {error}") from error
        took = time.perf_counter() - started
        lost = self.stalls.since(moment)
        if took - lost > clocks[index]:
            # For either side; what is taken while waiting counts too, so that a loss by less than this may be overlooked.
            time.sleep(TICK_SECONDS)
            lost = min(self.stalls.since(moment), took)
        clocks[index] -= took - lost
        self.least = min(self.least, clocks[index])
        if clocks[index] < -GRACE_SECONDS:
            own = f"by its own count {result.info.get('time', 0) * 1000:.0f} ms"
            shares = f"took {took * 1000:.0f} ms, {lost * 1000:.0f} of them the machine's, {own}"
            raise Failure(board.turn, f"lost on time by {-clocks[index] * 1000:.0f} ms: {shares}")
        clocks[index] += increment
        if result.move is None:
            raise Failure(board.turn, "gave no move")
        score = result.info.get("score")
        return result.move, score.white().score(mate_score=32_000) if score else 0

    def close(self):
        try:
            self.engine.quit()
        except (chess.engine.EngineError, TimeoutError):
            self.engine.close()


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("opponent")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--base", type=float, default=2.0, metavar="SECONDS")
    parser.add_argument("--increment", type=float, default=0.02, metavar="SECONDS")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="of the opponent")
    parser.add_argument("--concurrency", type=int, default=os.cpu_count())
    parser.add_argument("--centipawn", metavar="FILE")
    return parser.parse_args()


if __name__ == "__main__":
    main()
