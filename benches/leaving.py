#!/usr/bin/env python3
"""Milliseconds from a client's leaving to the end of its search, for every reply that takes long.

    benches/leaving.py [--times 20] [--centipawn FILE]

A request is sent that would search for ten seconds or more; 0.3 s later the connection is closed, and `/metrics` is asked until no task
runs or waits any more. Fails when that takes more than 50 ms.
"""

import argparse
import json
import re
import socket
import statistics
import sys
import time

from service import Service, release_build

MOST_MS = 50
AT_WORK = re.compile(r"^centipawn_pool_tasks_(?:running|waiting)\{.*\} (\d+)$", re.MULTILINE)
GAME = {"moves": "e4 e5 Nf3 Nc6 Bb5 a6", "movetime": 10_000}
REQUESTS = [
    ("/v1/best-move", {"movetime": 20_000}, "application/json"),
    ("/v1/best-move", {"movetime": 20_000}, "text/event-stream"),
    ("/v1/best-move", {"movetime": 20_000}, "application/x-ndjson"),
    ("/v1/games/review", GAME, "application/json"),
    ("/v1/games/review", GAME, "application/x-ndjson"),
    ("/v1/evaluate/batch", [GAME] * 8, "application/json"),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--centipawn", metavar="FILE", help="the program; by default a release build is made")
    arguments = parser.parse_args()
    slowest = 0.0
    with Service(arguments.centipawn or release_build()) as service:
        metrics = service.connect()
        for path, body, accept in REQUESTS:
            took = [leave(service, metrics, path, body, accept) for _ in range(arguments.times)]
            slowest = max(slowest, *took)
            print(f"{path} {accept}: median {statistics.median(took):.1f} ms, at most {max(took):.1f} ms", flush=True)
    if slowest > MOST_MS:
        sys.exit(f"a search went on for {slowest:.1f} ms")


def leave(service, metrics, path, body, accept):
    body = json.dumps(body)
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: {accept}\r\n"
    with socket.create_connection(("127.0.0.1", service.port)) as client:
        client.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n{body}".encode())
        time.sleep(0.3)
        if not at_work(metrics):
            sys.exit(f"{path} does not search")
    left = time.perf_counter()
    while at_work(metrics):
        pass
    return (time.perf_counter() - left) * 1000


def at_work(metrics):
    metrics.request("GET", "/metrics")
    return sum(map(int, AT_WORK.findall(metrics.getresponse().read().decode())))


if __name__ == "__main__":
    main()
