#!/usr/bin/env python3
"""Hunts every seeded bug of every bundled system, then every fixed version.

A seeded bug must be found and a fixed version must come out clean; anything else makes this script fail. Every bug gets
one line, and the shortest counterexample is shown in full. Used by ./run; takes the path of the tool.
"""

import json
import re
import subprocess
import sys
import time

TRACES = "gainsay-traces"
CLEAN, VIOLATED = 0, 1


class Hunt:
    """One call of `gainsay hunt`: its exit code, its summary as a dictionary, what it said besides."""

    def __init__(self, tool, scenario, options):
        command = [tool, "hunt", scenario, "--json", "--out", TRACES]
        for option in options:
            command += ["--option", option]
        start = time.monotonic()
        # On a terminal progress is a line that removes itself; elsewhere it would only clutter.
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True,
                              stderr=None if sys.stderr.isatty() else subprocess.PIPE)
        self.code = done.returncode
        self.said = done.stderr or ""
        self.summary = json.loads(done.stdout) if self.code in (CLEAN, VIOLATED) else {}
        self.seconds = time.monotonic() - start


def options_of(bug):
    """The bug's option, and those that its description says it shows with: `shows with proposers=3`."""
    needed = re.search(r"shows with (\w+=[\w+]+(?: \w+=[\w+]+)*)", bug["description"])
    return [bug["option"], *(needed.group(1).split() if needed else [])]


def line(mark, scenario, form, text):
    print(f"  {mark} {scenario:<17} {form:<24} {text}", flush=True)


def hunt_bugs(tool, systems, complaints):
    """Returns the violations that were found, as the tool describes them."""
    found = []
    for system in systems:
        for bug in system["bugs"]:
            options = options_of(bug)
            hunt = Hunt(tool, system["name"], options)
            form = " ".join(options)
            if hunt.code == VIOLATED:
                violation = hunt.summary["violations"][0]
                found.append(violation)
                where = f"run {hunt.summary['first_bug_run']}, {violation['steps']} steps"
                line("+", system["name"], form, f"{where}: {violation['message']}")
            else:
                complaints.append(f"{system['name']} {form}: not found, exit code {hunt.code}\n{hunt.said}")
                line("!", system["name"], form, "NOT FOUND")
    return found


def hunt_fixed_forms(tool, systems, complaints):
    for system in systems:
        hunt = Hunt(tool, system["name"], [])
        if hunt.code == CLEAN:
            line("+", system["name"], "fixed", f"{hunt.summary['runs']:,} runs in {hunt.seconds:.1f} s, all clean")
        else:
            complaints.append(f"{system['name']}: the fixed version gives exit code {hunt.code}\n{hunt.said}")
            line("!", system["name"], "fixed", "NOT CLEAN")


def main():
    tool = sys.argv[1]
    systems = json.loads(subprocess.run([tool, "list", "--json"], stdout=subprocess.PIPE, check=True).stdout)
    complaints = []

    print("Seeded bugs, each of which must be found:", flush=True)
    found = hunt_bugs(tool, systems, complaints)
    print("\nFixed versions, each of which must come out clean:", flush=True)
    hunt_fixed_forms(tool, systems, complaints)

    if found:
        shortest = min(found, key=lambda violation: violation["steps"])
        print("\nThe shortest counterexample:\n", flush=True)
        subprocess.run([tool, "show", shortest["trace_file"]])
        print(f"\n  replay: {tool} replay {shortest['trace_file']}\n\nThe others are in {TRACES}/.")

    if complaints:
        sys.exit("\n" + "\n".join(f"demo: {complaint}" for complaint in complaints))


if __name__ == "__main__":
    main()
