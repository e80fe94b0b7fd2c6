"""What the tests of pages share: programs and the pages they make, a running `steer`, and comparisons that say what is
wrong."""

import http.client
import json
import re
import subprocess
from pathlib import Path


class Subjects:
    """Programs, and the pages that they make."""

    def __init__(self, build, folder):
        self.build, self.folder = Path(build), Path(folder)
        self.pages = {}

    def run(self, program, *words, code=None):
        done = subprocess.run([str(self.build / program), *map(str, words)], capture_output=True, text=True,
                              check=False, cwd=self.folder)
        if code is not None and done.returncode != code:
            said = f"{done.returncode}\n{done.stdout}{done.stderr}"
            raise AssertionError(f"{program} {' '.join(map(str, words))}: {said}")
        return done.stdout

    def trace(self, program, scenario, *words):
        """The trace of the first violation."""
        folder = self.folder / re.sub(r"\W+", "-", "-".join((scenario, *map(str, words))))
        if not folder.exists():
            self.run(program, "hunt", scenario, *words, "--out", folder, "--quiet", code=1)
        return sorted(folder.glob("*.trace"))[0]

    def page(self, program, scenario, *words):
        trace = self.trace(program, scenario, *words)
        page = trace.with_suffix(".html")
        if not page.exists():
            self.run(program, "show", trace, "--html", page, code=0)
        return page

    def lost_update(self):
        return self.page("example_lost_update", "lost_update", "--runs", 100)

    def long_run(self, steps):
        return self.page("page_subjects", "long_run", "--option", f"steps={steps}", "--strategy", "random", "--runs", 1,
                         "--steps", 20000)


def equal(got, wanted, what=""):
    assert got == wanted, f"{what}: got {got!r}, wanted {wanted!r}"


def contains(text, part):
    assert text is not None and part in text, f"{part!r} is not in {text!r}"


def no_errors(page):
    equal(page.errors(), [], "errors")


def key_ms(page, key):
    """From the key to the next picture."""
    page.run("window.keyTime = -1; window.addEventListener('keydown', () => { const from = performance.now();"
             " setTimeout(() => { window.keyTime = performance.now() - from; }); }, { capture: true, once: true })")
    page.press(key)
    page.wait("window.keyTime >= 0")  # a browser's clock is coarse: 0 is an answer
    return page.run("window.keyTime")


def selected(page):
    return page.run("document.querySelector('.row.selected') && document.querySelector('.row.selected').dataset.step")


def write_stale_read(path):
    """A write that returned, then a read that does not see it."""
    rows = [(0, "invoke", "write", "1"), (0, "ok", "write", "1"), (1, "invoke", "read", "nil"), (1, "ok", "read", "0")]
    path.write_text("".join("{:process %d, :type :%s, :f :%s, :value %s}\n" % row for row in rows))


class Steering:
    """A running `steer`; it is ended with the test."""

    def __init__(self, subjects, program, *words):
        self.process = subprocess.Popen([str(subjects.build / program), "steer", *map(str, words)], cwd=subjects.folder,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        line = self.process.stdout.readline()
        found = re.match(r"Open (http://127\.0\.0\.1:(\d+)/(\w+)/)", line)
        if not found:
            self.process.kill()  # or its output has no end
            raise AssertionError(line + self.process.stdout.read())
        self.address, self.port, self.token = found.group(1), int(found.group(2)), found.group(3)

    def request(self, path, method="GET", body=None, host=None, kind="application/json"):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        headers = {"Host": host or f"127.0.0.1:{self.port}"}
        if body is not None:
            headers["Content-Type"] = kind
        connection.request(method, path, body, headers)
        status = connection.getresponse().status
        connection.close()
        return status

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise


def take(page, words):
    """Clicks the event that begins with the words, and waits for the answer."""
    steps = page.run("document.querySelectorAll('.row').length")
    place = page.run("[...document.querySelectorAll('.take')].findIndex((each) => each.textContent.startsWith(%s))"
                     % json.dumps(words))
    assert place >= 0, (words, page.text(".possible"))
    page.click(f".possible li:nth-child({place + 1}) button")
    page.wait(f"document.querySelectorAll('.row').length > {steps} && !document.querySelector('[aria-busy]')")
