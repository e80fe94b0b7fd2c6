#!/usr/bin/env python3
"""Rules about the tree itself: what compilers and formatters do not see.

    tidy.py --root DIR [--build DIR]

Checks the include direction of the rooms, sources of nondeterminism, files that no build compiles, headers without
#pragma once or a head comment, long files and lines, notes left for later, and quotations of code in documents.
Prints `path:line: rule: message` and fails if there is one. Where a rule must give way, tests/tidy/allow.txt says so,
with the reason; an entry there that excuses nothing is reported as well. tidy_test.py breaks each rule once and
demands that it is noticed.
"""

import argparse
import json
import re
import sys
from pathlib import Path
from typing import NamedTuple

# --- What the rules are about ----------------------------------------------------------------------------------------

# Which rooms a room may include; itself always. The rooms stand in the order of the data flow.
BELOW_EXECUTION = {"base", "trace", "family", "scenario", "strategy", "oracle"}
ANYTHING = None
MAY_INCLUDE = {
    "base": set(),
    "trace": {"base"},
    "family": {"base"},
    "scenario": {"base", "trace", "family"},
    "strategy": {"base", "trace", "family"},
    "oracle": {"base", "trace", "scenario"},
    "execution": BELOW_EXECUTION,
    "explorer": BELOW_EXECUTION | {"execution"},
    "model": BELOW_EXECUTION | {"execution", "explorer"},
    "report": {"base", "trace", "oracle", "scenario"},
    "adapter": ANYTHING,
    "cluster": {"base", "trace", "oracle", "family"},
    "scaleout": BELOW_EXECUTION | {"execution", "explorer"},
}

# Folders beside src/ that the library must not know.
OUTSIDE_FOLDERS = ("tools/", "systems/", "papers/", "tests/", "benchmarks/")


class Ban(NamedTuple):
    rule: str
    pattern: re.Pattern
    instead: str
    in_tests: bool  # whether it is banned in *.test.cpp too


USE_RNG = "draw from gainsay::Rng (gainsay/base/rng.hpp), the only randomness"
USE_VIRTUAL_TIME = "time inside an execution is ctx.now(); budgets and progress are allowed steady_clock by name"
BANS = [
    Ban("rand", re.compile(r"(?<![\w.>])(?:std::)?s?rand\s*\("), USE_RNG, True),
    Ban("random_device", re.compile(r"\brandom_device\b"), USE_RNG + "; seeds come from the user", True),
    Ban("distribution", re.compile(r"\bstd::\w+_distribution\b"),
        USE_RNG + "; distributions differ between standard libraries", True),
    Ban("random_engine", re.compile(r"\bstd::(?:mt19937(?:_64)?|default_random_engine|minstd_rand0?)\b"),
        USE_RNG, True),
    Ban("shuffle", re.compile(r"\bstd::(?:ranges::)?(?:shuffle|sample)\b"),
        USE_RNG + "; std::shuffle differs between standard libraries", True),
    Ban("wall_clock", re.compile(r"\b(?:system_clock|high_resolution_clock|gettimeofday)\b"), USE_VIRTUAL_TIME, True),
    Ban("time", re.compile(r"(?<![\w.>])(?:std::)?time\s*\(\s*(?:nullptr|NULL|0)\s*\)"), USE_VIRTUAL_TIME, True),
    Ban("steady_clock", re.compile(r"\b(?:steady_clock|clock_gettime)\b"), USE_VIRTUAL_TIME, False),
    Ban("thread_local", re.compile(r"\bthread_local\b"),
        "pass the state as an argument; an execution must not depend on its thread", True),
    Ban("unordered", re.compile(r"\bstd::unordered_\w+"),
        "use std::map or a sorted vector where anything iterates, boost::unordered_flat_map where nothing does", False),
    Ban("pointer_order", re.compile(r"\bstd::(?:multi)?(?:set|map)<\s*(?:const\s+)?[\w:]+(?:\s+const)?\s*\*"),
        "order by a stable id; addresses differ from run to run", True),
]
BANNED_IN = ("src/", "systems/")

