#!/usr/bin/python3
"""read_keychain.py KEYCHAIN STATE-FOLDER [FILE]: prints the items of a sealed keychain, one JSON object
per line, the one changed last first; on the last line what vouches for them, and how many secrets
are locked.

FILE holds the keychain's passphrase or its recovery key in one line. With it the state folder need
not have a machine key.

Written from lanyard-keychain(5) alone, to show that the page says enough; the names here are those
of the page. Everything is checked before anything is printed.
"""

import base64
import contextlib
import functools
import hashlib
import hmac
import json
import os
import re
import sqlite3
import stat
import struct
import sys
from urllib.parse import quote

import nacl.pwhash
from nacl.bindings import (
    crypto_aead_xchacha20poly1305_ietf_decrypt,
    crypto_aead_xchacha20poly1305_ietf_encrypt,
)
from nacl.exceptions import CryptoError


class Refused(Exception):
    """The keychain is not as the page says."""


def require(condition, reason):
    if not condition:
        raise Refused(reason)


# Notation


def u8(number):
    return struct.pack(">B", number)


def u16(number):
    return struct.pack(">H", number)


def u32(number):
    return struct.pack(">I", number)


def u64(number):
    return struct.pack(">Q", number)


def i64(number):
    return struct.pack(">q", number)


def counted(data):
    return u32(len(data)) + data


class Parts:
    """Takes a structure apart."""

    def __init__(self, data, what):
        self.data = data
        self.what = what
        self.position = 0

    def bytes(self, count):
        end = self.position + count
        require(end <= len(self.data), f"{self.what} ends too early")
        part = self.data[self.position : end]
        self.position = end
        return part

    def number(self, form):
        return struct.unpack(">" + form, self.bytes(struct.calcsize(">" + form)))[0]

    def counted(self):
        return self.bytes(self.number("I"))

    def at_end(self):
        return self.position == len(self.data)

    def end(self):
        require(self.at_end(), f"there is more behind {self.what}")


# Primitives


def digest(data):
    return hashlib.blake2b(data, digest_size=32).digest()


def keyed_digest(key, data):
    return hashlib.blake2b(data, digest_size=32, key=key).digest()


def derive(key, label, context=b""):
    return keyed_digest(key, counted(label) + context)


@functools.cache
def argon2id(passphrase, salt, memory, passes):
    return nacl.pwhash.argon2id.kdf(
        32, passphrase, salt, opslimit=passes, memlimit=memory * 1024
    )


def seal_with(nonce, key, data, plaintext):
    """A box with a given nonce; only for examples, a real one has a new nonce each time."""
    return nonce + crypto_aead_xchacha20poly1305_ietf_encrypt(plaintext, data, nonce, key)


def open_box(key, data, box, what):
    require(len(box) >= 40, f"{what} is no box")
    try:
        return crypto_aead_xchacha20poly1305_ietf_decrypt(box[24:], data, box[:24], key)
    except CryptoError:
        raise Refused(f"{what} does not authenticate") from None


# The files


def check_private(path, is_kind, permissions):
    try:
        status = os.lstat(path)
    except OSError as error:
        raise Refused(f"{path}: {error.strerror}") from None
    require(is_kind(status.st_mode), f"{path} is of another kind")
    require(status.st_uid == os.geteuid(), f"{path} belongs to another user")
    require(status.st_mode & 0o777 & ~permissions == 0, f"{path} is open to others")


def read_private(path):
    check_private(path, stat.S_ISREG, 0o600)
    with open(path, "rb") as file:
        return file.read()


# The SQLite file

SCHEMA = """\
CREATE TABLE keychain (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  keybag BLOB NOT NULL,
  row_set BLOB NOT NULL
) STRICT
;
CREATE TABLE item (
  change INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  class INTEGER NOT NULL,
  accessible INTEGER NOT NULL,
  metadata_generation INTEGER NOT NULL,
  secret_generation INTEGER NOT NULL,
  identity BLOB NOT NULL UNIQUE,
  server BLOB,
  service BLOB,
  account BLOB NOT NULL,
  access_group BLOB NOT NULL,
  attributes BLOB NOT NULL,
  secret BLOB NOT NULL
) STRICT
;
CREATE INDEX item_server ON item (server) WHERE server IS NOT NULL
;
CREATE INDEX item_service ON item (service) WHERE service IS NOT NULL
;
CREATE INDEX item_account ON item (account)
;
CREATE INDEX item_access_group ON item (access_group)
"""


