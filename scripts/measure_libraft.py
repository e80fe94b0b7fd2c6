#!/usr/bin/env python3
"""Hunts Debian's libraft and writes what was found, and what the repairs change, into docs/libraft.md.

    scripts/measure_libraft.py [--tool PATH] [--clean-runs N]

The page has places between marks: the findings of the default campaign, the four described defects, a diagram of the
shrunk trace of each finding, and the control: the same hunts with and without repairs. Times are CPU seconds of one
core, with everything that a hunt does.
A finding that no row of FINDINGS knows is written as "not explained", and is a reason to read its trace.
"""

import argparse
import json
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

from libraft_diagram import diagram

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/libraft.md"

# Which finding it is: a pattern of "property: message", the number of the section on the page, a name.
FINDINGS = [
    (r"^old terms are not", 1, "entries of old terms are committed by counting"),
    (r"^memory error: .*request of a send", 2, "the request of a send is freed"),
    (r"^log matching", 3, "two entries with the same index and term"),
    (r"^election safety", 4, "two leaders in one term"),
    (r"^fatal error: .*completion of an append", 5, "SIGSEGV after two appends fail"),
    (r"^fatal error: .*raft_close", 5, "SIGSEGV when two appends are cancelled"),
    (r"^I/O contract: .*message to server 0", 6, "a message to server 0"),
    (r"^committed entries are on", 7, "a committed entry is on one disk of three"),
    (r"^I/O contract: .*second vote", 8, "a second vote in one term"),
    (r"^self-shutdown: .*No log entries|^fatal error: .*AppendEntries", 9,
     "entries that a snapshot replaced come again"),
]
DESCRIBED = [("a follower acknowledges entries that it was not sent", 7), ("figure 8", 1),
             ("two pending appends fail", 5), ("TimeoutNow uses the request of the transfer", 2)]

QUIET = {"voters": "3", "snapshots": "0", "transfers": "no", "changes": "no", "closes": "no", "disk_fails": "no",
         "snapshot_fails": "no", "send_fails": "no", "crashes": "0", "drops": "0", "partitions": "0",
         "majority": "no", "old_terms": "no"}
NETWORK = QUIET | {"crashes": "6", "drops": "60", "partitions": "6", "send_fails": "some", "majority": "yes",
                   "old_terms": "yes"}
MIX = ["commits", "answers", "late_answers"]
SNAPSHOTS = QUIET | {"one_leader": "true", "snapshots": "2", "trailing": "1", "send_fails": "yes", "drops": "60",
                     "partitions": "6"}
# Of the command in section 9.
COMPACTED = {"one_leader": "true", "voters": "3", "crashes": "0", "send_fails": "yes", "transfers": "no",
             "changes": "no", "closes": "no", "disk_fails": "no", "snapshot_fails": "no"}
# The finding, where it is looked for, which repairs are there without and with, and how many runs without.
CONTROLS = [
    (1, NETWORK, ["answers", "late_answers"], ["commits"], 1000),
    (7, NETWORK, ["commits", "late_answers"], ["answers"], 1000),
    (6, NETWORK, ["commits", "answers"], ["late_answers"], 1000),
    (2, QUIET | {"transfers": "yes"}, MIX, ["transfers"], 200),
    (9, SNAPSHOTS, [], ["compacted"], 1000),
]


def shrunk(tool, violation):
    """The trace that was shrunk, drawn; it must replay in a process of its own."""
    trace = pathlib.Path(violation["trace_file"])
    small = trace.with_suffix(".small.trace")
    subprocess.run([tool, "shrink", trace, "--out", small, "--quiet", "--time", "2m"], capture_output=True, check=False)
    again = subprocess.run([tool, "replay", small, "--quiet"], capture_output=True, text=True, check=False)
    if again.returncode != 1:
        sys.exit(f"{small} does not show the violation again:\n{again.stdout}{again.stderr}")
    steps = sum(line.startswith('{"step"') for line in small.read_text(encoding="utf-8").splitlines())
    if steps > 60:
        sys.exit(f"{trace.name} could be shrunk to {steps} steps only")
    return diagram(small)


