#!/usr/bin/env python3
"""A million malformed requests: each is refused, none is a fault of the service's.

    tests/chaos/malformed.py [--requests 1000000] [--seed 1] [--centipawn FILE]

Good requests are damaged: bytes are changed, left out, doubled or put in, fields take values of other types, numbers grow, texts are
cut. What is still HTTP goes many at a time over connections that are kept; what is no longer HTTP has a connection each, one in
a hundred. A damaged request may still be a good one; then it is answered like one. Fails on a status of 500, on a refusal that is not
`application/problem+json` with that status, or where an answer is missing.
"""

import argparse
import asyncio
import collections
import json
import random
import string
import sys
import time

from server import Server, release_build

AT_ONCE = 50
CONNECTIONS = 8
DIFFERENT = 40_000
FEN = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"
GOOD = [
    ("/v1/evaluate", {"fen": FEN, "moves": ["d7d6", "O-O"], "pov": "turn", "evaluator": "full", "quiescence": True}),
    ("/v1/best-move", {"fen": FEN, "nodes": 10, "multiPv": 2, "searchMoves": ["d6", "a6"], "deterministic": True}),
    ("/v1/eval-breakdown", {"fen": FEN, "variant": "standard", "searched": True, "depth": 1}),
    ("/v1/eval-breakdown/diff", {"fen": FEN, "moveA": "a6", "moveB": "d6", "lineA": "O-O"}),
    ("/v1/evaluate/batch", [{"id": 1, "fen": FEN}, {"id": "b", "moves": "e4 e5"}]),
    ("/v1/games/review", {"pgn": "[White \"A\"]\n\n1. e4 e5 { [%eval 0.3] } (1... c5) 2. Nf3 *", "useEvals": True}),
]
STRANGE = [None, True, -1, 0, 1, 2**63, 1e300, 0.5, "", "x", "\0", "é" * 300, [], {}, [[]], {"a": 1}, ["e4"] * 2000]
TARGETS = [
    "/v1/evaluate?fen=", "/v1/best-move?depth=1&moves=", "/v1/board.svg?arrows=", "/v1/material/", "/api/cloud-eval?fen=", "/v1/nowhere/",
    "/v1/eval-breakdown?evaluator=", "/page/", "/docs/", "/v1/evaluate?%zz=&", "/v1/eval-breakdown/diff?moveA=",
]  # fmt: skip
IN_TARGETS = (string.ascii_letters + string.digits + "-._~:/?[]@!$&'()*+,;=%").encode()
METHODS = ["GET", "GET", "GET", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "BREW"]
TYPES = ["application/json"] * 8 + ["text/plain", "application/x-ndjson", "application/x-chess-pgn", "application/json; charset=x", ""]


def damaged(lots, text):
    """The text with one to four of its bytes changed, left out, doubled or put in."""
    text = bytearray(text)
    for _ in range(lots.randint(1, 4)):
        at = lots.randrange(len(text) + 1)
        how = lots.randrange(4)
        if how == 0:
            text[at : at + 1] = bytes([lots.randrange(256)])
        elif how == 1:
            del text[at : at + lots.randint(1, 9)]
        elif how == 2:
            text[at:at] = text[at : at + 20]
        else:
            text[at:at] = lots.choice((b'"', b"{", b"]", b"\\", b"\0", b"\xff\xfe", b"9" * 40, b"\xed\xa0\x80", b"[" * 200))
    return bytes(text)


def strange(lots, fields):
    """The fields with one of another type, of another name, or missing."""
    if isinstance(fields, list):
        return [strange(lots, item) for item in fields]
    fields = dict(fields)
    name = lots.choice(list(fields))
    if lots.random() < 0.3:
        fields[name + lots.choice("sx_")] = fields.pop(name)
    else:
        fields[name] = lots.choice(STRANGE)
    return fields


def with_body(lots):
    path, fields = lots.choice(GOOD)
    if lots.random() < 0.5:
        fields = strange(lots, fields)
    body = json.dumps(fields).encode()
    if lots.random() < 0.7:
        body = damaged(lots, body)
    head = f"POST {path} HTTP/1.1\r\nHost: a\r\nContent-Type: {lots.choice(TYPES)}\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


