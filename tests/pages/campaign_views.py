"""The page of a campaign."""

from harness import contains, equal, no_errors


def test_campaign_page(page, subjects):
    folder = subjects.folder / "campaign"
    subjects.run("gainsay", "hunt", "chord", "--option", "bug=outside_ring", "--runs", 2000, "--keep-going", "--quiet",
                 "--out", folder / "traces", "--html", folder, code=1)
    page.open(folder / "index.html")
    contains(page.text("h1"), "hunt chord")
    equal(page.count(".cause"), 1)
    contains(page.text(".cause"), "queries are answered")
    assert page.count(".curve .line") >= 1
    contains(page.text("main"), "Good and Turing")
    contains(page.text("main"), "pctcp depth=2")
    contains(page.text("main"), "Never: Node: joining on NotifyNode")
    assert page.count(".note") >= 1, "warnings"
    no_errors(page)
    page.click(".cause a")
    page.wait("document.querySelector('.row') !== null")
    contains(page.text(".verdict"), "queries are answered")
    subjects.run("gainsay", "hunt", "flush_race", "--strategy", "pctcp", "--runs", 300, "--quiet", "--out",
                 folder / "traces", "--html", folder, code=0)
    page.open(folder / "index.html")
    contains(page.text("main"), "None was found")
    contains(page.text("main"), "Confidence after clean runs")
