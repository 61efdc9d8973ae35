#!/usr/bin/env python3
"""Nodes a second on one thread, over the positions of `centipawn bench`, beside another UCI engine in the same run.

    benches/nodes_per_second.py [COMMAND] [--option NAME=VALUE]... [--nodes 300000] [--rounds 5] [--centipawn FILE]

COMMAND is the other engine, by default `stockfish`, with its options. Each position gets the same nodes and an empty table of 16 MiB.
The engines take turns, round by round, and time is that of the processor, so that a busy machine counts for little. Prints the
median of the rounds and the best. Linux only.
"""

import argparse
import os
import re
import shlex
import statistics
import subprocess

from service import release_build

HASH_MEBIBYTES = 16
SECONDS_PER_TICK = 1 / os.sysconf("SC_CLK_TCK")


def main():
    arguments = parse_arguments()
    binary = arguments.centipawn or release_build()
    bench = subprocess.run([binary, "bench", "1"], check=True, capture_output=True, text=True).stdout
    positions = re.findall(r"^ *\d+/\d+ +\d+ nodes +(.+)$", bench, re.MULTILINE)
    engines = {f"{binary} uci": {}, arguments.command: dict(option.split("=", 1) for option in arguments.option)}
    rates = {command: [] for command in engines}
    for _ in range(arguments.rounds):
        for command, options in engines.items():
            rates[command].append(rate(command, options, positions, arguments.nodes))
    own, other = (statistics.median(measured) for measured in rates.values())
    for command, measured in rates.items():
        print(f"{statistics.median(measured) / 1e6:.2f} million nodes a second, best {max(measured) / 1e6:.2f}: {command}")
    print(f"{own / other:.2f} times")


def rate(command, options, positions, nodes):
    """Nodes per second of processor time."""
    process = subprocess.Popen(shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def say(*lines):
        process.stdin.write("".join(f"{line}\n" for line in lines))

    def read_until(word):
        """The last line about nodes before the one that begins with the word."""
        counted = ""
        for line in process.stdout:
            if line.startswith(word):
                return counted
            counted = line if " nodes " in line else counted
        raise SystemExit(f"{command} ended before it said {word}")

    say("uci", f"setoption name Hash value {HASH_MEBIBYTES}", *(f"setoption name {name} value {value}" for name, value in options.items()))
    total = seconds = 0
    for fen in positions:
        say("ucinewgame", f"position fen {fen}", "isready")
        read_until("readyok")
        began = processor_seconds(process.pid)
        say(f"go nodes {nodes}")
        total += int(re.search(r" nodes (\d+)", read_until("bestmove")).group(1))
        seconds += processor_seconds(process.pid) - began
    say("quit")
    process.wait()
    return total / seconds


def processor_seconds(pid):
    """What a process has had of the processors, threads that have ended included."""
    with open(f"/proc/{pid}/stat") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) * SECONDS_PER_TICK


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", nargs="?", default="stockfish", metavar="COMMAND")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="of the other engine")
    parser.add_argument("--nodes", type=int, default=300_000, help="for each position")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--centipawn", metavar="FILE")
    return parser.parse_args()


if __name__ == "__main__":
    main()