def without_body(lots):
    tail = lots.choice((FEN.replace(" ", "_"), "e4+e5", "%ff", "%00", "a" * lots.randrange(3000), "%F0%9F%90%8E", "&".join(["moves=e4"] * 9)))
    target = damaged(lots, (lots.choice(TARGETS) + tail).encode())
    target = bytes(byte for byte in target if byte in IN_TARGETS) or b"/"
    if not target.startswith(b"/"):
        target = b"/" + target
    return lots.choice(METHODS[:4] if lots.random() < 0.9 else METHODS).encode() + b" " + target + b" HTTP/1.1\r\nHost: a\r\n\r\n"


class Crowd:
    def __init__(self, server, wanted, seed):
        lots = random.Random(seed)
        self.server, self.wanted = server, wanted
        self.requests = [(with_body if lots.random() < 0.7 else without_body)(lots) for _ in range(DIFFERENT)]
        self.came = collections.Counter()
        self.faults = []

    def is_over(self):
        return self.came.total() >= self.wanted or len(self.faults) > 1000

    async def client(self, number):
        lots = random.Random(number)
        while not self.is_over():
            reader, writer = await asyncio.open_connection("127.0.0.1", self.server.port, limit=1 << 24)
            try:
                while not self.is_over():
                    sent = [lots.choice(self.requests) for _ in range(AT_ONCE)]
                    writer.write(b"".join(sent))
                    for request in sent:
                        async with asyncio.timeout(60):
                            if not await self.read(reader, request):
                                break
                    else:
                        continue
                    break
            finally:
                writer.close()

    async def read(self, reader, request):
        """Whether the connection goes on after the answer to this request."""
        try:
            head = await reader.readuntil(b"\r\n\r\n")
        except (asyncio.IncompleteReadError, ConnectionError) as error:
            self.faults.append(f"no answer to {request[:300]!r}: {error!r}")
            return False
        lines = head.decode("latin-1").split("\r\n")
        status = int(lines[0].split()[1])
        headers = {name.lower(): value.strip() for name, value in (line.split(":", 1) for line in lines[1:] if line)}
        if request.startswith(b"HEAD ") or status in (204, 304):
            body = b""
        elif headers.get("transfer-encoding") == "chunked":
            body = b""
            while (size := int(await reader.readline(), 16)) > 0:
                body += (await reader.readexactly(size + 2))[:-2]
            await reader.readline()
        else:
            body = await reader.readexactly(int(headers["content-length"]))
        self.came[status] += 1
        if status >= 400 and not request.startswith(b"HEAD "):
            told = json.loads(body) if headers.get("content-type") == "application/problem+json" else {}
            if told.get("status") != status or status == 500:
                self.faults.append(f"{request[:300]!r}: {status} {headers} {body[:300]!r}")
        return headers.get("connection") != "close"

    async def vandal(self):
        """Sends what is no HTTP, a connection each: it may be refused or hung up on."""
        lots = random.Random(0)
        while not self.is_over():
            await asyncio.sleep(0.002)
            reader, writer = await asyncio.open_connection("127.0.0.1", self.server.port)
            try:
                writer.write(damaged(lots, lots.choice(self.requests)[: lots.randrange(1, 200)]) + b"\r\n\r\n")
                writer.write_eof()
                async with asyncio.timeout(30):
                    answer = await reader.read(-1)
                self.came["no HTTP"] += 1
                if answer.startswith(b"HTTP/1.1 500"):
                    self.faults.append(answer[:300])
            except OSError:
                self.came["no HTTP"] += 1
            finally:
                writer.close()


async def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--centipawn", metavar="FILE", help="the program; by default a release build is made")
    arguments = parser.parse_args()
    server = Server(arguments.centipawn or release_build(), ["--default-movetime-ms", "5"])
    server.start()
    crowd = Crowd(server, arguments.requests, arguments.seed)
    began = time.monotonic()
    await asyncio.gather(*(crowd.client(number) for number in range(CONNECTIONS)), crowd.vandal())
    took = time.monotonic() - began
    rested, memory = server.await_rest(10), server.resident_bytes() / 2**20
    code = server.end()
    print(f"{crowd.came.total()} requests in {took:.0f} s: {dict(sorted(crowd.came.items(), key=str))}; {memory:.0f} MiB of memory")
    wrong = [
        (crowd.faults, f"{len(crowd.faults)} faults, such as\n" + "\n".join(map(str, crowd.faults[:5]))),
        (not rested, "something still runs"),
        (code != 0, f"exit code {code}"),
    ]
    wrong = [text for fault, text in wrong if fault]
    sys.exit("\n".join(wrong) if wrong else None)


if __name__ == "__main__":
    asyncio.run(main())