def expected_schema():
    entries = {
        ("index", "sqlite_autoindex_item_1", "item", None),
        ("index", "sqlite_autoindex_item_2", "item", None),
    }
    for text in SCHEMA.split("\n;\n"):
        sql = text.rstrip("\n")
        words = sql.split()
        table = words[2] if words[1] == "TABLE" else words[4]
        entries.add((words[1].lower(), words[2], table, sql))
    return entries


def open_database(path):
    with open(path, "rb") as file:
        header = file.read(100)
    require(len(header) == 100, "the file has no header")
    require(header[:16] == b"SQLite format 3\0", "the file is not SQLite's")
    require(header[18] == 1 and header[19] == 1, "the file has a write-ahead log")
    return sqlite3.connect(
        f"file:{quote(os.path.abspath(path))}?mode=ro", uri=True, isolation_level=None
    )


def check_format(database):
    database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 4 << 20)
    for pragma in ["trusted_schema=OFF", "cell_size_check=ON", "mmap_size=0"]:
        database.execute(f"PRAGMA {pragma}")
    database.execute("BEGIN")
    (application,) = database.execute("PRAGMA application_id").fetchone()
    require(application == 0x4C4E5944, "the file is not a keychain")
    (version,) = database.execute("PRAGMA user_version").fetchone()
    require(version <= 2, f"the format {version} is newer than this reader")
    require(version != 1, "the format 1 was never released")
    require(version == 2, "the file is not a keychain")
    rows = database.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema").fetchall()
    require(len(rows) == 8 and set(rows) == expected_schema(), "the schema is another one")


# The recovery key

DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
TOLERATED = bytes.maketrans(b"OIL", b"011")


def recovery_key_id(key):
    return derive(key, b"lanyard recovery key id")[:16]


def recovery_key_text(key):
    """The 36 digits in their groups, for a key of 20 bytes."""
    checksum = int.from_bytes(derive(key, b"lanyard recovery key checksum")[:3], "big") >> 4
    number = int.from_bytes(key, "big") << 20 | checksum
    digits = [DIGITS[number >> shift & 31] for shift in range(175, -5, -5)]
    return "-".join("".join(digits[start : start + 4]) for start in range(0, 36, 4))


def parse_recovery_key(given):
    """The key of 20 bytes, None if this has not the form of a recovery key."""
    # bytes.upper changes ASCII's letters alone.
    digits = given.upper().translate(TOLERATED, b" \t-").decode("latin-1")
    if len(digits) != 36 or any(digit not in DIGITS for digit in digits):
        return None
    number = 0
    for digit in digits:
        number = number << 5 | DIGITS.index(digit)
    key = (number >> 20).to_bytes(20, "big")
    expected = recovery_key_text(key).replace("-", "")
    require(hmac.compare_digest(digits, expected), "the recovery key is mistyped")
    return key


# The key bag

MACHINE_KEY, PASSPHRASE, RECOVERY_KEY, PRESENCE_PROGRAM = 1, 2, 3, 4

METADATA = 0
WHEN_UNLOCKED = 1
CLASSES = range(9)
PRESENCE = 8
# Those whose keys are on every machine the same.
COMMON_CLASSES = (0, 1, 2, 3)


class Source:
    """A source as the key bag has it."""

    def __init__(self, parts):
        start = parts.position
        self.kind = parts.number("B")
        self.id = parts.bytes(16)
        parameters = Parts(parts.counted(), "a source")
        require(
            self.kind in (MACHINE_KEY, PASSPHRASE, RECOVERY_KEY, PRESENCE_PROGRAM),
            "a source is of an unknown kind",
        )
        if self.kind == PASSPHRASE:
            salt = parameters.bytes(16)
            memory, passes = parameters.number("I"), parameters.number("I")
            in_bounds = 32768 <= memory <= 262144 and 1 <= passes <= 786432 // memory
            require(in_bounds, "Argon2id is out of bounds")
            self.parameters = (salt, memory, passes)
        if self.kind == PRESENCE_PROGRAM:
            program, name = parameters.counted(), parameters.counted().decode()
            seconds, _added, data = parameters.number("I"), parameters.number("q"), parameters.counted()
            in_bounds = (
                re.fullmatch(b"[a-z0-9-]{1,32}", program)
                and 1 <= len(name.encode()) <= 64
                and seconds <= 86400
                and 1 <= len(data) <= 4096
            )
            require(in_bounds, "a presence program is out of bounds")
        parameters.end()
        self.encoded = parts.data[start : parts.position]


