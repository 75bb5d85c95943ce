"""Keychains with passphrases and recovery keys: what can be read of them in which way, by the reader
and by the real programs; and what both refuse, though an attacker made it who has the machine
key.
"""

import os

import read_keychain as form
from home import Home, expect, write_private
from write_keychain import Recipe, authentication, make_keychain

COMMON = {"ak", "ck", "dk"}
# What the machine key opens alone.
NEVER_LOCKED = {"dk", "dku"}
WITHOUT_PASSPHRASE = COMMON | {"aku", "cku", "dku"}
ALL = WITHOUT_PASSPHRASE | {"akpu"}

WRONG = "this is neither the passphrase nor the recovery key"
FOREIGN = "another machine key"
ELSEWHERE = "only on its own machine"


def secret_of(code):
    return f"the secret of {code}"


class Rig:
    """Files with passphrases and recovery keys, and homes that use them."""

    def __init__(self, folder):
        self.folder = folder
        os.mkdir(folder, 0o700)
        self.count = 0
        self.one = self.file("one", "ein Paßwort €".encode())
        self.two = self.file("two", b" number two \xff\t ")
        self.wrong = self.file("wrong", "ein Passwort €".encode())

    def file(self, name, line):
        path = f"{self.folder}/given-{name}"
        write_private(path, line + b"\n")
        return path

    def copy(self, home, name):
        return home.copy(f"{self.folder}/{name}")

    def does(self, home, *arguments, given=None, stdin=b""):
        """Runs `lanyard`, which may have to say something, too."""
        outcome = home.run("lanyard", *arguments, given=given, stdin=stdin)
        expect(outcome.returncode == 0, f"lanyard {arguments}: {outcome.stderr.decode()}")
        return outcome.stdout

    def stores(self, home, code, given=None):
        options = ("--stdin", f"--accessible={code}")
        stdin = secret_of(code).encode()
        self.does(home, "set", *options, f"item {code}", given=given, stdin=stdin)

    def sets_passphrase(self, home, *options, given=None):
        options = ("--new-passphrase-file", self.one, *options)
        self.does(home, "passphrase", "set", *options, given=given)
        self.stores(home, "akpu", given=self.one)

    def makes_recovery_key(self, home, name, given=None):
        line = self.does(home, "recovery-key", "create", given=given).strip()
        key = form.parse_recovery_key(line)
        expect(form.recovery_key_text(key).encode() == line, f"{line} is not as a key is written")
        # As a user may type it.
        return self.file(name, b"  " + line.lower().replace(b"0", b"o").replace(b"-", b"\t") + b"-")

    def opens(self, home, *ways):
        """Expects what can be read in a way: codes, or else a refusal. Each way is whether there is the
        machine key, the file that is given, and that.
        """
        for has_machine_key, given, expected in ways:
            self.count += 1
            seen = home if has_machine_key else self.elsewhere(home)
            what = f"{seen.path} with {given}"
            line = given and form.read_private(given).removesuffix(b"\n")
            refusal = seen.refusal(line)
            if isinstance(expected, str):
                expect(refusal and expected in refusal, f"{what} is refused with: {refusal}")
                expected = set()
            else:
                expect(refusal is None, f"{what} is refused with: {refusal}")
                items, _ = form.read(seen.keychain, seen.state, line)
                secrets = {i["accessible"]: i["secret"] for i in items if i["secret"] is not None}
                right = {code: secret_of(code) for code in expected}
                expect(secrets == right, f"{what}: the reader opens {secrets}")
            self.compare(seen, given, expected, what)

    def compare(self, home, given, expected, what):
        # Passphrases are slow.
        for code in ("ak", "aku", "dku") if given is None else ("aku",):
            got = home.run("lanyard", "get", f"item {code}", given=given)
            expect(
                got.stdout == (secret_of(code).encode() + b"\n" if code in expected else b"")
                and (got.returncode == 0) == (code in expected),
                f"{what}: lanyard get {code} gives {got}",
            )

    def elsewhere(self, home):
        """The keychain alone, as on another machine."""
        copy = self.copy(home, "elsewhere")
        os.unlink(f"{copy.state}/machine-key")
        for name in os.listdir(copy.state):
            os.unlink(f"{copy.state}/{name}")
        return copy


def key_digests(home):
    """What tells the keys of secrets."""
    return {key.digest for key in home.keybag().class_keys if key.number != form.METADATA}


def metadata_digest(home):
    return home.keybag().class_keys[0].digest


