"""Lanyard as a backend of the Python library keyring, for twine, poetry, hatch and others.

~/.config/python_keyring/keyringrc.cfg names it:

    [backend]
    default-keyring = lanyard_keyring.Keyring
    keyring-path = /usr/lib/lanyard/python
"""

import json
import os
import shutil
import subprocess

from keyring import backend, credentials, errors

PROGRAM = "keyring-lanyard"

# In seconds: the user may have to type a passphrase.
TIME_LIMIT = 150


def _program():
    """The program of the same installation, else the one on the PATH."""
    prefix = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../..")
    found = shutil.which(os.path.join(prefix, "bin", PROGRAM)) or shutil.which(PROGRAM)
    if found is None:
        raise errors.InitError(f"{PROGRAM} is not on the PATH")
    return found


def _run(*arguments, password=None, error=errors.KeyringError):
    """What the program prints; None if it finds nothing."""
    try:
        ended = subprocess.run(
            [_program(), *arguments],
            # The program drops one final newline: the password may end in others.
            input=b"" if password is None else password.encode() + b"\n",
            capture_output=True,
            timeout=TIME_LIMIT,
        )
    except subprocess.TimeoutExpired:
        # Its own text has the arguments, and no one wants to read them.
        raise error(f"{PROGRAM} did not end within {TIME_LIMIT} seconds") from None
    except OSError as problem:
        raise error(f"{PROGRAM} can't be started: {problem.strerror}") from None
    if ended.returncode == 0:
        return ended.stdout
    reason = ended.stderr.decode(errors="replace").strip()
    if reason:
        raise error(reason)
    return None


class Keyring(backend.KeyringBackend):
    """The keychains of Lanyard's search list."""

    priority = 5

    def get_password(self, service, username):
        answer = _run("--output=json", "get", "--", service, username or "")
        return None if answer is None else json.loads(answer)["password"]

    def get_credential(self, service, username):
        answer = _run("--mode=creds", "--output=json", "get", "--", service, username or "")
        if answer is None:
            return None
        login = json.loads(answer)
        return credentials.SimpleCredential(login["username"], login["password"])

    def set_password(self, service, username, password):
        _run("set", "--", service, username, password=password, error=errors.PasswordSetError)

    def delete_password(self, service, username):
        answer = _run("del", "--", service, username, error=errors.PasswordDeleteError)
        if answer is None:
            raise errors.PasswordDeleteError("Password not found")
