#!/usr/bin/env python3
"""Time of POST /v1/games/review for games of 40 moves, against that of their positions sent singly, in the same run.

    benches/review.py [--games 5] [--nodes 100000] [--centipawn FILE]

The games are the first of `tests/data/review` that are long enough, cut after 80 half-moves. Each is reviewed once; its 81 positions, given by
their moves, go to POST /v1/evaluate one after the other over one connection, and then so many at once as there are processors. Each
time the service is a new one, with empty tables. Needs a machine that does nothing else.
"""

import argparse
import concurrent.futures
import http.client
import json
import os
import pathlib
import statistics
import time

from service import Service, release_build

GAMES = pathlib.Path(__file__).parent.parent / "tests/data/review/lichess-games.tsv"
PLIES = 80


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=5)
    parser.add_argument("--nodes", type=int, default=100_000)
    parser.add_argument("--centipawn", help="the program; by default a release build is made")
    arguments = parser.parse_args()
    program = arguments.centipawn or release_build()
    games = [line.split("\t")[1].split() for line in GAMES.read_text().splitlines()[1:]]
    games = [moves[:PLIES] for moves in games if len(moves) >= PLIES][: arguments.games]
    ratios = []
    for number, moves in enumerate(games, 1):
        review = timed(program, lambda service: ask(service, [("/v1/games/review", moves)], arguments.nodes))
        positions = [("/v1/evaluate", moves[:ply]) for ply in range(len(moves) + 1)]
        singly = timed(program, lambda service: ask(service, positions, arguments.nodes))
        at_once = timed(program, lambda service: ask_at_once(service, positions, arguments.nodes))
        ratios.append((review / singly, review / at_once))
        print(
            f"game {number}: review {review:.2f} s, its positions one after the other {singly:.2f} s ({review / singly:.2f}), "
            f"{os.cpu_count()} at once {at_once:.2f} s ({review / at_once:.2f})",
            flush=True,
        )
    medians = [statistics.median(column) for column in zip(*ratios)]
    print(f"median of {len(ratios)} games: {medians[0]:.2f} of one after the other, {medians[1]:.2f} of {os.cpu_count()} at once")


def timed(program, work):
    with Service(program) as service:
        begun = time.perf_counter()
        work(service)
        return time.perf_counter() - begun


def ask(service, questions, nodes):
    connection = http.client.HTTPConnection("127.0.0.1", service.port)
    for path, moves in questions:
        body = json.dumps({"moves": moves, "nodes": nodes})
        connection.request("POST", path, body, {"Content-Type": "application/json"})
        reply = connection.getresponse()
        text = reply.read()
        if reply.status != 200:
            raise SystemExit(f"{reply.status}: {text!r}")
    connection.close()


def ask_at_once(service, questions, nodes):
    share = os.cpu_count()
    with concurrent.futures.ThreadPoolExecutor(share) as threads:
        for done in [threads.submit(ask, service, questions[first::share], nodes) for first in range(share)]:
            done.result()


if __name__ == "__main__":
    main()
