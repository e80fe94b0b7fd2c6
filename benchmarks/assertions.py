#!/usr/bin/env python3
"""What the assertions of the kernel cost: the tool beside itself without them.

    benchmarks/assertions.py [--turns 9] [--check]

Builds build/release and, with -DGAINSAY_UNCHECKED, build/unchecked. Each job is executed by both in turns; the least
CPU time of each counts, because other processes only ever add to it. Both must report the same steps or states. With
--check, exits with 1 if all jobs together take over 3 % more with assertions than without.
"""
import argparse
import json
import pathlib
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
ALLOWED = 1.03

JOBS = [
    ("hunt paxos", ["hunt", "paxos", "--runs", "1500000", "--strategy", "random"]),
    ("hunt raft", ["hunt", "raft", "--runs", "20000", "--strategy", "random"]),
    ("hunt zookeeper_election", ["hunt", "zookeeper_election", "--runs", "60000", "--strategy", "random"]),
    ("dfs two_phase_commit", ["hunt", "two_phase_commit", "--runs", "1000000", "--strategy", "dfs"]),
    ("explore paxos", ["explore", "paxos", "--option", "proposers=2", "--option", "acceptors=4"]),
    ("explore raft", ["explore", "raft", "--max-states", "3000000"]),
]


def build():
    subprocess.run([ROOT / "scripts/build.sh", "release", "gainsay"], check=True)
    folder = ROOT / "build/unchecked"
    subprocess.run(["cmake", "--preset", "release", "-B", folder, "-DCMAKE_CXX_FLAGS=-DGAINSAY_UNCHECKED"], check=True,
                   cwd=ROOT, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", folder, "--target", "gainsay"], check=True, stdout=subprocess.DEVNULL)
    return ROOT / "build/release/gainsay", folder / "gainsay"


def measure(tool, job):
    """CPU seconds of one execution, and how much it did."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    command = [tool, *job, "--jobs", "1", "--in-process", "--json", "--quiet"]
    said = subprocess.run(command, capture_output=True, cwd=tempfile.gettempdir())
    if said.returncode not in (0, 1, 3):
        sys.exit(f"{tool} {' '.join(job)} ended with {said.returncode}: {said.stderr.decode()}")
    result = json.loads(said.stdout)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, result.get("steps", result.get("states"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=9)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    tools = build()
    sums = [0.0, 0.0]
    for name, job in JOBS:
        least = [float("inf"), float("inf")]
        done = [None, None]
        for turn in range(arguments.turns):
            for which in ((0, 1) if turn % 2 == 0 else (1, 0)):
                seconds, done[which] = measure(tools[which], job)
                least[which] = min(least[which], seconds)
        if done[0] != done[1]:
            sys.exit(f"{name}: {done[0]} steps or states with assertions, {done[1]} without")
        sums = [total + seconds for total, seconds in zip(sums, least)]
        print(f"  {name:26} {least[0]:6.2f} s with, {least[1]:6.2f} s without: {least[0] / least[1]:.3f}", flush=True)
    cost = sums[0] / sums[1]
    met = cost <= ALLOWED
    print(f"  {'together':26} {cost:.3f} (at most {ALLOWED}: {'met' if met else 'NOT MET'})")
    return 1 if arguments.check and not met else 0


if __name__ == "__main__":
    sys.exit(main())
