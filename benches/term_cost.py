#!/usr/bin/env python3
"""Instructions that each part of the evaluation `full` takes for one position, counted by callgrind.

    benches/term_cost.py POSITIONS [--limit 2000] [--binary FILE]

POSITIONS holds a FEN a line. The example static_evaluation is built with line tables, at fixed addresses; each instruction
counts for the file of src/engine/eval that it was inlined into, so that what a term asks of the bitboards is its own.
The pawns are counted with what keeps their sums by the pawn key. Needs valgrind and addr2line.
"""

import argparse
import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent
# static_evaluation evaluates each position once for its output and ten times for its clock.
EVALUATIONS = 11
EVALUATION = "src/engine/eval/"
RUST_FLAGS = "-C target-cpu=x86-64-v3 -C relocation-model=static"
# Named, so that the flags are not those of the compiler's plug-ins.
PLATFORM = "x86_64-unknown-linux-gnu"
COST_LINE = re.compile(r"^(0x[0-9a-f]+|\+\d+|-\d+|\*) (?:\+\d+|-\d+|\*|\d+) (\d+)$")


def main():
    arguments = parse_arguments()
    positions = [line for line in arguments.positions.read_text().splitlines() if line.strip()][: arguments.limit]
    binary = arguments.binary or build()
    # What an empty run takes is the start of the process and the material table.
    costs = count(binary, positions)
    costs.subtract(count(binary, []))
    places = parts(binary, [address for address, cost in costs.items() if cost > 0])
    totals = collections.Counter()
    for address, cost in costs.items():
        if cost > 0 and places[address]:
            totals[places[address]] += cost
    per_position = {part: cost / (EVALUATIONS * len(positions)) for part, cost in totals.items()}
    whole = sum(per_position.values())
    print(f"{len(positions)} positions, {whole:.0f} instructions each")
    for part, cost in sorted(per_position.items(), key=lambda item: -item[1]):
        if cost < 1:
            break
        print(f"{part:<24} {cost:7.0f} {100 * cost / whole:5.1f} %")


def build():
    target = REPOSITORY / "target" / "term-cost"
    settings = ["profile.release.debug='line-tables-only'", "profile.release.strip=false"]
    command = ["cargo", "build", "--release", "--example", "static_evaluation", "--target", PLATFORM]
    command += ["--target-dir", target]
    for setting in settings:
        command += ["--config", setting]
    subprocess.run(command, cwd=REPOSITORY, env={**os.environ, "RUSTFLAGS": RUST_FLAGS}, check=True)
    return target / PLATFORM / "release" / "examples" / "static_evaluation"


def count(binary, positions):
    """Instructions by address."""
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder) / "callgrind.out"
        command = ["valgrind", "--tool=callgrind", "--dump-instr=yes", f"--callgrind-out-file={output}", binary, "full"]
        run = subprocess.run(command, input="\n".join(positions), capture_output=True, text=True)
        if run.returncode != 0:
            sys.exit(f"valgrind failed:\n{run.stderr}")
        return addresses(output)


def addresses(output):
    costs = collections.Counter()
    address = 0
    is_call = False
    for line in output.open():
        if line.startswith("calls="):
            # The next line gives what the called function took, which is counted there.
            is_call = True
        elif found := COST_LINE.match(line):
            place, cost = found.groups()
            if place.startswith("0x"):
                address = int(place, 16)
            elif place != "*":
                address += int(place)
            if not is_call:
                costs[address] += int(cost)
            is_call = False
    return costs


def parts(binary, wanted):
    """For each address the part of the evaluation that it belongs to, or None."""
    command = ["addr2line", "-a", "-i", "-e", binary]
    text = subprocess.run(
        command, input="\n".join(map(hex, wanted)), capture_output=True, text=True, check=True
    ).stdout
    frames = {}
    for line in text.splitlines():
        if line.startswith("0x"):
            current = frames.setdefault(int(line, 16), [])
        else:
            current.append(line)
    return {address: part(frames.get(address, [])) for address in wanted}


def part(frames):
    """The outermost file of a term if there is one, else the innermost file of the evaluation. Inner frames come first."""
    files = [frame.split(EVALUATION)[1].split(".rs")[0] for frame in frames if EVALUATION in frame]
    terms = [file.removeprefix("terms/") for file in files if file.startswith("terms/")]
    if terms:
        return terms[-1]
    return files[0] if files else None


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("positions", type=pathlib.Path)
    parser.add_argument("--limit", type=int, default=2000, metavar="POSITIONS")
    parser.add_argument("--binary", type=pathlib.Path, metavar="FILE", help="a finished static_evaluation")
    return parser.parse_args()


if __name__ == "__main__":
    main()
