"""The bigger examples keep their word: each bug is found, shrunk and replayed; the fixed form is clean, and proved.

    examples.py --build DIR

docs/examples/NAME.cpp has a scenario NAME with an option `bug`. A proof is a complete search: exit code 0.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

# name, the bug, what proves the fixed form
EXAMPLES = [
    ("lease", "no_fencing", ["hunt", "lease", "--strategy", "dfs", "--time", "60s"]),
    ("replicated_log", "acknowledge_first", ["explore", "replicated_log"]),
    ("sliding_window", "small_numbers", ["hunt", "sliding_window", "--strategy", "dfs"]),
]


def call(program, words, code, folder):
    done = subprocess.run([program, *words], capture_output=True, text=True, check=False, cwd=folder)
    if done.returncode != code:
        sys.exit(f"{program} {' '.join(words)}: exit code {done.returncode}, not {code}\n{done.stdout}{done.stderr}")
    return done.stdout


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--build", type=pathlib.Path, required=True)
    build = arguments.parse_args().build
    for name, bug, proof in EXAMPLES:
        program = str((build / f"example_{name}").resolve())
        with tempfile.TemporaryDirectory() as folder:
            hunted = json.loads(call(program, ["hunt", name, "--option", f"bug={bug}", "--runs", "20000", "--json"],
                                     1, folder))
            trace = hunted["violations"][0]["trace_file"]
            shrunk = json.loads(call(program, ["shrink", trace, "--json"], 0, folder))
            small = shrunk["small_trace_file"]
            replayed = json.loads(call(program, ["replay", small, "--json"], 1, folder))
            if replayed["outcome"] != "reproduced" or shrunk["steps"] > shrunk["steps_before"]:
                sys.exit(f"{name}: {shrunk} {replayed}")
            call(program, ["hunt", name, "--runs", "2000"], 0, folder)
            call(program, proof, 0, folder)
        print(f"{name}: found in run {hunted['first_bug_run']}, {shrunk['steps_before']} steps became "
              f"{shrunk['steps']}, the fixed form is proved")


main()
