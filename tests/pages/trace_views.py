"""The page of an execution, and of two side by side."""

import json

from harness import contains, equal, no_errors, selected


def test_trace_is_drawn_and_explained(page, subjects):
    page.open(subjects.lost_update())
    contains(page.text("h1"), "lost_update")
    contains(page.text(".verdict"), "the counter is 1 after two increments")
    contains(page.text(".verdict"), "both increments count")
    equal(page.count(".row"), 8, "rows")
    equal(page.count(".heads button"), 3, "lanes")
    equal(page.count(".mark.start"), 2, "starts")
    equal(page.count(".mark.deliver"), 6, "messages")
    assert page.count(".arrows .arrow") >= 6, "arrows"
    equal(selected(page), "8", "the violation is chosen")
    assert page.count(".row.violated .flag") == 1
    no_errors(page)


def test_click_shows_a_step(page, subjects):
    page.open(subjects.lost_update())
    page.click(".row[data-step='6'] .label")
    equal(selected(page), "6")
    details = page.text(".side .step")
    for part in ("counter gets Put{n: 1} from client.", "Payload", "counter after it", "Why it happened",
                 "could have happened here"):
        contains(details, part)
    contains(page.text(".side .step tr.changed"), "0 → 1")
    equal(page.run("location.hash"), "#step=6", "the link of the step")
    # Its cause, by a click in the chain.
    chain = page.count(".side .step .chain-list a")
    assert chain >= 3, chain
    page.click(".side .step .chain-list li:nth-child(1) a")
    contains(page.text(".side .step .words"), "starts")
    no_errors(page)


def test_keys_move(page, subjects):
    page.open(subjects.lost_update())
    for key, step in (("Home", "1"), ("ArrowDown", "2"), ("j", "3"), ("k", "2"), ("ArrowUp", "1"), ("End", "8"),
                      ("ArrowLeft", None), ("v", "8"), ("c", None)):
        page.press(key)
        page.settle()
        if step:
            equal(selected(page), step, key)
    assert int(selected(page)) < 8, "c goes to the cause"
    page.press("Escape")
    page.settle()
    equal(selected(page), None, "nothing is chosen")
    page.press("?")
    page.settle()
    equal(page.count("dialog[open]"), 1, "help")
    page.press("Escape")
    page.settle()
    equal(page.count("dialog[open]"), 0, "help closed")
    page.press("t")
    theme = page.run("document.documentElement.dataset.theme")
    page.press("t")
    assert theme != page.run("document.documentElement.dataset.theme")
    no_errors(page)


def test_link_opens_a_step(page, subjects):
    page.open(subjects.lost_update().resolve().as_uri() + "#step=3")
    equal(selected(page), "3")
    page.run("location.hash = '#step=5'")
    page.settle()
    equal(selected(page), "5")


def test_happens_before(page, subjects):
    page.open(subjects.lost_update())
    page.press("Home")
    page.settle()
    assert page.count(".row.future") >= 3, "what follows the first step"
    equal(page.count(".row.past"), 0)
    page.press("h")
    page.settle()
    assert page.count(".row.concurrent") >= 1, "the other client's start is concurrent"
    page.press("End")
    page.settle()
    assert page.count(".row.past") >= 5
    equal(page.count(".row.future"), 0)


def test_search_and_filters(page, subjects):
    page.open(subjects.lost_update())
    page.press("/")
    page.write("put{n")
    equal(page.count(".row.match"), 4, "who sent it and who got it, twice")
    contains(page.text(".count"), "4 matches")
    page.press("Enter")
    page.settle()
    contains(page.text(".side .step"), "Put")
    page.click(".filters input[type=checkbox]")
    equal(page.count(".row"), 4, "only these")
    page.run("document.querySelector('.filters input[type=search]').value = '';"
             "document.querySelector('.filters input[type=search]').dispatchEvent(new Event('input'))")
    page.settle()
    equal(page.count(".row"), 8)
    for label, value, rows in (("kind", "start", 2), ("type", "Get", 2), ("actor", "client.0", 4)):
        nth = {"actor": 1, "kind": 2, "type": 3}[label]
        choose = (f"(() => {{ const s = document.querySelectorAll('.filters select')[{nth - 1}]; s.value = %s;"
                  " s.dispatchEvent(new Event('change')); })()")
        page.run(choose % json.dumps(value))
        page.settle()
        equal(page.count(".row"), rows if label != "actor" else page.count(".row"), label)
        assert 0 < page.count(".row") < 8, label
        page.run(choose % '""')
    page.settle()
    page.click(".heads button:nth-child(1)")  # the counter is hidden
    assert page.count(".row") < 8
    page.click(".heads button:nth-child(1)")
    equal(page.count(".row"), 8)
    no_errors(page)


def test_unrelated_steps_are_grey_and_hidden(page, subjects):
    page.open(subjects.page("gainsay", "flush_race", "--option", "bug=overtake", "--runs", 1000))
    grey = page.count(".row.unrelated")
    rows = page.count(".row")
    assert 0 < grey < rows, (grey, rows)
    page.press("r")
    page.settle()
    equal(page.count(".row"), rows - grey, "hidden")
    page.press("r")
    page.settle()
    equal(page.count(".row"), rows)


