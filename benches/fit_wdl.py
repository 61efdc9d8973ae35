#!/usr/bin/env python3
"""Fits the two constants of the draw rate in src/engine/eval/win.rs on labelled positions.

    cargo build --release --example static_evaluation
    benches/fit_wdl.py tcec-quiet.txt.xz [--sample 0.5] [--evaluator full]

The data are lines `FEN | cp | result | game`, the result being White's points. The game keys choose the sample and its
split: four fifths of the games are fitted on, one fifth is held out. The positions are evaluated by our own evaluator.

The model: p is the expected score by the constant of Lichess, x the size of the score in centipawns, and
    draw = 2 * min(p, 1 - p) / (1 + exp(-(A + B * x))),  win = p - draw / 2,  loss = 1 - p - draw / 2,
so that win + draw / 2 is always p. A and B maximise the likelihood of the results. Needs nothing but Python.
"""

import argparse
import lzma
import math
import subprocess
from collections import Counter

LICHESS = 0.00368208
CLAMP = 1000
BIN = 10  # centipawns


def read(path, sample):
    """The positions of the sampled games: FEN, result, and whether the game is held out."""
    with lzma.open(path, "rt") as lines:
        for line in lines:
            fen, _, result, game = (field.strip() for field in line.split("|"))
            number = int(game, 16)
            if number % 1000 < sample * 1000:
                yield fen, float(result), number // 1000 % 5 == 0


def evaluate(binary, evaluator, fens):
    run = subprocess.run([binary, evaluator], input="\n".join(fens), capture_output=True, text=True, check=True)
    return [int(cp) if cp else None for cp in run.stdout.split("\n")[: len(fens)]]


def expected_score(size):
    return 1 / (1 + math.exp(-LICHESS * min(size, CLAMP)))


def chances(size, a, b):
    """Win, draw and loss of the side that is ahead by this many centipawns."""
    p = expected_score(size)
    draw = 2 * (1 - p) / (1 + math.exp(-(a + b * min(size, CLAMP))))
    return p - draw / 2, draw, 1 - p - draw / 2


def loss(counts, a, b):
    """Mean negative log likelihood."""
    total = sum(counts.values())
    return -sum(n * math.log(max(chances(size, a, b)[kind], 1e-9)) for (size, kind), n in counts.items()) / total


def fit(counts):
    """Pattern search with shrinking steps: the surface is smooth and has one minimum."""
    a, b, step = 1.0, 0.001, 1.0
    best = loss(counts, a, b)
    while step > 0.002:
        for da, db in ((step, 0), (-step, 0), (0, step / 200), (0, -step / 200)):
            if (value := loss(counts, a + da, b + db)) < best:
                a, b, best = a + da, b + db, value
                break
        else:
            step /= 2
    return a, b


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data")
    parser.add_argument("--sample", type=float, default=0.5, help="share of the games")
    parser.add_argument("--evaluator", default="full")
    parser.add_argument("--binary", default="target/release/examples/static_evaluation")
    arguments = parser.parse_args()

    rows = list(read(arguments.data, arguments.sample))
    scores = evaluate(arguments.binary, arguments.evaluator, [fen for fen, _, _ in rows])
    counts = {False: Counter(), True: Counter()}
    for (_, result, held_out), cp in zip(rows, scores):
        if cp is not None:
            points = result if cp >= 0 else 1 - result
            size = min(abs(cp), CLAMP) // BIN * BIN + BIN // 2
            counts[held_out][size, {1.0: 0, 0.5: 1, 0.0: 2}[points]] += 1
    fitted, held_out = counts[False], counts[True]
    a, b = fit(fitted)
    print(f"positions: {sum(fitted.values())} fitted, {sum(held_out.values())} held out")
    print(f"A = {a:.3f}, B = {b:.6f}")
    print(f"log loss: {loss(fitted, a, b):.4f} fitted, {loss(held_out, a, b):.4f} held out")
    print("size   positions  win draw loss, per mille: counted | model (held out)")
    for low in range(0, 600, 50):
        inside = [(key, n) for key, n in held_out.items() if low <= key[0] < low + 50]
        total = sum(n for _, n in inside)
        if total == 0:
            continue
        counted = [sum(n for key, n in inside if key[1] == kind) * 1000 // total for kind in range(3)]
        model = [round(sum(n * chances(key[0], a, b)[kind] for key, n in inside) * 1000 / total) for kind in range(3)]
        print(f"{low:4}  {total:9}  {counted} | {model}")


if __name__ == "__main__":
    main()
