#!/usr/bin/env python3
"""Measures the table "Compared with other tools" of docs/model_based_testing.md: published figures, ours beside them.

    scripts/measure_models.py [--tool PATH] [--sizes seed_a,seed_b,seed_c] [--folder DIR] [--no-walk] [--write PAGE]

For each preset of viewstamped_replication: the graph, the suite with fewest steps, the suite executed test by test by
the wrapped object, and every local step executed once. Times are CPU seconds, user and system, of the whole command.
--no-walk leaves out the execution test by test, which takes most of an hour for seed_b. A size that is left out keeps
its row. Theirs are the figures of the talk; nothing else is typed.
"""

import argparse
import json
import pathlib
import re
import resource
import subprocess
import sys

BEGIN, END = "<!-- measured by scripts/measure_models.py -->", "<!-- end -->"
SCENARIO = "viewstamped_replication"

# By preset: states, edges, tests, time of the graph, of the suite, of executing it on one core.
THEIRS = {
    "seed_a": ("2,476,101", "23,404,512", "10,298,526", "14 min", "11 min", "3 min 46 s"),
    "seed_b": ("14,394,163", "129,133,639", "64,025,854", "93 min", "69 min", "23 min 39 s"),
    "seed_c": ("2,207,933", "16,340,753", "9,847,523", "7 min", "195 s", "3 min 15 s"),
}


def run(command, accepted=(0,)):
    """What it printed as JSON, and its CPU seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in accepted:
        sys.exit(f"{' '.join(map(str, command))}: exit code {done.returncode}\n{done.stderr}")
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return json.loads(done.stdout), seconds


def shown(seconds):
    return f"{seconds:.1f} s" if seconds < 10 else f"{seconds:.0f} s"


def measure(tool, size, folder, walk):
    graph, suite = folder / f"{size}.graph", folder / f"{size}.suite"
    facts, graph_s = run([tool, "graph", SCENARIO, "--option", f"size={size}", "--jobs", "2", "--out", graph, "--json",
                          "--quiet"])
    cover, suite_s = run([tool, "cover", graph, "--minimize", "steps", "--out", suite, "--json", "--quiet"])
    against = ["--against", f"{SCENARIO}_code", "--out", folder / "traces", "--json", "--quiet"]
    walked = "not measured"
    if walk:
        _, walk_s = run([tool, "conform", suite, *against, "--option", "wrapped=opaque", "--way", "walk"])
        walked = shown(walk_s)
    _, local_s = run([tool, "conform", graph, *against, "--way", "local"])
    row = (f"| `size={size}` | {facts['states']:,} | {facts['edges']:,} | {cover['tests']:,} | {shown(graph_s)} "
           f"| {shown(suite_s)} | {walked} | {shown(local_s)} |")
    print(row, flush=True)
    return row


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--tool", default="build/release/gainsay")
    arguments.add_argument("--sizes", default=",".join(THEIRS))
    arguments.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("build/models"))
    arguments.add_argument("--no-walk", action="store_true")
    arguments.add_argument("--write", type=pathlib.Path)
    given = arguments.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    page = given.write.read_text() if given.write else ""
    rows = {re.search(r"size=(\w+)", line).group(1): line for line in page.splitlines() if line.startswith("| `size=")}
    for size in given.sizes.split(","):
        if size not in THEIRS:
            sys.exit(f"--sizes '{size}': expected one of {', '.join(THEIRS)}")
        rows[size] = measure(given.tool, size, given.folder, not given.no_walk)
    lines = ["| | states | edges | tests | graph | suite | execution: each test | execution: each local step |",
             "|---|---|---|---|---|---|---|---|"]
    for size, theirs in THEIRS.items():
        lines.append(f"| theirs, beside `{size}` | " + " | ".join(theirs) + " | – |")
        lines.append(rows.get(size, f"| `size={size}` | " + " | ".join(["not measured"] * 7) + " |"))
    text = "\n".join(lines)
    if not given.write:
        print(text)
        return
    before, rest = page.split(BEGIN)
    given.write.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{rest.split(END, 1)[1]}")


if __name__ == "__main__":
    main()
