#!/usr/bin/env python3
"""The page of the README's example, docs/example.html: what `show --html` makes of its counterexample.

    example_page.py --build DIR           writes it
    example_page.py --build DIR --check   fails if it is not the page that would be written
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path


def made(build):
    program = build / "example_lost_update"
    with tempfile.TemporaryDirectory(prefix="gainsay-example-") as folder:
        # As in the README, with relative names: the page does not say where it was made.
        hunt = [program, "hunt", "lost_update", "--seed", "1", "--runs", "1000", "--out", "traces", "--quiet"]
        done = subprocess.run(hunt, cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode != 1:
            sys.exit(f"{program}: expected exit code 1, got {done.returncode}\n{done.stdout}{done.stderr}")
        trace = next(Path(folder, "traces").glob("*.trace")).relative_to(folder)
        subprocess.run([program, "show", trace, "--html", "example.html"], cwd=folder, check=True, capture_output=True)
        return Path(folder, "example.html").read_bytes()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    page = Path(__file__).resolve().parents[1] / "docs/example.html"
    right = made(arguments.build.resolve())
    if not arguments.check:
        page.write_bytes(right)
        print(f"wrote {page}, {len(right):,} bytes")
    elif not page.exists() or page.read_bytes() != right:
        sys.exit(f"docs/example.html is not the page of the README's example; scripts/example_page.py --build "
                 f"{arguments.build} writes it")
    return 0


if __name__ == "__main__":
    sys.exit(main())
