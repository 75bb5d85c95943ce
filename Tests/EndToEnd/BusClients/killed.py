"""killed.py CLIENTS SECONDS [keep]: so many clients at once store, change, read and delete items while the service is
killed every two seconds, if not told to keep it, and started again by the bus. Every item whose change was answered
has to be there afterwards, and no client may wait longer than PATIENCE."""
import os
import random
import signal
import sys

from bus import *

# In seconds. By hand, on a machine with nothing else to do, 5 is enough.
PATIENCE = float(os.environ.get("LANYARD_TEST_PATIENCE", LIMIT))
# What a client sees of the death of the service.
GONE = {"NoReply", "NoSession", "UnknownObject", "UnknownMethod", "ServiceUnknown", "NameHasNoOwner"}


class Client:
    """One client. What it knows of its items is certain, or either of two states where a call was not answered."""

    def __init__(self, number, end):
        self.number, self.end = number, end
        self.random = random.Random(number)
        self.known, self.longest, self.answered = {}, 0, 0

    def run(self):
        self.bus = Bus()
        self.connect()
        while time.monotonic() < self.end:
            name = f"{self.number}-{self.random.randrange(8)}"
            start = time.monotonic()
            try:
                self.step(name)
                self.answered += 1
            except CallError as error:
                if error.name.rsplit(".", 1)[1] not in GONE:
                    raise
                self.wait_for(start)
                self.connect()
            self.wait_for(start)
        return self.known, self.longest, self.answered

    def wait_for(self, start):
        self.longest = max(self.longest, time.monotonic() - start)

    def connect(self):
        while True:
            try:
                self.session = self.bus.session()
                return
            except CallError as error:
                if error.name.rsplit(".", 1)[1] not in GONE | {"ChildExited", "ChildSignaled", "TimedOut"}:
                    raise

    def step(self, name):
        attributes = {"service": "killed", "account": name}
        state = self.known.get(name, {None})
        if self.random.random() < 0.2:
            found = self.bus.service("SearchItems", "a{ss}", attributes)[0]
            if found:
                self.known[name] = state | {None}
                self.bus.item(found[0], "Delete")
                self.known[name] = {None}
        elif self.random.random() < 0.5:
            found = self.bus.service("SearchItems", "a{ss}", attributes)[0]
            secrets = set(self.bus.service("GetSecrets", "aoo", found, self.session)[0].values())
            read = {secret[2].decode() for secret in secrets} or {None}
            assert len(read) == 1 and read <= state, f"{name} is {read}, not {state}"
            self.known[name] = read
        else:
            secret = f"{name} {time.monotonic()}"
            self.known[name] = state | {secret}
            self.bus.store(self.session, attributes, secret.encode(), replace=True)
            self.known[name] = {secret}


def in_children(count, end):
    """Runs that many clients in processes of their own, and yields what they return."""
    pipes = []
    for number in range(count):
        reading, writing = os.pipe()
        if os.fork() == 0:
            status = 1
            try:
                os.close(reading)
                with os.fdopen(writing, "w") as pipe:
                    pipe.write(repr(Client(number, end).run()))
                status = 0
            finally:
                os._exit(status)
        os.close(writing)
        pipes.append(reading)
    return pipes


def main():
    count, seconds = int(sys.argv[1]), float(sys.argv[2])
    bus = Bus()
    bus.session()
    end = time.monotonic() + seconds
    pipes = in_children(count, end)
    kills = 0
    while time.monotonic() < end:
        time.sleep(min(2, max(0, end - time.monotonic())))
        if "keep" not in sys.argv:
            try:
                os.kill(service_process(bus), signal.SIGKILL)
                kills += 1
            except CallError:
                pass
    known, longest, answered = {}, 0, 0
    for pipe in pipes:
        with os.fdopen(pipe) as lines:
            own, waited, calls = eval(lines.read())
            known.update(own)
            longest, answered = max(longest, waited), answered + calls
    for _ in range(count):
        assert os.wait()[1] == 0
    # The service that is there now, or a new one.
    for attempt in range(3):
        try:
            session = bus.session()
            break
        except CallError:
            pass
    for name, state in known.items():
        found = bus.service("SearchItems", "a{ss}", {"service": "killed", "account": name})[0]
        read = {bus.secret(path, session).decode() for path in found} or {None}
        assert len(read) == 1 and read <= state, f"{name} is {read}, not {state}"
    print(f"{count} clients had {answered} answers, {kills} times it was killed; the longest wait was {longest:.2f} s")
    assert answered > count and longest < PATIENCE, longest


main()
