"""watching.py CASE: what clients learn of locks and of changes by other programs, here `lanyard`."""
import sqlite3
import subprocess
import sys

from bus import *

LOGIN = ROOT + "/collection/login"
def lanyard(*arguments, text=""):
    subprocess.run(["lanyard", *arguments], input=text, text=True, check=True, timeout=60, stdout=subprocess.DEVNULL)


def prompted(bus, prompt):
    """Carries out a prompt, and returns whether it was dismissed, and the result."""
    assert prompt != "/", "there is no prompt"
    start = time.monotonic()
    bus.call(prompt, PREFIX + "Prompt", "Prompt", "s", "")
    values = bus.signal("Completed", where=lambda path, _: path == prompt)
    print(f"the prompt took {time.monotonic() - start:.2f} s")
    return values


def becomes(bus, path, name, value):
    """Waits until a signal has said that a property has this value."""
    bus.signal(
        "PropertiesChanged", where=lambda changed, values: changed == path and values[1].get(name) == value)


def signals():
    """Items and keychains of this client, and then of `lanyard`."""
    bus, other = Bus(), Bus()
    bus.listen()
    session = other.session()
    path = other.store(session, {"service": "S", "account": "A"}, b"1")
    assert bus.signal("ItemCreated") == (path,)
    becomes(bus, LOGIN, "Items", [path])
    assert bus.signal("CollectionChanged") == (LOGIN,)
    other.set(path, "Item", "Label", Variant("s", "new"))
    assert bus.signal("ItemChanged") == (path,)
    becomes(bus, path, "Label", "new")
    other.item(path, "SetSecret", "(oayays)", (session, b"", b"2", "text/plain"))
    assert bus.signal("ItemChanged") == (path,)
    other.item(path, "Delete")
    assert bus.signal("ItemDeleted") == (path,)
    becomes(bus, LOGIN, "Items", [])
    # No client calls the service from here on.
    lanyard("set", "S", "A", "--stdin", text="3")
    path, = bus.signal("ItemCreated")
    assert other.secret(path, session) == b"3"
    bus.signals.clear()
    lanyard("set", "S", "A", "--stdin", text="4")
    assert bus.signal("ItemChanged") == (path,)
    lanyard("remove", "S", "A")
    assert bus.signal("ItemDeleted") == (path,)
    lanyard("keychain", "create", "work")
    assert bus.signal("CollectionCreated") == (ROOT + "/collection/work",)
    becomes(bus, ROOT, "Collections", [LOGIN, ROOT + "/collection/session", ROOT + "/collection/work"])
    lanyard("set", "W", "--keychain", "work", "--stdin", text="5")
    path, = bus.signal("ItemCreated")
    assert path.startswith(ROOT + "/collection/work/")
    lanyard("keychain", "delete", "work", "--yes")
    assert bus.signal("CollectionDeleted") == (ROOT + "/collection/work",)


def held():
    """A program that does not go on holds the keychain: what one call has found out the next ones need not."""
    bus = Bus()
    session = bus.session()
    path = bus.store(session, {"service": "S"}, b"geheim")
    file = sqlite3.connect(os.environ["LANYARD_HOME"] + "/data/login.keychain", isolation_level=None)
    file.execute("BEGIN EXCLUSIVE")
    # If each one waited, the last answer would come too late.
    calls = [bus.send(path, PREFIX + "Item", "GetSecret", "o", session) for _ in range(60)]
    for call in calls:
        fails("Failed", lambda: bus.wait(call))

    def released(call):
        """The answer of a call during which the program goes on."""
        time.sleep(0.2)
        file.execute("COMMIT")
        return bus.wait(call)

    # Locking always waits.
    assert released(bus.send(ROOT, PREFIX + "Service", "Lock", "ao", [LOGIN])) == ([], "/")
    # After two seconds calls wait again.
    time.sleep(2.1)
    file.execute("BEGIN EXCLUSIVE")
    released(bus.send(path, PREFIX + "Item", "GetSecret", "o", session))