def ways(number, has_passphrase, is_portable):
    """The ways to a key of a class: in each the kinds of the sources that it takes, in order."""
    machine, passphrase, recovery = (MACHINE_KEY,), (PASSPHRASE,), (RECOVERY_KEY,)
    both = (PASSPHRASE, MACHINE_KEY)
    if number in (0, 3):
        return {machine, recovery} | ({passphrase} if has_passphrase and is_portable else set())
    if number in (1, 2):
        if not has_passphrase:
            return {machine, recovery}
        return {passphrase if is_portable else both, recovery}
    if number == 6:
        return {machine}
    if number == PRESENCE:
        common = {recovery, (PRESENCE_PROGRAM,)}
        return common | ({passphrase if is_portable else both} if has_passphrase else set())
    if number == 7 and not has_passphrase:
        return set()
    return {both if has_passphrase else machine}


class ClassKey:
    """A class key as the key bag has it."""

    def __init__(self, parts, source_count):
        self.number = parts.number("B")
        require(self.number in CLASSES, "a class key is of an unknown class")
        self.generation = parts.number("I")
        self.digest = parts.bytes(32)
        self.wrappings = []
        for _ in range(parts.number("H")):
            positions = [parts.number("H") for _ in range(parts.number("B"))]
            require(
                1 <= len(positions) <= 2
                and len(set(positions)) == len(positions)
                and all(position < source_count for position in positions),
                "a wrapping names wrong sources",
            )
            self.wrappings.append((positions, parts.bytes(72)))

    def encoded(self):
        """The reverse, for tests."""
        data = u8(self.number) + u32(self.generation) + self.digest + u16(len(self.wrappings))
        for positions, box in self.wrappings:
            data += u8(len(positions)) + b"".join(map(u16, positions)) + box
        return data


def are_in_order(left, right):
    """Whether one class key comes before another as it should."""
    if left.number == right.number:
        return left.number not in (*COMMON_CLASSES, PRESENCE) and left.generation < right.generation
    return left.number < right.number


