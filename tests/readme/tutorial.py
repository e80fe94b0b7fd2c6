"""A tutorial keeps its word: its code is the example that is built, and its commands print what it shows.

    tutorial.py --root DIR --build DIR [--page NAME]

The ```cpp blocks of docs/NAME.md, one after the other, must be docs/examples/NAME.cpp. A ```console block has a
command after `$ ./NAME`, then lines of its output in their order (`...` stands for lines that are left out), and
last, after `$ echo $?`, its exit code.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile


def try_command(page, program, block, folder):
    lines = block.rstrip("\n").split("\n")
    arguments = lines[0].removeprefix(f"$ ./{page} ").split()
    if not lines[0].startswith(f"$ ./{page} ") or lines[-2] != "$ echo $?":
        sys.exit(f"docs/{page}.md: expected `$ ./{page} ...` first and `$ echo $?` last in: {lines[0]}")
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
    arguments.add_argument("--page", default="tutorial")
    options = arguments.parse_args()
    page = options.page
    text = (options.root / f"docs/{page}.md").read_text(encoding="utf-8")
    code = "\n".join(re.findall(r"^```cpp\n(.*?)^```$", text, re.S | re.M))
    if code != (options.root / f"docs/examples/{page}.cpp").read_text(encoding="utf-8"):
        sys.exit(f"docs/{page}.md: its ```cpp blocks are not docs/examples/{page}.cpp")
    blocks = re.findall(r"^```console\n(.*?)^```$", text, re.S | re.M)
    if not blocks:
        sys.exit(f"docs/{page}.md: no ```console block")
    with tempfile.TemporaryDirectory() as folder:
        for block in blocks:
            try_command(page, str((options.build / f"example_{page}").resolve()), block, folder)
    print(f"docs/{page}.md: the code is built, {len(blocks)} commands do what it says")


main()
