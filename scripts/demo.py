#!/usr/bin/env python3
"""Hunts every seeded bug of every bundled system, then every fixed form.

A seeded bug must be found and a fixed form must come out clean; anything else makes this script fail. The first
counterexample is shown in full, the others in one line each. Used by ./run; takes the path of the tool.
"""

import json
import os
import subprocess
import sys
import time

TRACES = "gainsay-traces"
CLEAN, VIOLATED = 0, 1


def call(tool, *arguments, capture=True):
    """Runs the tool; its progress stays on stderr."""
    return subprocess.run([tool, *arguments], stdout=subprocess.PIPE if capture else None, text=True)


def as_options(bug):
    """`bug=lowest proposers=3` -> --option bug=lowest --option proposers=3."""
    return [word for option in bug.replace(",", " ").split() for word in ("--option", option)]


def hunt(tool, scenario, bug):
    """Returns (exit code, the summary as a dictionary, seconds)."""
    start = time.monotonic()
    arguments = ["hunt", scenario, *as_options(bug), "--json"]
    if bug:
        arguments += ["--out", os.path.join(TRACES, scenario, bug.split()[0].replace("=", "-"))]
    done = call(tool, *arguments)
    try:
        summary = json.loads(done.stdout)
    except json.JSONDecodeError:
        summary = {}
    return done.returncode, summary, time.monotonic() - start


def line(mark, scenario, bug, text):
    print(f"  {mark} {scenario:<18} {bug or 'fixed form':<26} {text}", flush=True)


def describe_found(summary):
    violation = (summary.get("violations") or [{}])[0]
    run = summary.get("first_bug_run")
    where = f"run {run}" if run is not None else "found"
    return f"{where}: {violation.get('message', 'violation')}", violation.get("trace_file")


def main():
    tool = sys.argv[1]
    listing = call(tool, "list", "--json")
    if listing.returncode != 0:
        sys.exit(f"demo: {tool} list failed with exit code {listing.returncode}")
    systems = json.loads(listing.stdout)
    wrong = []
    first_trace = None

    print("Seeded bugs: each must be found.")
    for system in systems:
        for bug in system["bugs"]:
            code, summary, seconds = hunt(tool, system["name"], bug["option"])
            if code == VIOLATED:
                text, trace = describe_found(summary)
                first_trace = first_trace or trace
                line("+", system["name"], bug["option"], f"{text} ({seconds:.1f} s)")
            else:
                wrong.append(f"{system['name']} {bug['option']}: not found, exit code {code}")
                line("!", system["name"], bug["option"], f"NOT FOUND, exit code {code}")

    print("\nFixed forms: each must come out clean.")
    for system in systems:
        code, summary, seconds = hunt(tool, system["name"], "")
        if code == CLEAN:
            line("+", system["name"], "", f"{summary.get('runs', '?')} runs, clean ({seconds:.1f} s)")
        else:
            wrong.append(f"{system['name']}: the fixed form ends with exit code {code}")
            line("!", system["name"], "", f"NOT CLEAN, exit code {code}")

    if first_trace:
        print(f"\nThe first counterexample (gainsay show {first_trace}):\n", flush=True)
        call(tool, "show", first_trace, capture=False)
        print(f"\nReplay it with: {tool} replay {first_trace}")

    if wrong:
        sys.exit("\n".join(["", *(f"demo: {what}" for what in wrong)]))


if __name__ == "__main__":
    main()