def check_ways(rig):
    plain = Home(f"{rig.folder}/plain")
    for code in sorted(WITHOUT_PASSPHRASE):
        rig.stores(plain, code)
    rig.opens(plain, (True, None, WITHOUT_PASSPHRASE), (False, None, FOREIGN))

    recoverable = rig.copy(plain, "recoverable")
    key = rig.makes_recovery_key(recoverable, "key")
    typo = rig.file("typo", flipped_digit(form.read_private(key)))
    rig.opens(
        recoverable,
        (True, None, WITHOUT_PASSPHRASE),
        (True, key, WITHOUT_PASSPHRASE),
        (False, key, COMMON),
        (False, rig.one, WRONG),
        (False, typo, "mistyped"),
    )

    locked = rig.copy(plain, "locked")
    rig.sets_passphrase(locked, "--portable")
    expect(not key_digests(locked) & key_digests(plain), "an old key is used under a passphrase")
    expect(metadata_digest(locked) == metadata_digest(plain), "the metadata key is another")
    rig.opens(
        locked,
        (True, None, NEVER_LOCKED),
        (True, rig.one, ALL),
        (True, rig.wrong, WRONG),
        (False, rig.one, COMMON),
        (False, rig.wrong, WRONG),
        (False, None, FOREIGN),
        (False, key, WRONG),
    )
    printed = [locked.read(given)[1]["locked"] for given in (None, rig.one)]
    expect(printed == [len(ALL - NEVER_LOCKED), 0], f"the reader prints {printed} locked secrets")

    both = rig.copy(locked, "both")
    other_key = rig.makes_recovery_key(both, "other-key", given=rig.one)
    expect(key_digests(both) == key_digests(locked), "a recovery key makes new keys")
    rig.opens(
        both,
        (True, None, NEVER_LOCKED),
        (True, rig.one, ALL),
        (True, other_key, COMMON | NEVER_LOCKED),
        (False, rig.one, COMMON),
        (False, other_key, COMMON),
        (False, key, WRONG),
    )
    check_presence(rig, both, other_key)
    check_sealed(rig, recoverable, key)
    check_setting(rig, recoverable, key)
    check_changes(rig, both, other_key)
    check_binding(rig, both, other_key)
    return both, other_key


def check_sealed(rig, recoverable, recovery_key):
    """A machine key that systemd has sealed: the reader knows the form, and the recovery key opens the keychain."""
    home = rig.copy(recoverable, "sealed")
    data = b"lanyard machine key\n" + form.u16(1) + form.counted(b"systemd") + os.urandom(48)
    file = f"{home.state}/machine-key"
    with open(file, "wb") as sealed:
        sealed.write(data + form.counted(bytes.fromhex("55b9ed1d") + os.urandom(140)))
    expect("another machine key" in (home.refusal(None) or ""), "a sealed key opens a keychain")
    line = form.read_private(recovery_key).removesuffix(b"\n")
    expect(home.refusal(line) is None, "the recovery key does not open a keychain with a sealed key")
    with open(file, "ab") as sealed:
        sealed.write(b"more")
    expect("there is more" in (home.refusal(line) or ""), "more behind a sealed key is accepted")


def check_presence(rig, both, recovery_key):
    """A secret that takes the passphrase at each use, opened by the reader and by `lanyard`."""
    home = rig.copy(both, "presence")
    expect(all(key.number != form.PRESENCE for key in home.keybag().class_keys), "a key too many")
    options = ("--stdin", "--ask", "--yes")
    rig.does(home, "set", *options, "asks", given=rig.one, stdin=b"only with the passphrase")
    check_asking(rig, home, (None, False), (rig.one, True), (recovery_key, False))
    rig.does(home, "recovery-key", "remove", "--yes", given=rig.one)
    new_key = rig.makes_recovery_key(home, "new-key", given=rig.one)
    check_asking(rig, home, (None, False), (rig.one, True), (new_key, True), (recovery_key, WRONG))
    options = ("--rekey", "--new-passphrase-file", rig.two, "--yes")
    rig.does(home, "passphrase", "change", *options, given=rig.one)
    check_asking(rig, home, (None, False), (rig.two, True))


