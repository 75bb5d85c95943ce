"""A client of D-Bus in plain Python, for what ordinary clients never send. Its one connection is the caller's to
fill: calls can be sent without waiting, and bytes that are no message."""
import os
import select
import socket
import struct
import time

SERVICE = "org.freedesktop.secrets"
ROOT = "/org/freedesktop/secrets"
PREFIX = "org.freedesktop.Secret."
SIZES = {"y": 1, "b": 4, "n": 2, "q": 2, "i": 4, "u": 4, "x": 8, "t": 8, "d": 8}
ALIGNMENTS = {**SIZES, "s": 4, "o": 4, "g": 1, "a": 4, "(": 8, "{": 8, "v": 1}
FORMS = {"y": "B", "b": "I", "n": "h", "q": "H", "i": "i", "u": "I", "x": "q", "t": "Q", "d": "d"}
# The longest that a test waits for an answer or a signal, in seconds: machines are busy.
LIMIT = 60


class CallError(Exception):
    """An error that the other side answered with."""

    def __init__(self, name, text):
        super().__init__(f"{name}: {text}")
        self.name = name


def split(signature):
    """The complete types that a signature is made of."""
    types, index = [], 0
    while index < len(signature):
        end = type_end(signature, index)
        types.append(signature[index:end])
        index = end
    return types


def type_end(signature, index):
    if signature[index] == "a":
        return type_end(signature, index + 1)
    if signature[index] not in "({":
        return index + 1
    depth = 0
    while True:
        depth += {"(": 1, "{": 1, ")": -1, "}": -1}.get(signature[index], 0)
        index += 1
        if depth == 0:
            return index


class Variant:
    """A value with its type."""

    def __init__(self, signature, value):
        self.signature, self.value = signature, value


class Writer:
    def __init__(self):
        self.bytes = bytearray()

    def align(self, size):
        self.bytes += bytes(-len(self.bytes) % size)

    def write(self, kind, value):
        code = kind[0]
        self.align(ALIGNMENTS[code])
        if code in FORMS:
            self.bytes += struct.pack("<" + FORMS[code], value)
        elif code in "so":
            text = value.encode() if isinstance(value, str) else value
            self.bytes += struct.pack("<I", len(text)) + text + b"\0"
        elif code == "g":
            self.bytes += bytes([len(value)]) + value.encode() + b"\0"
        elif code == "v":
            self.write("g", value.signature)
            self.write(value.signature, value.value)
        elif code == "a":
            self.array(kind[1:], value)
        else:
            for part, element in zip(split(kind[1:-1]), value):
                self.write(part, element)

    def array(self, kind, values):
        place = len(self.bytes)
        self.bytes += bytes(4)
        self.align(ALIGNMENTS[kind[0]])
        start = len(self.bytes)
        if kind == "y":
            self.bytes += bytes(values)
        else:
            for value in values.items() if isinstance(values, dict) else values:
                self.write(kind, value)
        struct.pack_into("<I", self.bytes, place, len(self.bytes) - start)


class Reader:
    def __init__(self, data):
        self.data, self.index = data, 0

    def align(self, size):
        self.index += -self.index % size

    def read(self, kind):
        code = kind[0]
        self.align(ALIGNMENTS[code])
        if code in FORMS:
            value, = struct.unpack_from("<" + FORMS[code], self.data, self.index)
            self.index += SIZES[code]
            return value
        if code in "sog":
            size = self.read("y" if code == "g" else "u")
            self.index += size + 1
            return bytes(self.data[self.index - size - 1:self.index - 1]).decode()
        if code == "v":
            return self.read(self.read("g"))
        if code == "a":
            return self.array(kind[1:])
        return tuple(self.read(part) for part in split(kind[1:-1]))

    def array(self, kind):
        size = self.read("u")
        self.align(ALIGNMENTS[kind[0]])
        end = self.index + size
        if kind == "y":
            self.index = end
            return bytes(self.data[end - size:end])
        values = []
        while self.index < end:
            values.append(self.read(kind))
        return dict(values) if kind[0] == "{" else values


