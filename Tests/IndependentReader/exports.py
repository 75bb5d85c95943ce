"""Compares what `lanyard export` writes with what the independent reader finds in the keychain."""

import base64
import json
import os

import read_export
from home import expect, write_private
from read_keychain import Refused

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../man/lanyard-export.5")
CLASSES = {
    "internet-password": "inet",
    "generic-password": "genp",
    "certificate": "cert",
    "key": "keys",
}
PASSPHRASE = "of the \N{KEY} export".encode()


def value_bytes(value):
    return value.encode() if isinstance(value, str) else base64.b64decode(value["base64"])


def as_bytes(value):
    is_text = isinstance(value, str) or isinstance(value, dict) and "base64" in value
    return value_bytes(value) if is_text else value


def comparable(item_class, accessible, attributes, secret):
    """An item in a form that does not depend on which texts are written in Base64."""
    values = {name: as_bytes(value) for name, value in attributes.items() if name != "accessible"}
    # The document has the accessibility and the flags in one object.
    control = attributes.get("accessControl")
    if control is not None:
        del values["accessControl"]
        values["accessControlFlags"] = control["flags"]
    return (item_class, accessible, sorted(values.items()), value_bytes(secret))


def check(home, scratch):
    """Returns how many items were compared, and how many changes to an export were refused."""
    read_export.check_page(PAGE)
    os.mkdir(scratch, 0o700)
    file, passphrase = f"{scratch}/export", f"{scratch}/passphrase"
    write_private(passphrase, PASSPHRASE + b"\n")
    outcome = home.run("lanyard", "export", file, "--passphrase-file", passphrase)
    expect(outcome.returncode == 0, f"lanyard export: {outcome.stderr}")
    with open(file, "rb") as exported:
        sealed = exported.read()
    text = read_export.read_export(sealed, PASSPHRASE)
    document = json.loads(text)
    expect((document["format"], document["version"]) == ("lanyard-export", 1), "another format")
    found = [
        comparable(
            CLASSES[item["class"]],
            item["attributes"]["accessible"],
            item["attributes"],
            item["secret"],
        )
        for item in document["items"]
    ]
    items, _ = home.read()
    expected = [
        comparable(item["class"], item["accessible"], item["attributes"], item["secret"])
        for item_class in CLASSES.values()
        for item in reversed(items)
        if item["class"] == item_class and not item["accessible"].endswith("u")
    ]
    expect(len(found) == len(expected), f"{len(found)} items are exported")
    for left, right in zip(found, expected):
        expect(left == right, f"an exported item is another: {left[2]}, {right[2]}")
    left_out = len(items) - len(expected)
    expect(
        f"{left_out} items were left out: bound to this machine".encode() in outcome.stderr,
        f"lanyard export: {outcome.stderr}",
    )
    return len(found), refused(sealed)


def refused(sealed):
    """What was done to an export that the reader must refuse too."""
    changes = [sealed[:-1], sealed + b"\0", sealed[: 72 + 65536 + 40]]
    for place in (0, 15, 16, 19, 22, 30, 50, 80, 72 + 65536 + 40, len(sealed) - 1):
        changes.append(sealed[:place] + bytes([sealed[place] ^ 1]) + sealed[place + 1 :])
    for number, change in enumerate(changes):
        try:
            read_export.read_export(change, PASSPHRASE)
        except Refused:
            continue
        expect(False, f"the reader takes change {number} of an export")
    return len(changes)
