#!/usr/bin/env python3
"""Fits the win model in src/engine/eval/win.rs on games of the engine against itself, and says how well it predicts others.

    cargo run --profile tune --bin datagen -- games.txt --games 5000 --nodes 3000 --openings book.epd --random 1
    benches/fit_wdl.py games.txt [MORE ...] [--static] [--binary FILE]

The data are lines `FEN | cp | result | game`: the search's score and the points, both White's, and the game's key. Left
out are positions of four men and less, which a table decides, and those 60 plies and more after the last capture or
pawn move, which only wait for the draw. All is counted from the view of the side that is ahead.

The model: with x the lead in centipawns, phase from 0 (pawns and kings) to 1 (all pieces), HALF and SPREAD linear in the
phase, and rise(y) = 1 / (1 + exp(-y)),
    win(x) = (1 - SHARE) * rise((x - HALF) / SPREAD) + SHARE * rise((x - HARD_HALF) / HARD_SPREAD),
    loss(x) = win(-x),  draw = 1 - win - loss:
a share of the positions, such as fortresses, is harder to win than its score says.
The seven constants maximise the likelihood of the results of the games with an odd key; the others are held out, and for
each tenth of their positions, by expected score, the expected and the counted score are shown. `the lead that wins half`
is counted over all positions: where it is not 100, the weights should be so much larger or smaller (`tune --scale`).
--static takes what the evaluator `full` says instead of the search (needs the example static_evaluation). Needs nothing
but Python.
"""

import argparse
import math
import subprocess
from collections import Counter

MOST = 3000  # centipawns; more is counted as this
BIN = 8  # centipawns
PIECES = {"n": 1, "b": 1, "r": 2, "q": 4}
FULL_PHASE = 24
START = (120, 40, 30, 110, 0.16, 330, 230)  # HALF and SPREAD, each in endgame and middlegame; SHARE, HARD_HALF, HARD_SPREAD


def read(paths):
    """The positions: FEN, the search's score, White's points, the phase, the game."""
    for path in paths:
        with open(path) as lines:
            for line in lines:
                fen, cp, result, game = (field.strip() for field in line.split("|"))
                board, _, _, _, halfmoves, _ = fen.split()
                men = [letter.lower() for letter in board if letter.isalpha()]
                phase = min(sum(PIECES.get(man, 0) for man in men), FULL_PHASE)
                if len(men) > 4 and int(halfmoves) < 60:
                    yield fen, int(cp), float(result), phase, int(game, 16)


def static_scores(binary, fens):
    run = subprocess.run([binary, "full"], input="\n".join(fens), capture_output=True, text=True, check=True)
    return [int(cp) for cp in run.stdout.split()]


def rise(y):
    return 1 / (1 + math.exp(max(-50, min(50, -y))))


def win(x, phase, constants):
    half_eg, half_mg, spread_eg, spread_mg, share, hard_half, hard_spread = constants
    opening = phase / FULL_PHASE
    half = half_eg + (half_mg - half_eg) * opening
    spread = spread_eg + (spread_mg - spread_eg) * opening
    return (1 - share) * rise((x - half) / spread) + share * rise((x - hard_half) / hard_spread)


def chances(x, phase, constants):
    won, lost = win(x, phase, constants), win(-x, phase, constants)
    return won, 1 - won - lost, lost


def loss(counts, constants):
    """Mean negative log likelihood."""
    total = 0
    for (x, phase), results in counts.items():
        for count, chance in zip(results, chances(x, phase, constants)):
            total -= count * math.log(max(chance, 1e-9))
    return total / sum(map(sum, counts.values()))


def fit(counts, constants=START):
    """Pattern search with shrinking steps: the surface is smooth and has one minimum."""
    constants, step = list(constants), 0.3
    best = loss(counts, constants)
    while step > 0.005:
        improved = False
        for index in range(len(constants)):
            for factor in (1 + step, 1 / (1 + step)):
                tried = constants[:index] + [constants[index] * factor] + constants[index + 1 :]
                if (value := loss(counts, tried)) < best:
                    constants, best, improved = tried, value, True
        step = step if improved else step / 2
    return constants


def half_won(rows):
    """The lead at which half of the games are won: where a line through the share of wins by lead crosses one half."""
    won, seen = Counter(), Counter()
    for x, points, _, _ in rows:
        if 40 <= x < 200:
            seen[x // 10] += 1
            won[x // 10] += points == 1
    xs = [10 * decade + 5 for decade in seen]
    shares = [won[decade] / seen[decade] for decade in seen]
    mean_x, mean_share = sum(xs) / len(xs), sum(shares) / len(shares)
    slope = sum((x - mean_x) * (s - mean_share) for x, s in zip(xs, shares)) / sum((x - mean_x) ** 2 for x in xs)
    return mean_x + (0.5 - mean_share) / slope


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="+")
    parser.add_argument("--static", action="store_true")
    parser.add_argument("--binary", default="target/release/examples/static_evaluation")
    arguments = parser.parse_args()

    lines = list(read(arguments.data))
    scores = [cp for _, cp, _, _, _ in lines]
    if arguments.static:
        scores = static_scores(arguments.binary, [fen for fen, *_ in lines])
    rows = [
        (cp, points, phase, game) if cp >= 0 else (-cp, 1 - points, phase, game)
        for (_, _, points, phase, game), cp in zip(lines, scores, strict=True)
    ]
    fitted, held_out = ([row for row in rows if row[3] % 2 == odd] for odd in (1, 0))
    for name, part in (("fitted", fitted), ("held out", held_out)):
        print(f"{name}: {len(part)} positions of {len({game for *_, game in part})} games")
    print(f"the lead that wins half: {half_won(rows):.1f} centipawns")

    counts = {}
    for x, points, phase, _ in fitted:
        results = counts.setdefault((min(x, MOST) // BIN * BIN + BIN / 2, phase), [0, 0, 0])
        results[int(2 - 2 * points)] += 1
    constants = fit(counts)
    half_eg, half_mg, spread_eg, spread_mg, share, hard_half, hard_spread = constants
    print(f"ENDGAME half {half_eg:.1f} spread {spread_eg:.1f}, MIDDLEGAME half {half_mg:.1f} spread {spread_mg:.1f}")
    print(f"HARD half {hard_half:.1f} spread {hard_spread:.1f}, HARD_SHARE {share:.3f}; log loss {loss(counts, constants):.4f}")

    expected = sorted((chances(x, phase, constants), points) for x, points, phase, _ in held_out)
    expected.sort(key=lambda row: row[0][0] + row[0][1] / 2)
    print("held out, in tenths   win draw loss, per mille: counted | expected     score: counted expected difference")
    for tenth in range(10):
        part = expected[len(expected) * tenth // 10 : len(expected) * (tenth + 1) // 10]
        counted = [sum(points == kind for _, points in part) / len(part) for kind in (1.0, 0.5, 0.0)]
        model = [sum(shares[kind] for shares, _ in part) / len(part) for kind in range(3)]
        shown = " | ".join(" ".join(f"{1000 * share:4.0f}" for share in shares) for shares in (counted, model))
        score, of_model = (shares[0] + shares[1] / 2 for shares in (counted, model))
        print(f"{tenth + 1:2}      {shown}      {score:.3f} {of_model:.3f} {100 * (of_model - score):+5.1f}")


if __name__ == "__main__":
    main()
