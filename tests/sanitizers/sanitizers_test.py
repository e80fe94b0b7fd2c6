#!/usr/bin/env python3
"""A sanitizer's report is a violation like any crash: found, replayed and shrunk, and the campaign goes on.

    sanitizers_test.py --program build/release/sanitized_subject

The program's own code is built with AddressSanitizer and UndefinedBehaviorSanitizer, the library without
(subject.cpp). GAINSAY_LONG: every way in every place.
"""

import argparse
import itertools
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

WAYS = {
    "overrun": "AddressSanitizer (heap-buffer-overflow)",
    "use_after_free": "AddressSanitizer (heap-use-after-free)",
    "undefined": "UndefinedBehaviorSanitizer",
    "null": "UndefinedBehaviorSanitizer",
}
PLACES = {
    "value": "fragile handling Poke",
    "opaque": "fragile handling Poke",
    "task": "fragile handling Poke",
    "property": "the property",
}
EXPLORED = {"value", "property"}  # explore refuses opaque actors
# The names of functions in the reports are what takes most of the time.
QUICK = os.environ | {"ASAN_OPTIONS": "symbolize=0", "UBSAN_OPTIONS": "symbolize=0"}


def need(condition, what):
    if not condition:
        raise AssertionError(what)


class Program:
    def __init__(self, path, folder):
        self.path = path
        self.folder = folder

    def run(self, code, *words):
        done = subprocess.run([self.path, *words], capture_output=True, text=True, check=False, cwd=self.folder,
                              env=QUICK)
        need(done.returncode == code,
             f"{' '.join(words)}: exit code {done.returncode}, expected {code}\n{done.stdout}{done.stderr}")
        return done

    def found(self, way, place, *words):
        """The trace of the one violation that the command finds. Another process reproduces it."""
        text = f"{PLACES[place]} ended with a report of {WAYS[way]}"
        options = ("--option", f"way={way}", "--option", f"place={place}", "--out", "traces", "--json")
        done = self.run(1, words[0], "fragile", *words[1:], *options)
        violations = json.loads(done.stdout)["violations"]
        need(len(violations) == 1 and violations[0]["message"] == text, f"{violations}, expected: {text}")
        need("runtime error" in done.stderr or "ERROR: AddressSanitizer" in done.stderr, "the report is not shown")
        trace = violations[0]["trace_file"]
        need(text in self.run(1, "replay", trace).stdout, "the replay says something else")
        return trace


def check(program, way, place, jobs):
    for strategy in ("random", "dfs"):
        trace = program.found(way, place, "hunt", "--strategy", strategy, "--runs", "1000", "--jobs", jobs)
    if place in EXPLORED:
        program.found(way, place, "explore", "--jobs", jobs)
    program.run(0, "shrink", trace, "--out", "small.trace")
    need(WAYS[way] in program.run(1, "replay", "small.trace").stdout, "shrinking has changed the violation")
    # 2 comes directly before 1 in two of six orders. The property ends each run after 2: 2, 12, 132, 312, 32.
    hunt = program.run(1, "hunt", "fragile", "--option", f"way={way}", "--option", f"place={place}", "--strategy",
                       "dfs", "--jobs", jobs, "--keep-going", "--json", "--out", "traces")
    result = json.loads(hunt.stdout)
    need((result["runs"], result["buggy_runs"]) == ((5, 5) if place == "property" else (6, 2)), hunt.stdout)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    arguments = parser.parse_args()
    cases = list(itertools.product(WAYS, PLACES, ("1", "2")))
    if "GAINSAY_LONG" not in os.environ:
        cases = [case for case in cases if case[0] == "overrun" or case[1] == "value"]
    with tempfile.TemporaryDirectory(prefix="gainsay-sanitizers-") as folder:
        program = Program(Path(arguments.program).resolve(), folder)
        program.run(0, "hunt", "fragile", "--strategy", "dfs")
        for case in cases:
            try:
                check(program, *case)
            except AssertionError as error:
                sys.exit(f"{' '.join(case)}: {error}")
    print(f"sanitizers: {len(cases)} ways, places and numbers of jobs: found, replayed, shrunk, gone on")


if __name__ == "__main__":
    main()
