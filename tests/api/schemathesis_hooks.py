"""What schemathesis has to be told of lines of JSON (the document describes one line, and a body is at least one) and of games."""

import json

import schemathesis


@schemathesis.serializer("application/x-ndjson")
def one_line(_, value):
    return value if isinstance(value, bytes) else json.dumps(value).encode() + b"\n"


@schemathesis.deserializer("application/x-ndjson")
def last_line(_, response):
    lines = [line for line in response.content.splitlines() if line.strip()]
    return json.loads(lines[-1])


@schemathesis.serializer("application/x-chess-pgn")
def games(_, value):
    return value if isinstance(value, bytes) else str(value).encode(errors="replace")
