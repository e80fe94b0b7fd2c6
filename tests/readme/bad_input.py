"""What bad input does to the tool: the documented exit code within seconds, never a signal.

    bad_input.py --build DIR
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--build", type=pathlib.Path, required=True)
    tool = str((arguments.parse_args().build / "gainsay").resolve())
    with tempfile.TemporaryDirectory() as folder:
        readme = pathlib.Path(folder) / "README.md"
        readme.write_text("# A page\n\nNo history.\n", encoding="utf-8")
        endless = f"yes '{{\"process\": 0, \"type\": \"invoke\", \"f\": \"read\"}}' | '{tool}' check - "
        cases = [
            (f"'{tool}' check README.md --format jepsen-log --model register", 3),
            (f"'{tool}' bound --shape standard:100000 --d 2", 2),
            (f"'{tool}' hunt nope 2>&-", 2),
            (f"'{tool}' zoo --table /dev/zero", 2),
            (f"'{tool}' hunt flush_race paxos", 2),
            (endless + "--model register --format json --time 1s", 2),  # its second line is wrong already
        ]
        for command, code in cases:
            done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False, cwd=folder,
                                  timeout=60)
            if done.returncode != code:
                sys.exit(f"{command}: exit code {done.returncode}, not {code}\n{done.stdout}{done.stderr}")
    print(f"{len(cases)} commands with bad input end as documented")


main()
