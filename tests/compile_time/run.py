#!/usr/bin/env python3
"""What a user's scenario costs to compile: README's example, without optimisation.

    run.py [--compiler g++]

Three things are demanded. The example reads at most LINES_MAX lines of code, headers included, and none of the headers
that it has no use for: both are the same on every machine. And it takes at most RATIO_MAX times the CPU time of a file
that only includes the parts of the standard library that its own types need; a machine that is busy slows both down.
"""

import argparse
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
EXAMPLE = ROOT / "docs/examples/lost_update.cpp"
LINES_MAX = 66_000
RATIO_MAX = 4.0
TRIES = 3
NO_USE_FOR = ("ranges", "coroutine", "cmath", "charconv", "iostream", "fstream", "regex", "thread", "filesystem")
PLAIN = "".join(f"#include <{name}>\n" for name in
                ("chrono", "functional", "map", "memory", "optional", "span", "string", "variant", "vector"))


def run(compiler, *arguments):
    command = [compiler, "-std=c++20", "-I", str(ROOT / "src"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, "LC_ALL": "C"}).stdout


def cpu_seconds(compiler, source, folder):
    """User and system time of one compilation; the best of some, as what disturbs only adds."""
    best = None
    for _ in range(TRIES):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        run(compiler, "-O0", "-c", str(source), "-o", str(folder / "object.o"))
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        best = spent if best is None else min(best, spent)
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", default=os.environ.get("CXX", "g++"))
    compiler = parser.parse_args().compiler
    failed = []

    text = run(compiler, "-E", str(EXAMPLE))
    lines = sum(1 for line in text.splitlines() if line.strip() and not line.startswith("#"))
    print(f"{lines} lines, at most {LINES_MAX}")
    if lines > LINES_MAX:
        failed.append("the example reads too many lines")
    read = {pathlib.Path(name).name for name in re.findall(r'^# \d+ "(.*)" 1', text, re.M)}
    for name in NO_USE_FOR:
        if name in read:
            failed.append(f"the example reads <{name}>, which it has no use for")

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        plain = folder / "plain.cpp"
        plain.write_text(PLAIN)
        baseline = cpu_seconds(compiler, plain, folder)
        spent = cpu_seconds(compiler, EXAMPLE, folder)
    print(f"{spent:.2f} s, {spent / baseline:.2f} times the {baseline:.2f} s of the standard library; "
          f"at most {RATIO_MAX} times")
    if spent > RATIO_MAX * baseline:
        failed.append("the example takes too long to compile")
    for each in failed:
        print(f"compile_time: {each}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
