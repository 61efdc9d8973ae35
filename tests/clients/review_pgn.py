"""python-chess reads reviews as PGN, and the README's review in Python runs: `review_pgn.py BASE_URL`."""

import io
import subprocess
import sys
import tempfile
import urllib.request

import chess.pgn

SERVICE = sys.argv[1]
PGN = "application/x-chess-pgn"
GLYPHS = {chess.pgn.NAG_DUBIOUS_MOVE, chess.pgn.NAG_MISTAKE, chess.pgn.NAG_BLUNDER}
GAMES = """[Event "Légal's mate, with a mistake"]
[White "José \\\\ \\"Pepe\\""]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. Bc4 Bg4?! {[%clk 0:01:00] a pin [%csl Rg4] } 4. Nc3 g6 (4... Nc6 {is (almost) best} 5. h3 (5. O-O)) 5. Nxe5 Bxd1
6. Bxf7+ Ke7 7. Nd5# 1-0

[Variant "Chess960"]
[SetUp "1"]
[FEN "nqbbrknr/pppppppp/8/8/8/8/PPPPPPPP/NQBBRKNR w HEhe - 0 1"]

1. e4 e5 2. Nb3 Nb6 3. f3 *
"""


def ask(accept: str, body: str) -> bytes:
    request = urllib.request.Request(
        f"{SERVICE}/v1/games/review?nodes=20000", body.encode(), {"Content-Type": PGN, "Accept": accept}
    )
    with urllib.request.urlopen(request) as reply:
        assert reply.headers["Content-Type"] == accept, reply.headers
        return reply.read()


def read(text: str) -> list[chess.pgn.Game]:
    file = io.StringIO(text)
    games = list(iter(lambda: chess.pgn.read_game(file), None))
    for game in games:
        assert not game.errors, game.errors
    return games


annotated = ask(PGN, GAMES).decode()
assert max(map(len, annotated.splitlines())) <= 100, annotated
theirs, ours = read(GAMES), read(annotated)
assert len(ours) == 2
judged = 0
for before, after in zip(theirs, ours):
    assert list(before.mainline_moves()) == list(after.mainline_moves())
    for name, value in before.headers.items():
        assert after.headers[name] == value, name
    # The scores are those of this very review, and no other tells of it.
    for node in after.mainline():
        assert node.board().is_game_over() or node.eval() is not None, node
        # Where its lines end is nobody's business.
        comment = " ".join(node.comment.split())
        if " was best" in comment:
            assert len(node.nags & GLYPHS) == 1, node
            best = comment.split(" was best")[0].split()[-1]
            assert node.parent.variations[1].san() == best, node
            judged += 1
assert judged >= 2, annotated
played = ours[0].end().parent
assert played.eval().white().mate() == 1
pin = list(ours[0].mainline())[5]
assert pin.clock() == 60 and pin.arrows()[0].head == chess.G4 and "a pin" in pin.comment

# The README's example.
with tempfile.NamedTemporaryFile("w", suffix=".pgn") as file:
    file.write(GAMES)
    file.flush()
    told = subprocess.run(
        [sys.executable, "docs/review.py", file.name, SERVICE], capture_output=True, text=True, check=True
    ).stdout
assert "accuracy" in told and "was best." in told and "Bg4xd1 with its line ends in checkmate." in told, told
