#!/usr/bin/env python3
"""Well-behaved clients among rude ones, while the service is stalled, killed and started again: every request that it took in gets
exactly one right answer.

    tests/chaos/chaos.py [--seconds 600] [--seed 1] [--centipawn FILE]

Well-behaved clients ask for things whose right answer is known from a calm moment before (static and deterministic replies byte for
byte, batches item by item, streams to their last event). The rude ones leave in the middle, send garbage, send too slowly or do
not read. Every few seconds the service is stopped for half a second (SIGSTOP), ended by SIGTERM, or killed by SIGKILL, and started
again. An answer may be a refusal (429, or 503, with `Retry-After`); it may be missing only where SIGKILL came between, and a
connection may be refused only while the service is down. At the end nothing runs, no file is left open, memory is where it was.
"""

import argparse
import asyncio
import collections
import itertools
import json
import random
import signal
import sys
import time

from server import Server, positions, release_build
from wire import Torn, exchange, request

WELL_BEHAVED = 10
SECONDS_BETWEEN_BLOWS = 8
MEMORY_MARGIN = 1.3


class Question:
    """A request and how to tell whether an answer to it is right."""

    def __init__(self, name, sent, judge):
        self.name, self.sent, self.judge, self.known = name, sent, judge, None


def same_bytes(question, reply):
    return reply.body == question.known.body


def every_item(question, reply):
    """A batch in order, each item once; one that a shutdown has caught says so in its place."""
    told, known = (list(map(json.loads, answer.body.splitlines())) for answer in (reply, question.known))
    told, known = ([item for item in items if item] for items in (told, known))
    if len(told) != len(known):
        return False
    return all(mine == right or mine.get("code") in ("draining", "queue_full") for mine, right in zip(told, known))


def told_to_the_end(_, reply):
    events = [json.loads(line) for line in reply.body.splitlines() if line.strip()]
    last = events[-1] if events else {}
    finished = last.get("event") in ("bestmove", "review")
    refused = last.get("event") == "error" and last["code"] in ("draining", "queue_full", "timeout")
    return (finished or refused) and all(event["event"] not in ("bestmove", "review") for event in events[:-1])


def some_move(_, reply):
    told = reply.json()
    return told["bestmove"] in [line["moves"][0] for line in told["pvs"]]


def questions():
    lines = {"Accept": "application/x-ndjson"}
    for fen in positions():
        yield Question("evaluate", request("POST", "/v1/evaluate", {"fen": fen}), same_bytes)
        yield Question("breakdown", request("POST", "/v1/eval-breakdown", {"fen": fen}), same_bytes)
        fixed = {"fen": fen, "nodes": 3000, "multiPv": 2, "deterministic": True}
        yield Question("deterministic", request("POST", "/v1/best-move", fixed), same_bytes)
        yield Question("best-move", request("POST", "/v1/best-move", {"fen": fen, "movetime": 60}), some_move)
        streamed = {"fen": fen, "movetime": 300}
        yield Question("stream", request("POST", "/v1/best-move", streamed, **lines), told_to_the_end)
    batch = "".join(json.dumps({"id": number, "fen": fen}) + "\n" for number, fen in enumerate(positions() * 20)).encode()
    yield Question("batch", request("POST", "/v1/evaluate/batch", batch, Content_Type="application/x-ndjson"), every_item)
    review = {"moves": "e4 e5 Nf3 Nc6 Bc4 Nd4 Nxe5 Qg5 Nxf7 Qxg2", "nodes": 2000}
    yield Question("review", request("POST", "/v1/games/review", review, **lines), told_to_the_end)


class Chaos:
    def __init__(self, server, until):
        self.server, self.until = server, until
        self.came = collections.Counter()
        self.faults = []
        self.down = []  # [from, to] of each time that the service is not there, in monotonic seconds
        self.killed = []  # moments of SIGKILL

    def is_over(self):
        return time.monotonic() > self.until

    def was_down(self, began):
        return any(begin <= time.monotonic() and began <= end for begin, end in self.down)

    def was_killed(self, began):
        return any(began - 0.05 <= moment <= time.monotonic() for moment in self.killed)

    async def ask(self, question, source):
        began = time.monotonic()
        try:
            reply = await exchange(self.server.port, question.sent, source)
        except (ConnectionRefusedError, ConnectionResetError) as error:
            self.note(self.was_down(began), "not there", f"{question.name}: {error!r} while the service was up")
            await asyncio.sleep(0.05)
            return
        except (Torn, OSError, TimeoutError) as error:
            self.note(self.was_killed(began), "killed", f"{question.name}: no answer: {error!r}")
            return
        if reply.status in (429, 503):
            polite = reply.headers.get("retry-after", "").isdigit() and reply.json()["status"] == reply.status
            self.note(polite, f"refused {reply.status}", f"{question.name}: {reply}")
            return
        right = reply.status == 200 and question.judge(question, reply)
        self.note(right, "right", f"{question.name}: {reply.status} {reply.body[:300]!r}")

    def note(self, fine, what, fault):
        self.came[what] += fine
        if not fine:
            self.faults.append(fault)

    async def well_behaved(self, number, asked):
        lots = random.Random(number)
        while not self.is_over():
            await self.ask(lots.choice(asked), f"127.0.2.{1 + number}")

    async def rude(self, manner, number):
        while not self.is_over():
            try:
                reader, writer = await asyncio.open_connection("127.0.0.1", self.server.port, local_addr=(f"127.0.3.{number}", 0))
                try:
                    await manner(random.Random(time.monotonic_ns()), reader, writer)
                finally:
                    writer.transport.abort()
                self.came[manner.__name__] += 1
            except (OSError, TimeoutError):
                await asyncio.sleep(0.05)

    async def blows(self, lots):
        """Stalls, ends and kills the service by turns."""
        for blow in itertools.cycle((signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM)):
            await asyncio.sleep(SECONDS_BETWEEN_BLOWS * lots.uniform(0.5, 1.5))
            if self.is_over():
                return
            self.came[blow.name] += 1
            if blow == signal.SIGSTOP:
                self.server.send(blow)
                await asyncio.sleep(0.5)
                self.server.send(signal.SIGCONT)
                continue
            absence = [time.monotonic(), float("inf")]
            self.down.append(absence)
            if blow == signal.SIGKILL:
                self.killed.append(time.monotonic())
            self.server.send(blow)
            code = await asyncio.to_thread(self.server.wait)
            self.note(blow == signal.SIGKILL or code == 0, "ended", f"exit code {code} after SIGTERM")
            await asyncio.to_thread(self.server.start)
            absence[1] = time.monotonic()


