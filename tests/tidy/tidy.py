#!/usr/bin/env python3
"""Rules about the tree itself: what compilers and formatters do not see.

    tidy.py --root DIR [--build DIR]

Checks the include direction of the rooms (the table of them in ARCHITECTURE.md is the rule), sources of nondeterminism,
files that no build compiles, headers without #pragma once or a head comment, long files and lines, notes left for
later, quotations of code in documents, and the files that ARCHITECTURE.md and docs/internals.md name.
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

# Which rooms there are, and what each may include, is said by one table, and by it alone.
ROOMS_FILE = "ARCHITECTURE.md"
MAPS = (ROOMS_FILE, "docs/internals.md")  # documents that name files of the tree
ROOMS_COLUMNS = ["room", "what lives there", "may include"]


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


# --- The table of rooms ----------------------------------------------------------------------------------------------


class Room(NamedTuple):
    name: str
    next_to_src: bool  # a folder next to src/; else one of src/gainsay/
    line: int  # of the table
    entries: tuple  # as the table says them

    @property
    def folder(self):
        return f"{self.name}/" if self.next_to_src else f"src/gainsay/{self.name}/"

    @property
    def prefix(self):
        """How includes of its headers begin."""
        return f"{self.name}/" if self.next_to_src else f"gainsay/{self.name}/"


class BadTable(Exception):
    def __init__(self, line, message):
        super().__init__(message)
        self.finding = Finding(ROOMS_FILE, line, "rooms", message)


def cells_of(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def read_rooms(text):
    """{name: Room} from the table of rooms in a document. Raises BadTable, which says what is wrong in which line.

    A row is | `base/` | ... | what it may include |; a folder next to src/ has (next to `src/`) in its first cell.
    What a room may include: `nothing`, or a list of rooms, of headers or folders of the library (gainsay.hpp,
    oracle/specs), and `anything`, which is the whole library. A room may always include itself.
    """
    lines = text.splitlines()
    columns = " | ".join(ROOMS_COLUMNS)
    headings = [i for i, line in enumerate(lines) if line.startswith("|") and cells_of(line) == ROOMS_COLUMNS]
    if len(headings) != 1:
        raise BadTable(headings[1] + 1 if headings else 1,
                       f"needs one table with the columns {columns}; it has {len(headings)}")
    rooms = {}
    for number, line in enumerate(lines[headings[0] + 1:], start=headings[0] + 2):
        if not line.startswith("|"):
            break
        if re.fullmatch(r"[|\s:-]+", line):
            continue
        room = read_room(number, line)
        if room.name in rooms:
            raise BadTable(number, f"{room.name}/ has a row already, in line {rooms[room.name].line}")
        rooms[room.name] = room
    if not rooms:
        raise BadTable(headings[0] + 1, "the table of rooms is empty")
    for room in rooms.values():
        for entry in room.entries:
            if entry not in ("nothing", "anything") and entry.split("/")[0] not in rooms and "." not in entry:
                raise BadTable(room.line, f"{room.name}/ may include {entry}, which is no room of the table")
    return rooms


def read_room(number, line):
    cells = cells_of(line)
    if len(cells) != len(ROOMS_COLUMNS):
        raise BadTable(number, f"a row of the table of rooms has {len(ROOMS_COLUMNS)} cells; this one has {len(cells)}")
    match = re.fullmatch(r"`([a-z_]+)/`( \(next to `src/`\))?", cells[0])
    if not match:
        raise BadTable(number, f"expected a room, as in `base/` or `tools/` (next to `src/`), not {cells[0] or '-'}")
    entries = tuple(entry.strip() for entry in cells[2].split(","))
    for entry in entries:
        if not re.fullmatch(r"[a-z_]+(?:/[a-z_]+)*(?:\.hpp)?", entry) or (entry == "nothing" and len(entries) > 1):
            raise BadTable(number, f"expected `nothing` or a list of rooms, as in base, trace; not {cells[2] or '-'}")
    return Room(match.group(1), match.group(2) is not None, number, entries)


def may_include(room, rooms, target):
    """Whether the table lets a room include a header, given by its whole path."""
    if target.startswith(room.prefix):
        return True
    for entry in room.entries:
        if entry == "anything":
            prefix = "gainsay/"
        elif entry in rooms:
            prefix = rooms[entry].prefix
        else:
            prefix = f"gainsay/{entry}" + ("" if entry.endswith(".hpp") else "/")
        if target.startswith(prefix):
            return True
    return False


# --- The rules: each takes the sources and yields findings -----------------------------------------------------------

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')


def room_rules(sources, root):
    """What follows from the table of rooms."""
    table = next((source.text for source in sources if source.path == ROOMS_FILE), "")
    try:
        rooms = read_rooms(table)
    except BadTable as bad:
        yield bad.finding
        return
    for room in rooms.values():
        if not (root / room.folder).is_dir():
            yield Finding(ROOMS_FILE, room.line, "rooms", f"there is no {room.folder}; remove the row")
    yield from includes(sources, rooms)
    yield from private_headers(sources, rooms)


def includes(sources, rooms):
    """An include goes with the data flow, and wrapped code does not know who wraps it."""
    for source in sources:
        if re.match(r"systems/[^/]+/component/", source.path):
            own = source.path.rsplit("/", 1)[0] + "/"
            for number, line in source.numbered():
                match = INCLUDE.match(line)
                if match and "/" in match.group(1) and not match.group(1).startswith(own):
                    yield Finding(source.path, number, "include",
                                  f"a wrapped component includes the standard library and {own} alone")
        in_library = source.path.startswith("src/gainsay/")
        room = next((each for each in rooms.values() if source.path.startswith(each.folder)), None)
        if in_library and room is None and source.path.count("/") > 2:
            name = source.path.split("/")[2]
            yield Finding(source.path, 1, "include", f"room {name}/ is not in the table of {ROOMS_FILE}")
            continue
        if not in_library and (room is None or room.name == "systems"):  # systems: private_headers
            continue
        for number, line in source.numbered():
            match = INCLUDE.match(line)
            if match:
                yield from judge_include(source.path, number, room, rooms, match.group(1))


def judge_include(path, number, room, rooms, target):
    """`room` is None for the headers that stand in src/gainsay/ itself: they may include the whole library."""
    folder, *rest = target.split("/")
    in_library = path.startswith("src/gainsay/")
    is_next_to_src = bool(rest) and folder in rooms and rooms[folder].next_to_src
    if in_library and is_next_to_src:
        yield Finding(path, number, "include", f"the library does not know {folder}/")
    elif not is_next_to_src and folder != "gainsay":
        if in_library and folder != "boost" and (target.endswith(".hpp") and not rest or ".." in target):
            yield Finding(path, number, "include", f'write the whole path: "gainsay/<room>/{target.split("/")[-1]}"')
    elif room is None or may_include(room, rooms, target):
        return
    elif folder == "gainsay" and len(rest) == 1:
        yield Finding(path, number, "include", f"inside a room, include the headers themselves and not {target}")
    else:
        other = rest[0] if folder == "gainsay" else folder
        yield Finding(path, number, "include", f"{room.name}/ may include {', '.join(room.entries)}; not {other}/")


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
        if not source.path.endswith(CODE_SUFFIXES) and source.path not in MAPS:
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


def private_headers(sources, rooms):
    """A system is written as a user would write it: with the public headers that the table names for it."""
    if "systems" not in rooms:
        return
    for source in sources:
        if not re.match(r"systems/[^/]+/", source.path) or re.search(r"[._]test\.[ch]pp$", source.path):
            continue
        for number, line in source.numbered():
            match = INCLUDE.match(line)
            if match and match.group(1).startswith("gainsay/") and \
                    not may_include(rooms["systems"], rooms, match.group(1)):
                yield Finding(source.path, number, "private_header", f"gainsay/gainsay.hpp instead of {match.group(1)}")


def stale_paths(sources):
    """A file that a map names is in the tree. It may be named by the end of its path."""
    paths = ["/" + source.path for source in sources]
    for source in sources:
        if source.path not in MAPS:
            continue
        for number, line in source.numbered():
            for name in re.findall(r"`([\w./-]+\.(?:hpp|cpp|py|sh|cmake|md))`", line):
                if not any(path.endswith("/" + name) for path in paths):
                    yield Finding(source.path, number, "path", f"there is no {name} (any more)")


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


TREE_RULES = [nondeterminism, headers, lengths, left_for_later, misnamed_tests, stale_paths]


def not_built(sources, root, build):
    """Every test, and every source of the library, the tools, the systems and the papers, is compiled by the build."""
    if not (build / "compile_commands.json").is_file():
        yield Finding(str(build), 1, "not_built", "has no compile_commands.json: configure this build first")
        return
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
    found = list(room_rules(sources, root))
    found += [finding for rule in TREE_RULES for finding in rule(sources)]
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
