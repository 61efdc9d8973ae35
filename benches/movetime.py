#!/usr/bin/env python3
"""How late `POST /v1/best-move` answers after its `movetime`, while every core is busy.

    benches/movetime.py [--seconds 30] [--movetime 100] [--burners N] [--centipawn FILE]

As many clients as the machine has cores ask for `movetime` searches without a pause, so that every thread of the pool
searches all the time; one more process a core (--burners; 0 for none) only burns CPU, as a busy neighbour would. Lateness
is the time from the sending of a request until its answer is read, less the `movetime`; the client's own waiting for a
core is in it. The positions are wide ones, where a quiescence search explodes. Prints p50, p99 and the worst, for the
client's clock and for the service's own (`time`). Fails when the client's p99 is over 30 ms.
"""

import argparse
import json
import multiprocessing
import os
import sys
import threading
import time

from service import Service, percentile, release_build

LIMIT_MILLISECONDS = 30
POSITIONS = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/PPPPPPPP/nr4RN/qb4BQ/kb4BK/nr4RN/pppppppp/8 w - - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
]


def main():
    arguments = parse_arguments()
    binary = arguments.centipawn or release_build()
    burners = [multiprocessing.Process(target=burn, daemon=True) for _ in range(arguments.burners)]
    for burner in burners:
        burner.start()
    # The first requests of each client warm its connection up and are not counted.
    with Service(binary) as service:
        samples = measure(service, arguments)
    for burner in burners:
        burner.terminate()
    late, own = [sample[0] for sample in samples], [sample[1] for sample in samples]
    print(f"{len(samples)} searches of {arguments.movetime} ms, {os.cpu_count()} clients, {arguments.burners} burners")
    for name, values in (("client's clock", late), ("service's clock", own)):
        print(
            f"{name:<16} p50 {percentile(values, 0.5):6.2f} ms, p99 {percentile(values, 0.99):6.2f} ms, "
            f"worst {max(values):6.2f} ms late"
        )
    if percentile(late, 0.99) > LIMIT_MILLISECONDS:
        sys.exit(1)


def measure(service, arguments):
    """Pairs of milliseconds late: by the client's clock, by the service's."""
    samples, lock = [], threading.Lock()
    stop_at = time.monotonic() + arguments.seconds

    def client(number):
        connection = service.connect()
        turn = number
        while time.monotonic() < stop_at:
            sample = search(connection, POSITIONS[turn % len(POSITIONS)], arguments.movetime)
            if turn > number + 1:
                with lock:
                    samples.append(sample)
            turn += 1

    clients = [threading.Thread(target=client, args=(number,)) for number in range(os.cpu_count())]
    for thread in clients:
        thread.start()
    for thread in clients:
        thread.join()
    return samples or sys.exit("no search was counted: give more --seconds")


def search(connection, fen, movetime):
    body = json.dumps({"fen": fen, "movetime": movetime})
    started = time.perf_counter()
    connection.request("POST", "/v1/best-move", body, {"content-type": "application/json"})
    response = connection.getresponse()
    answer = response.read()
    elapsed = (time.perf_counter() - started) * 1000
    if response.status != 200:
        sys.exit(f"best-move answered {response.status}: {answer.decode()}")
    return elapsed - movetime, json.loads(answer)["time"] - movetime


def burn():
    while True:
        pass


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--movetime", type=int, default=100, help="milliseconds")
    parser.add_argument("--burners", type=int, default=os.cpu_count())
    parser.add_argument("--centipawn", default=None, help="default: the release build, made if missing")
    return parser.parse_args()


if __name__ == "__main__":
    main()
