"""Users who look at games: which positions, in which order, and by which spelling of a request."""

import http.client
import json
import pathlib
import random
import re
import threading
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
GAMES = ROOT / "tests/data/pgn/pgnparser-32games.pgn"


def games(count, plies):
    """The moves of the first games that are long enough, in SAN."""
    text = re.sub(r"\[.*?\]\n|\{[^}]*\}|\d+\.+|[?!]+|1-0|0-1|1/2-1/2", "", GAMES.read_text())
    found = [game.split() for game in re.split(r"\n{2,}", text)]
    found = [game[:plies] for game in found if len(game) >= plies][:count]
    if len(found) != count:
        raise AssertionError(f"{GAMES} has {len(found)} games of {plies} half-moves, not {count}")
    return found


def positions(replica_port, count, plies):
    """The games as lists of FENs; a position that several games have is in each."""
    connection = http.client.HTTPConnection("127.0.0.1", replica_port, timeout=60)
    result = []
    for game in games(count, plies):
        asked = [{"moves": game[:length]} for length in range(1, plies + 1)]
        connection.request("POST", "/v1/evaluate/batch", json.dumps(asked), {"Content-Type": "application/json"})
        result.append([item["fen"] for item in json.load(connection.getresponse())])
    return result


def encoded(fields):
    return urllib.parse.urlencode({name: json.dumps(value) if name != "fen" else value for name, value in fields.items()})


def as_query(fen, limits):
    return "GET", "/v1/best-move?" + encoded({"fen": fen, **limits}), None


def as_plain_query(fen, limits):
    return "GET", f"/v1/best-move?{encoded(limits)}&fen={fen.replace(' ', '_')}", None


def as_body(fen, limits):
    return "POST", "/v1/best-move", json.dumps({**limits, "fen": fen})


def as_escaped_body(fen, limits):
    return "POST", "/v1/best-move", json.dumps({"fen": fen, **limits}).replace("/", "\\/")


# Browsers and libraries spell the same question in these ways.
SPELLINGS = [as_query, as_body, as_plain_query, as_escaped_body]


class User(threading.Thread):
    """Looks at all games from their beginnings, in an order of its own. `replies` has name, FEN, status and body."""

    def __init__(self, number, port, games, limits, barrier=None):
        super().__init__()
        self.number, self.port, self.games, self.limits, self.barrier = number, port, games, limits, barrier
        self.replies = []
        self.error = None

    def run(self):
        try:
            order = random.Random(self.number).sample(self.games, len(self.games))
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
            for fen in (fen for game in order for fen in game):
                self.ask(connection, fen)
                if self.barrier:
                    self.barrier(self)
        except BaseException as error:  # The thread that waits for this one says so.
            self.error = error

    def ask(self, connection, fen):
        name = f"{self.number}-{len(self.replies)}"
        method, path, body = SPELLINGS[self.number % len(SPELLINGS)](fen, self.limits)
        headers = {"X-Request-Id": name} | ({"Content-Type": "application/json"} if body else {})
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        if response.headers["X-Request-Id"] != name:
            raise AssertionError(f"the reply to {name} is named {response.headers['X-Request-Id']}")
        self.replies.append((name, fen, response.status, response.read()))


def replay(port, games, users, limits, barrier=None):
    """All replies to so many users, one after the other's first or at the same time as they come."""
    crowd = [User(number, port, games, limits, barrier) for number in range(users)]
    for user in crowd:
        user.start()
    for user in crowd:
        user.join()
    for user in crowd:
        if user.error:
            raise user.error
    return [reply for user in crowd for reply in user.replies]
