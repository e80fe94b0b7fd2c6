#!/usr/bin/env python3
"""Completion in real shells, and manual pages as `man` reads them.

    shell_test.py --build DIR [--only NAME]

Each shell runs at a terminal of its own (a pty): words are typed, the tab key is pressed, and what then stands on the
line or below it is read. Shells and tools that are not installed are named and passed over; bash is always there.
"""

import argparse
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path


class Terminal:
    """A shell that believes a person sits before it."""

    def __init__(self, words, environment):
        self.process, self.end = pty.fork()
        if self.process == 0:
            os.execvpe(words[0], words, environment)
        self.commands = 0

    def read(self, wanted, most_s):
        """What it prints, until all of `wanted` is there or the time is over."""
        text, end = "", time.monotonic() + most_s
        while time.monotonic() < end and any(word not in plain(text) for word in wanted):
            ready, _, _ = select.select([self.end], [], [], 0.2)
            if not ready:
                continue
            try:
                data = os.read(self.end, 65536).decode(errors="replace")
            except OSError:
                break
            if "\x1b[6n" in data:  # where is the cursor? some shells ask
                os.write(self.end, b"\x1b[1;1R")
            text += data
        return plain(text)

    def type(self, text, wanted=(), most_s=5):
        os.write(self.end, text.encode())
        return self.read(wanted, most_s)

    def command(self, text):
        """A whole line; it is done when it says so."""
        self.commands += 1
        said = ""
        for _ in range(3):  # what is typed before a shell is ready may be lost
            said += self.type(f"{text}; echo do''ne-{self.commands}\n", [f"\ndone-{self.commands}"], 20)
            if f"\ndone-{self.commands}" in said:
                time.sleep(0.3)
                return
        raise AssertionError(said)

    def close(self):
        os.close(self.end)
        os.waitpid(self.process, 0)


def plain(text):
    """Without colours and movements of the cursor."""
    text = re.sub(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b[()][A-Z0-9]|\x1b\][^\x07]*\x07|\x1b[=>]|\x0f", "", text)
    while "\x08" in text:
        shorter = re.sub("[^\x08]\x08", "", text)
        if shorter == text:
            break
        text = shorter
    return text.replace("\r", "\n")


def environment(build, folder):
    return {**os.environ, "PATH": f"{build}:{os.environ['PATH']}", "TERM": "xterm", "HOME": str(folder),
            "COLUMNS": "200", "LINES": "200", "XDG_CONFIG_HOME": str(folder), "XDG_DATA_HOME": str(folder),
            "LC_ALL": "C.UTF-8"}


def bash(build, folder):
    shell = Terminal(["bash", "--norc", "--noprofile", "-i"], environment(build, folder))
    shell.command("PS1='$ '; bind 'set show-all-if-ambiguous on'; bind 'set page-completions off'; stty cols 200;"
                  " bind 'set enable-bracketed-paste off'; bind 'set completion-query-items 0'")
    shell.command('source <(gainsay completion bash)')
    return shell


def zsh(build, folder):
    (folder / "functions").mkdir(exist_ok=True)
    (folder / "functions" / "_gainsay").write_text(script(build, "zsh"))
    # For a zsh that is not in its usual place: GAINSAY_ZSH_SETUP.
    (folder / ".zshenv").write_text(os.environ.get("GAINSAY_ZSH_SETUP", "") + "\n")
    (folder / ".zshrc").write_text(f"PS1='$ '; LISTMAX=0; fpath=({folder}/functions $fpath)\n"
                                   "autoload -U compinit; compinit -D -u; setopt no_beep\n")
    shell = Terminal(["zsh", "-d", "-i"], {**environment(build, folder), "ZDOTDIR": str(folder)})
    shell.read(["$ "], 60)
    return shell


def fish(build, folder):
    shell = Terminal(["fish", "--no-config", "-i"], environment(build, folder))
    shell.command(os.environ.get("GAINSAY_FISH_SETUP", "true"))  # likewise
    shell.command("function fish_prompt; echo '$ '; end; gainsay completion fish | source")
    return shell


def script(build, shell):
    return subprocess.run([str(build / "gainsay"), "completion", shell], check=True, capture_output=True,
                          text=True).stdout


