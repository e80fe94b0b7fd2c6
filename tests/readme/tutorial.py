"""The tutorial keeps its word: its code is the example that is built, and its commands print what it shows.

    tutorial.py --root DIR --build DIR

The ```cpp blocks of docs/tutorial.md, one after the other, must be docs/examples/tutorial.cpp. A ```console block has a
command after `$ ./tutorial`, then lines of its output in their order (`...` stands for lines that are left out), and
last, after `$ echo $?`, its exit code.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile


def try_command(program, block, folder):
    lines = block.rstrip("\n").split("\n")
    arguments = lines[0].removeprefix("$ ./tutorial ").split()
    if not lines[0].startswith("$ ./tutorial ") or lines[-2] != "$ echo $?":
        sys.exit(f"docs/tutorial.md: expected `$ ./tutorial ...` first and `$ echo $?` last in: {lines[0]}")
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False, cwd=folder)
    if done.returncode != int(lines[-1]):
        sys.exit(f"{lines[0]}: exit code {done.returncode}, not {lines[-1]}\n{done.stdout}{done.stderr}")
    printed = iter([line.rstrip() for line in done.stdout.splitlines()])
    for line in lines[1:-2]:
        if line != "..." and not any(line == other for other in printed):
            sys.exit(f"{lines[0]}: does not print (in this order): {line}\n{done.stdout}{done.stderr}")


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--root", type=pathlib.Path, required=True)
    arguments.add_argument("--build", type=pathlib.Path, required=True)
    options = arguments.parse_args()
    text = (options.root / "docs/tutorial.md").read_text(encoding="utf-8")
    code = "\n".join(re.findall(r"^```cpp\n(.*?)^```$", text, re.S | re.M))
    if code != (options.root / "docs/examples/tutorial.cpp").read_text(encoding="utf-8"):
        sys.exit("docs/tutorial.md: its ```cpp blocks are not docs/examples/tutorial.cpp")
    blocks = re.findall(r"^```console\n(.*?)^```$", text, re.S | re.M)
    if not blocks:
        sys.exit("docs/tutorial.md: no ```console block")
    with tempfile.TemporaryDirectory() as folder:
        for block in blocks:
            try_command(str((options.build / "example_tutorial").resolve()), block, folder)
    print(f"docs/tutorial.md: the code is built, {len(blocks)} commands do what it says")


main()
