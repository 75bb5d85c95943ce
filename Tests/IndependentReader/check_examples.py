#!/usr/bin/python3
"""check_examples.py PAGE: computes the examples of lanyard-keychain(5) and compares them and the table
of attributes with the page; with --print it prints them in the page's form.
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
NONCE = bytes(range(0xC0, 0xD8))

ATTRIBUTES = {
    "accessGroup": b"git",
    "account": b"ada",
    "server": b"Example.com",
    "protocol": b"htps",
    "port": 8443,
}


def examples():
    index_key = format.derive(METADATA_KEY, b"lanyard blind index", KEYCHAIN_ID)
    identity, server, _, account, group = format.index_tags(
        index_key, format.INTERNET, ATTRIBUTES
    )
    passphrase_key = format.argon2id(b"passphrase", PASSPHRASE_SALT, 32768, 1)
    values = {
        "machine key id": format.machine_key_id(MACHINE_KEY),
        "class key digest": format.class_key_digest(METADATA_KEY, KEYCHAIN_ID, 0, 1),
        "authentication key": format.derive(
            METADATA_KEY, b"lanyard keybag authentication", KEYCHAIN_ID
        ),
        "attributes key": format.derive(METADATA_KEY, b"lanyard attributes", KEYCHAIN_ID),
        "index key": index_key,
        "row set key": format.derive(METADATA_KEY, b"lanyard row set", KEYCHAIN_ID),
        "row set sum key": format.derive(METADATA_KEY, b"lanyard row set sum", KEYCHAIN_ID),
        "attributes": format.encode_attributes(ATTRIBUTES),
        "identity bytes": format.identity_bytes(format.INTERNET, ATTRIBUTES),
        "identity tag": identity,
        "server tag": server,
        "account tag": account,
        "access_group tag": group,
        "box": format.seal_with(NONCE, METADATA_KEY, b"data", b"plaintext"),
        "recovery key id": format.recovery_key_id(RECOVERY_KEY),
        "passphrase's key": passphrase_key,
        "key of the wrapping": format.wrapping_key(KEYCHAIN_ID, [passphrase_key, MACHINE_KEY]),
        "second authentication key": format.derive(
            UNLOCKED_KEY, b"lanyard keybag authentication", KEYCHAIN_ID
        ),
        "secret key": format.derive(UNLOCKED_KEY, b"lanyard secret", KEYCHAIN_ID),
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


def attributes_on_the_page(text):
    """The numbers, names and forms in the page's table of attributes."""
    forms = {
        "text": format.TEXT,
        "any bytes": format.TEXT,
        "bytes(4)": format.CODE,
        "u8, 0 or 1": format.FLAG,
        "u16": format.PORT,
        "u32": format.FLAGS,
        "i64": format.DATE,
        "number": format.NUMBER,
    }
    rows = re.findall(r"^\.It (\d+) Ta (\w+) Ta ([^\n]+) Ta [^\n]+$", text, re.MULTILINE)
    return {int(number): (name, forms[form]) for number, name, form in rows if form in forms}


def main(arguments):
    expected = examples()
    if arguments == ["--print"]:
        print(in_the_pages_form(expected))
        return
    with open(arguments[0], encoding="utf-8") as page:
        text = page.read()
    if attributes_on_the_page(text) != format.ATTRIBUTES:
        sys.exit("check_examples: error: the page has other attributes")
    found = on_the_page(text)
    if found != expected:
        wrong = [name for name in expected | found if expected.get(name) != found.get(name)]
        sys.exit(f"check_examples: error: the page has other values for: {', '.join(wrong)}")


if __name__ == "__main__":
    main(sys.argv[1:])