# What is typed before the tab key, and what must be on the screen after it.
CASES = [
    ("gainsay expl", ["explore"]),
    ("gainsay hunt flush", ["flush_race"]),
    ("gainsay hunt --sari", ["--sarif"]),
    ("gainsay hunt --s", ["--seed", "--steps", "--strategy", "--swarm"]),
    ("gainsay hunt flush_race --strategy pctc", ["pctcp"]),
    ("gainsay hunt flush_race --option bug=over", ["overtake"]),
    ("gainsay explore --fairness ", ["weak", "actor", "strong"]),
    ("gainsay conform x --against viewstamped_replication_c", ["viewstamped_replication_code"]),
    ("gainsay help verif", ["verify"]),
    ("gainsay show some_", ["some_trace_file.trace"]),
]


def complete_in(make, build, folder):
    (folder / "some_trace_file.trace").write_text("")
    shell = make(build, folder)
    try:
        shell.command(f"cd {folder}")
        for typed, wanted in CASES:
            said = ""
            for _ in range(3):  # some shells list at the second press
                said += shell.type(typed + "\t" if not said else "\t", wanted)
                if all(word in said for word in wanted):
                    break
            missing = [word for word in wanted if word not in said]
            assert not missing, f"{typed!r}: {missing} not in {said!r}"
            os.write(shell.end, b"\x03")
            shell.command("true")
    finally:
        shell.close()


def test_bash(build, folder):
    complete_in(bash, build, folder)


def test_zsh(build, folder):
    complete_in(zsh, build, folder)


def test_fish(build, folder):
    complete_in(fish, build, folder)


def test_everything_in_help_is_offered(build, folder):
    """Each verb's --help, against what completion offers and what its manual page has."""
    def run(*words):
        return subprocess.run([str(build / "gainsay"), *words], check=True, capture_output=True, text=True,
                              cwd=folder).stdout

    verbs = re.findall(r"^  (\w+)  ", run("--help").split("Verbs:")[1], re.MULTILINE)
    assert len(verbs) > 15, verbs
    offered = [line.split("\t")[0] for line in run("completion", "--complete", "--", "").splitlines()]
    assert set(verbs) <= set(offered), set(verbs) - set(offered)
    for verb in verbs:
        options = set(re.findall(r"^  (?:-\w,)?(--[\w-]+)", run(verb, "--help"), re.MULTILINE))
        offered = {line.split("\t")[0] for line in run("completion", "--complete", "--", verb, "--").splitlines()}
        assert options == offered, (verb, options ^ offered)
        page = run("man", verb).replace("\\-", "-")
        assert all(option in page for option in options), (verb, [o for o in options if o not in page])


def test_manual_pages_are_read_without_complaint(build, folder):
    subprocess.run([str(build / "gainsay"), "man", "--all", str(folder / "man1")], check=True)
    pages = sorted((folder / "man1").glob("*.1"))
    assert len(pages) > 15 and (folder / "man1" / "gainsay-hunt.1") in pages, pages
    asked = 0
    for page in pages:
        if shutil.which("man") and shutil.which("groff"):
            done = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", str(page)], capture_output=True, text=True,
                                  check=False, env={**os.environ, "MANWIDTH": "80", "LC_ALL": "C.UTF-8"})
            assert done.returncode == 0 and not done.stderr, (page.name, done.stderr)
            assert "EXIT STATUS" in done.stdout, page.name
            asked += 1
        if shutil.which("mandoc"):
            done = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", str(page)], capture_output=True, text=True,
                                  check=False)
            # It asks for a date; a page of a version has none, so that two builds are the same.
            bad = [line for line in done.stdout.splitlines() if "missing date" not in line]
            assert not bad, bad
            asked += 1
    if asked == 0:
        print("passed over: neither man nor mandoc is installed")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    build = Path(arguments.build).resolve()
    failed = 0
    for name, test in [each for each in globals().items() if each[0].startswith("test_")]:
        if arguments.only not in name:
            continue
        shell = name.removeprefix("test_")
        if shell in ("bash", "zsh", "fish") and not shutil.which(shell):
            print(f"passed over: {shell} is not installed")
            continue
        with tempfile.TemporaryDirectory(prefix="gainsay-shell-") as folder:
            try:
                test(build, Path(folder))
                print(f"ok      {name}")
            except Exception:  # all tests are made, whatever becomes of one
                failed += 1
                print(f"FAILED  {name}\n{traceback.format_exc()}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
