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
    hkdf,
    hmac_sha256,
    open_box,
    require,
    scrypt,
    seal_with,
    u8,
    u16,
    u32,
    u64,
)

HEADER_SIZE = 41
PIECE_SIZE = 65536
LABEL = b"lanyard export chunk"


def keys(passphrase, header):
    """The key, the header key and the authentication."""
    salt = header[25:41]
    key = scrypt(passphrase, salt, header[16], 8, int.from_bytes(header[21:25], "big"))
    header_key = hkdf(key, salt, b"lanyard export header")
    return key, header_key, hmac_sha256(header_key, header)


def chunk_data(authentication, number, is_last):
    return authentication + u64(number) + u8(int(is_last))


def read_export(file, passphrase):
    """The document of an encrypted export."""
    require(file[:14] == b"lanyard export", "this is no export")
    require(len(file) >= HEADER_SIZE + 32, "the file is too short")
    header = file[:HEADER_SIZE]
    require(header[14:16] == u16(1), "the version is not 1")
    require(15 <= header[16] <= 18, "log2N is out of bounds")
    require(header[17:21] == u32(8), "r is not 8")
    p = int.from_bytes(header[21:25], "big")
    require(1 <= p <= 2 ** (18 - header[16]), "p is out of bounds")
    key, _, authentication = keys(passphrase, header)
    require(file[HEADER_SIZE : HEADER_SIZE + 32] == authentication, "the passphrase is not right")
    pieces = []
    position = HEADER_SIZE + 32
    while True:
        chunk = file[position : position + PIECE_SIZE + 48]
        position += len(chunk)
        is_last = position == len(file)
        data = chunk_data(authentication, len(pieces), is_last)
        pieces.append(open_box(key, LABEL, data, chunk, "a chunk"))
        if is_last:
            return b"".join(pieces)


def make_export(document, passphrase, log2_n=17, salt=None, chunk_salt=None):
    """An encrypted export; salts are given only in examples."""
    header = b"lanyard export" + u16(1) + u8(log2_n) + u32(8) + u32(1) + (salt or os.urandom(16))
    key, _, authentication = keys(passphrase, header)
    file = header + authentication
    places = range(0, max(len(document), 1), PIECE_SIZE)
    for number, place in enumerate(places):
        data = chunk_data(authentication, number, number == len(places) - 1)
        piece = document[place : place + PIECE_SIZE]
        file += seal_with(chunk_salt or os.urandom(32), key, LABEL, data, piece)
    return file


# The example of the page


def example():
    salt = bytes(range(0x80, 0x90))
    chunk_salt = bytes(range(0xC0, 0xE0))
    file = make_export(b"document", b"passphrase", 15, salt, chunk_salt)
    key, header_key, authentication = keys(b"passphrase", file[:HEADER_SIZE])
    values = {
        "header": file[:HEADER_SIZE],
        "key": key,
        "header key": header_key,
        "authentication": authentication,
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