def test_zoom_and_exports(page, subjects):
    page.open(subjects.lost_update())
    height = page.run("document.querySelector('.row .back').getAttribute('height')")
    page.press("+")
    page.settle()
    larger = page.run("document.querySelector('.row .back').getAttribute('height')")
    assert float(larger) > float(height), (height, larger)
    page.press("0")
    # What is saved is caught on its way.
    page.run("window.saved = []; URL.createObjectURL = (blob) => { window.saved.push(blob); return 'blob:none'; };"
             "HTMLAnchorElement.prototype.click = function () { window.named = this.download; };")
    page.click(".tools button:nth-child(3)")
    page.wait("window.saved.length === 1")
    svg = page.run("window.saved[0].text()")
    contains(svg, "<svg")
    contains(svg, "Put{n: 1}")
    contains(svg, "client.1")
    assert "class=\"row" in svg and "stroke=" in svg
    equal(page.run("new DOMParser().parseFromString(%s, 'image/svg+xml').querySelectorAll('parsererror').length"
                   % json.dumps(svg)), 0, "the picture is well formed")
    equal(page.run("window.named"), "lost_update.svg")
    page.click(".tools button:nth-child(4)")
    page.wait("window.saved.length === 2")
    equal(page.run("window.saved[1].type"), "image/png")
    equal(page.run("window.saved[1].arrayBuffer().then((b) => [...new Uint8Array(b, 1, 3)].map((c) => "
                   "String.fromCharCode(c)).join(''))"), "PNG", "a picture")
    assert page.run("window.saved[1].size") > 5000
    no_errors(page)


def test_prints_all_rows(page, subjects):
    page.open(subjects.long_run(1000))
    assert page.count(".row") < 200
    page.run("window.dispatchEvent(new Event('beforeprint'))")
    equal(page.count(".row"), 1000, "rows on paper")
    page.run("window.dispatchEvent(new Event('afterprint'))")
    assert page.count(".row") < 200
    assert len(page.call("Page.printToPDF")["data"]) > 10_000


def test_faults_disks_and_partitions(page, subjects):
    page.open(subjects.page("example_faults", "lost_write", "--runs", 2000))
    assert page.count(".mark.crash") == 1 and page.count(".down") == 1, "down from crash to restart"
    contains(page.text(".verdict"), "Faults before it")
    page.click(".row[data-step='%s']" % page.run("document.querySelector('.mark.crash').parentNode.dataset.step"))
    contains(page.text(".side .step"), "On the disk of ledger")
    page.open(subjects.page("gainsay", "kafka_isr", "--option", "bug=unclean_election", "--runs", 100))
    page.press("Home")
    page.settle()
    assert page.count(".mark.lost") >= 1 and page.count(".arrow.lost") >= 1, "messages that the cut loses"
    assert page.count(".diagram .band") == 1, "a cut is a band"
    assert page.count(".overview .band") == 1
    no_errors(page)


def test_liveness_monitor_and_loop(page, subjects):
    page.open(subjects.page("gainsay", "chord", "--option", "bug=outside_ring", "--runs", 100))
    contains(page.text(".verdict"), "are a loop of 2 steps")
    contains(page.text(".verdict"), "What happens in the loop:")
    assert page.count(".overview .heat.hot") >= 1 and page.count(".overview .heat.cold") >= 1
    assert page.count(".diagram .heat.hot") >= 1 and page.count(".heat-letter") >= 1, "a letter beside the colour"


def test_operations_are_bars(page, subjects):
    page.open(subjects.page("gainsay", "register_edr", "--option", "bug=local_read", "--runs", 1000))
    assert page.count(".overview .operation") >= 3, page.count(".overview .operation")
    contains(page.text(".overview"), "→")
    no_errors(page)


def test_untimely_file_is_shown_without_states(page, subjects):
    trace = subjects.lost_update().with_suffix(".trace")
    foreign = subjects.folder / "foreign.html"
    subjects.run("gainsay", "show", trace, "--html", foreign, code=0)
    page.open(foreign)
    contains(page.text(".note"), "does not have")
    equal(page.count(".row"), 8)
    page.click(".row[data-step='6'] .label")
    contains(page.text(".side .step"), "n: 0 -> 1")
    no_errors(page)


def test_two_traces_side_by_side(page, subjects):
    first = subjects.trace("example_lost_update", "lost_update", "--runs", 100)
    second = subjects.trace("example_lost_update", "lost_update", "--runs", 100, "--seed", 5)
    both = subjects.folder / "both.html"
    subjects.run("example_lost_update", "show", first, second, "--html", both, code=0)
    page.open(both)
    equal(page.count(".column"), 2)
    contains(page.text(".parting"), "diverge at")
    page.click(".column:nth-child(1) .row[data-step='2'] .label")
    chosen = page.run("[...document.querySelectorAll('.row.selected')].map((row) => row.getAttribute('aria-label')"
                      ".replace(/^step \\d+: /, ''))")
    equal(len(set(chosen)), 1, "the same event is chosen in both")
    subjects.run("example_lost_update", "show", first, first, "--html", both, code=0)
    page.open(both)
    contains(page.text(".parting"), "are the same")
    no_errors(page)
