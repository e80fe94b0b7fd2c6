"""docs/json.md keeps its word: what the verbs print has the fields it lists, with their types, and no others.

    json_schema.py --root DIR --build DIR
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

TYPES = {"text": str, "integer": int, "number": (int, float), "boolean": bool, "list": list, "object": dict}


def tables(text):
    """Of each section: {field: type}."""
    found = {}
    for section in re.split(r"^## ", text, flags=re.M)[1:]:
        rows = re.findall(r"^\| `(\w+)` \| ([a-z]+\??) \|", section, re.M)
        found[section.split("\n")[0]] = dict(rows)
    return found


def complaints(where, document, fields):
    said = [f"{where}: {name} is not in docs/json.md" for name in document if name not in fields]
    for name, kind in fields.items():
        optional = kind.endswith("?")
        if name not in document:
            said += [] if optional else [f"{where}: {name} is missing"]
            continue
        value = document[name]
        if value is None and optional:
            continue
        wanted = TYPES[kind.rstrip("?")]
        if not isinstance(value, wanted) or (isinstance(value, bool) and wanted is not bool):
            said.append(f"{where}: {name} is {value!r}, expected {kind}")
    return said


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--root", type=pathlib.Path, required=True)
    arguments.add_argument("--build", type=pathlib.Path, required=True)
    options = arguments.parse_args()
    fields = tables((options.root / "docs/json.md").read_text(encoding="utf-8"))
    program = str((options.build / "example_lease").resolve())
    said = []
    with tempfile.TemporaryDirectory() as folder:
        def call(*words):
            done = subprocess.run([program, *words, "--json"], capture_output=True, text=True, check=False, cwd=folder)
            try:
                return json.loads(done.stdout)
            except json.JSONDecodeError:
                sys.exit(f"{' '.join(words)}: no JSON document\n{done.stdout}{done.stderr}")

        def explore():
            other = str((options.build / "example_replicated_log").resolve())
            done = subprocess.run([other, "explore", "replicated_log", "--option", "bug=acknowledge_first", "--json"],
                                  capture_output=True, text=True, check=False, cwd=folder)
            return json.loads(done.stdout)

        hunted = call("hunt", "lease", "--option", "bug=no_fencing", "--runs", "20000")
        if hunted["options"] != {"bug": "no_fencing"}:
            said.append(f"hunt: options are {hunted['options']}")
        trace = hunted["violations"][0]["trace_file"]
        explored = explore()
        for where, document in [("hunt", hunted), ("explore", explored), ("list", call("list")[0]),
                                ("replay", call("replay", trace)), ("shrink", call("shrink", trace)),
                                ("show", call("show", trace)), ("regress", call("regress", "gainsay-traces")[0]),
                                ("violations", hunted["violations"][0]), ("violations", explored["violations"][0])]:
            said += complaints(where, document, fields[where])
        everything = call("hunt", "--all", "--runs", "50", "--junit", "junit.xml")
        if [each["scenario"] for each in everything] != ["lease"]:
            said.append(f"hunt --all: {everything}")
        if '<testcase classname="scenarios" name="lease"/>' not in (pathlib.Path(folder) / "junit.xml").read_text():
            said.append("hunt --all --junit: no case for lease")
    if said:
        sys.exit("\n".join(said))
    print("docs/json.md: fields and types are as it says")


main()
