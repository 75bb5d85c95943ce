"""A folder for LANYARD_HOME, in which the real programs work, and what the independent reader says of
the keychain in it. The programs are those in LANYARD_BIN_DIR.
"""

import json
import os
import shutil
import sqlite3
import subprocess
import sys

import read_keychain

READER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "read_keychain.py")


def expect(condition, what):
    if not condition:
        raise SystemExit(f"independent reader: error: {what}")


def write_private(path, data):
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(data)


class Home:
    def __init__(self, path):
        self.path = path
        self.keychain = f"{path}/data/login.keychain"
        self.state = f"{path}/state"

    def run(self, program, *arguments, stdin=b"", given=None):
        """Runs a program, to which a file with a passphrase or a recovery key may be given."""
        environment = {
            "LANYARD_HOME": self.path,
            "LANYARD_NO_PROMPT": "1",
            "PATH": "/usr/bin:/bin",
            "LC_ALL": "C",
        }
        if given is not None:
            environment["LANYARD_PASSPHRASE_FILE"] = given
        return subprocess.run(
            [os.path.join(os.environ["LANYARD_BIN_DIR"], program), *arguments],
            input=stdin,
            capture_output=True,
            env=environment,
            timeout=60,
        )

    def succeeds(self, program, *arguments, stdin=b""):
        outcome = self.run(program, *arguments, stdin=stdin)
        expect(
            outcome.returncode == 0 and outcome.stderr == b"",
            f"{program} {arguments}: {outcome.returncode} {outcome.stderr}",
        )
        return outcome.stdout

    def copy(self, path):
        shutil.rmtree(path, ignore_errors=True)
        shutil.copytree(self.path, path)
        return Home(path)

    def database(self):
        database = sqlite3.connect(self.keychain, isolation_level=None)
        database.execute("PRAGMA synchronous=OFF")
        return database

    def keybag(self):
        """The key bag, taken apart."""
        (data,) = self.database().execute("SELECT keybag FROM keychain").fetchone()
        return read_keychain.Keybag(data)

    def machine_key(self):
        return read_keychain.read_private(f"{self.state}/machine-key")

    def anchor(self):
        """What was last seen of the keychain."""
        return read_keychain.Anchor(read_keychain.read_private(f"{self.state}/login.anchor"))

    def write_anchor(self, anchor):
        write_private(f"{self.state}/login.anchor", anchor.encoded())

    def read(self, given=None):
        """What the reader prints, the last line apart."""
        arguments = [READER, self.keychain, self.state] + ([] if given is None else [given])
        outcome = subprocess.run([sys.executable, "-B", *arguments], capture_output=True, timeout=60)
        expect(outcome.returncode == 0, f"the reader refuses: {outcome.stderr.decode()}")
        *items, last = map(json.loads, outcome.stdout.decode().splitlines())
        return items, last

    def refusal(self, given=None):
        """What the reader says against the keychain, None if nothing; given are bytes."""
        try:
            read_keychain.read(self.keychain, self.state, given)
        except read_keychain.Refused as refusal:
            return str(refusal)
        return None
