#!/usr/bin/env python3
"""Every view of the pages, in a real browser: clicks, keys, sizes, times, texts that try to be markup.

    pages_test.py --build DIR [--screenshots DIR] [--only NAME]

Pages are compared by structure: what is there, what it says, where a click or a key leads. The budgets are those that
docs/pages.md promises; the machine may be busy, so times are the best of several. One module for each view.
"""

import argparse
import sys
import tempfile
import traceback
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import budget_views  # noqa: E402
import campaign_views  # noqa: E402
import history_views  # noqa: E402
import hostile_views  # noqa: E402
import space_views  # noqa: E402
import steer_views  # noqa: E402
import task_views  # noqa: E402
import trace_views  # noqa: E402
from browser import Browser, BrowserError  # noqa: E402
from harness import Steering, Subjects, take  # noqa: E402

VIEWS = (trace_views, hostile_views, budget_views, task_views, history_views, campaign_views, space_views, steer_views)


def tests():
    return [value for view in VIEWS for name, value in vars(view).items() if name.startswith("test_")]


def take_screenshots(browser, subjects, folder):
    """The pictures of docs/pages.md."""
    page = browser.page()
    page.call("Emulation.setDeviceMetricsOverride",
              {"width": 1200, "height": 640, "deviceScaleFactor": 1, "mobile": False})
    page.open(subjects.lost_update())
    page.screenshot(folder / "trace.png")
    page.open(subjects.page("gainsay", "kafka_isr", "--option", "bug=unclean_election", "--runs", 100))
    page.screenshot(folder / "partition.png")
    campaign = subjects.folder / "pictures"
    subjects.run("gainsay", "hunt", "chord", "--option", "bug=outside_ring", "--runs", 2000, "--keep-going", "--quiet",
                 "--out", campaign / "traces", "--html", campaign, code=1)
    page.open(campaign / "index.html")
    page.screenshot(folder / "campaign.png")
    space = subjects.folder / "space.html"
    subjects.run("example_lost_update", "explore", "lost_update", "--quiet", "--out", campaign / "traces", "--html",
                 space, code=1)
    page.open(space)
    page.screenshot(folder / "explore.png")
    with Steering(subjects, "example_lost_update", "lost_update") as steering:
        page.open(steering.address)
        for words in ("client.0 starts", "client.1 starts", "counter gets Get from client.0"):
            take(page, words)
        page.settle()
        page.screenshot(folder / "steer.png")
    page.close()


def passes(test, browser, subjects):
    """Runs a test. Where the browser did not answer, it gets a second page; a wrong answer is final."""
    for attempts_left in (1, 0):
        page = browser.page()
        try:
            test(page, subjects)
            print(f"ok      {test.__name__}")
            return True
        except Exception as error:  # the other tests are run all the same
            again = attempts_left and isinstance(error, BrowserError)
            print(f"{'retry  ' if again else 'FAILED '} {test.__name__}\n{traceback.format_exc()}")
            if not again:
                return False
        finally:
            page.close()
    return False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("--screenshots", help="write the pictures of docs/ there")
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory(prefix="gainsay-pages-") as folder:
        try:
            browser = Browser()
        except BrowserError as error:
            print(f"SKIPPED: {error}")
            return 77
        with browser:
            subjects = Subjects(Path(arguments.build).resolve(), folder)
            for test in tests():
                if arguments.only not in test.__name__:
                    continue
                if not passes(test, browser, subjects):
                    failed += 1
            if arguments.screenshots:
                take_screenshots(browser, subjects, Path(arguments.screenshots))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