def check_asking(rig, home, *ways):
    """Whether the secret that asks can be read in each way, by the reader and by `lanyard`."""
    for given, is_readable in ways:
        line = given and form.read_private(given).removesuffix(b"\n")
        got = home.run("lanyard", "get", "asks", given=given)
        if is_readable == WRONG:
            expect(WRONG in (home.refusal(line) or ""), f"{given} opens the keychain")
            expect(got.returncode != 0, f"lanyard get with {given}: {got}")
            continue
        items, _ = form.read(home.keychain, home.state, line)
        seen = [item["secret"] for item in items if item["attributes"].get("service") == "asks"]
        wanted = "only with the passphrase" if is_readable else None
        expect(seen == [wanted], f"with {given} the reader sees {seen}")
        expect((got.returncode == 0) == is_readable, f"lanyard get with {given}: {got}")


def flipped_digit(line):
    """A recovery key with its first digit changed."""
    text = bytearray(line.strip())
    text[0] = ord("2") if text[0] == ord("3") else ord("3")
    return bytes(text)


def check_setting(rig, recoverable, key):
    """The recovery key stays if it is given, and only then."""
    kept = rig.copy(recoverable, "kept")
    rig.sets_passphrase(kept, "--portable", given=key)
    rig.opens(kept, (True, rig.one, ALL), (False, key, COMMON), (False, rig.one, COMMON))
    lost = rig.copy(recoverable, "lost")
    rig.sets_passphrase(lost, "--portable", "--yes")
    rig.opens(lost, (True, rig.one, ALL), (False, key, WRONG), (True, key, WRONG))

    bound = rig.copy(recoverable, "bound")
    rig.sets_passphrase(bound, given=key)
    rig.opens(
        bound,
        (True, None, NEVER_LOCKED),
        (True, rig.one, ALL),
        (True, key, COMMON | NEVER_LOCKED),
        (False, rig.one, ELSEWHERE),
        (False, key, COMMON),
    )
    options = ("--new-passphrase-file", rig.two, "--portable")
    rig.does(bound, "passphrase", "change", *options, given=rig.one)
    rig.opens(bound, (True, rig.two, ALL), (False, rig.two, COMMON), (False, rig.one, WRONG))


def check_changes(rig, both, key):
    changed = rig.copy(both, "changed")
    options = ("--new-passphrase-file", rig.two)
    rig.does(changed, "passphrase", "change", *options, given=rig.one)
    expect(key_digests(changed) == key_digests(both), "a changed passphrase makes new keys")
    rig.opens(
        changed,
        (True, None, NEVER_LOCKED),
        (True, rig.two, ALL),
        (True, rig.one, WRONG),
        (False, rig.two, COMMON),
        (False, key, COMMON),
    )

    renewed = rig.copy(both, "renewed")
    rig.does(renewed, "passphrase", "change", *options, "--rekey", "--yes", given=rig.one)
    expect(not key_digests(renewed) & key_digests(both), "--rekey leaves an old key")
    rig.opens(
        renewed,
        (True, None, NEVER_LOCKED),
        (True, rig.two, ALL),
        (False, rig.two, COMMON),
        (False, rig.one, WRONG),
        (False, key, WRONG),
    )

    # With the recovery key for the passphrase: what takes the old one is lost.
    forgotten = rig.copy(both, "forgotten")
    rig.does(forgotten, "passphrase", "change", *options, "--rekey", "--yes", given=key)
    rig.opens(
        forgotten,
        (True, rig.two, COMMON | NEVER_LOCKED),
        (False, rig.two, COMMON),
        (False, key, COMMON),
    )

    open_again = rig.copy(both, "open-again")
    rig.does(open_again, "passphrase", "remove", "--yes", given=rig.one)
    rig.opens(
        open_again,
        (True, None, WITHOUT_PASSPHRASE),
        (False, None, FOREIGN),
        (False, key, COMMON),
        (False, rig.one, WRONG),
    )
    put_back = rig.copy(both, "put-back")
    without = open_again.anchor()
    expect(
        (without.generation, without.vouching, without.announced)
        == (open_again.keybag().generation, None, None),
        "the anchor has not followed",
    )
    put_back.write_anchor(without)
    expect("is older" in (put_back.refusal() or ""), "an older keychain is not refused")
    anchor = both.anchor()
    (vouching,) = [k.generation for k in both.keybag().class_keys if k.number == 1]
    expect(
        (anchor.generation, anchor.vouching) == (both.keybag().generation, vouching),
        "the anchor does not tell of the passphrase",
    )
    anchor.vouching += 1
    put_back.write_anchor(anchor)
    expect("older keys" in (put_back.refusal() or ""), "older keys are not refused")
    anchor.vouching -= 1
    open_again.write_anchor(anchor)
    expect("had a passphrase" in (open_again.refusal() or ""), "a lost passphrase is not refused")
    anchor.announced = open_again.keybag().digest
    open_again.write_anchor(anchor)
    rig.opens(open_again, (True, None, WITHOUT_PASSPHRASE))


