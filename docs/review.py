"""Reviews games: `review.py GAMES.pgn [SERVICE]` prints each mistake, what was better, and why."""

import json
import sys
from urllib.request import Request, urlopen

PGN = {"Content-Type": "application/x-chess-pgn"}


def review(pgn: bytes, service: str = "http://localhost:8080", nodes: int = 100_000) -> list[dict]:
    with urlopen(Request(f"{service}/v1/games/review?nodes={nodes}", pgn, PGN)) as reply:
        return json.load(reply)["games"]


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as file:
        games = review(file.read(), *sys.argv[2:3])
    for game in games:
        print(game["opening"]["name"] if game["opening"] else "No opening")
        for side, player in game["players"].items():
            print(f"{side}: accuracy {player['accuracy']} %, average loss {player['acpl']} centipawns")
        for ply in game["plies"]:
            if ply["judgment"]:
                print(f"{(ply['ply'] + 1) // 2}. {ply['san']}: {ply['judgment']['comment']}")
                print(*ply["why"]["summary"] if ply["why"] else (), sep="\n   ")