LINES_WORTH_A_QUESTION = 600
LINES_MAX = 900
COLUMNS_MAX = 120
CODE_SUFFIXES = (".cpp", ".hpp", ".py", ".sh", ".cmake")
# Spelt apart, so that this file passes its own check.
LEFT_FOR_LATER = re.compile(r"\b(?:TO" + r"DO|FIX" + r"ME|XX" + r"X)\b")

# --- Reading ---------------------------------------------------------------------------------------------------------


class Finding(NamedTuple):
    path: str
    line: int
    rule: str
    message: str

    def __str__(self):
        return f"{self.path}:{self.line}: {self.rule}: {self.message}"


CPP_TOKEN = re.compile(
    r'(?P<raw>R"(?P<tag>[^()\\\s]{0,16})\(.*?\)(?P=tag)")'
    r'|(?P<comment>//[^\n]*|/\*.*?\*/)'
    r'|(?P<number>\b\d[\w\']*)'
    r'|(?P<text>"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\')',
    re.DOTALL)


def code_only(text):
    """The text with comments and the insides of literals blanked, line for line. Includes keep their names."""

    def blank(match):
        if match.group("number"):
            return match.group()
        if match.group("text") and re.search(r"#\s*include\s*$", text[:match.start()].rpartition("\n")[2]):
            return match.group()
        return re.sub(r"[^\n]", " ", match.group())

    return CPP_TOKEN.sub(blank, text)


class Source(NamedTuple):
    path: str  # relative to the root, with slashes
    text: str
    code: str  # code_only(text) for C++, else the text

    def numbered(self, code=True):
        return enumerate((self.code if code else self.text).splitlines(), start=1)

    @property
    def is_test(self):
        return self.path.endswith(".test.cpp")


def read_tree(root):
    """Every text file worth checking, without builds, hidden folders and foreign code."""
    sources = []
    for path in sorted(root.rglob("*")):
        relative = path.relative_to(root)
        if any(part.startswith(".") or part in ("build", "gainsay-traces", "node_modules", "__pycache__")
               for part in relative.parts):
            continue
        if not path.is_file() or path.suffix not in (*CODE_SUFFIXES, ".md", ".txt"):
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        is_cpp = path.suffix in (".cpp", ".hpp")
        sources.append(Source(relative.as_posix(), text, code_only(text) if is_cpp else text))
    return sources


# --- The rules: each takes the sources and yields findings -----------------------------------------------------------

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')


def includes(sources):
    """An include goes with the data flow, and wrapped code does not know who wraps it."""
    for source in sources:
        if re.match(r"systems/[^/]+/component/", source.path):
            own = source.path.rsplit("/", 1)[0] + "/"
            for number, line in source.numbered():
                match = INCLUDE.match(line)
                if match and "/" in match.group(1) and not match.group(1).startswith(own):
                    yield Finding(source.path, number, "include",
                                  f"a wrapped component includes the standard library and {own} alone")
        if not source.path.startswith("src/gainsay/"):
            continue
        parts = source.path.split("/")
        room = parts[2] if len(parts) > 3 else None
        if room is not None and room not in MAY_INCLUDE:
            yield Finding(source.path, 1, "include", f"room {room}/ is not in the table of tests/tidy/tidy.py")
            continue
        for number, line in source.numbered():
            match = INCLUDE.match(line)
            if match:
                yield from judge_include(source.path, number, room, match.group(1))


