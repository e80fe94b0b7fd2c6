#!/usr/bin/env python3
"""What CI servers read is valid: JUnit as XML, SARIF 2.1.0 by the properties it requires, GitHub's annotations.

    reports_test.py --build DIR

Every verb that writes them is run, on results of every kind and on texts that try to be markup.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

LEVELS = {"none", "note", "warning", "error"}


def need(condition, what):
    if not condition:
        raise AssertionError(what)


def check_message(message, where):
    need(isinstance(message, dict) and isinstance(message.get("text"), str) and message["text"], f"{where}: a text")
    need(not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", message["text"]), f"{where}: control characters")


def check_location(location, where):
    physical = location.get("physicalLocation")
    need(isinstance(physical, dict), f"{where}: physicalLocation")
    uri = physical.get("artifactLocation", {}).get("uri")
    need(isinstance(uri, str) and uri, f"{where}: uri")
    need(re.fullmatch(r"[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]+", uri), f"{where}: {uri!r} is no URI")
    need(not re.search(r"%(?![0-9A-F]{2})", uri), f"{where}: {uri!r} has a bad escape")
    if "region" in physical:
        line = physical["region"].get("startLine")
        need(isinstance(line, int) and line >= 1, f"{where}: startLine {line}")
    for logical in location.get("logicalLocations", []):
        need(isinstance(logical.get("name"), str), f"{where}: name")


def check_sarif(log):
    """The properties that section 3 of SARIF 2.1.0 calls required, for all objects that we write."""
    need(log.get("version") == "2.1.0", "version")
    need(isinstance(log.get("runs"), list) and log["runs"], "runs")
    known = {"$schema", "version", "runs"}
    need(set(log) <= known, set(log) - known)
    for run in log["runs"]:
        driver = run["tool"]["driver"]
        need(isinstance(driver.get("name"), str) and driver["name"], "driver.name")
        need(run.get("columnKind") in ("utf16CodeUnits", "unicodeCodePoints"), "columnKind")
        rules = driver.get("rules", [])
        need(all(isinstance(rule.get("id"), str) for rule in rules), "rule.id")
        need(len({rule["id"] for rule in rules}) == len(rules), "rules are different")
        for rule in rules:
            check_message(rule["shortDescription"], "rule")
        for invocation in run.get("invocations", []):
            need(isinstance(invocation.get("executionSuccessful"), bool), "executionSuccessful")
            for each in invocation.get("toolExecutionNotifications", []):
                check_message(each.get("message"), "notification")
                need(each.get("level") in LEVELS, "level of a notification")
        need(isinstance(run.get("results"), list), "results")
        for result in run["results"]:
            check_message(result.get("message"), "result")
            need(result.get("level") in LEVELS, "level")
            need(rules[result["ruleIndex"]]["id"] == result["ruleId"], "ruleIndex")
            for location in result["locations"] + result.get("relatedLocations", []):
                check_location(location, result["ruleId"])
            need(all(isinstance(each, str) for each in result["partialFingerprints"].values()), "fingerprints")
    return log["runs"][0]


def check_junit(path):
    suite = ElementTree.parse(path).getroot()
    need(suite.tag == "testsuite", suite.tag)
    cases = suite.findall("testcase")
    need(int(suite.get("tests")) == len(cases), "tests")
    need(int(suite.get("failures")) == len(suite.findall("testcase/failure")), "failures")
    need(int(suite.get("errors")) == len(suite.findall("testcase/error")), "errors")
    return suite


class Reports:
    def __init__(self, build, folder):
        self.build, self.folder = build, folder

    def run(self, code, program, *words):
        junit, sarif = self.folder / "r.xml", self.folder / "r.sarif"
        for path in (junit, sarif):
            path.unlink(missing_ok=True)
        words = [*map(str, words), "--quiet", "--junit", str(junit), "--sarif", str(sarif), "--annotations", "github"]
        done = subprocess.run([str(self.build / program), *words], capture_output=True, text=True, check=False,
                              cwd=self.folder)
        need(done.returncode == code, f"{words}: {done.returncode}\n{done.stdout}{done.stderr}")
        annotations = [line for line in done.stderr.splitlines() if line.startswith("::")]
        return check_sarif(json.loads(sarif.read_text())), check_junit(junit), annotations


def line_with(path, text):
    lines = Path(path).read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)


def placed(run):
    """Where the first finding is: the name of the file, and the line."""
    physical = run["results"][0]["locations"][0]["physicalLocation"]
    return physical["artifactLocation"]["uri"].rsplit("/", 1)[-1], physical.get("region", {}).get("startLine")


def check_all(reports, root):
    # A property: the line on which the scenario declares it.
    run, suite, said = reports.run(1, "example_lost_update", "hunt", "lost_update", "--runs", 100)
    need(run["results"][0]["ruleId"] == "both increments count", run)
    line = line_with(root / "docs/examples/lost_update.cpp", 'world.finally("both increments count"')
    need(placed(run) == ("lost_update.cpp", line), (placed(run), line))
    related = run["results"][0]["relatedLocations"][0]["physicalLocation"]
    need(related["artifactLocation"]["uri"].endswith(".trace"), run)
    need("the counter is 1" in suite.find("testcase/failure").get("message"), "failure")
    wanted = f"line={line},title=lost_update%3A both increments count::the counter is 1"
    need(len(said) == 1 and wanted in said[0], said)
    first = run["results"][0]["partialFingerprints"]

    run, suite, said = reports.run(1, "example_lost_update", "explore", "lost_update")
    need(placed(run) == ("lost_update.cpp", line), placed(run))
    need(run["results"][0]["partialFingerprints"] == first, "the same finding in every verb")
    # The body says how to see it again, and shows it.
    body = suite.find("testcase/failure").text
    need(re.match(r"\S*example_lost_update replay \S+\.trace\n", body), body)
    need("step  cause" in body and "VIOLATED" in body and "both increments count" in body, body)

    # A failed check of a handler: its own line. All texts are hostile.
    run, suite, said = reports.run(1, "page_subjects", "hunt", "hostile", "--runs", 5)
    subjects = root / "tests/pages/subjects.cpp"
    need(placed(run) == ("subjects.cpp", line_with(subjects, "ctx.check(say.text.find")), placed(run))
    need("<img src=x onerror" in suite.find("testcase/failure").get("message"), "the text is text")
    need(len(said) == 1, said)

    # Nothing wrong, and nothing decided.
    run, suite, said = reports.run(0, "gainsay", "explore", "flush_race")
    need(run["results"] == [] and run["invocations"][0]["executionSuccessful"] and not said, run)
    run, suite, said = reports.run(3, "gainsay", "explore", "chord", "--max-states", 100)
    need(run["results"] == [] and not run["invocations"][0]["executionSuccessful"], run)
    need("--max-states" in run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"], run)
    need(len(suite.findall("testcase/error")) == 1 and said[0].startswith("::warning title=chord::"), said)

    # Every scenario of a program.
    run, suite, said = reports.run(1, "page_subjects", "hunt", "--all", "--runs", 5)
    need([case.get("name") for case in suite] == ["hostile", "long_run"], "cases")
    need(placed(run)[0] == "subjects.cpp", placed(run))

    # A recorded history: the line of the operation that cannot be placed.
    history = reports.folder / "a b&<c>.edn"
    rows = [(0, "invoke", "write", "1"), (0, "ok", "write", "1"), (1, "invoke", "read", "nil"), (1, "ok", "read", "0")]
    history.write_text("".join("{:process %d, :type :%s, :f :%s, :value %s}\n" % row for row in rows))
    run, suite, said = reports.run(1, "gainsay", "check", history, "--model", "register")
    need(run["results"][0]["ruleId"] == "linearizable", run)
    need(placed(run)[0] == "a%20b%26%3Cc%3E.edn" and placed(run)[1] in (3, 4), placed(run))
    need(suite.find("testcase").get("name").endswith("a b&<c>.edn"), "the name is kept")
    missing = reports.folder / "nothing.edn"
    run, suite, said = reports.run(2, "gainsay", "check", history, missing, "--model", "register")
    need(len(suite.findall("testcase/error")) == 1 and len(run["results"]) == 1, "a missing file is an error")

    # An implementation that is not its model.
    model = ("members=a_acd", "witness=c", "old_views=0", "new_views=0")
    conform = ("conform", "viewstamped_replication", "--against", "viewstamped_replication_code",
               *(word for each in model for word in ("--model-option", each)))
    run, suite, said = reports.run(1, "gainsay", *conform, "--option", "bug=old_majority")
    need(placed(run)[0].endswith(".cpp") and placed(run)[1] > 0, placed(run))
    need(suite.get("name") == "gainsay conform" and len(said) == 1, said)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    arguments = parser.parse_args()
    root = Path(__file__).resolve().parents[2]
    # The validator finds what is wrong, too.
    for wrong in ({"version": "2.1.0", "runs": []}, {"version": "2.0.0", "runs": [{}]}):
        try:
            check_sarif(wrong)
        except (AssertionError, KeyError):
            continue
        raise AssertionError("the validator accepts anything")
    with tempfile.TemporaryDirectory(prefix="gainsay-reports-") as folder:
        check_all(Reports(Path(arguments.build).resolve(), Path(folder)), root)
    print("reports: JUnit, SARIF and annotations are valid")
    return 0


if __name__ == "__main__":
    sys.exit(main())
