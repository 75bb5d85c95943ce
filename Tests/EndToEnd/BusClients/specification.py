"""Cases that a Secret Service has to pass, as KeePassXC's and oo7's own tests of theirs have them: unlocked
collections with sessions of both algorithms, locked ones, and questions that the user answers. It runs on a bus with
the service, whose keychains are empty."""
import contextlib
import hashlib
import hmac
import os
import subprocess
import time
import unittest
from xml.etree import ElementTree

import dbus
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

NAME, ROOT, PREFIX = "org.freedesktop.secrets", "/org/freedesktop/secrets", "org.freedesktop.Secret."
LOGIN, DEFAULT = ROOT + "/collection/login", ROOT + "/aliases/default"
ENCRYPTED = "dh-ietf1024-sha256-aes128-cbc-pkcs7"
PRIME = int(
    "FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74020BBEA63B139B22514A08798E3404DDEF9519B3CD3A431B"
    "302B0A6DF25F14374FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7EDEE386BFB5A899FA5AE9F24117C4B1FE6"
    "49286651ECE65381FFFFFFFFFFFFFFFF", 16)

DBusGMainLoop(set_as_default=True)
BUS = dbus.SessionBus()


def interface(path, name, bus=BUS):
    name = name if "." in name else PREFIX + name
    return dbus.Interface(bus.get_object(NAME, path, introspect=False), name)


def until(condition, limit=20):
    """Whether a condition comes true while signals are taken. Machines are busy."""
    end = time.monotonic() + limit
    while not condition() and time.monotonic() < end:
        GLib.MainContext.default().iteration(False)
        time.sleep(0.001)
    return condition()


def read(path, kind, name):
    return interface(path, dbus.PROPERTIES_IFACE).Get(PREFIX + kind, name)


def write(path, kind, name, value):
    value = type(value)(value, variant_level=1)
    interface(path, dbus.PROPERTIES_IFACE).Set(PREFIX + kind, name, value)


def runs(process):
    """Whether a process runs; one that no parent has reaped has no command line."""
    try:
        with open(f"/proc/{process}/cmdline") as line:
            return bool(line.read())
    except (FileNotFoundError, ProcessLookupError):
        return False


def texts(attributes):
    return dbus.Dictionary(attributes, signature="ss")


class Session:
    """A session, and the way in which it transfers secrets."""

    def __init__(self, is_encrypted=False):
        service, self.key = interface(ROOT, "Service"), None
        if not is_encrypted:
            _, self.path = service.OpenSession("plain", dbus.String("", variant_level=1))
            return
        exponent = int.from_bytes(os.urandom(32), "big")
        public = pow(2, exponent, PRIME).to_bytes(128, "big")
        theirs, self.path = service.OpenSession(ENCRYPTED, dbus.ByteArray(public, variant_level=1))
        shared = pow(int.from_bytes(bytes(theirs), "big"), exponent, PRIME).to_bytes(128, "big")
        extracted = hmac.digest(bytes(32), shared, hashlib.sha256)
        self.key = hmac.digest(extracted, b"\1", hashlib.sha256)[:16]

    def encode(self, secret, kind="text/plain"):
        parameter = b""
        if self.key:
            parameter, count = os.urandom(16), 16 - len(secret) % 16
            cipher = Cipher(algorithms.AES(self.key), modes.CBC(parameter)).encryptor()
            secret = cipher.update(secret + bytes([count]) * count) + cipher.finalize()
        return dbus.Struct(
            (self.path, dbus.ByteArray(parameter), dbus.ByteArray(secret), kind), signature="oayays")

    def decode(self, value):
        path, parameter, secret, kind = value
        assert path == self.path
        secret = bytes(secret)
        if self.key:
            cipher = Cipher(algorithms.AES(self.key), modes.CBC(bytes(parameter))).decryptor()
            secret = cipher.update(secret) + cipher.finalize()
            secret = secret[:-secret[-1]]
        return secret, kind


