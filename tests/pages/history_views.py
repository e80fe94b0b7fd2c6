"""The page of recorded histories."""

from harness import contains, equal, no_errors, write_stale_read


def test_history_page(page, subjects):
    history = subjects.folder / "stale.edn"
    write_stale_read(history)
    out = subjects.folder / "history.html"
    subjects.run("gainsay", "check", history, "--model", "register", "--html", out)
    page.open(out)
    equal(page.count(".bar[data-number]"), 2)
    equal(page.count(".bar.offending[data-number]"), 1)
    contains(page.text("svg .flag"), "✗ read")
    contains(page.text(".detail"), "CANNOT BE PLACED")
    equal(page.count("polyline.linearization"), 1)
    page.click(".bar:not(.offending)[data-number] rect")
    contains(page.text(".detail"), "write")
    page.press("t")
    no_errors(page)
