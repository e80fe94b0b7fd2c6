"""The code in the pages compiles: every ```cpp block of README.md and docs/*.md, apart from those that other tests own.

    snippets.py --root DIR [PAGE...]

The blocks of a page are compiled together, in their order. What they need and a reader does not is in comments:
`<!-- cpp`, lines of code, `-->`. A block ```cpp file=PATH is a part of that file and is checked by the tidy test;
tutorial.md and model_based_testing.md are whole programs with tests of their own, as is README.md's example.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

OWNED = {"tutorial.md", "model_based_testing.md", "README.md"}
CODE = re.compile(r"^```cpp\n(.*?)^```$|^<!-- cpp\n(.*?)^-->$", re.S | re.M)


def complaint(root, page):
    blocks = [a or b for a, b in CODE.findall(page.read_text(encoding="utf-8"))]
    if not blocks:
        return ""
    code = "#include <gainsay/gainsay.hpp>\n" + "\n".join(blocks)
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / (page.stem + ".cpp")
        file.write_text(code, encoding="utf-8")
        run = subprocess.run([os.environ.get("CXX", "g++"), "-std=c++20", "-fsyntax-only", "-I", str(root / "src"),
                              str(file)], capture_output=True, text=True, check=False)
    return "" if run.returncode == 0 else f"{page}: a block does not compile\n{run.stderr[:3000]}"


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--root", type=pathlib.Path, required=True)
    arguments.add_argument("pages", nargs="*", type=pathlib.Path)
    options = arguments.parse_args()
    pages = options.pages or [page for page in sorted((options.root / "docs").glob("*.md")) if page.name not in OWNED]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        said = [text for text in pool.map(lambda page: complaint(options.root, page), pages) if text]
    if said:
        sys.exit("\n".join(said))
    print(f"{len(pages)} pages: what they show compiles")


main()
