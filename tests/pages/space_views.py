"""The pages of state spaces: `graph --html` and `explore --html`."""

import re

from budget_views import KEY_MS_MAX, LOAD_MS_MAX, least_ms
from harness import contains, equal, key_ms, no_errors


def test_state_graph(page, subjects):
    out = subjects.folder / "space.html"
    subjects.run("example_lost_update", "graph", "lost_update", "--no-file", "--quiet", "--html", out, code=1)
    page.open(out)
    states = int(re.match(r"\d+", page.text(".title .faint")).group())
    equal(page.count(".state"), states)
    equal(page.count(".state.bad"), 1)
    contains(page.text(".space-detail"), "the counter is 1 after two increments")
    contains(page.text(".space-detail pre"), "example_lost_update steer lost_update")
    page.click(".state.initial")
    contains(page.text(".space-detail"), "State 0")
    contains(page.text(".space-detail"), "start at client.0")
    page.press("ArrowRight")
    contains(page.text(".space-detail"), "depth 1")
    contains(page.text("main"), "Most frequent events")
    no_errors(page)


def explored(subjects, program, scenario, *words, code):
    out = subjects.folder / f"explore-{scenario}.html"
    subjects.run(program, "explore", scenario, *words, "--quiet", "--out", subjects.folder / "explored", "--html", out,
                 code=code)
    return out


def test_explored_space_is_drawn(page, subjects):
    page.open(explored(subjects, "example_lost_update", "lost_update", "--keep-going", code=1))
    contains(page.text("h1"), "explore lost_update")
    contains(page.text(".note"), "incomplete")
    contains(page.text("main"), "✗ both increments count: the counter is 1 after two increments (state ")
    contains(page.text("main"), "Look at it: example_lost_update show ")
    equal(page.count(".state.bad"), 1)
    # The shortest path is marked, step by step.
    path = page.run("document.querySelector('.edges.path').getAttribute('d')")
    equal(len(re.findall("M", path)), 8, "edges of the path")
    states = int(re.match(r"\d+", page.text(".title .faint")).group())
    equal(page.count(".state"), states)
    contains(page.text(".space-detail"), "counter is 1 after two increments")
    page.press("ArrowLeft")
    page.settle()
    contains(page.text(".space-detail"), "depth 7")
    contains(page.text(".space-detail"), "n")
    page.click(".state.initial")
    contains(page.text(".space-detail h2"), "State 0")
    contains(page.text("main"), "Handlers: 3 of 3 were called")
    contains(page.text("main"), "3 of 3 message types were delivered")
    equal(page.count(".curve"), 3, "depths, growth, branching")
    no_errors(page)


def test_a_space_of_thousand_states_is_drawn(page, subjects):
    out = explored(subjects, "gainsay", "bounded_async", code=0)
    load = least_ms(lambda: page.open(out), LOAD_MS_MAX, 12)
    assert load < LOAD_MS_MAX, f"loads in {load:.0f} ms"
    key = least_ms(lambda: key_ms(page, "ArrowRight"), KEY_MS_MAX, 40)
    assert key < KEY_MS_MAX, f"a key takes {key:.1f} ms"
    states = int(re.match(r"[\d,]+", page.text(".title .faint")).group().replace(",", ""))
    assert 1000 < states <= 3000, states
    equal(page.count(".state"), states)
    contains(page.text(".badge"), "no violation")
    # Laid out by depth: a step to the right is a step of the search.
    depths = page.run("[...document.querySelectorAll('circle.state')].map((each) => Number(each.getAttribute('cx')))")
    assert len(set(depths)) > 5, "columns"
    print(f"  {states} states: load {load:.0f} ms, ArrowRight {key:.1f} ms")
    no_errors(page)


def test_a_large_space_has_its_facts(page, subjects):
    page.open(explored(subjects, "gainsay", "chord", "--option", "nodes=5", "--max-states", 20000, code=3))
    equal(page.count(".state"), 0, "nothing is drawn")
    contains(page.text("main"), "Too many states to draw")
    contains(page.text("main"), "The search is incomplete: --max-states")
    contains(page.text("main"), "Most frequent events, of ")
    contains(page.text("main"), "Branching: average number of next steps")
    contains(page.text("main"), "Coverage of machines")
    contains(page.text("main"), "Never: Node: ")
    rows = page.run("[...document.querySelectorAll('table.numbers')]"
                    ".find((each) => each.textContent.startsWith('depthstates')).rows.length")
    assert rows > 5, rows
    no_errors(page)


def test_a_very_large_space_is_counted_in_its_first_states(page, subjects):
    page.open(explored(subjects, "gainsay", "two_phase_commit", "--max-states", 20000, code=3))
    contains(page.text("main"), "Counted in the first 2")
    contains(page.text("main"), "message types were delivered")
    no_errors(page)


def test_a_loop_is_marked(page, subjects):
    page.open(explored(subjects, "gainsay", "chord", "--option", "bug=outside_ring", "--max-states", 20000, code=1))
    contains(page.text("main"), "and for ever from step ")
    no_errors(page)


def test_simulated_time_has_no_graph(page, subjects):
    page.open(explored(subjects, "gainsay", "zookeeper_election", "--max-states", 2000, code=3))
    contains(page.text("main"), "No graph is drawn: scenario 'zookeeper_election' has simulated time")
    assert page.count(".curve") >= 3
    no_errors(page)
