#!/usr/bin/python3
"""read_export.py EXPORT PASSPHRASE-FILE: prints the document of an encrypted export.

read_export.py --print prints the example of lanyard-export(5) in the page's form.

Written from lanyard-export(5) alone, to show that the page says enough; the names here are those of
the page.
"""

import os
import re
import sys
import textwrap

from read_keychain import (
    Refused,
    argon2id,
    derive,
    keyed_digest,
    open_box,
    require,
    seal_with,
    u8,
    u16,
    u32,
    u64,
)

HEADER_SIZE = 40
PIECE_SIZE = 65536


def keys(passphrase, header):
    """The key, the header key, the authentication and the chunk key."""
    memory, passes = parameters(header)
    salt = header[24:40]
    key = argon2id(passphrase, salt, memory, passes)
    header_key = derive(key, b"lanyard export header", salt)
    authentication = keyed_digest(header_key, header)
    return key, header_key, authentication, derive(key, b"lanyard export chunk", salt)


def parameters(header):
    """The memory and the passes."""
    return int.from_bytes(header[16:20], "big"), int.from_bytes(header[20:24], "big")


def chunk_data(authentication, number, is_last):
    return authentication + u64(number) + u8(int(is_last))


def read_export(file, passphrase):
    """The document of an encrypted export."""
    require(file[:14] == b"lanyard export", "this is no export")
    require(len(file) >= HEADER_SIZE + 32, "the file is too short")
    header = file[:HEADER_SIZE]
    require(header[14:16] == u16(2), "the version is not 2")
    memory, passes = parameters(header)
    require(32768 <= memory <= 262144, "the memory is out of bounds")
    require(1 <= passes <= 786432 // memory, "the passes are out of bounds")
    _, _, authentication, chunk_key = keys(passphrase, header)
    require(file[HEADER_SIZE : HEADER_SIZE + 32] == authentication, "wrong passphrase")
    pieces = []
    position = HEADER_SIZE + 32
    while True:
        chunk = file[position : position + PIECE_SIZE + 40]
        position += len(chunk)
        is_last = position == len(file)
        data = chunk_data(authentication, len(pieces), is_last)
        pieces.append(open_box(chunk_key, data, chunk, "a chunk"))
        if is_last:
            return b"".join(pieces)


def make_export(document, passphrase, memory=131072, passes=3, salt=None, nonce=None):
    """An encrypted export; salt and nonce are given only in examples."""
    header = b"lanyard export" + u16(2) + u32(memory) + u32(passes) + (salt or os.urandom(16))
    _, _, authentication, chunk_key = keys(passphrase, header)
    file = header + authentication
    places = range(0, max(len(document), 1), PIECE_SIZE)
    for number, place in enumerate(places):
        data = chunk_data(authentication, number, number == len(places) - 1)
        piece = document[place : place + PIECE_SIZE]
        file += seal_with(nonce or os.urandom(24), chunk_key, data, piece)
    return file


# The example of the page


def example():
    salt = bytes(range(0x80, 0x90))
    nonce = bytes(range(0xC0, 0xD8))
    file = make_export(b"document", b"passphrase", 32768, 1, salt, nonce)
    key, header_key, authentication, chunk_key = keys(b"passphrase", file[:HEADER_SIZE])
    values = {
        "header": file[:HEADER_SIZE],
        "key": key,
        "header key": header_key,
        "authentication": authentication,
        "chunk key": chunk_key,
        'chunk of the document "document"': file[HEADER_SIZE + 32 :],
    }
    lines = []
    for name, value in values.items():
        lines.append(f"{name}:")
        lines += textwrap.wrap(value.hex(), 66, initial_indent="  ", subsequent_indent="  ")
    return "\n".join(lines) + "\n"


def check_page(path):
    """Throws if the page has another example."""
    with open(path, encoding="utf-8") as page:
        blocks = re.findall(r"\.Bd -literal\n(.*?)\.Ed", page.read(), re.DOTALL)
    require(example() in blocks, "the page has another example")


def main(arguments):
    if arguments == ["--print"]:
        print(example(), end="")
        return
    with open(arguments[0], "rb") as file, open(arguments[1], "rb") as passphrase:
        sys.stdout.buffer.write(read_export(file.read(), passphrase.read().removesuffix(b"\n")))


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except Refused as refusal:
        sys.exit(f"read_export: error: {refusal}")
