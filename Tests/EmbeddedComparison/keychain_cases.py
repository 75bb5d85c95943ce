"""Keychains that are broken, and keychains that are locked."""
import contextlib
import os
import sqlite3

from bench import Call, Case
from request_cases import corpus
from tool_cases import GETS, LISTS, make_logins

PASSPHRASE = b"the right passphrase"
LOGIN = b"protocol=https\nhost=new.example\nusername=ada\npassword=new\n"
CHANGES = [
    Call("git-credential-lanyard", ("store",), LOGIN), Call("git-credential-lanyard",
         ("get",), LOGIN[:LOGIN.index(b"pass")]),
    Call("docker-credential-lanyard", ("store",), b'{"ServerURL":"new.example","Username":"ada","Secret":"new"}'),
    Call("docker-credential-lanyard", ("list",)), Call("git-credential-lanyard", ("erase",), LOGIN),
    Call("terraform-credentials-lanyard", ("forget", "a.example")),
    Call("keyring-lanyard", ("del", "https://a.example/simple", "ada")),
]
KEYCHAIN, ANCHOR, KEY = "l/data/login.keychain", "l/state/login.anchor", "l/state/machine-key"


def make_locked(bench):
    make_logins(bench)
    path = bench.write("passphrase", PASSPHRASE + b"\n")
    bench.write("wrong", b"a wrong passphrase\n")
    bench.set_up("lanyard", "passphrase", "set", "--new-passphrase-file", path, "--yes")


