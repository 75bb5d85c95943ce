"""idle.py: calls to a service that the bus starts and that ends as soon as it is idle. Each has to be answered."""
import sys

from bus import *


def main():
    processes = set()
    kept = Bus()
    end, rounds = time.monotonic() + float(sys.argv[1]), 0
    while time.monotonic() < end:
        bus = Bus()
        rounds += 1
        # Around the time at which it ends, more or less.
        time.sleep(rounds % 50 / 200)
        session = bus.session()
        path = bus.store(session, {"service": "S"}, str(rounds).encode(), replace=True)
        assert bus.secret(path, session) == str(rounds).encode()
        processes.add(service_process(bus))
        bus.close()
        for _ in range(rounds % 5):
            assert kept.service("ReadAlias", "s", "login") == (ROOT + "/collection/login",)
            time.sleep(rounds % 7 / 50)
    # A session keeps it there.
    session = kept.session()
    process = service_process(kept)
    time.sleep(1)
    assert kept.secret(path, session) == str(rounds).encode()
    assert service_process(kept) == process
    kept.close()
    for _ in range(3_000):
        if not os.path.exists(f"/proc/{process}"):
            break
        time.sleep(0.02)
    else:
        raise AssertionError("it does not end")
    print(f"{rounds} rounds with {len(processes)} processes")
    assert len(processes) > 2


main()
