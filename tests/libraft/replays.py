#!/usr/bin/env python3
"""A campaign over libraft has one result, whatever the number of jobs, and its traces replay in another process.

    tests/libraft/replays.py --tool build/quick/gainsay

Addresses, the order of allocations and what a signal leaves behind differ between processes and threads. Nothing of it
may show: not in counts, not in the texts of violations, not in the states that traces describe.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

# What depends on the machine, and the names of files.
OWN = {"elapsed_s", "jobs", "replay", "trace_file"}


def gainsay(tool, *words):
    done = subprocess.run([tool, *words], capture_output=True, text=True, check=False)
    if done.returncode != 1:
        sys.exit(f"{tool} {' '.join(words)}: exit code {done.returncode}, expected 1\n{done.stdout}{done.stderr}")
    return json.loads(done.stdout)


def without_own(value):
    if isinstance(value, dict):
        return {name: without_own(each) for name, each in value.items() if name not in OWN}
    return [without_own(each) for each in value] if isinstance(value, list) else value


def differences(a, b, where=""):
    if isinstance(a, dict) and isinstance(b, dict):
        return [d for name in sorted(a.keys() | b.keys())
                for d in differences(a.get(name), b.get(name), f"{where}.{name}")]
    if isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        return [d for i, (x, y) in enumerate(zip(a, b)) for d in differences(x, y, f"{where}[{i}]")]
    return [] if a == b else [f"{where or 'the result'}: {a} with one job, {b} with two"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", required=True)
    parser.add_argument("--runs", default="300")
    arguments = parser.parse_args()
    results = []
    with tempfile.TemporaryDirectory() as folder:
        for jobs in ("1", "2"):
            out = pathlib.Path(folder) / jobs
            results.append(without_own(gainsay(
                arguments.tool, "hunt", "libraft", "--swarm", "--steps", "1000", "--runs", arguments.runs,
                "--keep-going", "--quiet", "--json", "--jobs", jobs, "--out", str(out))))
        different = differences(*results)
        if different:
            sys.exit("\n".join(different[:20]))
        traces = sorted(pathlib.Path(folder, "1").glob("**/*.trace"))
        rows = gainsay(arguments.tool, "regress", str(pathlib.Path(folder, "1")), "--json")
        wrong = [row for row in rows if row["outcome"] != "reproduced"]
        if wrong or len(rows) != len(traces) or len(rows) < 3:
            sys.exit(f"{len(rows)} of {len(traces)} traces were replayed; not reproduced: "
                     f"{json.dumps(wrong, indent=2)}")
        print(f"{len(rows)} violations, the same with one job and with two; all replay in another process")


if __name__ == "__main__":
    main()