class Keybag:
    def __init__(self, data):
        require(len(data) <= 65536, "the key bag is too long")
        parts = Parts(data, "the key bag")
        self.version = parts.number("H")
        require(self.version in (2, 3), "the key bag has another version")
        self.keychain_id = parts.bytes(16)
        self.generation = parts.number("Q")
        flags = parts.number("I")
        require(flags <= 1, "the key bag has unknown flags")
        self.is_portable = flags == 0
        self.sources = [Source(parts) for _ in range(parts.number("H"))]
        self.class_keys = []
        for _ in range(parts.number("H")):
            self.class_keys.append(ClassKey(parts, len(self.sources)))
        self.content = data[: parts.position]
        self.tag = parts.counted()
        self.second_tag = parts.counted()
        parts.end()
        self.digest = digest(data)
        self.check_form()
        self.source_keys = {}
        self.unwrapped = {}

    def encoded_content(self):
        """The reverse, for tests."""
        data = u16(self.version) + self.keychain_id + u64(self.generation) + u32(not self.is_portable)
        data += u16(len(self.sources)) + b"".join(source.encoded for source in self.sources)
        return data + u16(len(self.class_keys)) + b"".join(k.encoded() for k in self.class_keys)

    def position(self, kind):
        """The place of the first source of a kind, None without one."""
        kinds = [source.kind for source in self.sources]
        return kinds.index(kind) if kind in kinds else None

    @property
    def has_passphrase(self):
        return self.position(PASSPHRASE) is not None

    def check_form(self):
        require(
            all(map(are_in_order, self.class_keys, self.class_keys[1:])),
            "the class keys are not in their order",
        )
        require(
            len(self.tag) == 32 and len(self.second_tag) == (32 if self.has_passphrase else 0),
            "the key bag's tags have a wrong length",
        )
        encoded = [source.encoded for source in self.sources]
        kinds = [source.kind for source in self.sources]
        require(
            len(set(encoded)) == len(encoded)
            and kinds.count(PASSPHRASE) <= 1
            and kinds.count(RECOVERY_KEY) <= 1
            and kinds.count(PRESENCE_PROGRAM) <= 8,
            "a source appears twice in the key bag",
        )
        require(
            self.version == (3 if PRESENCE_PROGRAM in kinds else 2),
            "the key bag's version does not fit its sources",
        )
        for key in self.class_keys:
            allowed = ways(key.number, self.has_passphrase, self.is_portable)
            for positions, _ in key.wrappings:
                require(
                    tuple(kinds[position] for position in positions) in allowed,
                    f"there is a way to the key of class {key.number} that it must not have",
                )

    def unlock(self, machine_key, given):
        """Opens the key bag with the machine key, what the user gave, or both, and checks it."""
        if machine_key is not None:
            machine_id = machine_key_id(machine_key)
            for position, source in enumerate(self.sources):
                if source.kind == MACHINE_KEY and source.id == machine_id:
                    self.source_keys[position] = machine_key
        if given is not None:
            self.add_given(given)
        key = self.find(METADATA)
        require(
            key is not None or given is not None,
            "the keychain was sealed under another machine key",
        )
        require(key is not None, "there is no key of class 0")
        self.metadata_key, self.metadata_generation = key
        self.check_tag(self.tag, self.metadata_key, "the key bag does not authenticate")
        if given is not None:
            for number in COMMON_CLASSES:
                require(self.find(number) is not None, f"there is no way to the key of class {number}")
        if self.has_passphrase and self.find(WHEN_UNLOCKED) is not None:
            self.check_tag(
                self.second_tag,
                self.find(WHEN_UNLOCKED)[0],
                "the key bag does not authenticate the second time",
            )

    def check_tag(self, tag, class_key, reason):
        key = derive(class_key, b"lanyard keybag authentication", self.keychain_id)
        require(hmac.compare_digest(keyed_digest(key, self.content), tag), reason)

    def add_given(self, given):
        """Adds the key of the source for the user's passphrase or recovery key."""
        typing_error = None
        position = self.position(RECOVERY_KEY)
        if position is not None:
            try:
                key = parse_recovery_key(given)
            except Refused as refusal:
                typing_error = refusal
            else:
                if key is not None and recovery_key_id(key) == self.sources[position].id:
                    self.source_keys[position] = key
                    return
        position = self.position(PASSPHRASE)
        if position is not None:
            self.source_keys[position] = argon2id(given, *self.sources[position].parameters)
            if self.opens_any(position):
                return
        raise typing_error or Refused("this is neither the passphrase nor the recovery key")

    def opens_any(self, position):
        """Whether a source's key is the right one for any way that it is on."""
        is_possible = False
        for key in self.class_keys:
            for wrapping in key.wrappings:
                if position not in wrapping[0] or not self.has_keys(wrapping):
                    continue
                is_possible = True
                with contextlib.suppress(Refused):
                    self.unwrap(key, wrapping)
                    return True
        require(is_possible, "the passphrase opens the keychain only on its own machine")
        return False

    def has_keys(self, wrapping):
        return all(position in self.source_keys for position in wrapping[0])

    def find(self, number, generation=None):
        """A class key, unwrapped, and its generation; None if there is no way to it. Without a
        generation it is the one that a writer uses.
        """
        for key in self.class_keys:
            if key.number != number or generation not in (None, key.generation):
                continue
            found = self.unwrapped.get((number, key.generation))
            usable = [wrapping for wrapping in key.wrappings if self.has_keys(wrapping)]
            if found is None and usable:
                found = self.unwrap(key, usable[0])
                self.unwrapped[number, key.generation] = found
            if found is not None:
                return found, key.generation
        return None

    def has_class_key(self, number, generation):
        return any((k.number, k.generation) == (number, generation) for k in self.class_keys)

    def unwrap(self, key, wrapping):
        positions, box = wrapping
        what = f"the key of class {key.number}"
        unwrapped = open_box(
            wrapping_key(self.keychain_id, [self.source_keys[position] for position in positions]),
            wrapping_data(self.keychain_id, key, [self.sources[p].encoded for p in positions]),
            box,
            what,
        )
        expected = class_key_digest(unwrapped, self.keychain_id, key.number, key.generation)
        require(hmac.compare_digest(expected, key.digest), f"{what} is another")
        return unwrapped


def wrapping_key(keychain_id, source_keys):
    return derive(keychain_id, b"lanyard wrapping", b"".join(map(counted, source_keys)))


def wrapping_data(keychain_id, key, sources):
    data = b"lanyard wrapping" + keychain_id + u8(key.number) + u32(key.generation) + key.digest
    return data + u8(len(sources)) + b"".join(sources)


def class_key_digest(key, keychain_id, number, generation):
    return derive(key, b"lanyard class key digest", keychain_id + u8(number) + u32(generation))


def machine_key_id(machine_key):
    """None without a machine key."""
    return machine_key and derive(machine_key, b"lanyard machine key id")[:16]


def anchor_path(keychain_file, state_folder):
    """The anchor of a keychain, by its name."""
    return os.path.join(
        state_folder, os.path.basename(keychain_file).removesuffix(".keychain") + ".anchor"
    )


