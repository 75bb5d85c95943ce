"""Takes the place of a mock of libsecret's tests: prints the name of the real service, and is the user who answers its
questions, each with yes and the right passphrase, until a signal ends it."""
import json
import os
import socket
import subprocess
import sys

import dbus

PASSPHRASE = os.environ["PASSPHRASE_FILE"]
COMMANDS = {
    "unlock": lambda name: ["unlock", "--keychain", name, "--stdin"],
    "create": lambda name: ["keychain", "create", name],
    "delete": lambda name: ["keychain", "delete", name, "--yes"],
}


def main():
    # What the last test unlocked is so for all copies of its keychains.
    subprocess.run([os.environ["LANYARD"], "lock", "--all"], stdout=sys.stderr, check=True)
    for name in ["english"] + ["lockone"] * sys.argv[0].endswith("-lock.py"):
        answer("unlock", name)
    folder = os.path.join(os.environ["XDG_RUNTIME_DIR"], "lanyard", "secret-service")
    os.makedirs(folder, mode=0o700, exist_ok=True)
    os.chmod(os.path.dirname(folder), 0o700)
    agent = socket.socket(socket.AF_UNIX)
    os.umask(0o077)
    agent.bind(os.path.join(folder, f"agent-{os.getpid()}.socket"))
    agent.listen(5)
    print(dbus.SessionBus().get_name_owner("org.freedesktop.secrets"), flush=True)
    while True:
        client, _ = agent.accept()
        with client, client.makefile("rw") as stream:
            request = json.loads(stream.readline())
            is_done = answer(request["ask"], request["keychain"])
            stream.write(json.dumps({"result": "done" if is_done else "dismissed"}) + "\n")


def answer(ask, name):
    with open(PASSPHRASE, "rb") as passphrase:
        return subprocess.run(
            [os.environ["LANYARD"], *COMMANDS[ask](name)], stdin=passphrase, stdout=sys.stderr,
            check=False).returncode == 0


main()
