"""A headless Chromium that a test drives as a person would: real clicks and keys, through the DevTools protocol.

Commands go over two pipes (--remote-debugging-pipe), so nothing but the browser is needed: no driver, no package.
"""

import base64
import json
import os
import shutil
import subprocess
import tempfile
import threading
import time
from pathlib import Path

KEYS = {
    "Enter": ("Enter", 13, "\r"), "Escape": ("Escape", 27, ""), "Tab": ("Tab", 9, ""), "Home": ("Home", 36, ""),
    "End": ("End", 35, ""), "ArrowLeft": ("ArrowLeft", 37, ""), "ArrowUp": ("ArrowUp", 38, ""),
    "ArrowRight": ("ArrowRight", 39, ""), "ArrowDown": ("ArrowDown", 40, ""), "PageDown": ("PageDown", 34, ""),
    "PageUp": ("PageUp", 33, ""), " ": ("Space", 32, " "),
}


class BrowserError(Exception):
    pass


class Browser:
    def __init__(self, width=1400, height=850):
        program = shutil.which("chromium") or shutil.which("google-chrome")
        if program is None:
            raise BrowserError("chromium is not installed; scripts/setup.sh installs it")
        self.folder = tempfile.mkdtemp(prefix="gainsay-browser-")
        to_browser, self.out = os.pipe()
        self.into, from_browser = os.pipe()

        def wire():  # the browser reads from 3 and writes to 4
            os.dup2(to_browser, 203)
            os.dup2(from_browser, 204)
            os.dup2(203, 3)
            os.dup2(204, 4)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync",
             "--disable-quic",
             "--disable-background-networking", "--disable-component-update", "--disable-extensions", "--mute-audio",
             "--allow-pre-commit-input",  # else keys and clicks are dropped until a new page's first frame
             "--hide-scrollbars", "--force-device-scale-factor=1", f"--window-size={width},{height}",
             "--remote-debugging-pipe", f"--user-data-dir={self.folder}", "about:blank"],
            preexec_fn=wire, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.size = (width, height)
        self.number = 0
        self.answers = {}
        self.events = []
        self.changed = threading.Condition()
        self.closed = False
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        rest = b""
        while True:
            try:
                chunk = os.read(self.into, 1 << 16)
            except OSError:
                chunk = b""
            if not chunk:
                with self.changed:
                    self.closed = True
                    self.changed.notify_all()
                return
            *messages, rest = (rest + chunk).split(b"\0")
            with self.changed:
                for message in map(json.loads, messages):
                    if "id" in message:
                        self.answers[message["id"]] = message
                    else:
                        self.events.append(message)
                self.changed.notify_all()

    def call(self, method, parameters=None, session=None, timeout_s=40):
        self.number += 1
        number = self.number
        message = {"id": number, "method": method, "params": parameters or {}}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.out, data):]
        end = time.monotonic() + timeout_s
        with self.changed:
            while number not in self.answers:
                if self.closed or time.monotonic() > end:
                    raise BrowserError(f"{method}: no answer")
                self.changed.wait(0.5)
            answer = self.answers.pop(number)
        if "error" in answer:
            raise BrowserError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def page(self):
        return Page(self)

    def close(self):
        try:
            self.call("Browser.close", timeout_s=5)
            self.process.wait(5)
        except (BrowserError, subprocess.TimeoutExpired, OSError):
            self.process.kill()
            self.process.wait()
        os.close(self.out)
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Page:
    def __init__(self, browser):
        self.browser = browser
        self.clicks = 0  # since it was opened or somebody set it back
        self.target = browser.call("Target.createTarget", {"url": "about:blank"})["targetId"]
        self.session = browser.call("Target.attachToTarget", {"targetId": self.target, "flatten": True})["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.call("Emulation.setFocusEmulationEnabled", {"enabled": True})  # keys reach it, whichever tab is in front
        width, height = browser.size
        self.call("Emulation.setDeviceMetricsOverride",
                  {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})

    def call(self, method, parameters=None, timeout_s=40):
        return self.browser.call(method, parameters, self.session, timeout_s)

    def open(self, address):
        """Opens the page and returns after how many milliseconds its script was done."""
        if isinstance(address, Path):
            address = address.resolve().as_uri()
        # The page that is left is not taken for the one that comes, however late that is.
        self.run("(() => { document.documentElement.dataset.ready = 'left'; })()")
        self.call("Page.navigate", {"url": address})
        self.wait("document.documentElement && document.documentElement.dataset.ready === 'yes'")
        done_ms = self.run("performance.now()")
        self.settle()
        return done_ms

    def run(self, script):
        """The value of an expression; promises are waited for."""
        result = self.call("Runtime.evaluate", {"expression": script, "returnByValue": True, "awaitPromise": True})
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise BrowserError(details.get("exception", {}).get("description", details["text"]))
        return result["result"].get("value")

    def wait(self, condition, timeout_s=20):
        end = time.monotonic() + timeout_s
        while time.monotonic() < end:
            try:
                if self.run(condition):
                    return
            except BrowserError:
                pass
            time.sleep(0.01)
        raise BrowserError(f"never true: {condition}; errors: {self.errors()}")

    def settle(self):
        """Until what was done has been drawn; by the next page, where a click has left this one."""
        drawn = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"
        try:
            self.run(drawn)
        except BrowserError as error:
            if "navigated" not in str(error) and "context" not in str(error):
                raise
            self.wait(drawn)

    def text(self, selector):
        return self.run(f"(document.querySelector({json.dumps(selector)}) || {{}}).textContent")

    def count(self, selector):
        return self.run(f"document.querySelectorAll({json.dumps(selector)}).length")

    def place(self, selector):
        """The middle of an element that stands still: where it was in the frame before."""
        before = None
        for _ in range(100):
            found = self.run(
                f"(() => {{ const node = document.querySelector({json.dumps(selector)}); if (!node) return null;"
                " node.scrollIntoView({ block: 'nearest', inline: 'nearest' });"
                " const box = node.getBoundingClientRect();"
                " return [box.left + box.width / 2, box.top + box.height / 2]; })()")
            if found is None:
                raise BrowserError(f"there is no {selector}")
            if found == before:
                return found
            before = found
            self.settle()
        raise BrowserError(f"{selector} never stands still")

    def click(self, selector):
        x, y = self.place(selector)
        self.click_at(x, y)

    def click_at(self, x, y):
        self.clicks += 1
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1})
        self.settle()

    def press(self, key, shift=False):
        code, number, text = KEYS.get(key, (key, ord(key.upper()) if len(key) == 1 else 0, key))
        common = {"key": key, "code": code, "windowsVirtualKeyCode": number, "modifiers": 8 if shift else 0}
        self.call("Input.dispatchKeyEvent", {"type": "keyDown" if text else "rawKeyDown", "text": text, **common})
        self.call("Input.dispatchKeyEvent", {"type": "keyUp", **common})

    def write(self, text):
        self.call("Input.insertText", {"text": text})
        self.settle()

    def errors(self):
        """What the page complained of, and whatever it asked the network for."""
        out = []
        for event in list(self.browser.events):
            if event.get("sessionId") != self.session:
                continue
            method, data = event["method"], event["params"]
            if method == "Runtime.exceptionThrown":
                details = data["exceptionDetails"]
                out.append(details.get("exception", {}).get("description", details["text"]))
            elif method == "Log.entryAdded" and data["entry"]["level"] == "error":
                out.append(data["entry"]["text"])
            elif method == "Network.requestWillBeSent":
                address = data["request"]["url"]
                if not address.startswith(("file:", "data:", "blob:", "about:", "http://127.0.0.1:")):
                    out.append("asked for " + address)
        return out

    def screenshot(self, path):
        data = self.call("Page.captureScreenshot", {"format": "png"})["data"]
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_bytes(base64.b64decode(data))

    def close(self):
        self.browser.call("Target.closeTarget", {"targetId": self.target})
