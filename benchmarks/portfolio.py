#!/usr/bin/env python3
"""Runs of the portfolio until each seeded bug is found, for fresh seeds.

    benchmarks/portfolio.py build/release/gainsay [--seeds 20] [--first 2001] [--runs-max 200000] [SYSTEM[:BUG]...]

Prints a table as Markdown: for each bug the median, the run by which all seeds but one in twenty had found it, and who
found it how often; then how long each seed took for all bugs together, with one worker. Exits with 1 if for fewer than
19 of 20 seeds all bugs were found within --within seconds. docs/strategies.md quotes budgets, and
systems/strategies.test.cpp demands them.
"""
import argparse
import collections
import json
import re
import subprocess
import sys
import tempfile


def bugs(tool):
    listed = json.loads(subprocess.run([tool, "list", "--json"], check=True, capture_output=True).stdout)
    for scenario in listed:
        for bug in scenario.get("bugs") or []:
            shows = re.search(r"shows with ((?:\w+=\S+(?: |$))+)", bug["description"])
            options = [bug["option"]] + (shows.group(1).split() if shows else [])
            yield scenario["name"], [option.rstrip(",;.") for option in options]


def first_bug(tool, scenario, options, seed, runs_max, out):
    command = [tool, "hunt", scenario, "--seed", str(seed), "--runs", str(runs_max), "--jobs", "1", "--json", "--quiet",
               "--out", out]
    for option in options:
        command += ["--option", option]
    said = subprocess.run(command, capture_output=True)
    if said.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)} ended with {said.returncode}: {said.stderr.decode()}")
    result = json.loads(said.stdout)
    if result["first_bug_run"] is None:
        return None, None, result["elapsed_s"]
    finder = [share["strategy"] for share in result["shares"] if share["buggy_runs"] > 0]
    return result["first_bug_run"] + 1, finder[0] if finder else "?", result["elapsed_s"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("which", nargs="*", metavar="SYSTEM[:BUG]")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--first", type=int, default=2001)
    parser.add_argument("--runs-max", type=int, default=200_000)
    parser.add_argument("--within", type=float, default=120, help="seconds for all bugs together")
    arguments = parser.parse_args()
    seeds = range(arguments.first, arguments.first + arguments.seeds)
    needed = -(-arguments.seeds * 19 // 20)
    count, taken, missed = 0, dict.fromkeys(seeds, 0.0), collections.Counter()
    print("| system | bug | found | median run | 95 % by run | s for each seed | found by |")
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as out:
        for scenario, options in bugs(arguments.tool):
            name = options[0].removeprefix("bug=")
            if arguments.which and scenario not in arguments.which and f"{scenario}:{name}" not in arguments.which:
                continue
            runs, finders, seconds = [], collections.Counter(), 0.0
            count += 1
            for seed in seeds:
                run, finder, elapsed = first_bug(arguments.tool, scenario, options, seed, arguments.runs_max, out)
                seconds += elapsed
                taken[seed] += elapsed
                if run is None:
                    missed[seed] += 1
                else:
                    runs.append(run)
                    finders[finder] += 1
            runs.sort()
            median = f"{runs[len(runs) // 2]:,}" if runs else "–"
            most = f"{runs[needed - 1]:,}" if len(runs) >= needed else "–"
            by = ", ".join(f"{finder} {count}" for finder, count in finders.most_common(3))
            print(f"| {' '.join([scenario] + options[1:])} | {name} | {len(runs)} of {arguments.seeds} | {median} "
                  f"| {most} | {seconds / arguments.seeds:.2f} | {by} |", flush=True)
    times = sorted(taken[seed] for seed in seeds if not missed[seed])
    in_time = sum(time <= arguments.within for time in times)
    print(f"\nAll {count} bugs: within {arguments.within:.0f} s for {in_time} of {arguments.seeds} seeds"
          + (f" (median {times[len(times) // 2]:.1f} s, longest {times[-1]:.1f} s)" if times else ""))
    for seed in sorted(missed):
        print(f"Seed {seed} missed {missed[seed]} within {arguments.runs_max:,} runs")
    return 0 if in_time >= needed else 1


sys.exit(main())