def check_binding(rig, both, key):
    """On a new machine there are new keys for what stays on it."""
    for name, given, there in (("moved", rig.one, COMMON | {"aku"}), ("rescued", key, COMMON)):
        moved = rig.elsewhere(rig.copy(both, f"{name}-from")).copy(f"{rig.folder}/{name}")
        # Where the kernel keeps no keys this fails, but the keychain is bound to the machine before.
        moved.run("lanyard", "unlock", "--timeout=60s", given=given)
        moved.run("lanyard", "lock", "--all")
        kinds = [source.kind for source in moved.keybag().sources]
        expect(kinds.count(form.MACHINE_KEY) == 2, f"the sources are {kinds}")
        if "aku" in there:
            rig.does(moved, "remove", "item aku")
            rig.stores(moved, "aku", given=given)
        rig.opens(moved, (True, None, {"dk"}), (True, given, there), (False, given, COMMON))
        back = rig.copy(both, f"{name}-back")
        os.replace(moved.keychain, back.keychain)
        rig.opens(back, (True, None, NEVER_LOCKED), (True, rig.one, ALL - ({"aku"} & there)))


class Forging:
    """Replaces a keychain's key bag, and expects that they are refused: by the reader, and
    by the programs.
    """

    def __init__(self, home, key_file):
        self.home = home
        self.key_file = key_file
        self.given = form.read_private(key_file).removesuffix(b"\n")
        self.count = 0

    def keybag(self):
        keybag = self.home.keybag()
        keybag.unlock(self.home.machine_key(), self.given)
        return keybag

    def put(self, data):
        self.home.database().execute("UPDATE keychain SET keybag = ?", (data,))

    def signed(self, keybag, is_unlocked):
        """The stored form, as one who has the metadata key can make it, or the key of class 1, too."""
        content = keybag.encoded_content()
        tag = authentication(keybag.metadata_key, keybag.keychain_id, content)
        second_tag = keybag.second_tag
        if is_unlocked:
            second_tag = authentication(keybag.find(1)[0], keybag.keychain_id, content)
        if not keybag.has_passphrase:
            second_tag = b""
        return content + form.counted(tag) + form.counted(second_tag)

    def refused(self, what, reason, change, is_unlocked=True):
        keybag = self.keybag()
        before = self.signed(keybag, True)
        change(keybag)
        self.expect_refusal(self.signed(keybag, is_unlocked), what, reason)
        self.put(before)

    def expect_refusal(self, data, what, reason):
        self.put(data)
        refusal = self.home.refusal(self.given)
        expect(refusal and reason in refusal, f"{what} is refused with: {refusal}")
        got = self.home.run("lanyard", "get", "item ak", given=self.key_file)
        expect(got.returncode != 0 and got.stdout == b"", f"{what}: lanyard gives {got}")
        self.count += 1

    def every_byte(self):
        """No bit can be changed, in whatever part of the key bag."""
        (data,) = self.home.database().execute("SELECT keybag FROM keychain").fetchone()
        for position in range(len(data)):
            changed = bytearray(data)
            changed[position] ^= 1 << position % 8
            try:
                form.Keybag(bytes(changed)).unlock(self.home.machine_key(), self.given)
            except form.Refused:
                self.count += 1
            else:
                expect(False, f"a flipped bit in byte {position} of the key bag is not refused")


def key_of(keybag, number):
    (key,) = [key for key in keybag.class_keys if key.number == number]
    return key


