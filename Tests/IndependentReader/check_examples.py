#!/usr/bin/python3
"""check_examples.py PAGE: computes the examples of lanyard-keychain(5) and compares them with the
page; with --print it prints them in the page's form.
"""

import re
import sys
import textwrap

import read_keychain as format

MACHINE_KEY = bytes(range(0x00, 0x20))
METADATA_KEY = bytes(range(0x20, 0x40))
KEYCHAIN_ID = bytes(range(0xA0, 0xB0))
UNLOCKED_KEY = bytes(range(0x40, 0x60))
RECOVERY_KEY = bytes(range(0x60, 0x74))
PASSPHRASE_SALT = bytes(range(0x80, 0x90))
SALT = bytes(range(0xC0, 0xE0))

ATTRIBUTES = {
    "accessGroup": b"git",
    "account": b"ada",
    "server": b"Example.com",
    "protocol": b"htps",
    "port": 8443,
}


def examples():
    index_key = format.hkdf(METADATA_KEY, KEYCHAIN_ID, b"lanyard blind index")
    identity, server, _, account, group = format.index_tags(
        index_key, format.INTERNET, ATTRIBUTES
    )
    passphrase_key = format.scrypt(b"passphrase", PASSPHRASE_SALT, 15, 8, 1)
    values = {
        "machine key id": format.hkdf(MACHINE_KEY, b"", b"lanyard machine key id")[:16],
        "class key digest": format.class_key_digest(METADATA_KEY, KEYCHAIN_ID, 0, 1),
        "authentication key": format.hkdf(
            METADATA_KEY, KEYCHAIN_ID, b"lanyard keybag authentication"
        ),
        "index key": index_key,
        "row set key": format.hkdf(METADATA_KEY, KEYCHAIN_ID, b"lanyard row set"),
        "attributes": format.encode_attributes(ATTRIBUTES),
        "identity bytes": format.identity_bytes(format.INTERNET, ATTRIBUTES),
        "identity tag": identity,
        "server tag": server,
        "account tag": account,
        "access_group tag": group,
        "box": format.seal_with(SALT, METADATA_KEY, b"lanyard example", b"data", b"plaintext"),
        "recovery key id": format.recovery_key_id(RECOVERY_KEY),
        "passphrase's key": passphrase_key,
        "key of the wrapping": format.counted(passphrase_key) + format.counted(MACHINE_KEY),
        "second authentication key": format.hkdf(
            UNLOCKED_KEY, KEYCHAIN_ID, b"lanyard keybag authentication"
        ),
    }
    texts = {name: value.hex() for name, value in values.items()}
    return texts | {"recovery key": format.recovery_key_text(RECOVERY_KEY)}


def in_the_pages_form(values):
    lines = []
    for name, value in values.items():
        lines.append(f"{name}:")
        lines += textwrap.wrap(value, 66, initial_indent="  ", subsequent_indent="  ")
    return "\n".join(lines)


def on_the_page(text):
    block = re.search(r"\.Sh EXAMPLES.*?\.Bd -literal[^\n]*\n(.*?)\n\.Ed", text, re.DOTALL)
    values = {}
    for line in block.group(1).splitlines():
        if line.startswith("  "):
            values[name] += line.strip()
        else:
            name = line.removesuffix(":")
            values[name] = ""
    return values


def main(arguments):
    expected = examples()
    if arguments == ["--print"]:
        print(in_the_pages_form(expected))
        return
    with open(arguments[0], encoding="utf-8") as page:
        found = on_the_page(page.read())
    if found != expected:
        wrong = [name for name in expected | found if expected.get(name) != found.get(name)]
        sys.exit(f"check_examples: error: the page has other values for: {', '.join(wrong)}")


if __name__ == "__main__":
    main(sys.argv[1:])