def hunt(tool, options, repairs, runs, steps, *more, draw=False):
    with tempfile.TemporaryDirectory() as folder:
        words = [tool, "hunt", "libraft", "--swarm", "--strategy", "random", "--steps", str(steps), "--runs", str(runs),
                 "--keep-going", "--quiet", "--json", "--out", folder, *more]
        for name, value in (options | {f"repair_{each}": "true" for each in repairs}).items():
            words += ["--option", f"{name}={value}"]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode not in (0, 1, 3):
            sys.exit(f"{' '.join(words)}: exit code {done.returncode}\n{done.stderr}")
        result = json.loads(done.stdout)
        for violation in result["violations"] if draw else []:
            violation["diagram"] = shrunk(tool, violation)
    if result["unjudged_runs"] > 0:
        sys.exit(f"{' '.join(words)}: the history of {result['unjudged_runs']} runs could not be judged")
    result["cpu_s"] = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return result


def finding_of(violation):
    text = f"{violation['property']}: {violation['message']}"
    return next(((number, name) for pattern, number, name in FINDINGS if re.search(pattern, text)),
                (0, f"not explained: {text}"))


def campaign(tool):
    result = hunt(tool, {}, [], 3000, 1000, "--by-cause", draw=True)
    found = [(finding_of(v), v) for v in result["violations"]]
    compacted = hunt(tool, COMPACTED, [], 10000, 1000, "--by-cause", draw=True)
    drawn = {}
    for (number, _), violation in found + [(finding_of(v), v) for v in compacted["violations"]]:
        drawn.setdefault(number, violation["diagram"])
    rows = [f"{result['runs']:,} runs, {result['steps'] / 1e6:.1f} M steps, {result['cpu_s']:.0f} s of one core with "
            f"all shrinking; {result['buggy_runs']} runs violated.", "",
            "| section | what was seen | first run | runs | steps, shrunk |", "|---|---|---|---|---|"]
    rows += [f"| {number or '–'} | {name} | {v['first_run']:,} | {v['runs']} | {v['steps']} |"
             for (number, name), v in found]
    described = ["| described defect | section | first run | steps, shrunk |", "|---|---|---|---|"]
    for name, section in DESCRIBED:
        best = min((v for (number, _), v in found if number == section), key=lambda v: v["first_run"], default=None)
        described.append(f"| {name} | {section} | " + ("not found | – |" if best is None else
                         f"{best['first_run']:,} | {best['steps']} |"))
    return "\n".join(rows), "\n".join(described), drawn


def controls(tool, clean_runs):
    rows = ["| section | repair | without: runs | violated by it | with: runs | violated by it | by others |",
            "|---|---|---|---|---|---|---|"]

    def counts(result, section):
        own = sum(v["runs"] for v in result["violations"] if finding_of(v)[0] == section)
        return own, sum(v["runs"] for v in result["violations"]) - own

    for section, options, others, repair, runs in CONTROLS:
        without = hunt(tool, options, others, runs, 1000)
        repaired = hunt(tool, options, others + repair, 10 * runs, 1000)
        own, rest = counts(repaired, section)
        rows.append(f"| {section} | `repair_{repair[0]}` | {runs:,} | {counts(without, section)[0]} | {10 * runs:,} | "
                    f"{own} | {rest} |")
    if clean_runs > 0:
        clean = hunt(tool, NETWORK, MIX, clean_runs, 3000)
        rows += ["", f"Crashes, lost messages, partitions and failing sends with the three repairs of sections 1, 6 "
                 f"and 7: {clean['runs']:,} runs of at most 3,000 steps, {clean['steps'] / 1e6:.1f} M steps, "
                 f"{clean['cpu_s']:.0f} s of one core, {clean['buggy_runs']} violated."]
    return "\n".join(rows)


def put(text, name, content):
    pattern = re.compile(rf"(<!-- {name}: measured by scripts/measure_libraft.py -->\n).*?(<!-- end -->)", re.DOTALL)
    if not pattern.search(text):
        sys.exit(f"{PAGE}: there are no marks for '{name}'")
    return pattern.sub(lambda m: f"{m[1]}{content}\n{m[2]}", text)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", default=str(ROOT / "build/release/gainsay"))
    parser.add_argument("--clean-runs", type=int, default=12000, help="0: leave the long clean run out")
    arguments = parser.parse_args()
    found, described, drawn = campaign(arguments.tool)
    control = controls(arguments.tool, arguments.clean_runs)
    text = PAGE.read_text(encoding="utf-8")
    text = put(put(text, "findings", found), "described", described)
    text = put(text, "control", control)
    for number, rows in drawn.items():
        if number > 0:
            text = put(text, f"diagram {number}", rows)
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
