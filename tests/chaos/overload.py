#!/usr/bin/env python3
"""Four times as many searches as the service can do: what it does then, to them and to everybody else.

    tests/chaos/overload.py [--seconds 600] [--times 4] [--correctness] [--centipawn FILE]

First as many searches as the service takes, for 30 s (a twentieth of the time where that is less than ten minutes), and again, which is
the most it can do.
Then clients come `--times` as often, each on a connection of its own and whatever became of those before, while one client asks for
`/healthz` and one for a static evaluation, ten times a second each. At last clients leave in the middle of their searches, while others
keep every engine busy. It fails unless: every answer is a 2xx, or a 429 or 503 with
`Retry-After`; none is missing; the 99th percentile of `/healthz` is below 50 ms and that of the evaluation below 100 ms; at least 0.9
of the most is done; memory stays within 5 % after the first minute (or first tenth); every search whose client has left stops within
50 ms, by the service's own count. With `--correctness` what depends on the speed
of the machine is told and not judged.
"""

import argparse
import asyncio
import collections
import random
import sys
import time

from server import Server, percentile, positions, release_build
from wire import Torn, exchange, request

# About as long a search as one without a limit: a fifth of a second on one core.
NODES = 200_000
FENS = positions()
SEARCHES = [request("POST", "/v1/best-move", {"fen": fen, "nodes": NODES}) for fen in FENS]
# Not by turns: what is refused comes by turns too, and the searches that are left would be easier or harder ones.
LOTS = random.Random(1)
HEALTH = request("GET", "/healthz")
STATIC = request("POST", "/v1/evaluate", {"fen": FENS[0]})


class Tally:
    """What came of the requests of a phase."""

    def __init__(self):
        self.statuses = collections.Counter()
        self.faults = []
        self.health, self.static, self.memory = [], [], []

    def take(self, reply):
        self.statuses[reply.status] += 1
        refused = reply.status in (429, 503)
        if not (200 <= reply.status < 300 or refused):
            self.faults.append(f"status {reply.status}: {reply.body[:200]!r}")
        elif refused and not reply.headers.get("retry-after", "").isdigit():
            self.faults.append(f"{reply.status} without Retry-After")

    async def ask(self, server, sent, source="127.0.0.1"):
        """Seconds that the answer took."""
        began = time.perf_counter()
        try:
            self.take(await exchange(server.port, sent, source))
        except (Torn, OSError, TimeoutError) as error:
            self.faults.append(f"no answer: {error!r}")
        return time.perf_counter() - began


async def closed_loop(server, clients, seconds):
    """Searches a second when so many clients ask one after the other."""
    tally, until = Tally(), time.perf_counter() + seconds
    async def client():
        while time.perf_counter() < until:
            await tally.ask(server, LOTS.choice(SEARCHES))

    began = time.perf_counter()
    await asyncio.gather(*(client() for _ in range(clients)))
    return tally.statuses[200] / (time.perf_counter() - began)


async def probe(server, tally, sent, latencies, until):
    while time.perf_counter() < until:
        latencies.append(await tally.ask(server, sent))
        await asyncio.sleep(0.1)


async def watch(server, tally, until):
    began = time.perf_counter()
    while time.perf_counter() < until:
        tally.memory.append((time.perf_counter() - began, server.resident_bytes()))
        await asyncio.sleep(1)


async def storm(server, rate, seconds):
    """Searches come so many a second, from 20 addresses."""
    tally, other = Tally(), Tally()
    began = time.perf_counter()
    until = began + seconds
    others = [
        asyncio.create_task(probe(server, other, HEALTH, tally.health, until)),
        asyncio.create_task(probe(server, other, STATIC, tally.static, until)),
        asyncio.create_task(watch(server, tally, until)),
    ]
    under_way, sent = set(), 0
    while (now := time.perf_counter()) < until:
        while sent < (now - began) * rate:
            source = f"127.0.1.{1 + sent % 20}"
            task = asyncio.create_task(tally.ask(server, LOTS.choice(SEARCHES), source))
            under_way.add(task)
            task.add_done_callback(under_way.discard)
            sent += 1
        await asyncio.sleep(0.005)
    done_in_time = tally.statuses[200]
    await asyncio.gather(*under_way, *others)
    tally.faults += other.faults
    return tally, sent, done_in_time / seconds


async def leavings(server, times):
    """So many clients leave their searches after half a second, while others ask on."""
    busy = asyncio.create_task(closed_loop(server, 8, times * 0.6))
    endless = request("POST", "/v1/best-move", {"movetime": 20_000})
    for number in range(times):
        _, writer = await asyncio.open_connection("127.0.0.1", server.port, local_addr=(f"127.0.4.{1 + number % 20}", 0))
        writer.write(endless)
        await writer.drain()
        await asyncio.sleep(0.5)
        writer.transport.abort()
    await busy


async def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--times", type=float, default=4)
    parser.add_argument("--correctness", action="store_true", help="do not judge what a busy machine changes")
    parser.add_argument("--centipawn", metavar="FILE", help="the program; by default a release build is made")
    arguments = parser.parse_args()
    server = Server(arguments.centipawn or release_build())
    server.start()
    calm = min(30, arguments.seconds / 20)
    # Twice, because tables that fill make searches slower and the process larger.
    await closed_loop(server, 16, max(calm, 5))
    most = await closed_loop(server, 16, max(calm, 5))
    print(f"at most {most:.1f} searches a second of {NODES} nodes", flush=True)
    tally, sent, goodput = await storm(server, most * arguments.times, arguments.seconds)
    rested = server.await_rest(10)
    await leavings(server, 20 + round(arguments.seconds / 10))
    rested = server.await_rest(10) and rested
    stopped, left = server.farewells(0.05)
    code = server.end()

    settled = [size for at, size in tally.memory if at > min(60, arguments.seconds / 10)] or [0]
    flat = max(settled) / max(min(settled), 1) - 1
    health, static = percentile(tally.health, 0.99) * 1000, percentile(tally.static, 0.99) * 1000
    print(f"{sent} searches asked for in {arguments.seconds:.0f} s: {dict(tally.statuses)}")
    print(f"goodput {goodput:.1f} a second, {goodput / most:.3f} of the most")
    print(f"p99: /healthz {health:.1f} ms of {len(tally.health)}, static evaluation {static:.1f} ms of {len(tally.static)}")
    print(f"memory {min(settled) / 2**20:.1f} to {max(settled) / 2**20:.1f} MiB once warm: within {flat * 100:.1f} %")
    print(f"{left} searches were left by their clients while they ran, {stopped} of them stopped within 50 ms")
    judged = not arguments.correctness
    wrong = [
        (tally.faults, f"{len(tally.faults)} faults, such as {tally.faults[:3]}"),
        (judged and health >= 50, "/healthz is slow"),
        (judged and static >= 100, "the static evaluation is slow"),
        (judged and goodput < 0.9 * most, "too little is done"),
        (judged and flat > 0.05, "memory is not flat"),
        (left == 0, "no search was left"),
        (judged and stopped < left, "a search went on without its client"),
        (not rested, "something still runs after the storm"),
        (code != 0, f"exit code {code}"),
    ]
    wrong = [text for fault, text in wrong if fault]
    sys.exit("\n".join(wrong) if wrong else None)


if __name__ == "__main__":
    asyncio.run(main())