class Anchor:
    """What was last seen of a keychain."""

    def __init__(self, data):
        parts = Parts(data, "the anchor")
        require(parts.number("H") == 2, "the anchor has another version")
        flags = parts.number("B")
        self.keychain_id = parts.bytes(16)
        self.generation = parts.number("Q")
        self.change = parts.number("q")
        vouching = parts.number("I")
        digest = parts.bytes(32)
        self.epochs = parts.bytes(32), parts.bytes(32)
        parts.end()
        require(flags < 8, "the anchor has unknown flags")
        require(flags & 1 or vouching == 0, "the anchor is damaged")
        require(flags & 2 or digest == bytes(32), "the anchor is damaged")
        self.vouching = vouching if flags & 1 else None
        self.announced = digest if flags & 2 else None
        self.is_new = bool(flags & 4)

    def encoded(self):
        flags = (self.vouching is not None) | (self.announced is not None) << 1 | self.is_new << 2
        data = u16(2) + u8(flags) + self.keychain_id + u64(self.generation)
        data += i64(self.change) + u32(self.vouching or 0) + (self.announced or bytes(32))
        return data + b"".join(self.epochs)


def check_anchor(path, keybag, machine_id):
    if not os.path.lexists(path):
        used = [source.id for source in keybag.sources if source.kind == MACHINE_KEY]
        require(machine_id not in used, "the anchor is missing")
        return 0
    anchor = Anchor(read_private(path))
    require(anchor.keychain_id == keybag.keychain_id, "the keychain is another one")
    require(
        keybag.generation >= anchor.generation, "the key bag is older than the one last used here"
    )
    require(
        keybag.has_passphrase or anchor.vouching is None or anchor.announced == keybag.digest,
        "the key bag had a passphrase when it was last used here",
    )
    vouching = [key.generation for key in keybag.class_keys if key.number == 1]
    require(
        not keybag.has_passphrase or anchor.vouching is None or vouching >= [anchor.vouching],
        "the key bag has older keys than when it was last used here",
    )
    return anchor.change


# Items

GENERIC, INTERNET, CERTIFICATE, KEY = (
    int.from_bytes(code, "big") for code in (b"genp", b"inet", b"cert", b"keys")
)

TEXT, CODE, FLAG, DATE, FLAGS, PORT = "text", "code", "flag", "date", "flags", "port"
NUMBER = "number"

ATTRIBUTES = {
    1: ("accessGroup", TEXT),
    2: ("account", TEXT),
    3: ("label", TEXT),
    4: ("itemDescription", TEXT),
    5: ("comment", TEXT),
    6: ("creator", CODE),
    7: ("type", CODE),
    8: ("isInvisible", FLAG),
    9: ("isNegative", FLAG),
    10: ("synchronizable", FLAG),
    11: ("creationDate", DATE),
    12: ("modificationDate", DATE),
    13: ("accessControlFlags", FLAGS),
    14: ("trustedApplications", TEXT),
    32: ("service", TEXT),
    33: ("generic", TEXT),
    48: ("securityDomain", TEXT),
    49: ("server", TEXT),
    50: ("protocol", TEXT),
    51: ("authenticationType", CODE),
    52: ("port", PORT),
    53: ("path", TEXT),
    64: ("certificateType", NUMBER),
    65: ("certificateEncoding", NUMBER),
    66: ("subject", TEXT),
    67: ("issuer", TEXT),
    68: ("serialNumber", TEXT),
    69: ("subjectKeyID", TEXT),
    70: ("publicKeyHash", TEXT),
    71: ("subjectValues", TEXT),
    72: ("emailAddresses", TEXT),
    73: ("notValidBefore", DATE),
    74: ("notValidAfter", DATE),
    80: ("keyClass", NUMBER),
    81: ("applicationLabel", TEXT),
    82: ("applicationTag", TEXT),
    83: ("keyType", NUMBER),
    84: ("keySizeInBits", NUMBER),
    85: ("effectiveKeySize", NUMBER),
    86: ("isPermanent", FLAG),
    87: ("canEncrypt", FLAG),
    88: ("canDecrypt", FLAG),
    89: ("canDerive", FLAG),
    90: ("canSign", FLAG),
    91: ("canVerify", FLAG),
    92: ("canWrap", FLAG),
    93: ("canUnwrap", FLAG),
}

# Of which attribute the tag in the columns server, service and account is, if not NULL.
INDEXED = {
    GENERIC: (None, 32, 2),
    INTERNET: (49, None, 2),
    CERTIFICATE: (None, 70, 67),
    KEY: (None, 81, 82),
}

