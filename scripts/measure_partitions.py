#!/usr/bin/env python3
"""Measures what docs/partitions.md says: how many rounds of random partitions the four systems need.

    scripts/measure_partitions.py [--tool PATH] [--campaigns N] [--write docs/partitions.md]

A campaign is a hunt by `nemesis` that ends at the first violation; its seed is its number. The measured figure is how
many runs 80 % of the campaigns needed at most, with the interval that holds the true one with 95 % confidence (by the
ranks of the binomial distribution). Beside it the same from the chance of one round, p: the least N with
1 - (1-p)^N >= 0.8.

What it takes to meet all goals is simulated here as well, with partitions that are drawn by this script and not by
the library, and compared with what `gainsay partitions` says.
"""

import argparse
import itertools
import json
import math
import pathlib
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

BEGIN, END = "<!-- measured by scripts/measure_partitions.py -->", "<!-- end -->"
SHARE = 0.8

UNSETTLED = {"settle": 0, "wait": 0}

# system, options, options of nemesis, what is drawn, whether re-election is over, chance of one round
CELLS = [
    ("etcd_reads", {"bug": "local_reads"}, {}, "balanced", "settled", Fraction(2, 75)),
    ("etcd_reads", {"bug": "local_reads"}, UNSETTLED, "balanced", "unsettled", Fraction(2, 125)),
    ("etcd_reads", {"bug": "local_reads", "family": "uniform"}, {}, "uniform", "settled", Fraction(80, 3375)),
    ("etcd_reads", {"bug": "local_reads", "family": "semibalanced", "nodes": 6}, {}, "semibalanced, 6 nodes", "settled",
     Fraction(8, 324)),
    ("etcd_reads", {"bug": "local_reads", "family": "covering"}, {"draw": "turn"}, "deterministic", "settled",
     Fraction(2, 75)),
    ("etcd_reads", {"bug": "consistent_reads"}, {}, "balanced", "settled", Fraction(4, 375)),
    ("etcd_reads", {"bug": "consistent_reads"}, UNSETTLED, "balanced", "unsettled", Fraction(0)),
    ("kafka_isr", {"bug": "unclean_election"}, {"operations": 1, "settle": 0}, "2+2, then 1+3", "unsettled",
     Fraction(1, 12)),
    ("kafka_isr", {"bug": "unclean_election"}, {}, "2+2, then 1+3", "settled",
     Fraction(1, 4)),
    ("chronos", {"bug": "new_framework"}, {}, "uniform", "settled", Fraction(8, 15)),
    ("chronos", {"bug": "new_framework", "family": "balanced"}, {}, "balanced", "settled", Fraction(3, 5)),
    ("chronos", {"bug": "new_framework", "family": "covering"}, {"draw": "turn"}, "deterministic", "settled", None),
    ("chronos", {"bug": "new_framework"}, UNSETTLED, "uniform", "unsettled", Fraction(0)),
    ("elasticsearch_intersecting", {"bug": "answers_both"}, {}, "balanced, a bridge", "settled", Fraction(336, 1125)),
    ("elasticsearch_intersecting", {"bug": "answers_both", "family": "uniform"}, {}, "uniform, a bridge", "settled",
     Fraction(368, 1875)),
    ("elasticsearch_intersecting", {"bug": "answers_both"}, UNSETTLED, "balanced, a bridge", "unsettled",
     Fraction(0)),
]


def needed(p):
    """The least number of rounds that show it with probability 0.8."""
    if not p:
        return None
    return math.ceil(math.log(1 - SHARE) / math.log(1 - float(p)) - 1e-12)


def quantile(values):
    """The 80 % quantile and the ranks around it that hold the true one with 95 % confidence."""
    ordered = sorted(values)
    n = len(ordered)
    wide = 1.96 * math.sqrt(n * SHARE * (1 - SHARE))
    at = lambda rank: ordered[min(n - 1, max(0, rank))]
    return at(math.ceil(n * SHARE) - 1), at(math.floor(n * SHARE - wide) - 1), at(math.ceil(n * SHARE + wide) - 1)


