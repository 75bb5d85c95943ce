"""hostile.py CASE: clients that mean no good. It ends with an error if one of them gets what is not its own, ends the
service, or holds up others."""
import os
import struct
import subprocess
import sys

from bus import *

ALGORITHM = "dh-ietf1024-sha256-aes128-cbc-pkcs7"
PRIME = int(
    "FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74020BBEA63B139B22514A08798E3404DDEF9519B3CD3A431B"
    "302B0A6DF25F14374FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7EDEE386BFB5A899FA5AE9F24117C4B1FE6"
    "49286651ECE65381FFFFFFFFFFFFFFFF", 16)
# What another client may wait at most, in seconds. By hand, on a machine with nothing else to do, 2 is enough.
PATIENCE = float(os.environ.get("LANYARD_TEST_PATIENCE", LIMIT))


class Bystander:
    """Another client, in a process of its own, which goes on reading its item. It may not wait long, and its item
    has to stay."""

    def __enter__(self):
        self.process = subprocess.Popen(
            [sys.executable, __file__, "bystander"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.name = self.process.stdout.readline().strip()
        assert self.name
        return self

    def __exit__(self, *_):
        answer = self.process.communicate()[0]
        assert self.process.returncode == 0
        longest = float(answer)
        print(f"another client waited at most {longest:.3f} s")
        assert longest < PATIENCE


def bystander():
    """What the process of ``Bystander`` does."""
    bus = Bus()
    session = bus.session()
    path = bus.store(session, {"service": "bystander"}, b"untouched")
    print(bus.name, flush=True)
    longest = 0
    while not select.select([sys.stdin], [], [], 0.01)[0]:
        start = time.monotonic()
        assert bus.secret(path, session) == b"untouched"
        longest = max(longest, time.monotonic() - start)
    print(longest)


def others():
    """Sessions, prompts and secrets of another client."""
    owner, thief = Bus(), Bus()
    session = owner.session()
    path = owner.store(session, {"service": "S"}, b"geheim")
    own = thief.session()
    for use in [
            lambda: thief.secret(path, session), lambda: thief.store(session, {}, b"x"),
            lambda: thief.item(path, "SetSecret", "(oayays)", (session, b"", b"x", "text/plain")),
            lambda: thief.service("GetSecrets", "aoo", [path], session)]:
        fails("NoSession", use)
    fails("UnknownObject", lambda: thief.call(session, PREFIX + "Session", "Close"))
    fails("UnknownObject", lambda: thief.call(f"{ROOT}/session/s999", PREFIX + "Session", "Close"))
    assert owner.secret(path, session) == b"geheim"
    prompt = owner.service("CreateCollection", "a{sv}s", {}, "")[1]
    for member, arguments in ("Prompt", ("s", "")), ("Dismiss", ()):
        fails("UnknownObject", lambda: thief.call(prompt, PREFIX + "Prompt", member, *arguments))
    owner.listen()
    owner.call(prompt, PREFIX + "Prompt", "Dismiss")
    assert owner.signal("Completed") == (True, "/")
    fails("UnknownObject", lambda: owner.call(prompt, PREFIX + "Prompt", "Dismiss"))
    # What belongs to a client ends with it, also for one that comes after it.
    owner.close()
    fails("NoSession", lambda: Bus().secret(path, session))
    assert thief.secret(path, own) == b"geheim"


def paths():
    """Paths of nothing, and of something else than a call takes."""
    bus = Bus()
    session = bus.session()
    item = bus.store(session, {"service": "S"}, b"geheim")
    nothing = [
        "/", "/org", ROOT, ROOT + "/collection", ROOT + "/collection/none", ROOT + "/collection/login/0",
        ROOT + "/collection/lo_67in", ROOT + "X/collection/login", item + "/x", item[:-1], item[:-1] + "g",
        item.upper()[:len(item)].replace("/ORG/FREEDESKTOP/SECRETS/COLLECTION/LOGIN", ROOT + "/collection/login")
        if item.upper() != item else "/x", ROOT + "/aliases/none", session, session + "0",
        "/" + "a" * 4096, "/a" * 2000]
    nothing = [path for path in nothing if path != item]
    assert bus.service("Unlock", "ao", nothing) == ([], "/")
    assert bus.service("Lock", "ao", nothing) == ([], "/")
    assert bus.service("GetSecrets", "aoo", nothing, session) == ({},)
    for path in nothing:
        if path != session:
            fails("NoSession", lambda: bus.secret(item, path))
        fails("UnknownMethod|UnknownObject|NoSuchObject|UnknownInterface", lambda: bus.secret(path, session))
        fails("UnknownMethod|UnknownObject|NoSuchObject|UnknownInterface|InvalidArgs",
              lambda: bus.get(path, "Item", "Label"))
        fails("NoSuchObject|NotSupported", lambda: bus.service("SetAlias", "so", "default", path))
    for alias in "", "x", "login/..", "a" * 100_000, "\U0001F511":
        assert bus.service("ReadAlias", "s", alias) == ("/",)
    # A whole keychain is not to be had by a name that leads out of its folder.
    for label in "../../x", "", "/", "login", "a" * 100_000:
        prompt = bus.service(
            "CreateCollection", "a{sv}s", {PREFIX + "Collection.Label": Variant("s", label)}, "")[1]
        bus.listen()
        bus.call(prompt, PREFIX + "Prompt", "Prompt", "s", "")
        assert bus.signal("Completed") == (True, "/")
    assert bus.secret(item, session) == b"geheim"


METHODS = {
    "Service": ["OpenSession", "CreateCollection", "SearchItems", "Unlock", "Lock", "GetSecrets", "ReadAlias", "SetAlias"],
    "Collection": ["Delete", "SearchItems", "CreateItem"], "Item": ["Delete", "GetSecret", "SetSecret"],
    "Session": ["Close"], "Prompt": ["Prompt", "Dismiss"]}


def types():
    """Arguments of all kinds for every method of every object."""
    bus = Bus()
    session = bus.session()
    item = bus.store(session, {"service": "S"}, b"geheim")
    prompt = bus.service("CreateCollection", "a{sv}s", {}, "")[1]
    objects = {
        "Service": ROOT, "Collection": ROOT + "/collection/login", "Item": item, "Session": session, "Prompt": prompt}
    deep = Variant("u", 1)
    for _ in range(60):
        deep = Variant("v", deep)
    wrong = [
        ("y", 1), ("ay", b"\xff" * 100), ("as", ["x"] * 50), ("v", deep), ("(oayays)", ("/", b"", b"", "")),
        ("a{ss}s", {"a": "b"}, "x"), ("aoao", [], []), ("sv", 3 * "x", Variant("as", ["x"])), ("ao", ["/"] * 10),
        ("a{sv}(oayays)b", {PREFIX + "Item.Attributes": Variant("s", "x")}, ("/", b"", b"", ""), True),
        ("a{sv}(oayays)b", {PREFIX + "Item.Label": Variant("ay", b"x")}, (session, b"", b"", ""), True),
        ("a{sv}s", {PREFIX + "Collection.Label": Variant("u", 1)}, ""), ("sv", ALGORITHM, Variant("s", "")),
        ("sv", "plain", Variant("ay", b"")), ("sv", "", Variant("v", deep)), ("o", "/"), ("so", "", "/"), ("s" * 20, *("x" * 20))]
    for interface, members in METHODS.items():
        for member in members + ["None"]:
            for path in objects.values():
                for arguments in wrong:
                    if member in ("Delete", "Close", "Prompt", "Dismiss"):
                        continue
                    try:
                        bus.call(path, PREFIX + interface, member, *arguments)
                    except CallError:
                        pass
    for member in "Delete", "Close", "Prompt", "Dismiss":
        for interface in METHODS:
            fails("InvalidArgs|UnknownMethod|UnknownInterface", lambda: bus.call(
                objects[interface], PREFIX + interface, member, "v", deep))
    for interface, path in objects.items():
        for name, value in [
                ("Label", Variant("u", 1)), ("Attributes", Variant("s", "x")), ("Locked", Variant("b", 1)),
                ("Attributes", Variant("a{sv}", {"a": deep})), ("None", deep), ("", Variant("s", "")),
                ("Modified", Variant("t", 1)), ("Collections", Variant("ao", []))]:
            fails("InvalidArgs|UnknownProperty|UnknownInterface|UnknownMethod|PropertyReadOnly|NotSupported",
                  lambda: bus.set(path, interface, name, value))
        fails("InvalidArgs|UnknownProperty", lambda: bus.get(path, interface, "None"))
        fails("InvalidArgs|UnknownInterface|UnknownMethod", lambda: bus.get(path, "None", "Label"))
    assert bus.secret(item, session) == b"geheim"
    assert bus.get(item, "Item", "Label") == "label"


def keys():
    """Public keys that anybody could compute the session's key from, and secrets that are not encrypted right."""
    bus = Bus()
    for key in [
            b"", b"\0", b"\1", bytes(128), bytes(127) + b"\1", (PRIME - 1).to_bytes(128, "big"),
            PRIME.to_bytes(128, "big"), (PRIME + 1).to_bytes(128, "big"), b"\xff" * 128, b"\0" + b"\2" * 128,
            b"\2" * 1_000_000]:
        fails("InvalidArgs", lambda: bus.service("OpenSession", "sv", ALGORITHM, Variant("ay", key)))
    for algorithm in "", "PLAIN", "plain ", "dh-ietf1024-sha256-aes128-cbc", "x" * 100_000:
        fails("NotSupported", lambda: bus.service("OpenSession", "sv", algorithm, Variant("s", "")))
    public, session = bus.service("OpenSession", "sv", ALGORITHM, Variant("ay", (PRIME - 2).to_bytes(128, "big")))
    assert len(public) == 128
    item = bus.store(bus.session(), {"service": "S"}, b"geheim")
    for parameter, value in [
            (b"", b""), (b"", bytes(16)), (bytes(15), bytes(16)), (bytes(17), bytes(16)), (bytes(16), b""),
            (bytes(16), bytes(15)), (bytes(16), bytes(17)), (bytes(1 << 20), bytes(16))]:
        fails("InvalidArgs", lambda: bus.item(item, "SetSecret", "(oayays)", (session, parameter, value, "text/plain")))
    assert bus.secret(item, bus.session()) == b"geheim"


def giants():
    """Calls as large as the bus lets them be."""
    with Bystander():
        bus = Bus()
        session = bus.session()
        many = {f"name {number}": "x" for number in range(100_000)}
        for attributes, secret, label in [
                ({"a": "x" * (1 << 20)}, b"", ""), ({"x" * (1 << 20): "a"}, b"", ""), (many, b"", ""),
                ({}, b"", "x" * (20 << 20)), ({}, bytes(3 << 20), ""), ({}, bytes(30 << 20), ""),
                ({"a": "x" * (10 << 20)}, bytes(10 << 20), "x")]:
            for name in "login", "session":
                fails("LimitsExceeded", lambda: bus.store(session, attributes, secret, label=label, name=name))
        item = bus.store(session, {"service": "S"}, bytes(2 << 20))
        assert bus.secret(item, session) == bytes(2 << 20)
        fails("LimitsExceeded", lambda: bus.set(item, "Item", "Attributes", Variant("a{ss}", many)))
        fails("LimitsExceeded", lambda: bus.set(item, "Item", "Label", Variant("s", "x" * (20 << 20))))
        fails("LimitsExceeded", lambda: bus.item(
            item, "SetSecret", "(oayays)", (session, b"", bytes(30 << 20), "text/plain")))
        fails("LimitsExceeded", lambda: bus.item(
            item, "SetSecret", "(oayays)", (session, b"", b"", "x" * (10 << 20))))
        for paths in [item] * 100_000, [f"{ROOT}/collection/a{number}" for number in range(100_000)], ["/"] * 500_000:
            for member, more in ("Unlock", ()), ("Lock", ()), ("GetSecrets", ("o", session)):
                signature = "ao" + "".join(more[:1])
                fails("LimitsExceeded", lambda: bus.service(member, signature, paths, *more[1:]))
        fails("LimitsExceeded", lambda: bus.service("SearchItems", "a{ss}", many))
        # libsecret asks for the secrets of all items that it has found.
        paths = [f"{ROOT}/collection/login/{number:032x}" for number in range(50_000)]
        assert bus.service("GetSecrets", "aoo", paths, session) == ({},)
        # The same item many times is one item.
        assert len(bus.service("GetSecrets", "aoo", [item] * 5_000, session)[0]) == 1
        bus.item(item, "Delete")


def sessions():
    """More sessions than anybody needs."""
    with Bystander():
        bus = Bus()
        # A valid key is much work for the service.
        serials = [bus.send(
            ROOT, PREFIX + "Service", "OpenSession", "sv", ALGORITHM,
            Variant("ay", b"\2" * 128)) for _ in range(10_000)]
        opened = [bus.wait(serial)[1] for serial in serials]
        assert len(set(opened)) == len(opened)
        # Those that were unused longest have ended.
        kept = 0
        for path in opened:
            try:
                bus.call(path, PREFIX + "Session", "Close")
                kept += 1
            except CallError as error:
                assert kept == 0 and error.name.endswith(".UnknownObject"), error
        assert 1_000 <= kept < 10_000, kept
        bus.session()
        prompts = []
        try:
            for _ in range(10_000):
                prompts.append(bus.service("CreateCollection", "a{sv}s", {}, "")[1])
        except CallError as error:
            assert error.name.endswith(".LimitsExceeded"), error
        assert 10 <= len(prompts) < 10_000, len(prompts)


def clients():
    """Many clients, one after the other: nothing of them stays."""
    watcher = Bus()
    process = service_process(watcher)

    def come_and_go(count):
        for _ in range(count):
            bus = Bus()
            bus.session()
            bus.service("CreateCollection", "a{sv}s", {}, "")
            bus.close()
        watcher.session()

    come_and_go(300)
    before = memory(process)
    come_and_go(int(sys.argv[2]) if len(sys.argv) > 2 else 10_000)
    grown = memory(process) - before
    print(f"memory has grown by {grown >> 10} KiB from {before >> 10} KiB")
    assert grown < 1 << 20, f"memory has grown by {grown} bytes"


def halves():
    """Messages that do not end, bytes that are none, answers to no call, and clients that are gone before
    they are answered."""
    with Bystander() as other:
        for number in range(200):
            bus = Bus()
            whole = bus.message(
                ROOT, PREFIX + "Service", "OpenSession", "sv", ALGORITHM, Variant("ay", b"\2" * 128))
            [
                lambda: bus.socket.sendall(whole[:number]), lambda: bus.socket.sendall(whole),
                lambda: bus.socket.sendall(os.urandom(1_000)), lambda: bus.socket.sendall(whole * 20 + whole[:40]),
                lambda: bus.socket.sendall(b"l\1\0\1" + struct.pack("<III", 1 << 27, 1, 1 << 26)),
                lambda: bus.socket.sendall(bus.message(
                    ROOT, PREFIX + "Service", "CreateCollection", "a{sv}s", {}, "") * 10),
            ][number % 6]()
            bus.close()
        bus = Bus()
        owner = bus.bus("GetNameOwner", "s", SERVICE)[0]
        for number in range(200):
            # An answer, an error and a signal to a call of the service that it never made.
            for kind in 2, 3, 4:
                bus.socket.sendall(bus.message("/x", "x.x", "X", "u", number, to=owner, kind=kind, answers=number + 1))
            # A call that asks for no answer.
            bus.send(ROOT, PREFIX + "Service", "OpenSession", "sv", "plain", Variant("s", ""), flags=1)
            bus.send(ROOT, PREFIX + "Service", "ReadAlias", "u", 1, flags=1)
        forged = ("sss", other.name, other.name, "")
        bus.socket.sendall(bus.message(
            "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameOwnerChanged", *forged, to=owner, kind=4))
        assert bus.service("ReadAlias", "s", "login") == (ROOT + "/collection/login",)


def flood():
    """A client that asks for more than can be answered, and takes no answer."""
    with Bystander():
        buses = [Bus() for _ in range(4)]
        for bus in buses:
            bus.socket.setblocking(False)
            calls = 100 * bus.message(
                ROOT, PREFIX + "Service", "OpenSession", "sv", ALGORITHM, Variant("ay", b"\2" * 128))
            end, sent = time.monotonic() + 0.3, 0
            while time.monotonic() < end:
                try:
                    sent += bus.socket.send(calls[sent % len(calls):])
                except BlockingIOError:
                    time.sleep(0.01)
        time.sleep(1)


if __name__ == "__main__":
    {case.__name__: case for case in [others, paths, types, keys, giants, sessions, clients, halves, flood, bystander]}[sys.argv[1]]()
