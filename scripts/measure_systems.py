#!/usr/bin/env python3
"""Measures who finds the bugs of the bundled systems, and how fast, and writes it into their READMEs.

    scripts/measure_systems.py [--tool PATH] [SYSTEM...]       without arguments: all

The numbers are those of `gainsay zoo` (its table `main`, with its budgets), and besides the least `--depth` with which
`pctcp` finds the bug, which is not the depth of the bug: other schedules of that depth need not show it. They stand
between two marks, at the end of each README; everything outside them is written by hand.
"""

import argparse
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
STRATEGIES = ["random", "pct", "pctcp", "pos", "portfolio"]
DEPTHS = [1, 2, 3, 4]
BEGIN = "<!-- measured by scripts/measure_systems.py -->\n"
END = "<!-- end -->\n"


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1, 3):
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    return json.loads(done.stdout)


def share(value):
    if value == 0:
        return "0 %"
    percent = 100 * value
    return f"{percent:.0f} %" if percent >= 10 else f"{percent:.2g} %"


def cell(row):
    if row["found_by_seeds"] == 0 and row["buggy_runs"] == 0:
        return "–"
    if row["runs_to_first_bug"] is None:
        return f"{row['found_by_seeds']} of {row['seeds']} seeds"
    runs = f"{row['runs_to_first_bug']:,.0f}"
    if row["found_by_seeds"] < row["seeds"]:
        runs += f" ({row['found_by_seeds']} of {row['seeds']} seeds)"
    return f"{runs}; {share(row['buggy_share'])}"


def budget_of(table, system):
    """How hunts of the system are bounded, as arguments of `gainsay hunt`."""
    budget = dict(table["budget"])
    for subject in table["subjects"]:
        if subject["scenario"] == system and "bug" not in subject:
            budget.update(subject.get("budget", {}))
    arguments = ["--runs", str(budget["runs"]), "--steps", str(budget["steps"])]
    if "fair_after" in budget:
        arguments += ["--fair-after", str(budget["fair_after"])]
    return arguments


def least_depth(tool, table, row):
    command = [tool, "hunt", row["system"], "--strategy", "pctcp", "--json", "--quiet", "--out", "build/measured",
               "--option", f"bug={row['bug']}", *budget_of(table, row["system"])]
    for name, value in row["options"].items():
        command += ["--option", f"{name}={value}"]
    for depth in DEPTHS:
        for seed in ("1", "2", "3"):
            if run([*command, "--depth", str(depth), "--seed", seed])["buggy_runs"] > 0:
                return str(depth)
    return "–"


def measure(tool, table, system):
    cells = {}  # by bug and strategy
    first = {}  # a row of each bug
    clean = 0
    for strategy in STRATEGIES:
        result = run([tool, "zoo", "--system", system, "--strategy", strategy, "--json", "--quiet"])
        for row in result["rows"]:
            if row["bug"] is None:
                if row["buggy_runs"]:
                    sys.exit(f"{system}: the fixed version is flagged under {strategy}: that is a defect")
                clean += row["runs"]
                continue
            first.setdefault(row["bug"], row)
            cells[row["bug"], strategy] = cell(row)
    header = ["bug", "`pctcp` from", *(f"`{strategy}`" for strategy in STRATEGIES)]
    lines = ["| " + " | ".join(header) + " |", "|---" * len(header) + "|"]
    for bug, row in first.items():
        options = "".join(f" `{name}={value}`" for name, value in row["options"].items())
        found = [cells[bug, strategy] for strategy in STRATEGIES]
        lines.append("| " + " | ".join([f"`{bug}`{options}", least_depth(tool, table, row), *found]) + " |")
    return (f"Runs to the first bug (the median over nine seeds) and the share of buggy runs, by strategy, within the "
            f"budget of `gainsay zoo`\n(table `main`, where `pctcp` and `pct` have `--depth 3`); the least `--depth` "
            f"from which `pctcp` found it at all.\nMeasured on {result['date']}.\n\n" + "\n".join(lines) +
            f"\n\nThe fixed version: nothing in {clean:,} runs of these strategies.\n")


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--tool", default=str(ROOT / "build/release/gainsay"))
    arguments.add_argument("systems", nargs="*")
    options = arguments.parse_args()
    table = json.loads((ROOT / "papers/zoo/tables/main.json").read_text(encoding="utf-8"))
    names = [each["name"] for each in run([options.tool, "list", "--json"])]
    for system in options.systems or names:
        if system not in names:
            sys.exit(f"there is no system {system}; expected one of {', '.join(names)}")
        readme = ROOT / "systems" / system / "README.md"
        text = readme.read_text(encoding="utf-8")
        before, mark, rest = text.partition(BEGIN)
        if not mark or END not in rest:
            sys.exit(f"{readme}: expected the marks {BEGIN.strip()} and {END.strip()}")
        after = rest.partition(END)[2]
        readme.write_text(before + BEGIN + "\n" + measure(options.tool, table, system) + "\n" + END + after,
                          encoding="utf-8")
        print(system, flush=True)


if __name__ == "__main__":
    main()