# A number with this bit is of a text that was given as data.
DATA = 0x80
CAN_BE_DATA = {2, 3, 4, 5, 32, 48, 49, 53}


class Data(bytes):
    """A text that was given as data. It equals the bytes."""


ACCESSIBLE = {1: "ak", 2: "ck", 3: "dk", 4: "aku", 5: "cku", 6: "dku", 7: "akpu"}


def bucket(count):
    needed = count + 4
    if needed > 4096:
        return (needed + 4095) // 4096 * 4096
    size = 64
    while size < needed:
        size *= 2
    return size


def pad(plaintext):
    return (u32(len(plaintext)) + plaintext).ljust(bucket(len(plaintext)), b"\0")


def without_padding(padded, what):
    parts = Parts(padded, what)
    length = parts.number("I")
    require(len(padded) == bucket(length), f"{what} is padded to a wrong size")
    plaintext = parts.bytes(length)
    require(not any(padded[parts.position :]), f"{what} is padded with other bytes than zeros")
    return plaintext


def parse_attributes(data):
    parts = Parts(data, "the attributes of an item")
    attributes = {}
    last = 0
    while not parts.at_end():
        stored = parts.number("B")
        number = stored & ~DATA
        require(number in ATTRIBUTES and number > last, "an item has unknown attributes")
        require(stored == number or number in CAN_BE_DATA, "an item has unknown attributes")
        last = number
        name, kind = ATTRIBUTES[number]
        value = Parts(parts.counted(), f"the attribute {name}")
        if kind == TEXT:
            attributes[name] = value.data if stored == number else Data(value.data)
            continue
        is_long = kind == NUMBER and len(value.data) == 4
        form = {CODE: "4s", FLAG: "B", DATE: "q", FLAGS: "I"}.get(kind, "I" if is_long else "H")
        attributes[name] = value.number(form)
        value.end()
        require(not is_long or attributes[name] > 65535, f"the attribute {name} is too long")
        require(kind != FLAG or attributes[name] <= 1, f"the attribute {name} is neither 0 nor 1")
    return attributes


def encode_attributes(attributes):
    """The reverse, for examples."""
    data = b""
    for number, (name, kind) in sorted(ATTRIBUTES.items()):
        if name in attributes:
            value = attributes[name]
            encode = {FLAG: u8, DATE: i64, FLAGS: u32, PORT: u16, NUMBER: number_bytes}.get(
                kind, bytes
            )
            stored = number | DATA if isinstance(value, Data) else number
            data += u8(stored) + counted(encode(value))
    return data


def number_bytes(number):
    return u16(number) if number <= 65535 else u32(number)


def identity_bytes(item_class, attributes):
    synchronizable = u8(attributes.get("synchronizable", 0))
    parts = [u32(item_class), attributes.get("accessGroup", b""), synchronizable]
    if item_class == CERTIFICATE:
        parts.append(number_bytes(attributes.get("certificateType", 0)))
        parts += [attributes.get(name, b"") for name in ("issuer", "serialNumber")]
        return b"".join(map(counted, parts))
    if item_class == KEY:
        parts += [attributes.get(name, b"") for name in ("applicationLabel", "applicationTag")]
        numbers = ("keyClass", "keyType", "keySizeInBits", "effectiveKeySize")
        parts += [number_bytes(attributes.get(name, 0)) for name in numbers]
        return b"".join(map(counted, parts))
    parts.append(attributes.get("account", b""))
    if item_class == INTERNET:
        parts += [attributes.get(name, b"") for name in ("securityDomain", "server", "protocol")]
        authentication_type = attributes.get("authenticationType", b"")
        parts.append(b"" if authentication_type == bytes(4) else authentication_type)
        parts.append(u16(attributes.get("port", 0)))
        parts.append(attributes.get("path", b""))
    else:
        parts.append(attributes.get("service", b""))
    return b"".join(map(counted, parts))


def index_tag(index_key, item_class, field, value):
    return keyed_digest(index_key, u32(item_class) + u8(field) + counted(value))[:16]


def index_tags(index_key, item_class, attributes):
    """The tags in the order of the columns."""

    def tag(field, value):
        return index_tag(index_key, item_class, field, value)

    def of_attribute(number):
        if number is None:
            return None
        value = attributes.get(ATTRIBUTES[number][0], b"")
        # bytes.lower changes ASCII's letters alone.
        return tag(number, value.lower() if number == 49 else value)

    return (
        tag(0, identity_bytes(item_class, attributes)),
        *map(of_attribute, INDEXED[item_class]),
        tag(1, attributes.get("accessGroup", b"")),
    )