def check_forgeries(home, key_file):
    forging = Forging(home, key_file)
    forging.every_byte()
    twice = "a source appears twice"
    order = "not in their order"
    way = "a way to the key of class"
    positions = {kind: forging.keybag().position(kind) for kind in (1, 2, 3)}
    machine, passphrase = positions[form.MACHINE_KEY], positions[form.PASSPHRASE]

    def source(kind, parameters=b""):
        data = form.u8(kind) + os.urandom(16) + form.counted(parameters)
        return form.Source(form.Parts(data, "a source"))

    def argon2id(memory, passes):
        return bytes(16) + form.u32(memory) + form.u32(passes)

    def add_source(new):
        return lambda keybag: keybag.sources.append(new)

    def add_wrapping(number, positions):
        def change(keybag):
            key_of(keybag, number).wrappings.append((positions, bytes(72)))

        return change

    def add_key(number, generation):
        def change(keybag):
            data = form.u8(number) + form.u32(generation) + bytes(34)
            new = form.ClassKey(form.Parts(data, "a class key"), 0)
            place = [key.number for key in keybag.class_keys].index(number)
            keybag.class_keys.insert(place + 1, new)

        return change

    def without_ways(number):
        return lambda keybag: key_of(keybag, number).wrappings.clear()

    def without_key(number):
        return lambda keybag: keybag.class_keys.remove(key_of(keybag, number))

    def without_passphrase(keybag):
        del keybag.sources[passphrase]

    def raised(keybag):
        keybag.generation += 1

    def bound(keybag):
        keybag.is_portable = False

    def same_source(keybag):
        keybag.sources.append(keybag.sources[machine])

    generation = key_of(forging.keybag(), 4).generation
    for what, reason, change in (
        ("a machine key twice", twice, same_source),
        ("two passphrases", twice, add_source(source(2, argon2id(32768, 1)))),
        ("two recovery keys", twice, add_source(source(3))),
        ("class 1 by the machine key", way, add_wrapping(1, [machine])),
        ("class 4 by the passphrase", way, add_wrapping(4, [passphrase])),
        ("class 4 in the wrong order", way, add_wrapping(4, [machine, passphrase])),
        ("class 1 by both", way, add_wrapping(1, [passphrase, machine])),
        ("class 6 by the recovery key", way, add_wrapping(6, [positions[form.RECOVERY_KEY]])),
        ("another flag", way, bound),
        ("class 1 twice", order, add_key(1, generation + 1)),
        ("the same generation twice", order, add_key(4, generation)),
        ("an older key later", order, add_key(4, generation - 1)),
        ("no way to class 2", "no way to the key of class 2", without_ways(2)),
        ("no key of class 2", "no way to the key of class 2", without_key(2)),
        ("no way to class 1", "no way to the key of class 1", without_ways(1)),
        ("no source at a position", "wrong sources", without_passphrase),
    ):
        forging.refused(what, reason, change)
    expect(home.refusal() is None, "the key bag that was put back is refused")
    # With the machine key alone the first tag can be made, which nothing notices while it is locked.
    forging.refused("a key bag of one who is locked out", "the second time", raised, is_unlocked=False)

    stored = forging.keybag()
    content, tags = stored.content, form.counted(stored.tag)
    forging.expect_refusal(content + tags + form.counted(b""), "no second tag", "a wrong length")
    at = content.index(stored.sources[passphrase].encoded) + 21 + 16
    for memory, passes in ((32767, 1), (262145, 1), (1 << 31, 1), (32768, 0), (131072, 7)):
        changed = content[:at] + argon2id(memory, passes)[16:] + content[at + 8 :]
        data = changed + tags + form.counted(stored.second_tag)
        forging.expect_refusal(data, "Argon2id's parameters", "Argon2id is out of bounds")
    return forging.count


def check_written(rig):
    """The programs read and change keychains that were written from the page."""
    recovery_key = os.urandom(20)
    key = rig.file("written-key", form.recovery_key_text(recovery_key).encode())
    for name, is_portable in (("portable", True), ("not-portable", False)):
        home = Home(f"{rig.folder}/written-{name}")
        passphrase = form.read_private(rig.one).removesuffix(b"\n")
        items = [
            (
                form.GENERIC,
                number,
                {"accessGroup": b"login", "service": f"item {code}".encode()},
                secret_of(code).encode(),
            )
            for number, code in form.ACCESSIBLE.items()
        ]
        make_keychain(home, items, Recipe(passphrase, recovery_key, is_portable))
        ways = (
            (True, None, NEVER_LOCKED),
            (True, rig.one, ALL),
            (True, rig.wrong, WRONG),
            (True, key, COMMON | NEVER_LOCKED),
            (False, key, COMMON),
            (False, rig.one, COMMON if is_portable else ELSEWHERE),
        )
        rig.opens(home, *ways)
        for code in sorted(ALL):
            rig.stores(home, code, given=rig.one)
        rig.opens(home, *ways)
        options = ("--new-passphrase-file", rig.two)
        rig.does(home, "passphrase", "change", *options, given=rig.one)
        rig.opens(home, (True, rig.two, ALL), (True, rig.one, WRONG), (False, key, COMMON))


def check(folder):
    """Returns how many ways to open keychains were tried, and how many forgeries."""
    rig = Rig(folder)
    both, key = check_ways(rig)
    check_written(rig)
    return rig.count, check_forgeries(rig.copy(both, "forged"), key)
