"""signaled.py PROGRAM: ends the service with a signal just when it has been idle and a client opens a session. Where
this comes together is up to the machine, so it is tried several times."""
import signal
import subprocess
import sys

from bus import *

ROUNDS = 10
# In seconds, without a client.
IDLE = 1


def main():
    for _ in range(ROUNDS):
        process = subprocess.Popen([sys.argv[1], f"--exit-when-idle={IDLE}"])
        bus = Bus()
        while not bus.bus("NameHasOwner", "s", SERVICE)[0]:
            time.sleep(0.01)
        # What comes while it is stopped, it finds at once.
        process.send_signal(signal.SIGSTOP)
        time.sleep(IDLE * 1.2)
        bus.send(ROOT, PREFIX + "Service", "OpenSession", "sv", "plain", Variant("s", ""))
        process.send_signal(signal.SIGTERM)
        process.send_signal(signal.SIGCONT)
        assert process.wait(LIMIT) == 0
        bus.close()


main()