async def leaves_early(lots, _, writer):
    writer.write(request("POST", "/v1/best-move", {"movetime": 20000}, Accept=lots.choice(("*/*", "text/event-stream"))))
    await writer.drain()
    await asyncio.sleep(lots.uniform(0, 0.5))


async def sends_garbage(lots, reader, writer):
    head = lots.choice((b"", b"GET /v1/evaluate?", b"POST /v1/evaluate HTTP/1.1\r\nHost: a\r\nContent-Length: 900\r\n\r\n"))
    writer.write(head + lots.randbytes(lots.randrange(2000)))
    await writer.drain()
    async with asyncio.timeout(0.5):
        await reader.read(1000)


async def sends_slowly(lots, _, writer):
    for byte in b"GET /v1/evaluate HTTP/1.1\r\nX-Slow: " + b"a" * lots.randrange(20):
        writer.write(bytes([byte]))
        await writer.drain()
        await asyncio.sleep(0.05)


async def does_not_read(lots, _, writer):
    line = json.dumps({"fen": "8/8/4k3/8/8/4K3/4P3/8 w - - 0 1"}).encode() + b"\n"
    head = b"POST /v1/evaluate/batch HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n"
    writer.write(head)
    for _ in range(lots.randrange(200)):
        async with asyncio.timeout(2):
            writer.write(f"{len(line) * 50:x}\r\n".encode() + line * 50 + b"\r\n")
            await writer.drain()
    await asyncio.sleep(1)


async def sends_too_much(_, reader, writer):
    writer.write(b"POST /v1/evaluate HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 90000000\r\n\r\n")
    writer.write(b"[" * 200_000)
    async with asyncio.timeout(1):
        await reader.read(1000)
    await asyncio.sleep(0.05)


async def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--centipawn", metavar="FILE", help="the program; by default a release build is made")
    arguments = parser.parse_args()
    lots = random.Random(arguments.seed)
    server = Server(arguments.centipawn or release_build(), ["--drain-grace-seconds", "2"])
    server.start()
    asked = list(questions())
    for question in asked:
        question.known = await exchange(server.port, question.sent)
        if question.known.status != 200:
            sys.exit(f"{question.name}: {question.known}")
    memory, files = server.resident_bytes(), server.open_files()

    chaos = Chaos(server, time.monotonic() + arguments.seconds)
    manners = [leaves_early, sends_garbage, sends_slowly, does_not_read, sends_too_much]
    await asyncio.gather(
        *(chaos.well_behaved(number, asked) for number in range(WELL_BEHAVED)),
        *(chaos.rude(manner, number) for number, manner in enumerate(manners, 1)),
        chaos.blows(lots),
    )
    rested = server.await_rest(15)
    grown = server.resident_bytes() / memory
    # One last calm round: whatever has happened, the answers are the ones of the beginning.
    for question in asked:
        await chaos.ask(question, "127.0.0.1")
    left_open = server.open_files() - files
    code = server.end()

    print(f"in {arguments.seconds:.0f} s: {dict(chaos.came)}; memory grew to {grown:.2f} of what it was, {left_open} more files open")
    wrong = [
        (chaos.faults, f"{len(chaos.faults)} faults, such as\n" + "\n".join(chaos.faults[:5])),
        (chaos.came["right"] < arguments.seconds, "hardly anything was asked"),
        (not rested, "something still runs after the last client has left"),
        (grown > MEMORY_MARGIN, "memory has grown"),
        (left_open > 10, "connections are left open"),
        (code != 0, f"exit code {code}"),
    ]
    wrong = [text for fault, text in wrong if fault]
    sys.exit("\n".join(wrong) if wrong else None)


if __name__ == "__main__":
    asyncio.run(main())