def unasked():
    """A keychain with a passphrase, and no way to ask for it. It is locked."""
    bus = Bus()
    bus.listen()
    session = bus.session()
    assert bus.get(LOGIN, "Collection", "Locked") == 1
    _, (path,) = bus.service("SearchItems", "a{ss}", {"service": "S"})
    assert bus.get(path, "Item", "Attributes") == {"service": "S", "account": "A"}
    assert bus.get(path, "Item", "Locked") == 1
    assert bus.service("GetSecrets", "aoo", [path], session) == ({},)
    for refused in [
            lambda: bus.secret(path, session), lambda: bus.store(session, {}, b"x"),
            lambda: bus.item(path, "Delete"), lambda: bus.set(path, "Item", "Label", Variant("s", "x")),
            lambda: bus.item(path, "SetSecret", "(oayays)", (session, b"", b"x", "text/plain"))]:
        fails("IsLocked", refused)
    for objects in [LOGIN], [path], [LOGIN, path, LOGIN], [ROOT + "/aliases/default"]:
        unlocked, prompt = bus.service("Unlock", "ao", objects)
        assert unlocked == []
        assert prompted(bus, prompt) == (True, [])
    # go-libsecret waits for it without listening: gnome-keyring sends it to the client alone.
    deaf = Bus()
    _, prompt = deaf.service("Unlock", "ao", [LOGIN])
    assert prompted(deaf, prompt) == (True, [])
    _, prompt = bus.service("CreateCollection", "a{sv}s", {PREFIX + "Collection.Label": Variant("s", "new")}, "")
    assert prompted(bus, prompt) == (True, "/")
    prompt, = bus.collection("Delete")
    assert prompted(bus, prompt)[0]
    assert bus.get(ROOT, "Service", "Collections") == [LOGIN, ROOT + "/collection/session"]
    # While another program writes it can't be read.
    file = sqlite3.connect(os.environ["LANYARD_HOME"] + "/data/login.keychain", isolation_level=None)
    file.execute("BEGIN EXCLUSIVE")
    assert bus.get(LOGIN, "Collection", "Locked") == 1
    file.execute("COMMIT")
    # What is not locked needs no prompt.
    assert bus.service("Unlock", "ao", [ROOT + "/collection/session"]) == ([ROOT + "/collection/session"], "/")


def asked():
    """A keychain with a passphrase, and an askpass program that knows it."""
    bus = Bus()
    bus.listen()
    session = bus.session()
    unlocked, prompt = bus.service("Unlock", "ao", [LOGIN])
    assert unlocked == []
    assert prompted(bus, prompt) == (False, [LOGIN])
    becomes(bus, LOGIN, "Locked", 0)
    (path,), _ = bus.service("SearchItems", "a{ss}", {"service": "S"})
    becomes(bus, path, "Locked", 0)
    assert bus.secret(path, session) == b"geheim"
    locked, prompt = bus.service("Lock", "ao", [LOGIN])
    assert (locked, prompt) == ([LOGIN], "/")
    becomes(bus, LOGIN, "Locked", 1)
    becomes(bus, path, "Locked", 1)
    fails("IsLocked", lambda: bus.secret(path, session))
    # By other programs, while no client calls the service.
    lanyard("unlock")
    becomes(bus, LOGIN, "Locked", 0)
    assert bus.secret(path, session) == b"geheim"
    lanyard("lock")
    becomes(bus, LOGIN, "Locked", 1)
    fails("IsLocked", lambda: bus.secret(path, session))
    label = {PREFIX + "Collection.Label": Variant("s", "Work")}
    _, prompt = bus.service("CreateCollection", "a{sv}s", label, "")
    assert prompted(bus, prompt) == (False, ROOT + "/collection/work")


def withdrawn():
    """An askpass program that does not answer: the question is withdrawn with the prompt or the client."""
    bus, other = Bus(), Bus()
    bus.listen()
    _, prompt = bus.service("Unlock", "ao", [LOGIN])
    bus.call(prompt, PREFIX + "Prompt", "Prompt", "s", "")
    wait_for(lambda: askers(1))
    # Others are not held up meanwhile.
    assert other.get(LOGIN, "Collection", "Locked") == 1
    bus.call(prompt, PREFIX + "Prompt", "Dismiss")
    assert bus.signal("Completed") == (True, [])
    wait_for(lambda: askers(0))
    _, prompt = other.service("Unlock", "ao", [LOGIN])
    other.call(prompt, PREFIX + "Prompt", "Prompt", "s", "")
    wait_for(lambda: askers(1))
    other.close()
    wait_for(lambda: askers(0))


def askers(count):
    """Whether so many askpass programs run, which sleep for so long."""
    found = subprocess.run(["pgrep", "-fc", f"^sleep {sys.argv[2]}$"], capture_output=True, text=True)
    return int(found.stdout) == count


def wait_for(condition):
    for _ in range(3_000):
        if condition():
            return
        time.sleep(0.02)
    raise TimeoutError("this did not come true")


def given():
    """The passphrase is in a file that LANYARD_PASSPHRASE_FILE names: it does not have to be asked for."""
    bus = Bus()
    session = bus.session()
    assert bus.get(LOGIN, "Collection", "Locked") == 0
    assert bus.service("Unlock", "ao", [LOGIN]) == ([LOGIN], "/")
    (path,), _ = bus.service("SearchItems", "a{ss}", {"service": "S"})
    assert bus.secret(path, session) == b"geheim"
    assert bus.secret(bus.store(session, {"service": "T"}, b"new"), session) == b"new"


if __name__ == "__main__":
    {case.__name__: case for case in [signals, held, unasked, asked, withdrawn, given]}[sys.argv[1]]()
