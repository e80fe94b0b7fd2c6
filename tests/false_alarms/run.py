"""False alarms: every fixed version of every bundled system, in all its variants, over ten times the budget of CI.

    tests/false_alarms/run.py [--tool PATH] [--system NAME] [--share X] [--quick]

CI runs 900 executions of each fixed version under each strategy (`gainsay zoo --quick`: 300 for each of three
seeds; 600 of the systems whose timers never rest), and the tests so many random ones as `ci` below says. Here
every variant gets 9,000 (6,000) executions under each of seven strategies, a third of them for each of three
seeds, and ten times `ci` random ones if that is more; variants that are far larger than their default get a
tenth. `--share 0.1` makes it all ten times smaller; `--quick`, which the tests run, is the first variant of every
system with one seed and a fiftieth of the executions. A form that is flagged is a defect: of the system, or of
the kernel. No schedule is helped by a fair suffix: a monitor may be suspected only where the strategy itself is fair.

The delivery orders that a fixed version needs are part of its protocol and listed in its README; others are not here.
"""

import argparse
import itertools
import json
import pathlib
import subprocess
import sys
import time

STRATEGIES = ["random", "pct", "pctcp", "pos", "surw", "qlearning", "portfolio"]
SEEDS = [1, 2, 3]
RUNS = 3_000  # for each seed
RUNS_SLOW = 2_000
ORDERS = ["unordered", "fifo", "causal", "queue", "mailbox"]
ORDERED = ORDERS[1:]
NO_FIXED_FORM = {"libraft"}  # wrapped as it was shipped, with its defects


def product(**choices):
    return [dict(zip(choices, values)) for values in itertools.product(*choices.values())]


# Per system: its variants, those that are large, how many random executions the tests make, and how hunts are bounded.
FORMS = {
    "bounded_async": {"forms": product(order=["causal", "mailbox"]),
                      "large": product(order=["causal", "mailbox"], processes=[8], rounds=[10]), "ci": 2_000},
    "cache_coherence": {"forms": product(order=ORDERED) + product(caches=[1, 2]),
                        "large": [{"asks": 40, "caches": 5}], "ci": 10_000},
    "cassandra_paxos": {"forms": product(order=ORDERS) + product(clients=[1, 2]) + product(replicas=[1, 2, 4]),
                        "large": [{"replicas": 5, "clients": 4}, {"attempts": 12}], "ci": 5_000},
    "chain_replication": {"forms": product(order=ORDERED) + product(failures=[0, 1]) + product(servers=[1, 2]),
                          "large": [{"servers": 5, "clients": 3, "failures": 4}], "ci": 1_000},
    "chord": {"forms": product(order=ORDERED) + product(nodes=[2, 4]), "large": [{"nodes": 5, "queries": 4}],
              "ci": 5_000},
    "chronos": {"forms": product(rounds=[0, 1, 2], jobs=[1, 3]), "ci": 3_000},
    "ctstore": {"forms": [{}], "ci": 2_000},
    "elasticsearch_intersecting": {"forms": product(family=["balanced", "uniform"], clients=[2, 4])
                                   + product(nodes=[3, 4]) + product(bridge=["false"], clients=[2, 4]), "ci": 2_000},
    "etcd_reads": {"forms": product(family=["balanced", "uniform"], clients=[2, 4]) + product(nodes=[3, 4], rounds=[2]),
                   "large": [{"nodes": 7, "clients": 6, "rounds": 3, "ticks": 200}], "ci": 3_000},
    "extent_manager": {"forms": product(driver=["repair", "replicate"]), "slow": True, "ci": 200,
                       "bounds": ["--steps", "6000"]},
    "fabric": {"forms": product(order=ORDERED, failures=[1, 3]) + product(failures=[0, 9], persistent=["true", "false"])
               + product(requests=[1]) + product(service=["cscale"], failures=[1, 3], persistent=["true", "false"]),
               "large": [{"requests": 8, "failures": 4, "services": 3}], "ci": 3_000},
    "failure_detector": {"forms": product(order=["causal", "mailbox"], halts=["true", "false"], rounds=[6])
                         + product(order=["causal", "mailbox"]) + product(nodes=[1]),
                         "large": [{"nodes": 4}], "ci": 12_000},
    "flush_race": {"forms": [{}], "ci": 2_000},
    "kafka_isr": {"forms": product(family=["story", "uniform"], rounds=[1, 2], min_in_sync=[1, 2]), "ci": 3_000},
    "migrating_table": {"forms": product(inputs=["generated", "patient", "directed"], start=["filled", "empty"])
                        + product(inputs=["patient"], start=["filled", "empty"],
                                  order=["unordered", "fifo", "mailbox"]),
                        "ci": 500},
    "multi_paxos": {"forms": product(order=ORDERS) + product(nodes=[1, 2, 4]),
                    "large": [{"nodes": 5, "updates": 4, "timeouts": 8}], "ci": 4_000},
    "multi_paxos_map": {"forms": product(harness=["2r+1w", "2r+2w", "3r+3w"]), "ci": 20_000},
    "open_chord": {"forms": product(harness=["2r+1w", "2r+2w", "4r+2w"]), "ci": 2_000},
    "paxos": {"forms": product(proposers=[1, 2, 3], acceptors=[3, 4]), "large": [{"proposers": 4, "acceptors": 5}],
              "ci": 20_000},
    "raft": {"forms": product(order=ORDERS) + product(servers=[1, 2, 3]),
             "large": [{"servers": 9}, {"timers": "v1", "ticks": 20, "requests": 1},
                       {"timers": "v2", "ticks": 20, "requests": 1}], "ci": 1_000},
    "register_adr": {"forms": product(harness=["2r+1w", "2r+2w", "3r+3w"], retries=["off", "on"]), "ci": 2_000},
    "register_dr": {"forms": product(harness=["2r+1w", "2r+2w", "3r+3w"]), "ci": 2_000},
    "register_edr": {"forms": product(harness=["2r+1w", "2r+2w"], agents=[2, 3, 5]), "ci": 2_000},
    "replicated_register": {"forms": product(clients=[1, 2, 3]), "ci": 1_000},
    "replicating_storage": {"forms": product(order=ORDERS) + product(replicas=[2, 5]), "slow": True, "ci": 1_000,
                            "bounds": ["--steps", "3000"]},
    "two_phase_commit": {"forms": product(order=ORDERS) + product(timeouts=[0]),
                         "large": [{"replicas": 3, "clients": 4, "timeouts": 3}], "ci": 10_000},
    "viewstamped_replication": {
        "forms": [{}] + product(members=["abc"], witness=["none", "a"], old_views=[2], queries=[2]),
        "large": [{"witness": "none", "old_views": 2, "new_views": 2, "queries": 2}], "ci": 18_000},
    "viewstamped_replication_code": {"forms": product(wrapped=["value", "opaque"]), "ci": 20},
    "zookeeper_election": {"forms": product(epochs=["equal", "uneven"], crash=["true", "false"], nodes=[3])
                           + product(nodes=[1, 2, 4]), "large": [{"nodes": 5}], "ci": 5_000},
}


