"""Asks for cloud evaluations as a program written for Lichess does: `lichess_berserk.py BASE_URL`."""

import sys

import berserk
import chess

client = berserk.Client(base_url=sys.argv[1])


def evaluate(fen, **options):
    """The evaluation, whose lines have to be playable."""
    evaluation = client.analysis.get_cloud_evaluation(fen, **options)
    assert list(evaluation) == ["fen", "knodes", "depth", "pvs"], evaluation
    assert evaluation["fen"] == fen
    assert type(evaluation["knodes"]) is int and type(evaluation["depth"]) is int
    for line in evaluation["pvs"]:
        assert list(line) in (["moves", "cp"], ["moves", "mate"]), line
        board = chess.Board(fen, chess960=options.get("variant") == "chess960")
        for move in line["moves"].split(" "):
            board.push_uci(move)
        if "mate" in line:
            assert board.is_checkmate() and len(board.move_stack) in (2 * abs(line["mate"]), 2 * abs(line["mate"]) - 1)
    return evaluation


def refusal(fen, **options):
    """The error of a position without an evaluation."""
    try:
        client.analysis.get_cloud_evaluation(fen, **options)
    except berserk.exceptions.ResponseError as error:
        return error.status_code, error.cause["error"]
    raise AssertionError(f"there is an evaluation of {fen}")


assert len(evaluate(chess.STARTING_FEN)["pvs"]) == 1
for lines in range(1, 6):
    found = evaluate("r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3", num_variations=lines)
    assert len(found["pvs"]) == lines, found
assert evaluate("k7/8/8/8/8/1r6/r7/7K b - - 0 1")["pvs"] == [{"moves": "b3b1", "mate": -1}]
castling = "5k2/8/8/8/8/8/4R1R1/4K2R w K - 0 1"
for variant in ("standard", "chess960", "fromPosition"):
    assert evaluate(castling, variant=variant)["pvs"] == [{"moves": "e1h1", "mate": 1}], variant

none = (404, "No cloud evaluation available for that position")
assert refusal("hello") == none
assert refusal("8/8/8/8/8/8/4K3/8 w - - 0 1") == none
assert refusal(chess.STARTING_FEN, variant="antichess") == none
assert refusal(chess.STARTING_FEN, num_variations=6) == none
assert refusal(None) == (404, "Missing FEN")
