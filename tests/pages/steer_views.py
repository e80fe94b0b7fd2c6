"""Playing the scheduler, in the page and in the terminal."""

import socket
import subprocess

from harness import Steering, contains, equal, no_errors, take


def test_steer_plays_the_lost_update(page, subjects):
    with Steering(subjects, "example_lost_update", "lost_update") as steering:
        page.open(steering.address)
        for words in ("client.0 starts", "client.1 starts", "counter gets Get from client.0",
                      "counter gets Get from client.1", "client.0 gets Value{n: 0}", "client.1 gets Value{n: 0}",
                      "counter gets Put{n: 1} from client.0", "counter gets Put{n: 1} from client.1"):
            take(page, words)
        contains(page.text(".steering .message"), "the counter is 1 after two increments")
        page.click("button.save")
        page.wait("document.querySelector('.steering .message').textContent.includes('Saved')")
        said = subjects.run("example_lost_update", "replay", "steered.trace", code=1)
        contains(said, "same violation")
        # Undo, jump and a strategy.
        page.press("u")
        page.wait("document.querySelectorAll('.row').length === 7")
        page.press("g")
        page.wait("document.querySelectorAll('.row').length === 8")
        no_errors(page)


def test_steer_is_for_its_user_alone(page, subjects):
    with Steering(subjects, "example_lost_update", "lost_update") as steering:
        good = f"/{steering.token}/"
        equal(steering.request(good), 200)
        equal(steering.request("/"), 403, "without the token")
        equal(steering.request("/" + "0" * 32 + "/"), 403, "with another token")
        equal(steering.request(good, host="evil.example:80"), 403, "under another name")
        equal(steering.request(good + "do", "POST", '{"action":"undo"}', kind="text/plain"), 415, "not as a form")
        equal(steering.request(good + "do", "POST", "{"), 400)
        equal(steering.request(good + "do", "POST", '{"action":"take","id":"x","kind":"y"}'), 200)
        equal(steering.request(good + "other"), 404)
        addresses = subprocess.run(["ss", "-Hltn", f"sport = :{steering.port}"], capture_output=True, text=True,
                                   check=False)
        if addresses.returncode == 0 and addresses.stdout:
            contains(addresses.stdout, f"127.0.0.1:{steering.port}")
        # Connections that say nothing, or half of something, hold nothing.
        silent = [socket.create_connection(("127.0.0.1", steering.port)) for _ in range(20)]
        for each in silent[:10]:
            each.sendall(b"POST " + good.encode() + b"do HTTP/1.1\r\n")
        equal(steering.request(good), 200, "while others are silent")
        for each in silent:
            each.close()
        page.open(steering.address)
        equal(steering.request(good), 200)
        equal(steering.process.poll(), None, "still there")


def test_steer_from_a_trace_and_in_a_terminal(page, subjects):
    trace = subjects.trace("example_lost_update", "lost_update", "--runs", 100)
    with Steering(subjects, "example_lost_update", "--trace", trace, "--at", 3) as steering:
        page.open(steering.address)
        equal(page.count(".row"), 3)
        page.run("[...document.querySelectorAll('button')].find((each) => each.textContent === 'Redo').click()")
        page.wait("document.querySelectorAll('.row').length === 4")
        page.click("button.quit")
        steering.process.wait(30)
    done = subprocess.run([str(subjects.build / "example_lost_update"), "steer", "lost_update", "--terminal", "--state",
                           "3", "--quiet"], input="1\nundo\nbad\ngo 50\nsave t.trace\nquit\n", capture_output=True,
                          text=True, cwd=subjects.folder, check=False)
    equal(done.returncode, 0, done.stderr)
    contains(done.stdout, "these events are possible")
    contains(done.stdout, "expected the number of an event")
    contains(done.stdout, "wrote t.trace")
    subjects.run("example_lost_update", "replay", "t.trace")


def test_steer_from_a_state_of_explore(page, subjects):
    """The page of an exploration says how to steer from each of its states; one step before the violation it ends."""
    out = subjects.folder / "steered-space.html"
    subjects.run("example_lost_update", "explore", "lost_update", "--quiet", "--out", subjects.folder / "explored",
                 "--html", out, code=1)
    page.open(out)
    page.press("ArrowLeft")
    page.settle()
    contains(page.text(".space-detail h2"), "depth 7")
    program, verb, *words = page.text(".space-detail pre").split()
    equal((program, verb), ("example_lost_update", "steer"))
    with Steering(subjects, "example_lost_update", *words, "--quiet") as steering:
        page.open(steering.address)
        equal(page.count(".row"), 7, "steps before the state")
        take(page, "counter gets Put{n: 1}")
        contains(page.text(".steering .message"), "the counter is 1 after two increments")
        no_errors(page)


def test_walks_go_on_in_the_page(page, subjects):
    with Steering(subjects, "example_lost_update", "lost_update") as steering:
        page.open(steering.address)
        walks = page.run("[...document.querySelectorAll('select[aria-label=Strategy] option')]"
                         ".map((each) => each.value)")
        equal(walks, ["random", "pos", "pct", "pctcp", "surw", "qlearning"], "strategies")
        for walk in walks:
            page.run("document.querySelector('select[aria-label=Strategy]').value = '%s'" % walk)
            page.press("g")
            page.wait("document.querySelectorAll('.row').length === 8")
            for left in range(7, -1, -1):
                page.press("u")
                page.wait(f"document.querySelectorAll('.row').length === {left}")
        no_errors(page)
