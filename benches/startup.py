#!/usr/bin/env python3
"""Milliseconds from the start of the process until `/readyz` answers 200, and idle memory, all settings at their default.

    benches/startup.py [--rounds 20] [--centipawn FILE]

The clock starts before the process is created and stops when the answer is read. Memory is the resident set two seconds
after the last start, before any other request, and again after a hundred static evaluations. Fails when the slowest
start takes more than 100 ms or the idle memory reaches 64 MB.
"""

import argparse
import sys
import time

from service import Service, percentile, release_build

READY_LIMIT_MILLISECONDS = 100
IDLE_LIMIT_BYTES = 64_000_000
IDLE_SECONDS = 2
EVALUATIONS = 100


def main():
    arguments = parse_arguments()
    binary = arguments.centipawn or release_build()
    # The first start reads the binary from the disk; every later one finds it in memory.
    starts = [start_once(binary) for _ in range(arguments.rounds)]
    print(
        f"ready after  {starts[0]:.1f} ms at first, then median {percentile(starts, 0.5):.1f} ms, "
        f"worst {max(starts):.1f} ms (limit {READY_LIMIT_MILLISECONDS} ms)"
    )
    with Service(binary) as service:
        time.sleep(IDLE_SECONDS)
        idle = service.resident_bytes()
        evaluate(service)
        used = service.resident_bytes()
    print(
        f"memory       {idle / 1e6:.1f} MB idle (limit {IDLE_LIMIT_BYTES / 1e6:.0f} MB), "
        f"{used / 1e6:.1f} MB after {EVALUATIONS} evaluations"
    )
    if max(starts) > READY_LIMIT_MILLISECONDS or idle >= IDLE_LIMIT_BYTES:
        sys.exit(1)


def start_once(binary):
    """Milliseconds until ready, of one start."""
    with Service(binary) as service:
        return service.ready_after_seconds * 1000


def evaluate(service):
    connection = service.connect()
    for _ in range(EVALUATIONS):
        connection.request("GET", "/v1/evaluate")
        response = connection.getresponse()
        body = response.read()
        if response.status != 200:
            sys.exit(f"evaluate answered {response.status}: {body.decode()}")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--centipawn", default=None, help="default: the release build, made if missing")
    return parser.parse_args()


if __name__ == "__main__":
    main()