def judge_include(path, number, room, target):
    if target.startswith(OUTSIDE_FOLDERS):
        yield Finding(path, number, "include", f"the library does not know {target.split('/')[0]}/")
        return
    if not target.startswith("gainsay/"):
        if not target.startswith("boost/") and (target.endswith(".hpp") and "/" not in target or ".." in target):
            yield Finding(path, number, "include", f'write the whole path: "gainsay/<room>/{target.split("/")[-1]}"')
        return
    if room is None or MAY_INCLUDE[room] is ANYTHING:
        return
    parts = target.split("/")
    if len(parts) < 3:
        yield Finding(path, number, "include", f"inside a room, include the headers themselves and not {target}")
    elif parts[1] != room and parts[1] not in MAY_INCLUDE[room]:
        allowed = ", ".join(sorted(MAY_INCLUDE[room])) or "no other room"
        yield Finding(path, number, "include", f"{room}/ may include {allowed}; not {parts[1]}/")


def nondeterminism(sources):
    """Nothing but Rng and the virtual clock decides."""
    for source in sources:
        if not source.path.startswith(BANNED_IN) or not source.path.endswith((".cpp", ".hpp")):
            continue
        for number, line in source.numbered():
            for ban in BANS:
                if ban.pattern.search(line) and (ban.in_tests or not source.is_test):
                    yield Finding(source.path, number, ban.rule, ban.instead)


def headers(sources):
    """A header says what it is, and says it once."""
    for source in sources:
        if not source.path.endswith(".hpp"):
            continue
        if not re.match(r"\s*(//|/\*)", source.text):
            yield Finding(source.path, 1, "head_comment", "begin with a comment that says what this is")
        first_code = next((line.strip() for _, line in source.numbered() if line.strip()), "")
        if first_code != "#pragma once":
            yield Finding(source.path, 1, "pragma_once", "the first line of code is #pragma once")


def lengths(sources):
    for source in sources:
        if not source.path.endswith(CODE_SUFFIXES):
            continue
        lines = source.text.splitlines()
        if len(lines) > LINES_MAX:
            yield Finding(source.path, LINES_MAX, "file_length", f"{len(lines)} lines; {LINES_MAX} are the most")
        for number, line in enumerate(lines, start=1):
            if len(line) > COLUMNS_MAX:
                yield Finding(source.path, number, "line_length", f"{len(line)} columns; {COLUMNS_MAX} are the most")


def left_for_later(sources):
    for source in sources:
        for number, line in source.numbered(code=False):
            match = LEFT_FOR_LATER.search(line)
            if match:
                yield Finding(source.path, number, "left_for_later", f"do it or say why not, not {match.group()}")


def misnamed_tests(sources):
    """A test is found by its name."""
    for source in sources:
        name = source.path.rsplit("/", 1)[-1]
        if re.search(r"(?:^test_.*|_test|[_-]tests?|Test)\.cpp$", name):
            yield Finding(source.path, 1, "test_name", "tests are called <file>.test.cpp; this one is never compiled")


def stale_quotes(sources, root):
    """A block of a document that begins with ```cpp file=PATH stands in that file, word for word."""
    for source in sources:
        if not source.path.endswith(".md"):
            continue
        for match in re.finditer(r"^```\w+ file=(\S+)\n(.*?)^```$", source.text, re.DOTALL | re.MULTILINE):
            quoted, path = match.group(2), root / match.group(1)
            if not path.is_file() or quoted not in path.read_text():
                line = source.text.count("\n", 0, match.start()) + 1
                yield Finding(source.path, line, "quote", f"{match.group(1)} does not say this (any more)")


def private_headers(sources):
    """A system is written as a user would write it: with the umbrella header and the specifications of objects."""
    for source in sources:
        if not re.match(r"systems/[^/]+/", source.path) or re.search(r"[._]test\.[ch]pp$", source.path):
            continue
        for number, line in source.numbered():
            match = re.match(r'\s*#\s*include\s*["<](gainsay/[^">]+)', line)
            if match and not re.match(r"gainsay/(gainsay\.hpp$|tasks\.hpp$|oracle/specs/)", match.group(1)):
                yield Finding(source.path, number, "private_header", f"gainsay/gainsay.hpp instead of {match.group(1)}")


