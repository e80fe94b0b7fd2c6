#!/usr/bin/env python3
"""What must not compile, and what the compiler must say about it.

Every .cpp beside this script is a user's mistake. Its comments name what the first error must tell:

    // expect: REGEX          in the line of the error itself
    // expect-owner: TYPE     the struct that holds the culprit, in the error or in the notes above it
    // expect-field: NAME     the field, likewise

Exit code 0 if every mistake is refused as said. A few lines must do, too: pages of errors are as bad as none.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
SOURCES = HERE.parent.parent / "src"
LINES_MAX = 60


def expectations(source):
    found = {}
    for line in source.read_text().splitlines():
        match = re.match(r"// (expect(?:-owner|-field)?): (.*)", line)
        if match:
            found[match.group(1)] = match.group(2)
    return found


def complaints(source, compiler):
    """What is wrong with how the compiler refuses `source`; empty if nothing is."""
    wanted = expectations(source)
    if "expect" not in wanted:
        return ["the file says nothing after `// expect:`"]
    command = [compiler, "-std=c++20", "-fsyntax-only", "-fdiagnostics-color=never", "-I", str(SOURCES), str(source)]
    run = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "LC_ALL": "C"})
    if run.returncode == 0:
        return ["it compiles"]
    lines = run.stderr.splitlines()
    first = next((i for i, line in enumerate(lines) if " error: " in line), None)
    if first is None:
        return ["the compiler failed without an error:\n" + run.stderr]
    said = []
    if not re.search(wanted["expect"], lines[first]):
        said.append(f"the first error is\n    {lines[first]}\n  expected\n    {wanted['expect']}")
    # The chain of instantiations: above the error in GCC, below it in clang.
    told = re.compile("required from|in instantiation of| error: ", re.IGNORECASE)
    chain = "\n".join(line for line in lines if told.search(line))
    if "expect-owner" in wanted and not re.search(r"\b" + re.escape(wanted["expect-owner"]) + r"\b", chain):
        said.append(f"the owner {wanted['expect-owner']} is not named")
    if "expect-field" in wanted and f'"{wanted["expect-field"]}"' not in chain:
        said.append(f"the field {wanted['expect-field']} is not named")
    if len(lines) > LINES_MAX:
        said.append(f"the compiler needs {len(lines)} lines; at most {LINES_MAX} were expected")
    return said


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", default=os.environ.get("CXX", "g++"))
    parser.add_argument("sources", nargs="*", type=pathlib.Path, help="default: every .cpp beside this script")
    arguments = parser.parse_args()
    sources = arguments.sources or sorted(HERE.glob("*.cpp"))
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda source: complaints(source, arguments.compiler), sources))
    for source, said in zip(sources, results):
        print(f"{'ok  ' if not said else 'FAIL'} {source.name}")
        for complaint in said:
            print(f"  {complaint}")
        failed += bool(said)
    if not sources:
        print("there is nothing to compile", file=sys.stderr)
        return 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