class Case(unittest.TestCase):
    def setUp(self):
        self.session = Session()
        self.own = {"application": "specification", "case": self.id()}
        self.signals = []
        self.matches = [BUS.add_signal_receiver(
            lambda *arguments, member, path: self.signals.append((member, path, arguments[0])),
            dbus_interface=PREFIX + kind, member_keyword="member", path_keyword="path")
            for kind in ("Service", "Collection")]

    def tearDown(self):
        for match in self.matches:
            match.remove()
        unlocked, _ = interface(ROOT, "Service").SearchItems(texts({"application": "specification"}))
        for path in unlocked:
            interface(path, "Item").Delete()

    def error(self, name, call, *arguments):
        with self.assertRaises(dbus.DBusException) as raised:
            call(*arguments)
        self.assertEqual(raised.exception.get_dbus_name(), name)

    def await_signal(self, *signal):
        until(lambda: signal in self.signals)
        self.assertIn(signal, self.signals)

    def search(self, attributes):
        unlocked, locked = interface(ROOT, "Service").SearchItems(texts(attributes))
        self.assertEqual(locked, [])
        return set(unlocked)

    def create(self, label="a label", secret=b"secret", kind="text/plain", replaces=False, session=None,
               collection=LOGIN, **attributes):
        properties = dbus.Dictionary({
            PREFIX + "Item.Label": dbus.String(label),
            PREFIX + "Item.Attributes": texts({**self.own, **attributes}),
        }, signature="sv")
        path, prompt = interface(collection, "Collection").CreateItem(
            properties, (session or self.session).encode(secret, kind), replaces)
        self.assertEqual(prompt, "/")
        return path

    def secret(self, path, session=None):
        session = session or self.session
        return session.decode(interface(path, "Item").GetSecret(session.path))