COLUMNS = (
    "change, id, class, accessible, metadata_generation, secret_generation, "
    "identity, server, service, account, access_group, attributes, secret"
)


def row_digest(row_set_key, row):
    change, item_id, item_class, accessible, metadata_generation, secret_generation = row[:6]
    *tags, attributes, secret = (value or b"" for value in row[6:])
    data = i64(change) + item_id + u32(item_class) + u8(accessible)
    data += u32(metadata_generation) + u32(secret_generation)
    data += b"".join(map(counted, tags)) + counted(attributes) + u64(len(secret)) + secret
    return int.from_bytes(keyed_digest(row_set_key, data), "big")


class Keychain:
    """An open keychain."""

    def __init__(self, database, machine_key, given, anchor):
        self.database = database
        check_format(database)
        rows = self.database.execute("SELECT only, keybag, row_set FROM keychain").fetchall()
        require(len(rows) == 1 and rows[0][0] == 1, "there is not one key bag")
        _, keybag, row_set = rows[0]
        self.keybag = Keybag(keybag)
        self.keybag.unlock(machine_key, given)
        last_seen = check_anchor(anchor, self.keybag, machine_key_id(machine_key))
        metadata_key, keychain_id = self.keybag.metadata_key, self.keybag.keychain_id
        self.attributes_key = derive(metadata_key, b"lanyard attributes", keychain_id)
        self.index_key = derive(metadata_key, b"lanyard blind index", keychain_id)
        self.row_set_key = derive(metadata_key, b"lanyard row set", keychain_id)
        sum_key = derive(metadata_key, b"lanyard row set sum", keychain_id)
        data = u16(2) + keychain_id + u32(self.keybag.metadata_generation)
        opened = open_box(sum_key, data, row_set, "the row set")
        parts = Parts(opened, "the row set")
        self.sum = int.from_bytes(parts.bytes(32), "big")
        self.count = parts.number("Q")
        self.change = parts.number("q")
        parts.end()
        require(self.change >= last_seen, "the items are older than those last used here")

    def items(self):
        """All items, each checked, and at last all of them together."""
        total = count = 0
        rows = self.database.execute(f"SELECT {COLUMNS} FROM item ORDER BY change DESC")
        for row in rows:
            yield self.item(row)
            require(row[0] <= self.change, "an item is newer than the last change")
            total = (total + row_digest(self.row_set_key, row)) % 2**256
            count += 1
        require(
            (total, count) == (self.sum, self.count),
            "items were removed, repeated or put back",
        )

    def item(self, row):
        change, item_id, item_class, accessible, metadata_generation, secret_generation = row[:6]
        tags, attributes_box, secret_box = row[6:11], row[11], row[12]
        require(
            len(item_id) == 16 and item_class in INDEXED and accessible in ACCESSIBLE,
            "a row has values that none can have",
        )
        common = u16(2) + self.keybag.keychain_id + item_id + u32(item_class) + u8(accessible)
        require(
            metadata_generation == self.keybag.metadata_generation,
            "attributes are sealed under another key",
        )
        data = common + u32(metadata_generation) + u8(1) + i64(change) + secret_box[:24]
        opened = open_box(self.attributes_key, data, attributes_box, "attributes")
        attributes = parse_attributes(without_padding(opened, "attributes"))
        require(
            tags == index_tags(self.index_key, item_class, attributes),
            "a row has other tags than its item",
        )
        require(
            self.keybag.has_class_key(accessible, secret_generation),
            "a secret is sealed under another key",
        )
        takes_presence, takes_password = access_control(attributes.get("accessControlFlags", 0))
        is_controlled = takes_presence or takes_password
        identity = digest(identity_bytes(item_class, attributes))
        data = common + u32(secret_generation) + u8(5 if is_controlled else 2) + identity
        found = self.keybag.find(accessible, secret_generation)
        secret = None
        if found is not None:
            key = derive(found[0], b"lanyard secret", self.keybag.keychain_id)
            opened = open_box(key, data, secret_box, "a secret")
            secret = without_padding(opened, "a secret")
        if secret is not None and takes_presence:
            secret = self.without_presence(secret, common + u32(0) + u8(3) + identity)
        if takes_password:
            # The application's password is not known here.
            secret = None
        elif secret is not None and is_controlled:
            secret = without_padding(secret, "a secret that takes the passphrase")
        return {
            "change": change,
            "id": item_id.hex(),
            "class": u32(item_class).decode(),
            "accessible": ACCESSIBLE[accessible],
            "attributes": {name: printable(value) for name, value in attributes.items()},
            # None where it is locked.
            "secret": printable(secret),
        }

    def without_presence(self, box, data):
        """The content of a box of the presence key, None without that key."""
        found = self.keybag.find(PRESENCE)
        if found is None:
            return None
        key = derive(found[0], b"lanyard access control", self.keybag.keychain_id)
        return open_box(key, data, box, "a secret that takes the passphrase")