class Bus:
    """A connection to the bus."""

    def __init__(self, hello=True):
        path = os.environ["DBUS_SESSION_BUS_ADDRESS"].split("path=")[1].split(",")[0]
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.data, self.serial = bytearray(), 0
        self.answers, self.signals = {}, []
        self.socket.sendall(b"\0AUTH EXTERNAL " + str(os.getuid()).encode().hex().encode() + b"\r\n")
        assert self.socket.recv(100).startswith(b"OK ")
        self.socket.sendall(b"BEGIN\r\n")
        self.name = self.bus("Hello")[0] if hello else None

    def close(self):
        self.socket.close()

    def message(self, path, interface, member, signature="", *values, to=SERVICE, kind=1, flags=0, answers=None):
        """A message in bytes. Its number is in `serial`."""
        self.serial += 1
        body = Writer()
        for part, value in zip(split(signature), values):
            body.write(part, value)
        fields = [(1, Variant("o", path)), (3, Variant("s", member))]
        if interface:
            fields.append((2, Variant("s", interface)))
        if to:
            fields.append((6, Variant("s", to)))
        if kind == 3:
            fields.append((4, Variant("s", "x.Error")))
        if answers:
            fields.append((5, Variant("u", answers)))
        if signature:
            fields.append((8, Variant("g", signature)))
        head = Writer()
        for code, value in zip("yyyyuu", (ord("l"), kind, flags, 1, len(body.bytes), self.serial)):
            head.write(code, value)
        head.write("a(yv)", fields)
        head.align(8)
        return bytes(head.bytes + body.bytes)

    def send(self, *arguments, **options):
        """Sends a call, and returns its number."""
        self.socket.sendall(self.message(*arguments, **options))
        return self.serial

    def call(self, *arguments, **options):
        """Returns the values of the answer."""
        return self.wait(self.send(*arguments, **options))

    def bus(self, member, signature="", *values):
        return self.call(
            "/org/freedesktop/DBus", "org.freedesktop.DBus", member, signature, *values, to="org.freedesktop.DBus")

    def wait(self, serial, limit=LIMIT):
        end = time.monotonic() + limit
        while serial not in self.answers:
            if not self.receive(end - time.monotonic()):
                raise TimeoutError(f"no answer within {limit} s")
        name, values = self.answers.pop(serial)
        if name:
            raise CallError(name, values[0] if values else "")
        return values

    def receive(self, limit):
        """Takes what arrives within the limit; false if nothing does."""
        if not select.select([self.socket], [], [], max(limit, 0))[0]:
            return False
        received = self.socket.recv(1 << 20)
        if not received:
            raise ConnectionError("the bus has ended the connection")
        self.data += received
        while self.take():
            pass
        return True

    def take(self):
        if len(self.data) < 16:
            return False
        size, _, count = struct.unpack_from("<III", self.data, 4)
        start = 16 + count + -count % 8
        if len(self.data) < start + size:
            return False
        head = Reader(memoryview(bytes(self.data[:start])))
        head.index = 12
        fields = dict(head.read("a(yv)"))
        body = Reader(memoryview(bytes(self.data[start:start + size])))
        values = tuple(body.read(part) for part in split(fields.get(8, "")))
        kind = self.data[1]
        del self.data[:start + size]
        if kind in (2, 3):
            self.answers[fields[5]] = (fields.get(4) if kind == 3 else None, values)
        elif kind == 4:
            self.signals.append((fields[3], fields[1], values))
        return True

    # The Secret Service.

    def service(self, member, signature="", *values):
        return self.call(ROOT, PREFIX + "Service", member, signature, *values)

    def session(self):
        return self.service("OpenSession", "sv", "plain", Variant("s", ""))[1]

    def collection(self, member, signature="", *values, name="login"):
        return self.call(f"{ROOT}/collection/{name}", PREFIX + "Collection", member, signature, *values)

    def store(self, session, attributes, secret, replace=False, label="label", name="login"):
        """Stores an item, and returns its path."""
        return self.collection(
            "CreateItem", "a{sv}(oayays)b",
            {PREFIX + "Item.Label": Variant("s", label), PREFIX + "Item.Attributes": Variant("a{ss}", attributes)},
            (session, b"", secret, "text/plain"), replace, name=name)[0]

    def item(self, path, member, signature="", *values):
        return self.call(path, PREFIX + "Item", member, signature, *values)

    def secret(self, path, session):
        return self.item(path, "GetSecret", "o", session)[0][2]

    def get(self, path, interface, name):
        return self.call(path, "org.freedesktop.DBus.Properties", "Get", "ss", PREFIX + interface, name)[0]

    def set(self, path, interface, name, value):
        self.call(path, "org.freedesktop.DBus.Properties", "Set", "ssv", PREFIX + interface, name, value)

    def listen(self):
        """Has the bus send all signals of the service."""
        self.bus("AddMatch", "s", f"type='signal',sender='{SERVICE}'")

    def signal(self, member, limit=LIMIT, where=lambda path, values: True):
        """Waits for a signal, and returns its values."""
        end = time.monotonic() + limit
        while True:
            for index, (name, path, values) in enumerate(self.signals):
                if name == member and where(path, values):
                    del self.signals[index]
                    return values
            if not self.receive(end - time.monotonic()):
                raise TimeoutError(f"no signal {member} within {limit} s; there were {self.signals}")


def fails(name, body):
    """Expects an error of a name, its last part; returns its text."""
    try:
        result = body()
    except CallError as error:
        assert error.name.rsplit(".", 1)[1] in name.split("|"), f"{error}, not {name}"
        return str(error)
    raise AssertionError(f"no error {name}, but {result!r:.200}")


def service_process(bus):
    """The number of the service's process."""
    return bus.bus("GetConnectionUnixProcessID", "s", SERVICE)[0]


def memory(process):
    """What a process has in memory of its own, in bytes."""
    with open(f"/proc/{process}/smaps_rollup") as lines:
        return 1024 * sum(
            int(line.split()[1]) for line in lines if line.startswith(("Private_Dirty", "Swap:")))