def broken_states(bench, root):
    """Names of states, and functions that bring them about."""
    def path(name):
        return bench.home / name

    def change(name, edit):
        content = bytearray(path(name).read_bytes())
        edited = edit(content)
        path(name).write_bytes(content if edited is None else edited)

    def put(name, start, replacement):
        def edit(content):
            content[start:start + len(replacement)] = replacement
        return lambda: change(name, edit)

    def flip(name, share):
        def edit(content):
            content[int(len(content) * share)] ^= 0x10
        return lambda: change(name, edit)

    def cut(name, share):
        return lambda: change(name, lambda content: content[:int(len(content) * share)])

    def execute(statement):
        def run():
            with contextlib.closing(sqlite3.connect(path(KEYCHAIN))) as connection:
                connection.execute(statement)
                connection.commit()
        return run

    def other_keychain():
        path(KEYCHAIN).write_bytes((bench.templates["victims"] / KEYCHAIN).read_bytes())

    def replace(make):
        def run():
            path(KEYCHAIN).rename(path(KEYCHAIN).with_name("other"))
            make(path(KEYCHAIN))
        return run

    def without_all():
        for name in (KEYCHAIN, ANCHOR, KEY):
            path(name).unlink()

    yield "missing file", lambda: path(KEYCHAIN).unlink()
    yield "missing file, anchor and key", without_all
    for name in (KEYCHAIN, ANCHOR, KEY):
        yield f"empty {name}", cut(name, 0)
        for share in (0.01, 0.5, 0.99):
            yield f"{name} cut at {share}", cut(name, share)
    yield "header of a WAL file", put(KEYCHAIN, 18, b"\2\2")
    yield "no header", put(KEYCHAIN, 0, b"no database")
    yield "wrong application id", put(KEYCHAIN, 68, b"LNYX")
    yield "newer format", put(KEYCHAIN, 60, b"\0\0\0\x63")
    yield "format 0", put(KEYCHAIN, 60, b"\0\0\0\0")
    yield "other size of pages", put(KEYCHAIN, 16, b"\x40\0")
    for number in range(1, 40):
        yield f"a changed byte at {number} of 40", flip(KEYCHAIN, number / 40)
    for number in range(4):
        yield f"anchor with a changed byte at {number} of 4", flip(ANCHOR, number / 4)
    yield "another machine key", flip(KEY, 0.5)
    yield "a further table", execute("CREATE TABLE further (x)")
    yield "a view", execute("CREATE VIEW v AS SELECT 1")
    yield "another keychain", other_keychain
    yield "missing anchor", lambda: path(ANCHOR).unlink()
    yield "missing machine key", lambda: path(KEY).unlink()
    for name, mode in ((KEYCHAIN, 0o644), (KEYCHAIN, 0o620), (KEYCHAIN, 0o400), (KEYCHAIN, 0), (ANCHOR, 0o666),
                       (KEY, 0o644), ("l", 0o777), ("l/data", 0o775), ("l/data", 0o500), ("l/state", 0o755), ("l/state", 0o500)):
        yield f"{name} with mode {mode:o}", lambda name=name, mode=mode: path(name).chmod(mode)
    for suffix in ("-journal", "-wal", "-shm"):
        for content in (b"", b"no journal", b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7" + bytes(504)):
            yield f"a file {suffix} of {len(content)} bytes", \
                lambda suffix=suffix, content=content: bench.write(KEYCHAIN + suffix, content)
    yield "a folder in its place", replace(lambda place: place.mkdir())
    yield "a link in its place", replace(lambda place: place.symlink_to("other"))
    yield "a link to nothing in its place", replace(lambda place: place.symlink_to("missing"))
    yield "a pipe in its place", replace(os.mkfifo)
    for number, content in enumerate(corpus(root, "machine-key")):
        yield f"machine key {number}", lambda content=content: path(KEY).write_bytes(content)


def broken_cases(bench, root):
    """Every helper with each broken state, and with each configuration of the fuzzers."""
    for name, prepare in broken_states(bench, root):
        yield Case(name, GETS + CHANGES, "logins", prepare)
    for number, content in enumerate(corpus(root, "configuration")):
        yield Case(f"configuration {number}", [GETS[0], GETS[1], GETS[4], GETS[15], *CHANGES[:3]], "logins",
                   lambda content=content: bench.write("l/config/config", content))


def locked_cases(bench, root):
    """Every helper with a locked keychain that no one can unlock, that files unlock, and that is unlocked."""
    right, wrong = str(bench.home / "passphrase"), str(bench.home / "wrong")

    def calls(variables, calls):
        return [Call(call.program, call.arguments, call.input, {**call.variables, **variables}) for call in calls]

    yield Case("locked", GETS + CHANGES, "locked")
    yield Case("locked, no prompts", calls({"LANYARD_NO_PROMPT": "1"}, GETS + CHANGES), "locked")
    yield Case("right passphrase", calls({"LANYARD_PASSPHRASE_FILE": right}, GETS), "locked", unlocks=True)
    yield Case("right passphrase, changes", calls({"LANYARD_PASSPHRASE_FILE": right}, CHANGES), "locked", unlocks=True,
               reads=calls({"LANYARD_PASSPHRASE_FILE": right}, [GETS[0], GETS[1], GETS[6], *LISTS]))
    some = GETS[:6] + GETS[9:10] + GETS[14:] + CHANGES[:3]
    yield Case("wrong passphrase", calls({"LANYARD_PASSPHRASE_FILE": wrong}, some), "locked", unlocks=True)
    for number, content in enumerate(corpus(root, "passphrase-file")):
        yield Case(f"passphrase file {number}", calls({"LANYARD_PASSPHRASE_FILE": str(bench.home / "file")}, GETS[:1]),
                   "locked", lambda content=content: bench.write("file", content), unlocks=True)
    for value in (str(bench.home / "missing"), "99", "x", "", "/dev/null", str(bench.home)):
        yield Case(f"passphrase file '{value}'", calls({"LANYARD_PASSPHRASE_FILE": value}, GETS[:2]), "locked",
                   unlocks=True)
    unlock = Call("lanyard", ("unlock", "--timeout", "10m"), b"", {"LANYARD_PASSPHRASE_FILE": right})
    yield Case("unlocked", [unlock, *GETS, *CHANGES, Call("lanyard", ("lock",)), *GETS[:2]], "locked", unlocks=True,
               reads=[unlock, *GETS, *LISTS])