def hunt(tool, system, options, strategy, seed, runs, bounds):
    command = [tool, "hunt", system, "--strategy", strategy, "--seed", str(seed), "--runs", str(runs), "--quiet",
               "--json", "--out", "build/false_alarms", *bounds]
    for name, value in options.items():
        command += ["--option", f"{name}={value}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1, 3):
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    return json.loads(done.stdout)


def runs_of(system, is_large, strategy, share):
    runs = RUNS_SLOW if system.get("slow") else RUNS
    if strategy == "random":
        runs = max(runs, 10 * system["ci"] // len(SEEDS))
    return max(1, int(runs * (0.1 if is_large else 1) * share))


def examine(tool, name, share, quick):
    """Prints what came of every variant; returns how many executions there were and how many were flagged."""
    system = FORMS[name]
    executions = flagged = 0
    started = time.monotonic()
    variants = [(form, False) for form in system["forms"]] + [(form, True) for form in system.get("large", [])]
    if quick:
        variants = variants[:1]
    for options, is_large in variants:
        cut = 0
        for strategy, seed in itertools.product(STRATEGIES, SEEDS[:1] if quick else SEEDS):
            runs = runs_of(system, is_large, strategy, share)
            result = hunt(tool, name, options, strategy, seed, runs, system.get("bounds", []))
            executions += result["runs"]
            cut += result["cut_runs"]
            for violation in result["violations"]:
                flagged += 1
                print(f"FLAGGED {name} {options} {strategy} seed {seed}: {violation['property']}: "
                      f"{violation['message']} ({violation['trace_file']})", flush=True)
        if cut:
            print(f"  {name} {options}: {cut} executions were cut", flush=True)
    print(f"{name}: {len(variants)} variants, {executions:,} executions, {flagged} flagged, "
          f"{time.monotonic() - started:.0f} s", flush=True)
    return executions, flagged


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--tool", default="build/release/gainsay")
    arguments.add_argument("--system", choices=sorted(FORMS))
    arguments.add_argument("--share", type=float, default=1)
    arguments.add_argument("--quick", action="store_true")
    options = arguments.parse_args()
    listed = subprocess.run([options.tool, "list", "--json"], capture_output=True, text=True, check=True)
    unknown = {each["name"] for each in json.loads(listed.stdout)} - set(FORMS) - NO_FIXED_FORM
    if unknown:
        sys.exit(f"{pathlib.Path(__file__).name}: no variants of {', '.join(sorted(unknown))}: add them to FORMS")
    share = 0.02 if options.quick else options.share
    executions = flagged = 0
    for name in [options.system] if options.system else FORMS:
        more_executions, more_flagged = examine(options.tool, name, share, options.quick)
        executions += more_executions
        flagged += more_flagged
    print(f"false alarms: {flagged} in {executions:,} executions")
    sys.exit(1 if flagged else 0)


if __name__ == "__main__":
    main()