class Unlocked(Case):
    # Collections

    def test_a_new_item_is_found_and_signalled(self):
        item = self.create(number="1")
        self.await_signal("ItemCreated", LOGIN, item)
        self.await_signal("CollectionChanged", ROOT, LOGIN)
        self.assertIn(item, read(LOGIN, "Collection", "Items"))
        self.assertEqual(read(item, "Item", "Label"), "a label")
        self.assertFalse(read(item, "Item", "Locked"))
        self.assertEqual(read(item, "Item", "Attributes"), {**self.own, "number": "1"})

    def test_a_search_takes_any_part_of_the_attributes(self):
        first, second = self.create(number="1", color="red"), self.create(number="2", color="red")
        self.assertEqual(self.search(self.own), {first, second})
        self.assertEqual(self.search({**self.own, "color": "red", "number": "2"}), {second})
        self.assertEqual(self.search({**self.own, "color": "blue"}), set())
        self.assertEqual(self.search({**self.own, "colour": "red"}), set())
        self.assertEqual(set(interface(LOGIN, "Collection").SearchItems(texts(self.own))), {first, second})

    def test_attributes_are_no_patterns(self):
        names = {"attr-i[bute]": "![some] -value*", "": "empty", "ü\n": "\"\\"}
        item = self.create(**names)
        self.assertEqual(self.search(names), {item})
        self.assertEqual(self.search({"attr-i[bute]": "*"}), set())
        self.assertEqual(read(item, "Item", "Attributes"), {**self.own, **names})

    def test_only_all_the_same_attributes_are_replaced(self):
        first, second = self.create(number="1"), self.create(number="2")
        replaced = self.create("new", b"new", replaces=True, number="2")
        self.assertEqual(replaced, second)
        self.await_signal("ItemChanged", LOGIN, second)
        self.assertEqual((read(second, "Item", "Label"), self.secret(second)[0]), ("new", b"new"))
        third = self.create(replaces=True)
        self.assertEqual(self.search(self.own), {first, second, third})

    def test_without_replacing_there_are_two(self):
        first, second = self.create(secret=b"1"), self.create(secret=b"2")
        self.assertNotEqual(first, second)
        self.assertEqual((self.secret(first)[0], self.secret(second)[0]), (b"1", b"2"))

    def test_the_dates_are_those_of_the_items(self):
        before = int(time.time())
        item = self.create()
        for path, kind in ((LOGIN, "Collection"), (item, "Item")):
            self.assertLessEqual(before, read(path, kind, "Modified"))
            self.assertLessEqual(read(path, kind, "Created"), read(path, kind, "Modified"))

    def test_the_label_of_a_collection(self):
        label = read(LOGIN, "Collection", "Label")
        write(LOGIN, "Collection", "Label", dbus.String("Another"))
        self.await_signal("CollectionChanged", ROOT, LOGIN)
        self.assertEqual(read(DEFAULT, "Collection", "Label"), "Another")
        self.signals.clear()
        subprocess.run(["lanyard", "config", "set", "keychain.login.label", label], check=True)
        self.await_signal("CollectionChanged", ROOT, LOGIN)
        self.assertEqual(read(LOGIN, "Collection", "Label"), label)

    def test_the_default_collection_is_there_from_the_start(self):
        service = interface(ROOT, "Service")
        self.assertEqual(service.ReadAlias("default"), LOGIN)
        self.assertEqual(service.ReadAlias("unknown"), "/")
        self.assertIn(LOGIN, read(ROOT, "Service", "Collections"))
        self.assertTrue(self.create(collection=DEFAULT).startswith(LOGIN + "/"))
        self.assertTrue(self.create(collection=ROOT + "/aliases/session").startswith(ROOT + "/collection/session/"))

    def test_what_is_not_locked_is_unlocked_at_once(self):
        item, service = self.create(), interface(ROOT, "Service")
        for paths in [LOGIN, item], [DEFAULT], []:
            self.assertEqual(service.Unlock(dbus.Array(paths, signature="o")), (paths, "/"))

    # Items

    def test_an_item_changes(self):
        item = self.create(number="1")
        write(item, "Item", "Label", dbus.String("new"))
        write(item, "Item", "Attributes", texts({**self.own, "number": "2"}))
        self.await_signal("ItemChanged", LOGIN, item)
        self.assertEqual(read(item, "Item", "Label"), "new")
        self.assertEqual(self.search({**self.own, "number": "2"}), {item})
        self.assertEqual(self.search({**self.own, "number": "1"}), set())
        self.assertEqual(self.secret(item)[0], b"secret")

    def test_secrets_of_both_algorithms(self):
        sessions = Session(), Session(is_encrypted=True)
        for secret in b"", b"x", b"sixteen bytes!!!", bytes(range(256)):
            for writer in sessions:
                item = self.create(secret=secret, session=writer)
                for reader in sessions:
                    self.assertEqual(self.secret(item, reader)[0], secret)
                    values = interface(ROOT, "Service").GetSecrets([item], reader.path)
                    self.assertEqual(reader.decode(values[item])[0], secret)
                interface(item, "Item").SetSecret(writer.encode(secret + b"!"))
                self.assertEqual(self.secret(item, sessions[0])[0], secret + b"!")

    def test_content_types_stay(self):
        for kind in ("text/plain", "text/plain; charset=utf8", "text/utf8", "application/json", "application/binary", ""):
            item = self.create(kind=kind, label=kind)
            self.assertEqual(self.secret(item), (b"secret", kind))
            interface(item, "Item").SetSecret(self.session.encode(b"{}", "application/x-new"))
            self.assertEqual(self.secret(item), (b"{}", "application/x-new"))

    def test_a_deleted_item_is_gone(self):
        item = self.create()
        self.assertEqual(interface(item, "Item").Delete(), "/")
        self.await_signal("ItemDeleted", LOGIN, item)
        self.assertEqual(self.search(self.own), set())
        self.assertNotIn(item, read(LOGIN, "Collection", "Items"))
        gone = PREFIX + "Error.NoSuchObject"
        self.error(gone, interface(item, "Item").Delete)
        self.error(gone, interface(item, "Item").GetSecret, self.session.path)
        self.error(gone, read, item, "Item", "Label")

    def test_each_object_describes_itself(self):
        # Clients such as dbus-next call only what an object says that it has.
        _, prompt = interface(ROOT, "Service").CreateCollection(dbus.Dictionary(signature="sv"), "")
        for path, kind in (
                (ROOT, "Service"), (LOGIN, "Collection"), (DEFAULT, "Collection"), (self.create(), "Item"),
                (self.session.path, "Session"), (prompt, "Prompt")):
            node = ElementTree.fromstring(interface(path, dbus.INTROSPECTABLE_IFACE).Introspect())
            names = [name for name in (part.get("name") for part in node.findall("interface")) if PREFIX in name]
            self.assertEqual(names, [PREFIX + kind])
            children = [part.get("name") for part in node.findall("node")]
            self.assertEqual(len(children), len(set(children)))
        interface(prompt, "Prompt").Dismiss()

    def test_no_object_is_not_described(self):
        item, closed = self.create(), Session()
        interface(closed.path, "Session").Close()
        interface(item, "Item").Delete()
        other = dbus.SessionBus(private=True)
        # Another client's session is none of this one's.
        _, foreign = interface(ROOT, "Service", other).OpenSession("plain", dbus.String("", variant_level=1))
        for path in (
                ROOT + "/nothing", ROOT + "/collection/nothing", ROOT + "/aliases/nothing", item, LOGIN + "/nothing",
                LOGIN + "/" + 32 * "0", ROOT + "/session/s999999", closed.path, foreign, ROOT + "/prompt/p999999"):
            with self.assertRaises(dbus.DBusException, msg=path) as raised:
                interface(path, dbus.INTROSPECTABLE_IFACE).Introspect()
            self.assertIn(raised.exception.get_dbus_name().rsplit(".", 1)[1], ("UnknownMethod", "UnknownObject"))
        other.close()
        # What is only above objects is there.
        for path in ("/", ROOT + "/collection", ROOT + "/aliases", ROOT + "/session", ROOT + "/prompt"):
            interface(path, dbus.INTROSPECTABLE_IFACE).Introspect()

    # Sessions

    def test_sessions_are_not_counted(self):
        # As python3-secretstorage does, which opens one for each item and closes none.
        used, item = self.session, self.create()
        sessions = []
        for _ in range(5_000):
            sessions.append(Session())
            if len(sessions) % 1_000 == 0:
                self.assertEqual(self.secret(item, used)[0], b"secret")
        self.assertEqual(self.secret(item, sessions[-1])[0], b"secret")
        # Only those unused longest have ended.
        self.assertEqual(self.secret(item, sessions[1_000])[0], b"secret")
        self.error(PREFIX + "Error.NoSession", interface(item, "Item").GetSecret, sessions[0].path)

    def test_a_closed_session_is_of_no_use(self):
        item, session = self.create(), Session()
        interface(session.path, "Session").Close()
        none = PREFIX + "Error.NoSession"
        self.error(none, interface(item, "Item").GetSecret, session.path)
        self.error(none, interface(item, "Item").SetSecret, session.encode(b"new"))
        self.error(none, interface(ROOT, "Service").GetSecrets, [item], session.path)
        self.error(none, self.create, "a label", b"secret", "text/plain", False, session)
        self.assertEqual(self.secret(item)[0], b"secret")

    def test_sessions_of_no_known_algorithm(self):
        self.error("org.freedesktop.DBus.Error.NotSupported", interface(ROOT, "Service").OpenSession,
                   "rot13", dbus.String("", variant_level=1))

    def test_each_session_has_a_path_of_its_own(self):
        self.assertEqual(len({Session().path, Session().path, Session(is_encrypted=True).path}), 3)