def incomplete_systems(sources, root):
    """A system has a README that ends with what was measured, and a mutation that its tests notice."""
    for source in sources:
        match = re.match(r"(systems/[^/]+)/[^/]+(?<!\.test)\.cpp$", source.path)
        if not match or "GAINSAY_SCENARIO(" not in source.code:
            continue
        readme = root / match.group(1) / "README.md"
        if not readme.is_file() or "<!-- measured by scripts/measure_systems.py -->" not in readme.read_text():
            yield Finding(source.path, 1, "system", "needs a README.md with the marks of scripts/measure_systems.py")
        if not list((root / match.group(1) / "mutations").glob("*.patch")):
            yield Finding(source.path, 1, "system", "needs a mutation: mutations/<what>.patch")


TREE_RULES = [includes, nondeterminism, headers, lengths, left_for_later, misnamed_tests, private_headers]


def not_built(sources, root, build):
    """Every test, and every source of the library, the tools, the systems and the papers, is compiled by the build."""
    compiled = {Path(entry["directory"], entry["file"]).resolve()
                for entry in json.loads((build / "compile_commands.json").read_text())}
    for joined in [path for path in compiled if path.parent.name == "Unity" and path.exists()]:
        compiled |= {Path(name).resolve() for name in re.findall(r'^#include "(.+)"$', joined.read_text(), re.M)}
    for source in sources:
        in_library = source.path.startswith(("src/", "tools/", "systems/", "papers/")) and source.path.endswith(".cpp")
        if (in_library or source.is_test) and (root / source.path).resolve() not in compiled:
            yield Finding(source.path, 1, "not_built", "no target compiles this file")


# --- The allow-list -------------------------------------------------------------------------------------------------

ALLOW_FILE = "tests/tidy/allow.txt"


def read_allowed(root):
    """Lines `rule path reason`; returns {(rule, path): line number} and the findings about the list itself."""
    allowed, findings = {}, []
    path = root / ALLOW_FILE
    for number, line in enumerate(path.read_text().splitlines() if path.exists() else [], start=1):
        if not line.strip() or line.startswith("#"):
            continue
        words = line.split(maxsplit=2)
        if len(words) < 3:
            findings.append(Finding(ALLOW_FILE, number, "allow", "expected `rule path reason`"))
        else:
            allowed[(words[0], words[1])] = number
    return allowed, findings


def check(root, build=None):
    """All findings about the tree, after the allow-list."""
    sources = read_tree(root)
    found = [finding for rule in TREE_RULES for finding in rule(sources)]
    found += stale_quotes(sources, root)
    found += incomplete_systems(sources, root)
    if build is not None:
        found += not_built(sources, root, build)
    allowed, findings = read_allowed(root)
    used = {(finding.rule, finding.path) for finding in found}
    findings += [finding for finding in found if (finding.rule, finding.path) not in allowed]
    findings += [Finding(ALLOW_FILE, number, "allow", f"{path} does not break {rule}; remove the entry")
                 for (rule, path), number in allowed.items() if (rule, path) not in used]
    return findings


def worth_a_question(root):
    """Warnings: these do not fail."""
    for source in read_tree(root):
        count = source.text.count("\n")
        if source.path.endswith(CODE_SUFFIXES) and LINES_WORTH_A_QUESTION < count <= LINES_MAX:
            yield f"{source.path}: warning: {count} lines; past {LINES_WORTH_A_QUESTION} it is a question of design"


def main():
    parser = argparse.ArgumentParser(description="Checks the rules of the tree.")
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parents[2])
    parser.add_argument("--build", type=Path, help="a build folder with compile_commands.json")
    arguments = parser.parse_args()
    root = arguments.root.resolve()
    for warning in worth_a_question(root):
        print(warning)
    findings = check(root, arguments.build)
    for finding in findings:
        print(finding)
    print(f"tidy: {len(findings)} findings" if findings else "tidy: nothing to complain about")
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
