"""The three tasks of a new user (docs/pages.md), with as many clicks as the page says."""

import re
from pathlib import Path

from harness import contains, equal


def clicks_said():
    """The last column of the table of tasks in docs/pages.md."""
    text = (Path(__file__).parents[2] / "docs/pages.md").read_text(encoding="utf-8")
    table = text[text.index("## Three tasks"):]
    return [int(number) for number in re.findall(r"^\|.*\| (\d+) \|$", table, re.MULTILINE)[:3]]


def test_three_tasks_of_a_new_user(page, subjects):
    """Each is done by clicks alone, from the page as it opens."""
    which_message, what_on_disk, why_no_end = clicks_said()
    # Which message caused the violation? The chain of causes is beside the diagram.
    page.open(subjects.lost_update())
    contains(page.text(".verdict .chain-list"), "gets Value{n: 0} from counter")
    equal(page.clicks, which_message, "clicks of the first task")
    # What was on the disk before the crash? A click on the crash among the faults.
    page.clicks = 0
    page.open(subjects.page("example_faults", "lost_write", "--runs", 2000))
    crash = page.run("[...document.querySelectorAll('.verdict .step-link')]"
                     ".findIndex((a) => a.textContent.includes('crashes'))")
    page.run(f"document.querySelectorAll('.verdict .step-link')[{crash}].id = 'crash'")
    page.click("#crash")
    contains(page.text(".side .step"), "On the disk of ledger")
    contains(page.text(".side .step"), "20 → 10")
    equal(page.clicks, what_on_disk, "clicks of the second task")
    # Why does the livelock not end? The loop is told, and what the monitor waits for.
    page.clicks = 0
    page.open(subjects.page("gainsay", "chord", "--option", "bug=outside_ring", "--runs", 100))
    contains(page.text(".verdict .loop"), "gets FindSuccessor{client: client, key: 17}")
    contains(page.text(".verdict"), "waits for: the query for key 17 is not answered")
    equal(page.clicks, why_no_end, "clicks of the third task")
    # One more for the state of who is in it.
    page.click(".verdict .step-link")
    contains(page.text(".side .step"), "after it")