def first_bug(tool, system, options, nemesis, seed, runs):
    command = [tool, "hunt", system, "--strategy", "nemesis", "--seed", str(seed), "--runs", str(runs), "--quiet",
               "--json", "--out", "build/partitions"]
    for name, value in itertools.chain(options.items(), nemesis.items()):
        command += ["--option", f"{name}={value}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    first = json.loads(done.stdout)["first_bug_run"]
    return None if first is None else first + 1


def measure(tool, cell, campaigns, jobs):
    system, options, nemesis, drawn, settled, p = cell
    never = p == 0
    runs = 50 if never else 30 * (needed(p) or 3)
    count = min(campaigns, 20) if never else campaigns
    with ThreadPoolExecutor(jobs) as pool:
        found = list(pool.map(lambda seed: first_bug(tool, system, options, nemesis, seed, runs), range(1, count + 1)))
    if never:
        measured = f"never in {count * runs:,} rounds" if not any(found) else "FOUND"
    else:
        value, low, high = quantile([runs + 1 if each is None else each for each in found])
        measured = f"{value} ({low} to {high})"
    exact = "3 at most" if p is None else needed(p) or "–"
    chance = "1 of 3 runs" if p is None else f"{p} = {float(p):.4f}" if p else "0"
    print(system, options["bug"], drawn, settled, chance, exact, measured, flush=True)
    return f"| `{system}` | `{options['bug']}` | {drawn} | {settled} | {chance} | {exact} | {measured} |"


# --- all goals ---

def two_blocks(nodes, sizes=None):
    """All 2-partitions, as the set of the block without node 0."""
    others = range(1, nodes)
    return [frozenset(block) for k in range(1, nodes) for block in itertools.combinations(others, k)
            if sizes is None or k in (sizes, nodes - sizes)]


def splits(nodes, block):
    return {(a, b) for a in range(nodes) for b in range(a) if (a in block) != (b in block)}


def minority(nodes, block):
    other = set(range(nodes)) - block
    return {(x,) for x in (block if 2 * len(block) < nodes else other if 2 * len(other) < nodes else ())}


def kafka(pair):
    first, second = pair
    alone = second if len(second) == 1 else frozenset(range(4)) - second
    (leader,) = alone
    side = first if leader in first else frozenset(range(4)) - first
    return {(zk, leader) for zk in side if zk != leader}


def rounds_to_meet_all(tests, goals, also, rng):
    """How many random rounds until all goals are met; each does what it should with probability `also` besides."""
    left, rounds = set(goals), 0
    while left:
        rounds += 1
        if also == 1 or rng.random() < also:
            left -= tests[rng.randrange(len(tests))]
    return rounds


STORIES = [(f, s) for f in two_blocks(4, 2) for s in two_blocks(4, 1)]
GOALS = [
    ("example 4.1, 2-splitting of 5 nodes", "uniform", "6", [splits(5, b) for b in two_blocks(5)], 1,
     ["--nodes", "5", "--split", "2"]),
    ("", "balanced", "6", [splits(5, b) for b in two_blocks(5, 2)], 1,
     ["--nodes", "5", "--split", "2", "--drawn", "balanced"]),
    ("example 4.2, the two phases of 4 nodes", "2+2, then 1+3", "50", [kafka(s) for s in STORIES], 1,
     ["--nodes", "4", "--sequence", "zk a | * ; a | *"]),
    ("example 4.3, minorities of 5 nodes", "balanced", "9 for 86 %", [minority(5, b) for b in two_blocks(5, 2)], 1,
     ["--nodes", "5", "--isolate-minority", "--drawn", "balanced"]),
    ("", "uniform", "–", [minority(5, b) for b in two_blocks(5)], 1, ["--nodes", "5", "--isolate-minority"]),
    ("the same of 6 nodes", "semibalanced", "–", [minority(6, b) for b in two_blocks(6, 2)], 1,
     ["--nodes", "6", "--isolate-minority", "--drawn", "semibalanced"]),
    ("example 4.3 with two operations", "balanced", "302", [minority(5, b) for b in two_blocks(5, 2)], 2 / 75,
     ["--nodes", "5", "--isolate-minority", "--drawn", "balanced", "--operations", "15:2", "--targets", "6"]),
    ("example 3.1, any partition and two operations", "balanced", "61", [{(0,)}], 2 / 75,
     ["--nodes", "5", "--drawn", "balanced", "--operations", "15:2", "--targets", "6"]),
]


def all_goals(tool, row, campaigns):
    title, drawn, thesis, tests, also, words = row
    command = [tool, "partitions", *words, "--epsilon", "0.2", "--json"]
    if "--operations" not in words:
        command.append("--deterministic")
    said = subprocess.run(command, capture_output=True, text=True, check=True)
    answer = json.loads(said.stdout)
    rng = random.Random(1)
    goals = set().union(*tests)
    value, low, high = quantile([rounds_to_meet_all(tests, goals, also, rng) for _ in range(campaigns)])
    union = answer["union_bound"]
    chosen = answer.get("deterministic", {}).get("size", "–")
    print(title, drawn, thesis, union, answer["exact"], value, low, high, chosen, flush=True)
    return f"| {title} | {drawn} | {thesis} | {union} | {answer['exact']} | {value} ({low} to {high}) | {chosen} |"


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--tool", default="build/release/gainsay")
    arguments.add_argument("--campaigns", type=int, default=1000)
    arguments.add_argument("--jobs", type=int, default=2)
    arguments.add_argument("--write")
    given = arguments.parse_args()
    lines = ["### All goals\n",
             "Rounds until every goal is met with probability 80 %; "
             f"{given.campaigns:,} simulated campaigns, with the 95 % interval.\n",
             "| goals | drawn | thesis | union bound | exact | measured | chosen, not drawn |",
             "|---|---|---|---|---|---|---|"]
    lines += [all_goals(given.tool, row, given.campaigns) for row in GOALS]
    lines += ["\n### The seeded bugs\n",
              "Rounds until the bug has shown with probability 80 %; "
              f"{given.campaigns:,} campaigns of each row, with the 95 % interval.\n",
              "| system | bug | drawn | re-election | chance of a round | exact | measured |",
              "|---|---|---|---|---|---|---|"]
    lines += [measure(given.tool, cell, given.campaigns, given.jobs) for cell in CELLS]
    text = "\n".join(lines)
    if not given.write:
        print(text)
        return
    page = pathlib.Path(given.write)
    before, rest = page.read_text().split(BEGIN)
    page.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{rest.split(END, 1)[1]}")


if __name__ == "__main__":
    main()