def access_control(flags):
    """Whether the flags take the presence key, and whether they take the application's password."""
    presence, hardware, either, both, password = 0b10001, 0b101010, 1 << 14, 1 << 15, 1 << 31
    # A key's bit 30 adds no condition.
    known = presence | hardware | either | both | 1 << 30 | password
    require(not flags & ~known and (flags & either == 0 or flags & both == 0), "unknown conditions")
    conditions = flags & (presence | hardware)
    require(
        conditions.bit_count() < 2 or flags & (either | both),
        "several conditions with neither or nor and",
    )
    if conditions & hardware:
        require(flags & either and conditions & presence, "conditions that take hardware")
    return conditions != 0, flags & password != 0


def printable(value):
    """Bytes as text where they are UTF-8, else as {"base64": …}; data as an export has it."""
    if not isinstance(value, bytes):
        return value
    if isinstance(value, Data):
        return {"base64": base64.b64encode(value).decode(), "data": True}
    try:
        return value.decode()
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(value).decode()}


def plain_machine_key(data):
    """The key in a file with it, None if systemd has sealed it: only the service can open that."""
    beginning = b"lanyard machine key\n"
    if len(data) == 32:
        return data
    require(data.startswith(beginning), "the machine key is not 32 bytes long")
    parts = Parts(data[len(beginning) :], "the machine key")
    require(parts.number("H") == 1, "the machine key has another version")
    kind = parts.counted()
    if kind == b"moved":
        folder = parts.counted()
        parts.end()
        require(folder.startswith(b"/"), "the machine key's folder is no absolute path")
        moved = read_private(os.path.join(folder.decode(), "machine-key"))
        require(not moved.startswith(beginning + u16(1) + counted(b"moved")), "the machine key moved twice")
        return plain_machine_key(moved)
    require(kind == b"systemd", "the machine key is of an unknown kind")
    parts.bytes(16 + 32)
    require(len(parts.counted()) > 16, "what systemd sealed is too short")
    parts.end()
    return None


def is_sealed(state_folder):
    """Whether systemd has sealed the machine key in a folder."""
    file = os.path.join(state_folder, "machine-key")
    return os.path.lexists(file) and plain_machine_key(read_private(file)) is None


def read(path, state_folder, given=None):
    """All items of a keychain, and the number of its last change.

    The machine key is taken if there is one. What is given is the passphrase or the recovery key, as
    bytes.
    """
    check_private(os.path.dirname(os.path.abspath(path)), stat.S_ISDIR, 0o700)
    check_private(path, stat.S_ISREG, 0o600)
    machine_key = None
    if os.path.lexists(state_folder):
        check_private(state_folder, stat.S_ISDIR, 0o700)
        machine_key_file = os.path.join(state_folder, "machine-key")
        if os.path.lexists(machine_key_file):
            machine_key = plain_machine_key(read_private(machine_key_file))
    with contextlib.closing(open_database(path)) as database:
        try:
            keychain = Keychain(database, machine_key, given, anchor_path(path, state_folder))
            return list(keychain.items()), keychain.change
        except sqlite3.Error as error:
            raise Refused(f"SQLite says: {error}") from None


def main(arguments):
    if len(arguments) not in (2, 3):
        sys.exit("usage: read_keychain.py KEYCHAIN STATE-FOLDER [FILE]")
    try:
        given = read_private(arguments[2]).removesuffix(b"\n") if arguments[2:] else None
        if is_sealed(arguments[1]):
            print("read_keychain: systemd has sealed the machine key", file=sys.stderr)
        items, change = read(*arguments[:2], given)
    except Refused as refusal:
        sys.exit(f"read_keychain: error: {refusal}")
    for item in items:
        print(json.dumps(item, ensure_ascii=False))
    locked = sum(item["secret"] is None for item in items)
    print(json.dumps({"count": len(items), "lastChange": change, "locked": locked}))


if __name__ == "__main__":
    main(sys.argv[1:])
