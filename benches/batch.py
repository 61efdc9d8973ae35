#!/usr/bin/env python3
"""Positions per second of POST /v1/evaluate/batch, static, against single requests for the same positions in the same run.

    benches/batch.py POSITIONS [--rounds 5] [--seconds 3] [--lines 1000000] [--centipawn FILE]

POSITIONS is a file with a FEN at the beginning of each line (what follows a `|` is left out); 20,000 of its lines are asked for in turn.
Single requests come from `wrk -t1 -c32`; a batch of --lines lines from one `curl`. First one batch is read to its end, and every answer
has to be there, in its place and about its position; the service's memory is looked at meanwhile. Fails when one is not, when the memory
grows by more than 16 MiB over the last three quarters of the lines, or when a single request fails. Needs wrk and curl, and a machine
that does nothing else.
"""

import argparse
import itertools
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

from service import Service, release_build

POSITIONS = 20_000
PATH = "/v1/evaluate/batch"
MOST_GROWTH_BYTES = 16 << 20
WRK = """
local requests, at = {}, 0
for fen in io.lines("%s") do
  requests[#requests + 1] = wrk.format("POST", "/v1/evaluate", { ["Content-Type"] = "application/json" }, '{"fen":"' .. fen .. '"}')
end
request = function() at = at %% #requests + 1 return requests[at] end
"""


def main():
    arguments = parse_arguments()
    lines = pathlib.Path(arguments.positions).read_text().splitlines()
    fens = [line.split("|")[0].strip() for line in lines[:: max(1, len(lines) // POSITIONS)][:POSITIONS]]
    with tempfile.TemporaryDirectory() as folder, Service(arguments.centipawn or release_build()) as service:
        folder = pathlib.Path(folder)
        (folder / "fens").write_text("\n".join(fens) + "\n")
        (folder / "wrk.lua").write_text(WRK % (folder / "fens"))
        with open(folder / "batch", "w", encoding="ascii") as batch:
            for number, fen in zip(range(arguments.lines), itertools.cycle(fens)):
                batch.write(f'{{"id":{number},"fen":"{fen}"}}\n')
        check(service, folder / "batch", fens, arguments.lines)
        ratios = []
        for number in range(arguments.rounds):
            single = single_requests(service, folder / "wrk.lua", arguments.seconds)
            together = arguments.lines / in_a_batch(service, folder / "batch")
            ratios.append(together / single)
            print(f"round {number + 1}: single {single:,.0f}, batch {together:,.0f} a second, {ratios[-1]:.1f} times", flush=True)
    print(f"median of {len(ratios)} rounds: {statistics.median(ratios):.1f} times")


def check(service, batch, fens, count):
    """Reads every answer of one batch."""
    memory = []
    with subprocess.Popen(curl(service, batch), stdout=subprocess.PIPE) as process:
        for number, line in zip(itertools.count(), process.stdout):
            answer = json.loads(line)
            if answer["id"] != number or answer["fen"].split()[:2] != fens[number % len(fens)].split()[:2]:
                sys.exit(f"answer {number} is {line!r}")
            if number % (count // 20 or 1) == 0:
                memory.append(service.resident_bytes())
    if number + 1 != count:
        sys.exit(f"{number + 1} answers to {count} lines")
    early, late = max(memory[: len(memory) // 4]), max(memory)
    print(f"{count:,} answers, all in order; memory {early / 2**20:.0f} MiB after a quarter, {late / 2**20:.0f} MiB at most")
    if late - early > MOST_GROWTH_BYTES:
        sys.exit("the memory grows with the batch")


def curl(service, batch):
    url = f"http://127.0.0.1:{service.port}{PATH}"
    return ["curl", "-sS", "--fail", "-N", "-X", "POST", "-H", "Content-Type: application/x-ndjson", "-H", "Expect:", "-T", str(batch), url]


def in_a_batch(service, batch):
    """Seconds of one batch."""
    command = [*curl(service, batch), "-o", "/dev/null", "-w", "%{time_total}"]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def single_requests(service, script, seconds):
    """Requests per second."""
    command = ["wrk", "-t1", "-c32", f"-d{seconds}", "-s", str(script), f"http://127.0.0.1:{service.port}"]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    if "Non-2xx" in said or "Socket errors" in said:
        sys.exit(said)
    return float(re.search(r"Requests/sec:\s+([\d.]+)", said)[1])


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("positions", metavar="POSITIONS")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=3)
    parser.add_argument("--lines", type=int, default=1_000_000)
    parser.add_argument("--centipawn", metavar="FILE")
    return parser.parse_args()


if __name__ == "__main__":
    main()
