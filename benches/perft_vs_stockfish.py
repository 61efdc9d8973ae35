#!/usr/bin/env python3
"""Speed of move generation: perft 6 from the start position (119,060,324 leaves), one thread, against Stockfish.

    benches/perft_vs_stockfish.py [--rounds 7] [--depth 6] [--centipawn FILE] [--stockfish FILE]

Both engines are driven over UCI and timed the same way: from `go perft N` until `Nodes searched`, so neither pays for
its start. The rounds alternate between the two, so that whatever else the machine does hits both. Wall-clock and CPU
time are reported; the ratio is that of the medians. Fails when a count is wrong or the ratio is under --at-least.
Needs Debian's package stockfish, or another UCI engine with `go perft`.
"""

import argparse
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

from service import release_build

LEAVES = {4: 197_281, 5: 4_865_609, 6: 119_060_324, 7: 3_195_901_860}
CLOCK_TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")


class Engine:
    """A UCI engine as a child process."""

    def __init__(self, name, command):
        self.name = name
        self.wall_seconds, self.cpu_seconds = [], []
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.send("uci")
        self.read_until("uciok")
        self.send("isready")
        self.read_until("readyok")

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def read_until(self, beginning):
        for line in self.process.stdout:
            if line.startswith(beginning):
                return line.strip()
        sys.exit(f"{self.name} ended before it said {beginning!r}")

    def cpu(self):
        """CPU seconds so far, of all threads."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        user, system = int(fields[11]), int(fields[12])
        return (user + system) / CLOCK_TICKS_PER_SECOND

    def perft(self, depth):
        self.send("position startpos")
        cpu, start = self.cpu(), time.perf_counter()
        self.send(f"go perft {depth}")
        leaves = int(self.read_until("Nodes searched").rpartition(":")[2])
        self.wall_seconds.append(time.perf_counter() - start)
        self.cpu_seconds.append(self.cpu() - cpu)
        if leaves != LEAVES[depth]:
            sys.exit(f"{self.name}: perft {depth} gave {leaves}, not {LEAVES[depth]}")

    def quit(self):
        self.send("quit")
        self.process.wait(timeout=10)


def main():
    arguments = parse_arguments()
    centipawn = Engine("centipawn", [arguments.centipawn, "uci"])
    stockfish = Engine("stockfish", [arguments.stockfish])
    stockfish.send("setoption name Threads value 1")
    for _ in range(arguments.rounds):
        centipawn.perft(arguments.depth)
        stockfish.perft(arguments.depth)
    centipawn.quit()
    stockfish.quit()
    for engine in (centipawn, stockfish):
        report(engine, LEAVES[arguments.depth])
    ratio = statistics.median(stockfish.wall_seconds) / statistics.median(centipawn.wall_seconds)
    cpu_ratio = statistics.median(stockfish.cpu_seconds) / statistics.median(centipawn.cpu_seconds)
    print(f"ratio      {ratio:.2f} by wall clock, {cpu_ratio:.2f} by CPU time (should be at least {arguments.at_least})")
    if ratio < arguments.at_least:
        sys.exit(1)


def report(engine, leaves):
    median, best = statistics.median(engine.wall_seconds), min(engine.wall_seconds)
    print(
        f"{engine.name:<10} median {median * 1000:6.0f} ms, best {best * 1000:6.0f} ms, "
        f"CPU {statistics.median(engine.cpu_seconds) * 1000:6.0f} ms, {leaves / median / 1e6:6.0f} M leaves/s"
    )


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--depth", type=int, default=6, choices=sorted(LEAVES))
    parser.add_argument("--at-least", type=float, default=2.0, help="the ratio under which the script fails")
    parser.add_argument("--centipawn", default=None, help="default: the release build, made if missing")
    parser.add_argument("--stockfish", default=None, help="default: the one on the path, or Debian's")
    arguments = parser.parse_args()
    arguments.centipawn = arguments.centipawn or release_build()
    arguments.stockfish = arguments.stockfish or find_stockfish()
    return arguments


def find_stockfish():
    # Debian puts games outside root's path.
    found = shutil.which("stockfish") or shutil.which("stockfish", path="/usr/games")
    return found or sys.exit("stockfish is missing: apt-get install stockfish")


if __name__ == "__main__":
    main()
