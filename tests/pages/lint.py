#!/usr/bin/env python3
"""Rules about the sources of pages (src/gainsay/report/page): what the build relies on, and what must never be there.

The build joins the modules into one scope, in the order of cmake/page.cmake. So an import must name an earlier module
and something that it exports, a name of the top level must be used in one module only, and an import on one line.
Texts never become markup, and nothing is fetched. Prints `path:line: message` for each finding and fails if there is
one.
"""

import re
import subprocess
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "src/gainsay/report/page"
BANNED = {
    r"\binnerHTML\b|\bouterHTML\b|\binsertAdjacentHTML\b|document\.write": "a text would become markup: use element()",
    r"\beval\(|new Function\(": "a text would become code",
    r"https?://(?!www\.w3\.org/2000/svg)": "a page needs nothing from anywhere",
    r"\bconsole\.": "left from looking for a mistake",
    r"\bvar ": "use const or let",
    r"[^=!]==[^=]|!=[^=]": "compare with === or !==",
    r"\t": "a tab",
    r"\s$": "a space at the end of the line",
    r"\balert\(|\bconfirm\(|\bprompt\(": "a box that stops the page",
}
TOP = re.compile(r"^(?:export )?(?:async )?(?:function\*?|class|const|let) +(?:\{([^}]*)\}|(\w+))", re.MULTILINE)
IMPORT = re.compile(r"^import \{ ([^}]*) \} from '\./(\w+)\.js';$")
COLUMNS_MAX = 130


def order_in_build():
    text = (ROOT / "cmake/page.cmake").read_text()
    modules = re.search(r"set\(gainsay_page_modules\s+([^)]*)\)", text).group(1).split()
    styles = re.search(r"set\(gainsay_page_styles\s+([^)]*)\)", text).group(1).split()
    return modules, styles


def names_of(text):
    for match in TOP.finditer(text):
        for name in re.split(r"[,\s]+", match.group(1) or match.group(2)):
            if name:
                yield name, text[:match.start()].count("\n") + 1


def check(folder=FOLDER, modules=None, styles=None):
    found = []
    if modules is None:
        modules, styles = order_in_build()
    listed = {f"{name}.js" for name in modules} | {f"{name}.css" for name in styles}
    for path in sorted(folder.iterdir()):
        if path.name not in listed:
            found.append(f"{path.name}:1: cmake/page.cmake does not list it")
    exported, owner = {}, {}
    for name in modules:
        path = f"{name}.js"
        text = (folder / path).read_text()
        if not text.startswith("// "):
            found.append(f"{path}:1: the head of a file says what it is")
        exported[name] = set(re.findall(r"^export (?:async )?(?:function|class|const|let) (\w+)", text, re.MULTILINE))
        for top, line in names_of(text):
            if top in owner:
                found.append(f"{path}:{line}: '{top}' is a name of {owner[top]}.js too; they share one scope")
            owner.setdefault(top, name)
        for number, line in enumerate(text.splitlines(), 1):
            code = re.sub(r"^\s*//.*", "", line)
            for pattern, message in BANNED.items():
                if re.search(pattern, code):
                    found.append(f"{path}:{number}: {message}")
            if len(line) > COLUMNS_MAX:
                found.append(f"{path}:{number}: longer than {COLUMNS_MAX} columns")
            if line.startswith("import"):
                match = IMPORT.match(line)
                if not match:
                    found.append(f"{path}:{number}: write import {{ a, b }} from './module.js'; on one line")
                    continue
                if match.group(2) not in exported or match.group(2) == name:
                    found.append(f"{path}:{number}: {match.group(2)} does not come before {name} in cmake/page.cmake")
                    continue
                rest = text.split(line, 1)[1]
                for each in match.group(1).split(", "):
                    if each not in exported[match.group(2)]:
                        found.append(f"{path}:{number}: {match.group(2)}.js exports no '{each}'")
                    if not re.search(rf"\b{each}\b", rest):
                        found.append(f"{path}:{number}: '{each}' is imported and not used")
    for name in styles:
        for number, line in enumerate((folder / f"{name}.css").read_text().splitlines(), 1):
            if re.search(r"url\(|@import", line):
                found.append(f"{name}.css:{number}: a page needs nothing from anywhere")
            if len(line) > COLUMNS_MAX + 30:
                found.append(f"{name}.css:{number}: longer than {COLUMNS_MAX + 30} columns")
    return found


def syntax(folder=FOLDER):
    """What node says, where it is there; a browser says the same when it runs the page."""
    node = shutil.which("node")
    out = []
    if node is None:
        return out
    for path in sorted(folder.glob("*.js")):
        done = subprocess.run([node, "--input-type=module", "--check"], input=path.read_text(), capture_output=True,
                              text=True, check=False)
        if done.returncode != 0:
            out.append(f"{path.name}:1: {done.stderr.strip().splitlines()[-1]}")
    return out


def check_itself():
    """Each rule is broken once and must be noticed."""
    import tempfile
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "a.js").write_text("// A.\nexport const one = 1;\nexport const two = 2;\n")
        (folder / "s.css").write_text("/* s */\n")
        good = "// B.\nimport { one } from './a.js';\nexport const three = one;\n"
        (folder / "b.js").write_text(good)
        assert check(folder, ["a", "b"], ["s"]) == []
        for bad in (good.replace("three", "two"), good + "x.innerHTML = 1;\n", good.replace("= one", "= 1"),
                    good.replace("{ one }", "{ none }"), good + "if (a == b) one;\n", good[5:],
                    good + "// " + "x" * 140 + "\n", good.replace("a.js", "c.js")):
            (folder / "b.js").write_text(bad)
            assert check(folder, ["a", "b"], ["s"]), bad
        (folder / "b.js").write_text(good)
        assert check(folder, ["b", "a"], ["s"]), "order"
        assert check(folder, ["a"], ["s"]), "unlisted"


if __name__ == "__main__":
    check_itself()
    findings = check() + syntax()
    print("\n".join(findings) or "lint: the sources of pages are as they should be")
    sys.exit(1 if findings else 0)
