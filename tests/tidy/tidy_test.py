#!/usr/bin/env python3
"""Breaks each rule of tidy.py once, in a tree of its own, and demands that it is noticed where it was broken."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import tidy

HEAD = "// A thing.\n#pragma once\n"
# The rooms of these trees are those of ours.
MAP = (Path(tidy.__file__).parents[2] / tidy.ROOMS_FILE).read_text()
TABLE = MAP[MAP.index("| room |"):].partition("\n\n")[0] + "\n"


class Tree(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.write(tidy.ROOMS_FILE, TABLE)
        for room in tidy.read_rooms(TABLE).values():
            (self.root / room.folder).mkdir(parents=True)

    def write(self, path, text):
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)

    def found(self, **arguments):
        return [(finding.rule, finding.path, finding.line) for finding in tidy.check(self.root, **arguments)]

    def expect(self, path, text, *expected):
        """The file alone breaks exactly these (rule, line)."""
        self.write(path, text)
        self.assertEqual(self.found(), [(rule, path, line) for rule, line in expected], text)
        (self.root / path).unlink()


class Includes(Tree):
    def test_against_the_data_flow(self):
        for room, target in [("base", "trace"), ("trace", "family"), ("family", "trace"), ("scenario", "oracle"),
                             ("strategy", "scenario"), ("oracle", "execution"), ("execution", "explorer"),
                             ("explorer", "report"), ("report", "execution"), ("oracle", "strategy")]:
            self.expect(f"src/gainsay/{room}/a.hpp", HEAD + f'#include "gainsay/{target}/b.hpp"\n', ("include", 3))

    def test_with_the_data_flow(self):
        for room, target in [("base", "base"), ("trace", "base"), ("scenario", "family"), ("strategy", "trace"),
                             ("oracle", "scenario"), ("execution", "strategy"), ("explorer", "execution"),
                             ("explorer", "base"), ("explorer", "explorer"), ("report", "oracle"),
                             ("report", "scenario"), ("adapter", "report")]:
            self.expect(f"src/gainsay/{room}/a.hpp", HEAD + f'#include "gainsay/{target}/b.hpp"\n')

    def test_angle_brackets_do_not_hide(self):
        self.expect("src/gainsay/base/a.cpp", "#include <gainsay/trace/b.hpp>\n", ("include", 1))

    def test_tests_obey_too(self):
        self.expect("src/gainsay/strategy/a.test.cpp", '#include "gainsay/execution/b.hpp"\n', ("include", 1))

    def test_commented_out(self):
        self.expect("src/gainsay/base/a.cpp", '// #include "gainsay/trace/b.hpp"\n')

    def test_the_umbrella(self):
        self.expect("src/gainsay/base/a.cpp", '#include "gainsay/gainsay.hpp"\n', ("include", 1))
        self.expect("src/gainsay/gainsay.hpp", HEAD + '#include "gainsay/execution/b.hpp"\n')

    def test_unknown_room(self):
        self.expect("src/gainsay/attic/a.cpp", "", ("include", 1))

    def test_what_is_next_to_the_library(self):
        for folder in ("tools", "systems", "papers", "tests", "benchmarks"):
            self.expect("src/gainsay/adapter/a.cpp", f'#include "{folder}/b.hpp"\n', ("include", 1))
            self.expect("src/gainsay/gainsay.hpp", HEAD + f'#include "{folder}/b.hpp"\n', ("include", 3))

    def test_folders_next_to_the_library(self):
        for folder, target in [("papers", "tools"), ("papers", "gainsay/explorer"), ("tools", "gainsay/report"),
                               ("tools", "tools"), ("benchmarks", "systems/paxos"), ("papers", "fmt")]:
            self.expect(f"{folder}/a.cpp", f'#include "{target}/b.hpp"\n')
        for folder, target in [("tools", "papers"), ("tools", "systems/paxos"), ("papers", "systems/paxos"),
                               ("papers", "tests/twin")]:
            self.expect(f"{folder}/a.cpp", f'#include "{target}/b.hpp"\n', ("include", 1))

    def test_wrapped_components_know_nothing_of_gainsay(self):
        self.expect("systems/x/component/a.cpp", '#include "gainsay/gainsay.hpp"\n', ("include", 1))
        self.expect("systems/x/component/a.cpp", '#include "systems/x/x.hpp"\n', ("include", 1))
        self.expect("systems/x/component/a.cpp", '#include "systems/x/component/a.hpp"\n#include <map>\n')

    def test_paths_are_whole(self):
        self.expect("src/gainsay/base/a.cpp", '#include "b.hpp"\n', ("include", 1))
        self.expect("src/gainsay/base/a.cpp", '#include "../trace/b.hpp"\n', ("include", 1))


class Rooms(Tree):
    """The table of rooms, read and misread."""

    HEADING = "# Map\n\n| room | what lives there | may include |\n|---|---|---|\n"
    BASE = "| `base/` | checks | nothing |\n"

    def complaint(self, text):
        """The line and the message with which a document is refused."""
        self.write(tidy.ROOMS_FILE, text)
        findings = tidy.check(self.root)
        self.assertEqual([(f.rule, f.path) for f in findings], [("rooms", tidy.ROOMS_FILE)], findings)
        return findings[0].line, findings[0].message

    def test_a_table(self):
        rooms = tidy.read_rooms(self.HEADING + self.BASE + "| `trace/` | nouns | base |\n"
                                "| `tools/` (next to `src/`) | verbs | anything |\n"
                                "| `systems/` (next to `src/`) | subjects | gainsay.hpp, trace/specs |\n\nText.\n"
                                "| `attic/` | of another table | base |\n")
        self.assertEqual([(room.folder, room.line, room.entries) for room in rooms.values()],
                         [("src/gainsay/base/", 5, ("nothing",)), ("src/gainsay/trace/", 6, ("base",)),
                          ("tools/", 7, ("anything",)), ("systems/", 8, ("gainsay.hpp", "trace/specs"))])

        def allowed(name):
            targets = ["gainsay/base/a.hpp", "gainsay/trace/a.hpp", "gainsay/trace/specs/a.hpp", "gainsay/gainsay.hpp",
                       "tools/a.hpp", "systems/a.hpp"]
            return [target for target in targets if tidy.may_include(rooms[name], rooms, target)]

        self.assertEqual(allowed("base"), ["gainsay/base/a.hpp"])
        self.assertEqual(allowed("trace"), ["gainsay/base/a.hpp", "gainsay/trace/a.hpp", "gainsay/trace/specs/a.hpp"])
        self.assertEqual(allowed("tools"), ["gainsay/base/a.hpp", "gainsay/trace/a.hpp", "gainsay/trace/specs/a.hpp",
                                            "gainsay/gainsay.hpp", "tools/a.hpp"])
        self.assertEqual(allowed("systems"), ["gainsay/trace/specs/a.hpp", "gainsay/gainsay.hpp", "systems/a.hpp"])

    def test_the_rule_is_the_table(self):
        self.write(tidy.ROOMS_FILE, self.HEADING + self.BASE + "| `trace/` | nouns | nothing |\n")
        self.expect("src/gainsay/trace/a.cpp", '#include "gainsay/base/b.hpp"\n', ("include", 1))
        self.write(tidy.ROOMS_FILE, self.HEADING + self.BASE + "| `trace/` | nouns | base |\n")
        self.expect("src/gainsay/trace/a.cpp", '#include "gainsay/base/b.hpp"\n')

    def test_no_table(self):
        for text in ("", "# Map\n\n| room | what lives there |\n|---|---|\n| `base/` | checks |\n"):
            self.assertEqual(self.complaint(text), (
                1, "needs one table with the columns room | what lives there | may include; it has 0"))
        (self.root / tidy.ROOMS_FILE).unlink()
        self.assertEqual(self.found(), [("rooms", tidy.ROOMS_FILE, 1)])

    def test_two_tables(self):
        line, message = self.complaint(self.HEADING + self.BASE + "\n" + self.HEADING + self.BASE)
        self.assertEqual((line, message[-8:]), (9, "it has 2"))

    def test_empty_table(self):
        self.assertEqual(self.complaint(self.HEADING + "\nText.\n"), (3, "the table of rooms is empty"))

    def test_malformed_rows(self):
        for row, message in [
            ("| `trace/` | nouns |", "a row of the table of rooms has 3 cells; this one has 2"),
            ("| `trace/` | a | b | base |", "a row of the table of rooms has 3 cells; this one has 4"),
            ("| trace | nouns | base |",
             "expected a room, as in `base/` or `tools/` (next to `src/`), not trace"),
            ("| | nouns | base |", "expected a room, as in `base/` or `tools/` (next to `src/`), not -"),
            ("| `trace/` | nouns | |", "expected `nothing` or a list of rooms, as in base, trace; not -"),
            ("| `trace/` | nouns | base and more |",
             "expected `nothing` or a list of rooms, as in base, trace; not base and more"),
            ("| `trace/` | nouns | nothing, base |",
             "expected `nothing` or a list of rooms, as in base, trace; not nothing, base"),
            ("| `trace/` | nouns | base, attic |", "trace/ may include attic, which is no room of the table"),
            ("| `base/` | nouns | nothing |", "base/ has a row already, in line 5"),
        ]:
            self.assertEqual(self.complaint(self.HEADING + self.BASE + row + "\n"), (6, message), row)

    def test_a_bad_table_is_the_only_complaint_about_includes(self):
        self.write("src/gainsay/base/a.cpp", '#include "gainsay/trace/b.hpp"\n')
        self.complaint("")

    def test_a_row_without_a_folder(self):
        (self.root / "src/gainsay/trace").rmdir()
        line, message = self.complaint(self.HEADING + self.BASE + "| `trace/` | nouns | base |\n")
        self.assertEqual((line, message), (6, "there is no src/gainsay/trace/; remove the row"))


class Nondeterminism(Tree):
    BROKEN = {
        "rand": ["int x = rand();", "int x = std::rand ();", "srand(1);"],
        "random_device": ["std::random_device seed;"],
        "distribution": ["std::uniform_int_distribution<int> d;", "std::normal_distribution<> d;"],
        "random_engine": ["std::mt19937 g;", "std::mt19937_64 g;", "std::default_random_engine g;"],
        "shuffle": ["std::shuffle(a, b, g);", "std::ranges::shuffle(a, g);"],
        "wall_clock": ["auto t = std::chrono::system_clock::now();", "high_resolution_clock::now();"],
        "time": ["auto t = time(nullptr);", "auto t = std::time(NULL);"],
        "steady_clock": ["auto t = std::chrono::steady_clock::now();"],
        "thread_local": ["thread_local int x;"],
        "unordered": ["std::unordered_map<int, int> m;", "std::unordered_set<int> s;"],
        "pointer_order": ["std::set<Node*> s;", "std::map<const a::Node *, int> m;"],
    }

    def test_every_ban_is_broken_here(self):
        self.assertEqual(set(self.BROKEN), {ban.rule for ban in tidy.BANS})

    def test_each_ban(self):
        for rule, lines in self.BROKEN.items():
            for line in lines:
                self.expect("src/gainsay/trace/a.cpp", "\n" + line + "\n", (rule, 2))
                self.expect("systems/paxos/a.cpp", line + "\n", (rule, 1))
                self.expect("tools/a.cpp", line + "\n")

    def test_tests_may_measure_and_count(self):
        for rule, (line, *_) in self.BROKEN.items():
            lenient = rule in ("steady_clock", "unordered")
            self.expect("src/gainsay/trace/a.test.cpp", line + "\n", *([] if lenient else [(rule, 1)]))

    def test_words_and_lookalikes(self):
        for line in ["// rand() is banned", '"thread_local"', "/* std::mt19937\n rand() */", 'R"(rand())"',
                     "rng.rand();", "operand();", "int n = 1'000; // it's rand()", "auto t = event.time(0);",
                     "std::map<int, Node*> m;", "boost::unordered_flat_map<int, int> m;"]:
            self.expect("src/gainsay/trace/a.cpp", line + "\n")

    def test_code_after_a_literal_is_seen(self):
        self.expect("src/gainsay/trace/a.cpp", "f(\"//\", '\"', 1'000); rand();\n", ("rand", 1))

    def test_the_message_names_the_replacement(self):
        self.write("src/gainsay/trace/a.cpp", "rand();\n")
        self.assertIn("gainsay::Rng", tidy.check(self.root)[0].message)


class AllowList(Tree):
    def test_excuses_one_rule_in_one_file(self):
        self.write("src/gainsay/report/a.cpp", "steady_clock::now();\n")
        self.write("src/gainsay/report/b.cpp", "steady_clock::now();\n")
        self.write(tidy.ALLOW_FILE, "# comment\n\nsteady_clock src/gainsay/report/a.cpp progress is for people\n")
        self.assertEqual(self.found(), [("steady_clock", "src/gainsay/report/b.cpp", 1)])

    def test_stale_entry(self):
        self.write(tidy.ALLOW_FILE, "rand src/gainsay/report/a.cpp because\n")
        self.assertEqual(self.found(), [("allow", tidy.ALLOW_FILE, 1)])

    def test_entry_without_a_reason(self):
        self.write(tidy.ALLOW_FILE, "rand src/gainsay/report/a.cpp\n")
        self.assertEqual(self.found(), [("allow", tidy.ALLOW_FILE, 1)])


class Files(Tree):
    def test_header_without_pragma_once(self):
        self.expect("src/gainsay/base/a.hpp", "// A thing.\nint x;\n", ("pragma_once", 1))

    def test_header_with_code_before_pragma_once(self):
        self.expect("src/gainsay/base/a.hpp", "// A thing.\nint x;\n#pragma once\n", ("pragma_once", 1))

    def test_header_without_a_head_comment(self):
        self.expect("src/gainsay/base/a.hpp", "#pragma once\nint x;\n", ("head_comment", 1))

    def test_long_line(self):
        self.expect("src/gainsay/base/a.cpp", "//" + "x" * (tidy.COLUMNS_MAX - 2) + "\n")
        self.expect("src/gainsay/base/a.cpp", "//" + "x" * (tidy.COLUMNS_MAX - 1) + "\n", ("line_length", 1))

    def test_long_line_of_the_map(self):
        self.write(tidy.ROOMS_FILE, TABLE + "\n" + "x" * tidy.COLUMNS_MAX + "\n")
        self.assertEqual(self.found(), [])
        self.write(tidy.ROOMS_FILE, TABLE + "\n" + "x" * (tidy.COLUMNS_MAX + 1) + "\n")
        self.assertEqual(self.found(), [("line_length", tidy.ROOMS_FILE, TABLE.count("\n") + 2)])

    def test_the_map_names_files_that_are_there(self):
        self.write("src/gainsay/base/a.hpp", HEAD)
        self.write(tidy.ROOMS_FILE, TABLE + "\n`base/a.hpp`, `a.hpp`, `a::b`, <name>.hpp\n")
        self.assertEqual(self.found(), [])
        self.write(tidy.ROOMS_FILE, TABLE + "\n`trace/a.hpp`\n`aa.hpp`\n")
        line = TABLE.count("\n") + 2
        self.assertEqual(self.found(), [("path", tidy.ROOMS_FILE, line), ("path", tidy.ROOMS_FILE, line + 1)])

    def test_long_file(self):
        self.expect("src/gainsay/base/a.cpp", "\n" * tidy.LINES_MAX)
        self.expect("src/gainsay/base/a.cpp", "\n" * (tidy.LINES_MAX + 1), ("file_length", tidy.LINES_MAX))

    def test_longish_file_is_only_warned_about(self):
        self.write("src/gainsay/base/a.cpp", "\n" * (tidy.LINES_WORTH_A_QUESTION + 1))
        self.assertEqual(self.found(), [])
        self.assertEqual(len(list(tidy.worth_a_question(self.root))), 1)

    def test_left_for_later(self):
        for word in ("TO" + "DO", "FIX" + "ME", "XX" + "X"):
            self.expect("src/gainsay/base/a.cpp", f"\n// {word}: later\n", ("left_for_later", 2))
            self.expect("docs/a.md", f"{word}\n", ("left_for_later", 1))

    def test_quotes(self):
        self.write("src/gainsay/base/a.hpp", HEAD + "int x;\nint y;\n")
        for path, text, *expected in [("src/gainsay/base/a.hpp", "int x;\n"),
                                      ("src/gainsay/base/a.hpp", "int z;\n", ("quote", 2)),
                                      ("src/gainsay/base/b.hpp", "int x;\n", ("quote", 2))]:
            self.expect("docs/a.md", f"As in:\n```cpp file={path}\n{text}```\n", *expected)
        self.expect("docs/a.md", "```cpp\nint z;\n```\n")

    def test_misnamed_tests(self):
        for name in ("a_test.cpp", "test_a.cpp", "a_tests.cpp", "aTest.cpp"):
            self.expect(f"tests/{name}", "", ("test_name", 1))

    def test_private_headers(self):
        self.expect("systems/a/b.hpp", HEAD + '#include "gainsay/gainsay.hpp"\n')
        self.expect("systems/a/b.hpp", HEAD + '#include "gainsay/oracle/specs/kv.hpp"\n')
        self.expect("systems/a/b.hpp", HEAD + '#include "gainsay/base/rng.hpp"\n', ("private_header", 3))
        self.expect("systems/a/b.test.cpp", '#include "gainsay/base/rng.hpp"\n')
        self.expect("systems/a/b_test.hpp", HEAD + '#include "gainsay/base/rng.hpp"\n')

    def test_incomplete_systems(self):
        scenario = "GAINSAY_SCENARIO(a, text, Options) {}\n"
        self.expect("systems/a/a.test.cpp", scenario)
        self.expect("systems/a/a.cpp", scenario, ("system", 1), ("system", 1))
        self.write("systems/a/README.md", "# a\n<!-- measured by scripts/measure_systems.py -->\n<!-- end -->\n")
        self.expect("systems/a/a.cpp", scenario, ("system", 1))
        self.write("systems/a/mutations/b.patch", "")
        self.expect("systems/a/a.cpp", scenario)

    def test_builds_and_hidden_folders_are_not_read(self):
        self.expect("build/release/a.hpp", "int x;\n")
        self.expect(".cache/a.hpp", "int x;\n")


class Build(Tree):
    def compile_only(self, *paths):
        self.write("out/compile_commands.json", json.dumps(
            [{"directory": str(self.root / "out"), "file": f"../{path}", "command": "c++"} for path in paths]))

    def test_forgotten_files(self):
        kept = ["src/gainsay/base/a.cpp", "tests/across/b.test.cpp"]
        lost = ["docs/e.test.cpp", "src/gainsay/base/a.test.cpp", "systems/paxos/c.cpp", "tools/d.cpp"]
        for path in kept + lost + ["benchmarks/f.cpp", "tests/outside/g.cpp"]:
            self.write(path, "")
        self.compile_only(*kept)
        self.assertEqual(self.found(build=self.root / "out"), [("not_built", path, 1) for path in lost])

    def test_a_build_that_is_not_there(self):
        build = self.root / "nowhere"
        self.assertEqual(self.found(build=build), [("not_built", str(build), 1)])

    def test_sources_that_are_compiled_together(self):
        joined = "src/gainsay/base/joined.cpp"
        self.write(joined, "int x;\n")
        unity = self.root / "out/CMakeFiles/gainsay.dir/Unity/unity_0_cxx.cxx"
        unity.parent.mkdir(parents=True)
        unity.write_text(f'#include "{self.root / joined}"\n')
        self.write("out/compile_commands.json", json.dumps([{"directory": str(self.root), "file": str(unity)}]))
        self.assertEqual(self.found(build=self.root / "out"), [])


class CommandLine(Tree):
    def run_tidy(self):
        return subprocess.run([sys.executable, tidy.__file__, "--root", str(self.root)],
                              capture_output=True, text=True)

    def test_clean_tree(self):
        self.write("src/gainsay/base/a.hpp", HEAD)
        done = self.run_tidy()
        self.assertEqual((done.returncode, done.stdout), (0, "tidy: nothing to complain about\n"))

    def test_finding(self):
        self.write("src/gainsay/base/a.cpp", "rand();\n")
        done = self.run_tidy()
        self.assertEqual(done.returncode, 1)
        self.assertTrue(done.stdout.startswith("src/gainsay/base/a.cpp:1: rand: "), done.stdout)


if __name__ == "__main__":
    unittest.main()
