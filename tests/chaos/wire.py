"""HTTP/1.1 by hand, so that a client can be as rude as it likes and knows exactly what came back."""

import asyncio
import json
from typing import NamedTuple


class Torn(Exception):
    """The connection ended before the answer did."""


class Reply(NamedTuple):
    status: int
    headers: dict
    body: bytes

    def json(self):
        return json.loads(self.body)


def request(method, path, body=None, **headers):
    """The bytes of a request on a connection that it has for itself; a body that is no bytes goes as JSON."""
    if body is not None and not isinstance(body, bytes):
        body = json.dumps(body).encode()
        headers.setdefault("Content_Type", "application/json")
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost", "Connection: close"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    if body is not None:
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join([*lines, "", ""]).encode() + (body or b"")


async def exchange(port, sent, source="127.0.0.1", limit_seconds=60):
    """Sends the bytes from a loopback address, reads to the end of the connection, and takes the one answer apart."""
    async with asyncio.timeout(limit_seconds):
        reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0))
        try:
            writer.write(sent)
            await writer.drain()
            received = await reader.read(-1)
        except ConnectionError as error:
            raise Torn(str(error)) from error
        finally:
            writer.close()
    return parse(received)


def parse(received):
    """The reply that the bytes are, all of them."""
    head, found, body = received.partition(b"\r\n\r\n")
    if not found:
        raise Torn(f"{len(received)} bytes")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, value in (line.split(":", 1) for line in lines)}
    if headers.get("transfer-encoding") == "chunked":
        body = dechunk(body)
    elif "content-length" in headers and len(body) != int(headers["content-length"]):
        raise Torn(f"{len(body)} of {headers['content-length']} bytes")
    return Reply(int(first.split()[1]), headers, body)


def dechunk(body):
    pieces = []
    while True:
        size, found, rest = body.partition(b"\r\n")
        if not found:
            raise Torn("the last chunk is missing")
        length = int(size, 16)
        if len(rest) < length + 2:
            raise Torn("a chunk is cut short")
        if length == 0:
            if rest != b"\r\n":
                raise Torn("something follows the last chunk")
            return b"".join(pieces)
        pieces.append(rest[:length])
        body = rest[length + 2 :]
