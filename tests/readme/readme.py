"""The README keeps its word: its example is the one that is built, and what it prints is what the program prints.

Blocks are marked in README.md by a line `<!-- NAME -->` right before the fence. `example` must equal
docs/examples/lost_update.cpp, `counterexample` must equal the diagram that hunting it prints. `--write` puts the
present truth into the README.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile


def block(text, name):
    match = re.search(r"<!-- " + name + r" -->\n```[a-z]*\n(.*?)```\n", text, re.S)
    if match is None:
        sys.exit(f"README.md: no block marked <!-- {name} -->")
    return match


def diagram(program, folder):
    done = subprocess.run([program, "hunt", "lost_update", "--seed", "1", "--runs", "1000", "--out", folder],
                          capture_output=True, text=True, check=False)
    if done.returncode != 1:
        sys.exit(f"{program}: expected exit code 1, got {done.returncode}\n{done.stdout}{done.stderr}")
    trace = re.search(r" replay (\S+\.trace)", done.stdout).group(1)
    replayed = subprocess.run([program, "replay", trace], capture_output=True, text=True, check=False)
    if replayed.returncode != 1:
        sys.exit(f"the trace does not replay: exit code {replayed.returncode}\n{replayed.stdout}{replayed.stderr}")
    shown = subprocess.run([program, "show", trace, "--width", "100", "--color", "never"],
                           capture_output=True, text=True, check=True)
    return "\n".join(line.rstrip() for line in shown.stdout.strip("\n").splitlines()) + "\n"


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--root", type=pathlib.Path, required=True)
    arguments.add_argument("--build", type=pathlib.Path, required=True)
    arguments.add_argument("--write", action="store_true")
    options = arguments.parse_args()
    readme = options.root / "README.md"
    text = readme.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        truth = {
            "example": (options.root / "docs/examples/lost_update.cpp").read_text(encoding="utf-8"),
            "counterexample": diagram(str(options.build / "example_lost_update"), folder),
        }
    wrong = []
    for name, right in truth.items():
        match = block(text, name)
        if match.group(1) != right:
            wrong.append(name)
            text = text[: match.start(1)] + right + text[match.end(1):]
    if options.write:
        readme.write_text(text, encoding="utf-8")
    elif wrong:
        sys.exit(f"README.md: out of date: {', '.join(wrong)} (run {__file__} with --write)")
    print("README.md: example and counterexample are true")


main()
