#!/usr/bin/env python3
"""Makes docs/api.md from the comments of the public headers: what a user's file includes.

    scripts/api_reference.py            writes the page
    scripts/api_reference.py --check    fails if the page is not what the headers say
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEADERS = [
    "scenario/world.hpp", "scenario/context.hpp", "scenario/view.hpp", "scenario/monitor.hpp", "scenario/machine.hpp",
    "scenario/task_context.hpp", "scenario/when.hpp", "scenario/wrapping.hpp", "scenario/context_slot.hpp",
    "scenario/registry.hpp", "base/options.hpp", "oracle/client_history.hpp", "strategy/strategy.hpp",
    "adapter/gtest.hpp",
]


def head(lines):
    """The comment at the top: what the header is about."""
    text = []
    for line in lines:
        if not line.startswith("//"):
            break
        text.append(line[2:].removeprefix(" "))
    return text


def declarations(lines):
    """Public declarations with the comment above them, as they stand; bodies and `detail` are left out."""
    found, comment, hidden, depth = [], [], 0, 0
    for line in lines:
        stripped = line.strip()
        if re.match(r"namespace detail\b", stripped):
            hidden = 1
        if stripped == "}  // namespace detail":
            hidden, comment = 0, []
            continue
        if hidden:
            continue
        if stripped in ("private:", "protected:"):
            depth = 1
        if stripped == "public:" or stripped.startswith("};"):
            depth = 0
        if depth:
            comment = []
            continue
        if stripped.startswith("//"):
            comment.append(stripped[2:].strip())
            continue
        declared = re.match(r"(template <.*> )?(class|struct|enum class) (\w+)[^;]*\{$", stripped)
        called = re.match(r"[^=#}].*[\w>&*\]] ?(\w+)\(.*", stripped)
        if (declared or called) and comment and not stripped.startswith(("return", "if", "for", "static_assert")):
            said = " ".join(line for line in comment if not line.startswith("---"))
            short = re.sub(r"\s\{.*$", "", stripped).rstrip()
            if said:
                found.append((short + " ..." if short.endswith((",", "=")) else short, said))
        comment = []
    return found


def page():
    out = ["# API reference", "",
           "Made by `scripts/api_reference.py` from the comments of the headers; [guide.md](guide.md) explains,"
           " this lists.",
           "Include `<gainsay/gainsay.hpp>`; tasks are in `<gainsay/tasks.hpp>`, specifications in"
           " `<gainsay/oracle/specs/...>`.", ""]
    for name in HEADERS:
        lines = (ROOT / "src/gainsay" / name).read_text(encoding="utf-8").splitlines()
        out += [f"## {name}", "", "```text", *head(lines), "```", ""]
        for declaration, comment in declarations(lines):
            out += [f"- `{declaration}`", f"  {comment}"]
        out.append("")
    return "\n".join(out)


def main():
    path = ROOT / "docs/api.md"
    text = page()
    if sys.argv[1:] != ["--check"]:
        path.write_text(text, encoding="utf-8")
    elif not path.exists() or path.read_text(encoding="utf-8") != text:
        sys.exit("docs/api.md is not what the headers say; run scripts/api_reference.py")


main()