class WithPassphrase(Case):
    """With the keychain `work`, whose passphrase is in a file that LANYARD_SPECIFICATION_PASSPHRASE names."""
    WORK = ROOT + "/collection/work"

    def lanyard(self, *arguments):
        with open(os.environ["LANYARD_SPECIFICATION_PASSPHRASE"], "rb") as passphrase:
            subprocess.run(["lanyard", *arguments, "--keychain", "work"], stdin=passphrase, check=True)

    def lock(self, *paths):
        return interface(ROOT, "Service").Lock(dbus.Array(paths, signature="o"))


class Locked(WithPassphrase):
    """Where no one can be asked."""

    def setUp(self):
        super().setUp()
        self.lanyard("unlock", "--stdin")
        self.item = self.create(collection=self.WORK)

    def tearDown(self):
        self.lanyard("unlock", "--stdin")
        super().tearDown()

    def test_a_collection_is_locked(self):
        self.assertFalse(read(self.WORK, "Collection", "Locked"))
        self.assertEqual(self.lock(self.WORK), ([self.WORK], "/"))
        self.assertTrue(read(self.WORK, "Collection", "Locked"))
        self.assertTrue(read(self.item, "Item", "Locked"))
        self.await_signal("CollectionChanged", ROOT, self.WORK)
        self.assertFalse(read(LOGIN, "Collection", "Locked"))

    def test_what_is_locked_is_found_and_not_read(self):
        other = self.create()
        self.lock(self.WORK)
        service, item = interface(ROOT, "Service"), interface(self.item, "Item")
        self.assertEqual(service.SearchItems(texts(self.own)), ([other], [self.item]))
        self.assertEqual(list(service.GetSecrets([self.item, other], self.session.path)), [other])
        self.assertEqual(read(self.item, "Item", "Label"), "a label")
        locked = PREFIX + "Error.IsLocked"
        self.error(locked, item.GetSecret, self.session.path)
        self.error(locked, item.SetSecret, self.session.encode(b"new"))
        self.error(locked, item.Delete)
        self.error(locked, write, self.item, "Item", "Label", dbus.String("new"))
        with self.assertRaises(dbus.DBusException) as raised:
            self.create(collection=self.WORK)
        self.assertEqual(raised.exception.get_dbus_name(), locked)
        self.lanyard("unlock", "--stdin")
        self.assertEqual(self.secret(self.item), (b"secret", "text/plain"))

    def test_where_no_one_can_be_asked_a_prompt_is_dismissed(self):
        self.lock(self.WORK)
        completed = []
        BUS.add_signal_receiver(lambda *arguments: completed.append(arguments), "Completed", PREFIX + "Prompt")
        for path in self.WORK, self.item:
            unlocked, prompt = interface(ROOT, "Service").Unlock(dbus.Array([path, LOGIN], signature="o"))
            self.assertEqual(unlocked, [LOGIN])
            self.assertNotEqual(prompt, "/")
            interface(prompt, "Prompt").Prompt("")
            until(lambda: completed)
            self.assertEqual(completed.pop(), (True, []))
            self.assertTrue(read(self.WORK, "Collection", "Locked"))


