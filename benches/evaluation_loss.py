#!/usr/bin/env python3
"""How well static evaluations foretell results: ours, all five, beside Stockfish's.

    cargo build --profile tune --example static_evaluation
    benches/evaluation_loss.py positions.txt [more.txt.xz] [--sample 12000] [--stockfish /usr/games/stockfish]

The data are lines `FEN | cp | result | game`: result is White's points, game a key in hexadecimal digits; plain text or
.xz. Only held-out games are used, those whose key is a multiple of ten, which the tuner never trains on. The loss is the
mean squared error of 1 / (1 + exp(-K * cp)) against the result, K fitted for each evaluator, in centipawns of White's view.

Should be: `full` at most 0.94 of Stockfish's classical evaluation. Stockfish 15.1 (Debian's package `stockfish`) says two
things of each kind: the evaluation, and what its search makes of it, scaled and damped; the better one counts. Needs
nothing but Python, and leaves Stockfish out where it is missing.
"""

import argparse
import lzma
import math
import os
import random
import re
import shutil
import subprocess
import sys
import threading

EVALUATORS = ("count", "material", "psqt", "pieces", "full")
GOAL = 0.94
GOLDEN = (math.sqrt(5) - 1) / 2
LINE = re.compile(r"^(Classical|NNUE|Final) evaluation\s+([-+]?\d+\.\d+|none)")


def read(paths):
    """The held-out positions: FEN, points of White, evaluation of the file."""
    for path in paths:
        with lzma.open(path, "rt") if path.endswith(".xz") else open(path) as lines:
            for line in lines:
                fen, cp, result, game = (field.strip() for field in line.split("|"))
                if int(game, 16) % 10 == 0:
                    yield fen, float(result), float(cp)


def loss(k, scores, results):
    total = 0.0
    for cp, result in zip(scores, results):
        total += (1 / (1 + math.exp(-max(min(k * cp, 500), -500))) - result) ** 2
    return total / len(results)


def fit(scores, results):
    """The K with the smallest loss, by golden section on its logarithm, and the loss."""
    low, high = math.log(1e-5), math.log(1e-1)
    left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    at_left, at_right = (loss(math.exp(log), scores, results) for log in (left, right))
    while high - low > 1e-3:
        if at_left < at_right:
            high, right, at_right = right, left, at_left
            left = high - GOLDEN * (high - low)
            at_left = loss(math.exp(left), scores, results)
        else:
            low, left, at_left = left, right, at_right
            right = low + GOLDEN * (high - low)
            at_right = loss(math.exp(right), scores, results)
    k = math.exp((low + high) / 2)
    return k, loss(k, scores, results)


def ours(binary, evaluator, fens):
    run = subprocess.run([binary, evaluator], input="\n".join(fens), capture_output=True, text=True, check=True)
    return [float(cp) if cp else None for cp in run.stdout.split("\n")[: len(fens)]]


def stockfish(binary, network, fens):
    """What `eval` prints of each position: a list by name of the line, in centipawns; None in check."""
    process = subprocess.Popen([binary], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1 << 16)

    def feed():
        with process.stdin as pipe:
            pipe.write(f"setoption name UCI_Chess960 value true\nsetoption name Use NNUE value {network}\n")
            for fen in fens:
                pipe.write(f"position fen {fen}\neval\n")
            pipe.write("quit\n")

    feeder = threading.Thread(target=feed)
    feeder.start()
    found = {}
    for line in process.stdout:
        if match := LINE.match(line):
            name, pawns = match.groups()
            found.setdefault(name, []).append(None if pawns == "none" else float(pawns) * 100)
    feeder.join()
    process.wait()
    for name, scores in found.items():
        if len(scores) != len(fens):
            sys.exit(f"Stockfish answered {len(scores)} of {len(fens)} positions ({name})")
    return found


def split(path, network, fens, workers):
    """Stockfish on several cores, each with its share of the positions."""
    size = -(-len(fens) // workers)
    shares = [fens[at : at + size] for at in range(0, len(fens), size)]
    answers = [None] * len(shares)

    def work(number):
        answers[number] = stockfish(path, network, shares[number])

    threads = [threading.Thread(target=work, args=(number,)) for number in range(len(shares))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return {name: [score for answer in answers for score in answer[name]] for name in answers[0]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="+")
    parser.add_argument("--sample", type=int, default=12_000, help="positions, drawn at random; 0 for all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--binary", default=os.path.join(
        os.environ.get("CARGO_TARGET_DIR", "target"), "tune/examples/static_evaluation"))
    parser.add_argument("--stockfish", default=shutil.which("stockfish") or "/usr/games/stockfish")
    arguments = parser.parse_args()

    rows = list(read(arguments.data))
    if 0 < arguments.sample < len(rows):
        rows = random.Random(arguments.seed).sample(rows, arguments.sample)
    fens, results, file = ([row[column] for row in rows] for column in range(3))
    table = {name: ours(arguments.binary, name, fens) for name in EVALUATORS}
    if os.path.exists(arguments.stockfish):
        workers = os.cpu_count() or 1
        classical = split(arguments.stockfish, "false", fens, workers)
        network = split(arguments.stockfish, "true", fens, workers)
        table["Stockfish classical"] = classical["Classical"]
        table["Stockfish classical, scaled"] = classical["Final"]
        table["Stockfish network"] = network["NNUE"]
        table["Stockfish network, scaled"] = network["Final"]
    else:
        print(f"no Stockfish at {arguments.stockfish}: measured without it", file=sys.stderr)
    table["evaluation in the file"] = file

    judged = [at for at in range(len(rows)) if all(scores[at] is not None for scores in table.values())]
    results = [results[at] for at in judged]
    print(f"held out: {len(judged)} positions of {len(rows)} (the others are refused or in check)")
    print(f"{'evaluator':<28} {'loss':>8} {'K':>8}")
    losses = {}
    for name, scores in table.items():
        k, losses[name] = fit([scores[at] for at in judged], results)
        print(f"{name:<28} {losses[name]:8.5f} {k:8.5f}")
    if "Stockfish classical" in losses:
        classical = min(losses["Stockfish classical"], losses["Stockfish classical, scaled"])
        network = min(losses["Stockfish network"], losses["Stockfish network, scaled"])
        print(f"full / Stockfish classical: {losses['full'] / classical:.4f} (should be at most {GOAL})")
        print(f"Stockfish network / classical: {network / classical:.4f}")


if __name__ == "__main__":
    main()
