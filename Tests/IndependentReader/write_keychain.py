"""Writes keychains as lanyard-keychain(5) says."""

import os

import read_keychain as form
from home import write_private


def seal(*arguments):
    return form.seal_with(os.urandom(24), *arguments)


class Recipe:
    """What a keychain is to be opened with."""

    def __init__(self, passphrase=None, recovery_key=None, is_portable=True):
        self.machine_key = os.urandom(32)
        machine_id = form.machine_key_id(self.machine_key)
        self.has_passphrase = passphrase is not None
        self.is_portable = is_portable
        # Kind, stored form and key, in the order that they stand in the key bag.
        self.sources = []
        if recovery_key is not None:
            self.add(form.RECOVERY_KEY, form.recovery_key_id(recovery_key), b"", recovery_key)
        if self.has_passphrase:
            salt = os.urandom(16)
            parameters = salt + form.u32(40000) + form.u32(2)
            key = form.argon2id(passphrase, salt, 40000, 2)
            self.add(form.PASSPHRASE, os.urandom(16), parameters, key)
        self.add(form.MACHINE_KEY, machine_id, b"", self.machine_key)

    def add(self, kind, source_id, parameters, key):
        encoded = form.u8(kind) + source_id + form.counted(parameters)
        self.sources.append((kind, encoded, key))

    def positions_of_ways(self, number):
        kinds = [kind for kind, _, _ in self.sources]
        for way in sorted(form.ways(number, self.has_passphrase, self.is_portable)):
            if all(kind in kinds for kind in way):
                yield [kinds.index(kind) for kind in way]


def encoded_class_key(recipe, keychain_id, number, key):
    head = form.u8(number) + form.u32(1)
    head += form.class_key_digest(key, keychain_id, number, 1)
    wrappings = []
    for positions in recipe.positions_of_ways(number):
        sources = [recipe.sources[position] for position in positions]
        data = b"lanyard wrapping" + keychain_id + head + form.u8(len(sources))
        data += b"".join(encoded for _, encoded, _ in sources)
        wrapping_key = form.wrapping_key(keychain_id, [source_key for _, _, source_key in sources])
        box = seal(wrapping_key, data, key)
        wrappings.append(form.u8(len(sources)) + b"".join(map(form.u16, positions)) + box)
    return head + form.u16(len(wrappings)) + b"".join(wrappings)


def encoded_keybag(recipe, keychain_id, keys):
    content = form.u16(2) + keychain_id + form.u64(1) + form.u32(not recipe.is_portable)
    content += form.u16(len(recipe.sources))
    content += b"".join(encoded for _, encoded, _ in recipe.sources)
    content += form.u16(len(keys))
    for number, key in enumerate(keys):
        content += encoded_class_key(recipe, keychain_id, number, key)
    tag = authentication(keys[form.METADATA], keychain_id, content)
    second_tag = b""
    if recipe.has_passphrase:
        second_tag = authentication(keys[form.WHEN_UNLOCKED], keychain_id, content)
    return content + form.counted(tag) + form.counted(second_tag)


def authentication(class_key, keychain_id, content):
    key = form.derive(class_key, b"lanyard keybag authentication", keychain_id)
    return form.keyed_digest(key, content)


def make_keychain(home, items, recipe=None):
    """Makes a keychain with these items: class, accessibility, attributes and secret."""
    recipe = recipe or Recipe()
    for folder in (home.path, f"{home.path}/data", home.state):
        os.mkdir(folder, 0o700)
    keychain_id = os.urandom(16)
    keys = [os.urandom(32) for _ in range(8 if recipe.has_passphrase else 7)]
    keybag = encoded_keybag(recipe, keychain_id, keys)

    attributes_key = form.derive(keys[0], b"lanyard attributes", keychain_id)
    index_key = form.derive(keys[0], b"lanyard blind index", keychain_id)
    row_set_key = form.derive(keys[0], b"lanyard row set", keychain_id)
    rows = []
    for change, (item_class, accessible, attributes, secret) in enumerate(items, 1):
        item_id = os.urandom(16)
        common = form.u16(2) + keychain_id + item_id + form.u32(item_class) + form.u8(accessible)
        common += form.u32(1)
        identity = form.digest(form.identity_bytes(item_class, attributes))
        secret_key = form.derive(keys[accessible], b"lanyard secret", keychain_id)
        secret_box = seal(secret_key, common + form.u8(2) + identity, form.pad(secret))
        attributes_box = seal(
            attributes_key,
            common + form.u8(1) + form.i64(change) + secret_box[:24],
            form.pad(form.encode_attributes(attributes)),
        )
        tags = form.index_tags(index_key, item_class, attributes)
        row = (change, item_id, item_class, accessible, 1, 1, *tags, attributes_box, secret_box)
        rows.append(row)
    total = sum(form.row_digest(row_set_key, row) for row in rows) % 2**256
    plaintext = total.to_bytes(32, "big") + form.u64(len(rows)) + form.i64(len(rows))
    data = form.u16(2) + keychain_id + form.u32(1)
    sum_key = form.derive(keys[0], b"lanyard row set sum", keychain_id)
    row_set = seal(sum_key, data, plaintext)

    last_seen = form.u16(2) + form.u8(int(recipe.has_passphrase)) + keychain_id + form.u64(1)
    last_seen += form.i64(len(rows))
    last_seen += form.u32(int(recipe.has_passphrase)) + bytes(32) + os.urandom(64)
    write_private(f"{home.state}/machine-key", recipe.machine_key)
    write_private(f"{home.state}/login.anchor", last_seen)
    write_private(home.keychain, b"")
    database = home.database()
    database.execute("PRAGMA page_size = 4096")
    database.execute(f"PRAGMA application_id = {0x4C4E5944}")
    database.execute("PRAGMA user_version = 2")
    for sql in form.SCHEMA.removesuffix("\n").split("\n;\n"):
        database.execute(sql)
    database.execute("INSERT INTO keychain VALUES (1, ?, ?)", (keybag, row_set))
    database.executemany(f"INSERT INTO item VALUES ({', '.join('?' * 13)})", rows)
    database.close()
