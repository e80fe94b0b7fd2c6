#!/usr/bin/env python3
"""axe-core on every kind of page, in light and in dark: no serious and no critical problem.

    accessible_test.py --build DIR

axe-core is fetched once from the npm registry, in the version and with the hash below, into the build folder.
Where that is not possible the test says so and counts as skipped.
"""

import argparse
import base64
import hashlib
import io
import sys
import tarfile
import tempfile
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from browser import Browser, BrowserError  # noqa: E402
from harness import Steering, Subjects, write_stale_read  # noqa: E402

VERSION = "4.10.3"
ADDRESS = f"https://registry.npmjs.org/axe-core/-/axe-core-{VERSION}.tgz"
SHA512 = "Xm7bpRXnDSX2YE2YFfBk2FnF0ep6tmG7xPh8iHee8MIcrgq762Nkce856dYtJYLkuIoYZvGfTs/PbZhideTcEg=="


def axe(build):
    path = Path(build) / f"axe-core-{VERSION}.js"
    if not path.exists():
        with urllib.request.urlopen(ADDRESS, timeout=30) as answer:
            data = answer.read()
        got = base64.b64encode(hashlib.sha512(data).digest()).decode()
        if got != SHA512:
            raise ValueError(f"{ADDRESS} has another hash: {got}")
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            path.write_bytes(archive.extractfile("package/axe.min.js").read())
    return path.read_text()


def problems(page, script):
    page.run(script + "; 1")
    found = page.run("axe.run(document, { resultTypes: ['violations'] }).then((all) => all.violations.map((each) => "
                     "[each.impact, each.id, each.help, each.nodes.slice(0, 3)"
                     ".map((node) => node.html.slice(0, 160))]))")
    return [each for each in found if each[0] in ("serious", "critical")]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    build = Path(parser.parse_args().build).resolve()
    try:
        script = axe(build)
        browser = Browser()
    except (OSError, BrowserError) as error:
        print(f"SKIPPED: pages were not checked for accessibility: {error}")
        return 77
    bad = 0
    with browser, tempfile.TemporaryDirectory(prefix="gainsay-axe-") as folder:
        subjects = Subjects(build, folder)
        campaign = subjects.folder / "campaign"
        subjects.run("gainsay", "hunt", "chord", "--option", "bug=outside_ring", "--runs", 500, "--quiet", "--out",
                     campaign / "t", "--html", campaign, code=1)
        history = subjects.folder / "stale.edn"
        write_stale_read(history)
        subjects.run("gainsay", "check", history, "--model", "register", "--html", subjects.folder / "history.html")
        small, large = subjects.folder / "small.html", subjects.folder / "large.html"
        subjects.run("example_lost_update", "explore", "lost_update", "--quiet", "--out", campaign / "t", "--html",
                     small, code=1)
        subjects.run("gainsay", "explore", "chord", "--option", "nodes=5", "--max-states", 5000, "--quiet", "--out",
                     campaign / "t", "--html", large, code=3)
        both = subjects.folder / "both.html"
        trace = subjects.lost_update().with_suffix(".trace")
        subjects.run("example_lost_update", "show", trace, trace, "--html", both, code=0)
        with Steering(subjects, "example_lost_update", "lost_update") as steering:
            pages = {"trace": subjects.lost_update(), "liveness": campaign / "violation-1.html",
                     "faults": subjects.page("example_faults", "lost_write", "--runs", 2000), "comparison": both,
                     "campaign": campaign / "index.html", "history": subjects.folder / "history.html",
                     "space": small, "large space": large, "steer": steering.address}
            for name, address in pages.items():
                page = browser.page()
                page.call("Page.setBypassCSP", {"enabled": True})
                page.open(address)
                for theme in ("light", "dark"):
                    page.run(f"document.documentElement.dataset.theme = '{theme}'")
                    page.settle()
                    found = problems(page, script)
                    bad += len(found)
                    print(f"{'FAILED' if found else 'ok    '}  {name}, {theme}")
                    for each in found:
                        print("   ", *each, sep="\n    ")
                if name == "trace":  # a problem that is put in is found
                    page.run("document.querySelector('main').append(document.createElement('img'))")
                    assert [each[1] for each in problems(page, script)] == ["image-alt"], "axe-core judges nothing"
                page.close()
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
