"""A trace of libraft as a space-time diagram of few columns, in the words of Raft.

`gainsay show` prints everything. A page needs less: one row for each step, with the message as Raft names its fields
and what it changed. Steps of one server in a row that change and send nothing are one row.
"""

import json
import re

WIDTH = 9  # columns of a server
SHOWN = ("role", "term", "vote", "log", "commit", "disk", "servers")
TIMERS = {"Tick": "tick", "SendDone": "a send is done", "SendFails": "a send fails", "DiskDone": "the disk has stored",
          "DiskFails": "the disk fails", "ClientAsks": "a client asks", "LeaderTransfers": "begins a transfer",
          "MembersChange": "changes members", "ShutsDown": "shuts down", "StartsAgain": "starts again",
          "SnapshotStored": "the snapshot is stored", "SnapshotNotStored": "the snapshot is not stored",
          "SnapshotLoaded": "the snapshot is loaded", "SnapshotNotLoaded": "the snapshot is not loaded"}
MARKS = {"deliver": "●", "timer": "◔", "crash": "✖", "restart": "◆", "start": "◆", "drop": "✗", "lost": "✗"}


def fields(message):
    return dict(re.findall(r"(\w+): ([\w.\-]+)", message))


def said(message):
    name, have = message.split("{")[0], fields(message)
    if name == "Boot":
        return "starts"
    if name == "AppendEntries":
        terms = re.findall(r"Entry\{term: (\d+)", message)
        first = int(have["prev_index"]) + 1
        entries = " ".join(f"{first + i}:t{term}" for i, term in enumerate(terms)) or "none"
        term = re.match(r"\w+\{term: (\d+)", message)[1]
        return f"AppendEntries term {term}, after {have['prev_index']}:t{have['prev_term']}, entries {entries}"
    if name == "AppendResult":
        verdict = f"rejects {have['rejected']}" if have["rejected"] != "0" else f"has up to {have['last_index']}"
        return f"AppendResult term {have['term']}, {verdict}"
    if name == "RequestVote":
        before = ", only asks" if have["pre_vote"] == "true" else ""
        return f"RequestVote term {have['term']}, last {have['last_index']}:t{have['last_term']}{before}"
    if name == "VoteResult":
        return f"VoteResult term {have['term']}, {'yes' if have['granted'] == 'true' else 'no'}"
    if name == "InstallSnapshot":
        return f"InstallSnapshot term {have['term']}, up to {have['last_index']}:t{have['last_term']}"
    if name == "TimeoutNow":
        return f"TimeoutNow term {have['term']}"
    return TIMERS.get(name, name)


def changed(step):
    found = {}
    for change in step.get("changes", []):
        name, _, value = change.partition(": ")
        value = value.split(" -> ")[-1].strip()
        if name in SHOWN and (name, value) != ("vote", "0") and (name != "servers" or "->" in change):
            found[name] = value or "empty"
    if "log" in found and found["log"] == found.get("disk"):
        found = {("log and disk" if name == "log" else name): value for name, value in found.items() if name != "disk"}
    return "; ".join(value if name == "role" else f"{name} {value}" for name, value in found.items())


def row(step, servers):
    line = list(" ".join("│".ljust(WIDTH - 1) for _ in servers).ljust(WIDTH * len(servers)))
    target = servers.index(step["to"]) * WIDTH
    source = servers.index(step["from"]) * WIDTH if step.get("from") in servers else target
    for at in range(min(source, target) + 1, max(source, target)):
        line[at] = "╌" if step["kind"] in ("drop", "lost") else "─"
    if source != target:
        line[source] = "○"
        line[target + (1 if source > target else -1)] = "◀" if source > target else "▶"
    line[target] = MARKS.get(step["kind"], "■")
    return "".join(line)


def label(step):
    text = said(step.get("message", ""))
    if step["kind"] in ("crash", "restart"):
        text = {"crash": "crashes", "restart": "restarts"}[step["kind"]]
    elif step["kind"] in ("drop", "lost"):
        text = f"lost: {text}"
    what = changed(step)
    return f"{text}   {what}" if what else text


def quiet(step):
    """A timer that changes nothing and sends nothing but the next timer."""
    sent = [each for each in step.get("sent", []) if not each.startswith("timer ")]
    return step["kind"] == "timer" and not changed(step) and not sent


def diagram(trace):
    """The rows of a trace file, and how it ended."""
    lines = [json.loads(line) for line in trace.read_text(encoding="utf-8").splitlines()]
    servers = [name for name in lines[0]["actors"] if name.startswith("server.")]
    steps = [line for line in lines if "step" in line and line.get("to") in servers]
    names = "".join(name.replace("server.", "server ").ljust(WIDTH) for name in servers)
    rows = [f"{'step':>7}  cause  {names}".rstrip()]
    while steps:
        first = steps[0]
        same = 1
        while quiet(first) and same < len(steps) and quiet(steps[same]) and \
                all(steps[same][each] == first[each] for each in ("to", "message")):
            same += 1
        last = steps[same - 1]["step"]
        number = str(first["step"]) if same == 1 else f"{first['step']}-{last}"
        cause = f"◂{first['cause']}" if "cause" in first else ""
        times = f", {same} times" if same > 1 else ""
        rows.append(f"{number:>7}{cause:>6}   {row(first, servers)} {label(first)}{times}".rstrip())
        steps = steps[same:]
    end = next(line["violation"] for line in lines if "violation" in line)
    rows.append(f"         {end['property']}: {end['message'].splitlines()[0]}")
    return "\n".join("    " + each for each in rows)
