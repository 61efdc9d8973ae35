"""Plays and analyses with the engine by UCI: `lichess_uci.py BINARY`."""

import sys

import chess
import chess.engine

with chess.engine.SimpleEngine.popen_uci([sys.argv[1], "uci"]) as engine:
    assert "centipawn" in engine.id["name"].lower(), engine.id
    engine.configure({"Hash": 16})

    board = chess.Board()
    for _ in range(10):
        played = engine.play(board, chess.engine.Limit(nodes=2000), info=chess.engine.INFO_SCORE)
        assert played.move in board.legal_moves and "score" in played.info, played
        board.push(played.move)

    lines = engine.analyse(board, chess.engine.Limit(depth=6), multipv=3)
    assert [line["multipv"] for line in lines] == [1, 2, 3], lines
    for line in lines:
        assert line["depth"] >= 6 and line["score"].pov(board.turn).score(mate_score=100000) is not None
        after = board.copy()
        for move in line["pv"]:
            assert move in after.legal_moves
            after.push(move)

    mate = engine.analyse(chess.Board("5k2/8/8/8/8/8/4R1R1/4K2R w K - 0 1"), chess.engine.Limit(depth=4))
    assert mate["score"].white().mate() == 1 and mate["pv"] == [chess.Move.from_uci("e1g1")], mate

    castling = chess.Board("5k2/8/8/8/8/8/4R1R1/4K2R w K - 0 1", chess960=True)
    assert engine.play(castling, chess.engine.Limit(depth=4)).move == chess.Move.from_uci("e1h1")

    # The same evaluation from both sides.
    with engine.analysis(chess.Board("3qk3/8/8/8/8/8/8/R3K3 b - - 0 1"), chess.engine.Limit(time=0.2)) as analysis:
        analysis.wait()
        assert analysis.info["score"].white().score(mate_score=100000) < -100, analysis.info
