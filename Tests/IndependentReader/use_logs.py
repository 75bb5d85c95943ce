"""Reads the log of uses of a keychain, written from lanyard-keychain(5), and compares it with what
`lanyard log` prints. The programs are those in LANYARD_BIN_DIR.
"""

import datetime
import json
import os

import read_keychain
from home import expect, write_private
from read_keychain import Parts, Refused, derive, open_box, require

RECORD = 512
USES = {1: "read", 2: "stored", 3: "changed", 4: "deleted"}
CLASSES = {b"inet": "internet-password", b"genp": "generic-password", b"keys": "key"}


def read_log(key, data, link=bytes(24)):
    """All entries of a file; refused if one is missing or was moved."""
    require(len(data) % RECORD == 0, "a record is incomplete")
    entries = []
    for start in range(0, len(data), RECORD):
        record = data[start : start + RECORD]
        parts = Parts(open_box(key, b"lanyard log of uses 1", record, "a record"), "a record")
        require(parts.bytes(24) == link, "a record names another one than that before it")
        entries.append(entry(parts))
        link = record[:24]
    return entries


def entry(parts):
    time, use, flags = parts.number("q"), parts.number("B"), parts.number("B")
    item_class = CLASSES[parts.bytes(4)]
    processes = [parts.number("i"), parts.number("i")]
    texts = [parts.bytes(parts.number("H")).decode() for _ in range(7)]
    rest = parts.bytes(472 - parts.position)
    require(rest == bytes(len(rest)) and flags in (0, 1), "a record has values that none can have")

    def program(process, path, unit):
        return {"path": path or None, "process": process or None, "unit": unit or None}

    moment = datetime.datetime.fromtimestamp(time, datetime.timezone.utc)
    return {
        "time": moment.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "use": USES[use],
        "class": item_class,
        "name": texts[0],
        "account": texts[1],
        "group": texts[2],
        "keychain": "login",
        "program": program(processes[0], *texts[3:5]),
        "for": program(processes[1], *texts[5:7]),
        "more": flags == 1,
    }


def check(home):
    """Lets the programs write a log, and compares.

    Returns the number of entries.
    """
    home.succeeds("lanyard", "config", "set", "log", "true")
    login = b"protocol=https\nhost=example.com\nusername=ada\n"
    home.succeeds("git-credential-lanyard", "store", stdin=login + b"password=distinctive-1\n")
    home.succeeds("git-credential-lanyard", "get", stdin=login)
    long_name = "gr\u00fc\u00dfe-" * 100
    home.succeeds("lanyard", "set", "--stdin", long_name, stdin=b"distinctive-2")
    home.succeeds("lanyard", "edit", "--comment", "c", long_name)
    home.succeeds("git-credential-lanyard", "erase", stdin=login)
    keybag = home.keybag()
    keybag.unlock(home.machine_key(), None)
    key = derive(keybag.metadata_key, b"lanyard log of uses", keybag.keychain_id)
    path = f"{home.path}/data/login.log"
    data = read_keychain.read_private(path)
    entries = read_log(key, data)
    shown = json.loads(home.succeeds("lanyard", "log", "--json"))
    expect(entries == shown, f"the log says {entries}, and lanyard {shown}")
    uses = [entry["use"] for entry in entries]
    # git's helper compares the password before it erases a login.
    expect(
        uses[:4] == ["stored", "read", "stored", "changed"] and uses[-1] == "deleted"
        and entries[2]["name"].endswith("\u2026"),
        f"the log says {uses}",
    )
    for changed in (data[RECORD:], data[:RECORD] + data[2 * RECORD :], data[:RECORD] + data):
        write_private(path, changed)
        try:
            read_log(key, changed)
        except Refused:
            outcome = home.run("lanyard", "log")
            expect(outcome.returncode == 93, f"lanyard takes a changed log: {outcome}")
            continue
        expect(False, "the reader takes a changed log")
    os.remove(path)
    return len(entries)