class Asked(WithPassphrase):
    """Where the user answers: the scripted pinentry of the test writes each question to the file `questions` in the
    folder LANYARD_SPECIFICATION_QUESTIONS, with its process, and takes its answer from the file `answer`."""
    RIGHT, WRONG, YES = "D a long passphrase\nOK\n", "D wrong\nOK\n", "OK\n"
    CANCEL = "ERR 83886179 Operation cancelled <Pinentry>\n"
    UNKNOWN = "org.freedesktop.DBus.Error.UnknownObject"
    SERVICE = interface(ROOT, "Service")

    def setUp(self):
        super().setUp()
        # Unlocking takes its time: not for each case.
        if not interface(self.WORK, "Collection").SearchItems(texts({})):
            self.lanyard("unlock", "--stdin")
            self.create(collection=self.WORK)
        self.item, = interface(self.WORK, "Collection").SearchItems(texts({}))
        self.folder = os.environ["LANYARD_SPECIFICATION_QUESTIONS"]
        self.known = len(self.lines())
        self.completed = []
        self.matches.append(self.follow_prompts(BUS))
        self.lock(self.WORK)

    def tearDown(self):
        # Its item stays.
        self.lock(self.WORK)
        for collection in read(ROOT, "Service", "Collections"):
            if collection.startswith(ROOT + "/collection/made"):
                self.delete(collection)
        super().tearDown()
        self.assertEqual(self.new_questions(), [], "not all questions were expected")
        self.assertFalse(os.path.exists(self.folder + "/answer"), "an answer was left")

    # What the user sees and does.

    def lines(self):
        try:
            with open(self.folder + "/questions") as lines:
                return lines.read().splitlines()
        except FileNotFoundError:
            return []

    def new_questions(self):
        return self.lines()[self.known:]

    def question(self, *words):
        """The process of the next question, which has to have these words."""
        self.assertTrue(until(self.new_questions), "no question")
        line = self.new_questions()[0]
        self.known += 1
        for word in words:
            self.assertIn(word, line)
        process = int(line.split()[0])
        self.assertTrue(runs(process))
        return process

    def answer(self, answer):
        with open(self.folder + "/new", "w") as file:
            file.write(answer)
        os.rename(self.folder + "/new", self.folder + "/answer")
        self.assertTrue(until(lambda: not os.path.exists(self.folder + "/answer")), "the answer was not taken")

    def is_gone(self, process):
        return until(lambda: not runs(process))

    # What clients do.

    def ask_to_unlock(self, *paths, service=SERVICE):
        unlocked, prompt = service.Unlock(dbus.Array(paths or [self.WORK], signature="o"))
        self.assertTrue(prompt.startswith(ROOT + "/prompt/"), prompt)
        return unlocked, prompt

    def follow_prompts(self, bus):
        return bus.add_signal_receiver(
            lambda dismissed, result, path: self.completed.append((path, bool(dismissed), result)),
            "Completed", PREFIX + "Prompt", path_keyword="path")

    def begin(self, prompt, bus=BUS):
        interface(prompt, "Prompt", bus).Prompt("")

    def ends(self, prompt, dismissed, result):
        """Whether a prompt ends so, once, and is gone."""
        until(lambda: any(path == prompt for path, _, _ in self.completed))
        BUS.call_blocking(NAME, ROOT, dbus.INTROSPECTABLE_IFACE, "Introspect", "", ())
        until(lambda: False, 0.05)
        ended = [(was_dismissed, value) for path, was_dismissed, value in self.completed if path == prompt]
        self.assertEqual(ended, [(dismissed, result)])
        value = ended[0][1]
        self.assertEqual((type(value), value.variant_level), (type(result), 1))
        if isinstance(result, dbus.Array):
            self.assertEqual(value.signature, "o")
        self.error(self.UNKNOWN, self.begin, prompt)

    def paths(self, *paths):
        return dbus.Array(paths, signature="o")

    def is_locked(self):
        return bool(read(self.WORK, "Collection", "Locked"))

    def create_collection(self, label, alias=""):
        properties = dbus.Dictionary({PREFIX + "Collection.Label": dbus.String(label)}, signature="sv")
        return self.SERVICE.CreateCollection(properties, alias)

    def made(self, label):
        """The path of a new collection."""
        collection, prompt = self.create_collection(label)
        self.assertEqual(collection, "/")
        self.begin(prompt)
        self.question("CONFIRM", "create the keychain")
        self.answer(self.YES)
        until(lambda: self.completed)
        path = dbus.ObjectPath(self.completed[-1][2])
        self.ends(prompt, False, path)
        self.completed = []
        return path

    def delete(self, collection):
        prompt = interface(collection, "Collection").Delete()
        self.begin(prompt)
        self.question("delete the keychain")
        self.answer(self.YES)
        self.ends(prompt, False, dbus.String(""))

    @contextlib.contextmanager
    def client(self):
        """Another client, which leaves in the end."""
        bus = dbus.bus.BusConnection(os.environ["DBUS_SESSION_BUS_ADDRESS"])
        bus.set_exit_on_disconnect(False)
        self.follow_prompts(bus)
        try:
            yield bus
        finally:
            bus.close()

    # Unlocking

    def test_the_right_passphrase_unlocks(self):
        unlocked, prompt = self.ask_to_unlock(self.WORK, LOGIN)
        self.assertEqual(unlocked, [LOGIN])
        self.assertEqual(self.new_questions(), [], "asked before the client wants it")
        self.begin(prompt)
        self.question("GETPIN", "'work'")
        self.assertTrue(self.is_locked())
        self.answer(self.RIGHT)
        self.ends(prompt, False, self.paths(self.WORK))
        self.assertFalse(self.is_locked())
        self.assertEqual(self.secret(self.item)[0], b"secret")
        self.assertEqual(self.SERVICE.Unlock(self.paths(self.WORK)), ([self.WORK], "/"))

    def test_an_item_is_unlocked_with_its_collection(self):
        _, prompt = self.ask_to_unlock(self.item)
        self.begin(prompt)
        self.question("GETPIN", "'work'")
        self.answer(self.RIGHT)
        self.ends(prompt, False, self.paths(self.item))
        self.assertFalse(read(self.item, "Item", "Locked"))
        self.await_signal("CollectionChanged", ROOT, self.WORK)

    def test_a_wrong_passphrase_is_asked_for_again(self):
        _, prompt = self.ask_to_unlock()
        self.begin(prompt)
        self.question("GETPIN")
        self.answer(self.WRONG)
        self.question("GETPIN", "wrong")
        self.assertEqual((self.completed, self.is_locked()), ([], True))
        self.answer(self.RIGHT)
        self.ends(prompt, False, self.paths(self.WORK))

    def test_the_user_refuses(self):
        _, prompt = self.ask_to_unlock(self.WORK, self.item)
        self.begin(prompt)
        self.question("GETPIN")
        self.answer(self.CANCEL)
        self.ends(prompt, True, self.paths())
        self.assertTrue(self.is_locked())

    def test_the_client_dismisses_a_prompt(self):
        _, prompt = self.ask_to_unlock()
        interface(prompt, "Prompt").Dismiss()
        self.ends(prompt, True, self.paths())
        _, prompt = self.ask_to_unlock()
        self.begin(prompt)
        process = self.question("GETPIN")
        interface(prompt, "Prompt").Dismiss()
        self.assertTrue(self.is_gone(process), "the question stays")
        self.ends(prompt, True, self.paths())
        self.assertTrue(self.is_locked())

    def test_a_prompt_asks_once(self):
        _, prompt = self.ask_to_unlock()
        for _ in range(3):
            self.begin(prompt)
        self.question("GETPIN")
        self.answer(self.RIGHT)
        self.ends(prompt, False, self.paths(self.WORK))

    def test_two_clients_want_the_same(self):
        with self.client() as bus:
            _, first = self.ask_to_unlock()
            _, second = self.ask_to_unlock(service=interface(ROOT, "Service", bus))
            self.assertNotEqual(first, second)
            self.begin(first)
            self.question("GETPIN")
            self.begin(second, bus)
            self.answer(self.RIGHT)
            self.ends(first, False, self.paths(self.WORK))
            # The second one is not asked for what is unlocked.
            self.ends(second, False, self.paths(self.WORK))

    def test_a_prompt_is_its_clients_alone(self):
        _, prompt = self.ask_to_unlock()
        with self.client() as bus:
            other = interface(prompt, "Prompt", bus)
            self.error(self.UNKNOWN, other.Prompt, "")
            self.error(self.UNKNOWN, other.Dismiss)
            self.begin(prompt)
            process = self.question("GETPIN")
            self.error(self.UNKNOWN, other.Dismiss)
        until(lambda: False, 0.1)
        self.assertFalse(self.completed)
        self.assertTrue(runs(process))
        self.answer(self.RIGHT)
        self.ends(prompt, False, self.paths(self.WORK))

    def test_the_question_of_a_client_that_is_gone_is_closed(self):
        with self.client() as bus:
            _, prompt = self.ask_to_unlock(service=interface(ROOT, "Service", bus))
            self.begin(prompt, bus)
            process = self.question("GETPIN")
        self.assertTrue(self.is_gone(process), "the question stays")
        self.assertTrue(self.is_locked())
        _, prompt = self.ask_to_unlock()
        self.begin(prompt)
        self.question("GETPIN")
        self.answer(self.RIGHT)
        self.ends(prompt, False, self.paths(self.WORK))

    # While a question is open

    def test_locking_while_a_question_is_open(self):
        _, prompt = self.ask_to_unlock()
        self.begin(prompt)
        self.question("GETPIN")
        self.assertEqual(self.lock(self.WORK, self.item), ([self.WORK, self.item], "/"))
        # Other collections are of use meanwhile.
        self.assertEqual(self.secret(self.create())[0], b"secret")
        self.answer(self.RIGHT)
        self.ends(prompt, False, self.paths(self.WORK))
        self.assertEqual(self.lock(self.WORK), ([self.WORK], "/"))
        self.assertTrue(self.is_locked())

    def test_unlocking_elsewhere_while_a_question_is_open(self):
        _, prompt = self.ask_to_unlock()
        self.begin(prompt)
        self.question("GETPIN")
        self.lanyard("unlock", "--stdin")
        self.assertTrue(until(lambda: not self.is_locked()))
        self.answer(self.CANCEL)
        # It tells what is unlocked, whoever has done that.
        self.ends(prompt, True, self.paths(self.WORK))

    def test_deleting_while_a_question_is_open(self):
        made = self.made("made")
        first, second = (interface(made, "Collection").Delete() for _ in range(2))
        self.begin(first)
        process = self.question("delete the keychain", "'made'")
        subprocess.run(["lanyard", "keychain", "delete", "made", "--yes"], check=True)
        self.await_signal("CollectionDeleted", ROOT, made)
        self.answer(self.YES)
        self.ends(first, True, dbus.String(""))
        self.begin(second)
        self.question("delete the keychain", "'made'")
        self.answer(self.YES)
        self.ends(second, True, dbus.String(""))
        self.error(PREFIX + "Error.NoSuchObject", interface(made, "Collection").Delete)
        self.assertTrue(self.is_gone(process))

    # Creating and deleting collections

    def test_a_collection_is_created(self):
        before = read(ROOT, "Service", "Collections")
        path = self.made("made: a 1st")
        self.await_signal("CollectionCreated", ROOT, path)
        self.assertEqual(set(read(ROOT, "Service", "Collections")) - set(before), {path})
        self.assertEqual(read(path, "Collection", "Label"), "made: a 1st")
        self.assertFalse(read(path, "Collection", "Locked"))
        item = self.create(collection=path)
        self.assertEqual(read(path, "Collection", "Items"), [item])
        # A label is not a name: another one has the same.
        other = self.made("made: a 1st")
        self.assertNotEqual(other, path)
        self.assertEqual(read(other, "Collection", "Label"), "made: a 1st")
        self.delete(path)
        self.await_signal("CollectionDeleted", ROOT, path)
        self.assertNotIn(path, read(ROOT, "Service", "Collections"))
        self.assertNotIn(item, self.SERVICE.SearchItems(texts(self.own))[0])
        with self.assertRaises(dbus.DBusException):
            read(item, "Item", "Label")

    def test_an_alias_that_exists_creates_nothing(self):
        before = read(ROOT, "Service", "Collections")
        for alias in "default", "login":
            self.assertEqual(self.create_collection("made", alias), (LOGIN, "/"))
        self.error("org.freedesktop.DBus.Error.NotSupported", self.create_collection, "made", "another")
        self.assertEqual(read(ROOT, "Service", "Collections"), before)

    def test_a_new_collection_becomes_the_default(self):
        made = self.made("made")
        try:
            self.SERVICE.SetAlias("default", made)
            self.assertEqual(self.SERVICE.ReadAlias("default"), made)
            self.assertTrue(self.create(collection=DEFAULT).startswith(made + "/"))
        finally:
            self.SERVICE.SetAlias("default", dbus.ObjectPath(LOGIN))

    def test_a_collection_that_is_not_wanted(self):
        before = read(ROOT, "Service", "Collections")
        _, prompt = self.create_collection("made")
        self.begin(prompt)
        self.question("CONFIRM", "'made'")
        self.answer(self.CANCEL)
        self.ends(prompt, True, dbus.ObjectPath("/"))
        _, prompt = self.create_collection("made")
        interface(prompt, "Prompt").Dismiss()
        self.ends(prompt, True, dbus.ObjectPath("/"))
        self.assertEqual(read(ROOT, "Service", "Collections"), before)

    def test_a_collection_that_is_not_to_go(self):
        item = self.create()
        prompt = interface(LOGIN, "Collection").Delete()
        self.begin(prompt)
        self.question("CONFIRM", "'login'")
        self.answer(self.CANCEL)
        self.ends(prompt, True, dbus.String(""))
        self.assertEqual(self.secret(item)[0], b"secret")


unittest.main()
