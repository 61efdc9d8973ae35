"""Calls the service with a client made from the OpenAPI document: `main.py BASE_URL`."""

import sys

from centipawn_client import Client
from centipawn_client.api.compatibility import get_cloud_eval
from centipawn_client.api.evaluation import break_down, evaluate, get_evaluation, get_material
from centipawn_client.api.moves import find_best_move
from centipawn_client.models import AllMoves, BestMove, BestMoveRequest, Breakdown, BreakdownRequest, CloudEval
from centipawn_client.models import EvaluateRequest, Evaluation, Material, Problem, ProblemCode

client = Client(base_url=sys.argv[1])

evaluation = get_evaluation.sync(client=client, moves="e4 e5 Nf3")
assert isinstance(evaluation, Evaluation) and evaluation.turn == "black" and isinstance(evaluation.cp, int)

posted = evaluate.sync(client=client, body=EvaluateRequest(moves=["e4", "e5", "Nf3"]))
assert isinstance(posted, Evaluation) and posted.cp == evaluation.cp

mate = BestMoveRequest(fen="7k/R7/1R6/8/8/8/8/K7 w - - 0 1", depth=4, multi_pv=AllMoves.ALL, deterministic=True)
best = find_best_move.sync(client=client, body=mate)
assert isinstance(best, BestMove) and best.bestmove == "b6b8" and best.pvs[0].mate == 1

breakdown = break_down.sync(client=client, body=BreakdownRequest(moves="e4 e5"))
assert isinstance(breakdown, Breakdown) and sum(term.cp for term in breakdown.terms) == breakdown.cp

material = get_material.sync(client=client, signature="KBBvKN")
assert isinstance(material, Material) and material.phase.name == "endgame"

cloud = get_cloud_eval.sync(client=client, fen="7k/R7/1R6/8/8/8/8/K7 w - - 0 1")
assert isinstance(cloud, CloudEval) and cloud.pvs[0].to_dict() == {"moves": "b6b8", "mate": 1}

problem = get_evaluation.sync(client=client, fen="8/8/8/8/8/8/4K3/8 w - - 0 1")
assert isinstance(problem, Problem) and problem.code == ProblemCode.MISSING_KING and problem.status == 422
