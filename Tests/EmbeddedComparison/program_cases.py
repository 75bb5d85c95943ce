"""Programs that helpers work with: plugins, the Secret Service, presence programs, teams' servers, pam_exec."""
import contextlib
import json
import os
import pwd
import shutil
import subprocess
import sys
import time

from bench import Call, Case, files
from keychain_cases import CHANGES, PASSPHRASE
from tool_cases import GETS, LISTS, LOGINS

GIT, DOCKER = "git-credential-lanyard", "docker-credential-lanyard"
LOGIN = b"protocol=https\nhost=a.example\nusername=ada\n"
# Faults of Tests/Keychain/KeychainPlugin/Plugins/faulty.py that end at once.
FAULTS = [
    "no JSON", "empty line", "no object", "other id", "no id", "neither", "both", "array", "null", "wrong types",
    "nothing in it", "success as error", "error is a text", "too deep", "other version", "refuses version",
    "bad reference", "negative count", "no secret", "other item", "too many items", "empty walk", "bad secret",
    "prompts twice", "dies", "dies in a line", "closes its output", "huge line", "never stops talking",
]


def make_plugin(bench, root):
    """The example of a plugin, and one with faults."""
    plugins = root / "Tests/Keychain/KeychainPlugin/Plugins"
    for name in ("lanyard-keychain-example", "faulty.py"):
        script = (plugins / name).read_text().replace("#!/usr/bin/python3 ", f"#!{sys.executable} ")
        bench.write(f"plugins/{name}", script, 0o700)
    bench.write("l/config/config", f"""[keychain "example"]
\tkind = example
\tplugin = {bench.home}/plugins/lanyard-keychain-example
\tfile = {bench.home}/plugins/example.json
[keychain "faulty"]
\tkind = faulty
\tplugin = {bench.home}/plugins/faulty.py
""")
    for tool in ("git", "docker", "cargo", "nuget"):
        bench.set_up(
    "lanyard",
    "set",
    "--keychain",
    "example",
    "--stdin",
    "--for",
    *LOGINS[tool][0],
     input=tool.encode())
    bench.set_up("lanyard", "keychain", "search-list", "example", "login")


def plugin_cases(bench):
    """A plugin that works, and one that breaks the protocol."""
    yield Case("the example", GETS + CHANGES, "plugin", reads=[*GETS, *LISTS])
    for method in ("hello", "match"):
        for fault in FAULTS + (["hangs", "stops", "trickles"] if method == "match" else []):
            def prepare(method=method, fault=fault):
                bench.write("plugins/fault", f"{method}\n{fault}\n")

            yield Case(f"{method}: {fault}", [Call(GIT, ("--keychain", "faulty", "get"), LOGIN)], "plugin", prepare)
    yield Case("a missing plugin", [GETS[0], GETS[1], *CHANGES[:2]], "plugin",
               lambda: (bench.home / "plugins/lanyard-keychain-example").unlink())
    yield Case("a plugin of others", [GETS[0], GETS[1], *CHANGES[:2]], "plugin",
               lambda: (bench.home / "plugins/lanyard-keychain-example").chmod(0o777))


@contextlib.contextmanager
def secret_service(bench):
    """gnome-keyring on a bus of its own, with its files in the home."""
    address = f"unix:path={bench.work}/bus"
    folder = bench.home / "server"
    folder.mkdir(mode=0o700, exist_ok=True)
    environment = {
        "PATH": "/usr/bin:/bin", "HOME": str(folder), "XDG_RUNTIME_DIR": str(folder), "XDG_DATA_HOME": str(folder),
        "DBUS_SESSION_BUS_ADDRESS": address}
    quiet = {"env": environment, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    programs = [subprocess.Popen(["dbus-daemon", "--session", "--nofork",
                                 f"--address={address}"], stdin=subprocess.DEVNULL, **quiet)]
    try:
        def answers(*words):
            return subprocess.run(["dbus-send", f"--bus={address}", "--print-reply", *words], timeout=30, check=False,
                                  env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        bus = (
    "--dest=org.freedesktop.DBus",
    "/",
    "org.freedesktop.DBus.NameHasOwner",
     "string:org.freedesktop.secrets")
        wait_for(lambda: answers(*bus))
        daemon = subprocess.Popen(["gnome-keyring-daemon", "--foreground", "--components=secrets", "--unlock"],
                                  stdin=subprocess.PIPE, **quiet)
        programs.append(daemon)
        daemon.stdin.write(b"password")
        daemon.stdin.close()
        wait_for(lambda: b"true" in answers(*bus))
        wait_for(lambda: b"boolean false" in answers(
            "--dest=org.freedesktop.secrets", "/org/freedesktop/secrets/aliases/default",
            "org.freedesktop.DBus.Properties.Get", "string:org.freedesktop.Secret.Collection", "string:Locked"))
        yield {"DBUS_SESSION_BUS_ADDRESS": address}
    finally:
        for program in reversed(programs):
            program.terminate()
            program.wait(30)
        with contextlib.suppress(FileNotFoundError):
            os.unlink(f"{bench.work}/bus")


def wait_for(condition, seconds=20):
    """Returns whether a condition becomes true."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def service_cases(bench):
    """The Secret Service, as gnome-keyring offers it. Nothing where it is not installed."""
    missing = [name for name in ("gnome-keyring-daemon", "dbus-daemon", "dbus-send") if not shutil.which(name)]
    if not (bench.work / bench.builds[0] / "lanyard-keychain-secret-service").exists():
        missing.append("lanyard-keychain-secret-service")
    if missing:
        print(f"skipped: the Secret Service: there is no {missing[0]}")
        return
    stored = {"SECRET_ID": "ada", "VAULT_ADDR": "https://a.example:8200"}
    calls = [
        Call(GIT, ("store",), LOGIN + b"password=first\n"), Call(GIT, ("store",),
             LOGIN + b"password=second\n"), Call(GIT, ("get",), LOGIN),
        Call(
    DOCKER, ("store",), b'{"ServerURL":"a.example","Username":"ada","Secret":"\\u00e9"}'), Call(
        DOCKER, ("list",)),
        Call(
    "cargo-credential-lanyard",
    ("--cargo-plugin",
    ),
    LOGINS["cargo"][1].input.replace(
        b'"get"',
        b'"login"')[
            :-
            2] +
             b',"token":"t"}\n'),
        Call("keyring-lanyard", ("set", "https://a.example/simple", "ada"), b"pw\n"),
        Call("terraform-credentials-lanyard", ("store", "a.example"), b'{"token":"t"}'),
        Call("vault-token-lanyard", ("store",), b"token",
             stored), Call("podman-secret-lanyard", ("store",), b"secret", stored),
    ]
    yield Case("gnome-keyring", calls + GETS, around=lambda: secret_service(bench), reads=[*GETS, *LISTS])
    erasing = [Call(GIT, ("erase",), LOGIN), Call(DOCKER, ("erase",), b"a.example")]
    yield Case("erasing", [*calls, *CHANGES, *erasing, *GETS],
               around=lambda: secret_service(bench), reads=[*GETS, *LISTS])
    yield Case("no bus", [*GETS[:2], calls[0], GETS[0]], "plugin", around=lambda: contextlib.nullcontext(
        {"DBUS_SESSION_BUS_ADDRESS": "unix:path=/missing"}))


# Gives the answers of the file `presence`, or right ones.
PRESENCE = """#!/bin/sh
read -r request
echo '{"message":"touch it"}'
printf '%s\\n' "$request" >>"$HOME/asked"
[ ! -e "$HOME/presence" ] || exec cat "$HOME/presence"
case $request in
*'"method":"check"'*) echo '{}' ;;
*'"method":"enroll"'*) echo '{"enrollment":"AQI=","name":"a key","secret":"MDEyMzQ1Njc4OWFiY2RlZg=="}' ;;
*) echo '{"index":0,"secret":"MDEyMzQ1Njc4OWFiY2RlZg=="}' ;;
esac
"""


def make_presence(bench):
    bench.set_up("lanyard", "set", "x", "--stdin", input=b"secret")
    bench.set_up("lanyard", "presence", "add", "--program", "test", "--name", "one")
    for tool in ("git", "docker", "terraform"):
        bench.set_up("lanyard", "set", "--stdin", "--ask", "--for", *LOGINS[tool][0], input=b"asks")
    bench.set_up("lanyard", "lock")


def presence_cases(bench):
    """A scripted presence program."""
    asking = [GETS[0], GETS[0], GETS[1], GETS[6]]
    yield Case("a touch", asking, "presence", unlocks=True)
    yield Case("a touch, one at a time", [GETS[6]], "presence", unlocks=True)
    for answer in (
        '{"error":{"status":-128,"reason":"no","hint":"yes"}}', '{"error":{"status":-25291,"reason":"none is here"}}',
        '{"error":{"status":-25300}}', '{"error":{"status":-25308}}', "{}", "nonsense", "", "{",
        '{"index":7,"secret":"MDEyMzQ1Njc4OWFiY2RlZg=="}',
        '{"index":0,"secret":"MDEyMzQ1Njc4OWFiY2RlZA=="}', '{"index":0,"secret":"MDEy"}', '{"index":0}',
        '{"message":"x\\u001b[31m"}\n{}',
    ):
        yield Case(f"the answer '{answer}'", [GETS[0], GETS[1]], "presence",
                   lambda answer=answer: bench.write("presence", answer + "\n"), unlocks=True)


def make_repository(bench):
    subprocess.run(["git", "init", "-q", "--bare", bench.home / "server"], check=True, timeout=30)


def make_team(bench, server):
    """Two devices of a team, the second one with the data folder `l2`."""
    second = {"LANYARD_HOME": f"{bench.home}/l2"}
    work = ("--keychain", "work")
    address = str(bench.home / "server")
    if server == "repository":
        make_repository(bench)
        address = f"file://{address}"
    else:
        (bench.home / "server").mkdir(mode=0o700)
    bench.set_up("lanyard", "keychain", "create", "work")
    bench.set_up("lanyard", "team", "create", address, "--person", "ada", "--device", "one", *work)
    invitation = bench.set_up("lanyard", "team", "invite", *work).decode().split()
    code = invitation[invitation.index("--keychain") - 1]
    bench.set_up("lanyard", "keychain", "create", "work", **second)
    own = bench.set_up(
    "lanyard",
    "team",
    "join",
    address,
    code,
    "--person",
    "eve",
    "--device",
    "two",
    *work,
     **second).decode().strip()
    bench.set_up("lanyard", "team", "approve", own, "--role", "member", *work)
    bench.set_up("lanyard", "team", "sync", *work, **second)


def team_cases(bench):
    """The hand-over after a store: another device has the login then."""
    second = {"LANYARD_HOME": f"{bench.home}/l2"}
    work = ("--keychain", "work")
    get = Call(GIT, (*work, "get"), LOGIN)
    get_there = Call(GIT, (*work, "get"), LOGIN, second)
    sync, sync_there = Call("lanyard", ("team", "sync", "--quiet", *work)), Call("lanyard",
                            ("team", "sync", "--quiet", *work), b"", second)

    state = {}

    def contents():
        return {path: content for path, (_, content) in files(bench.home).items() if path.startswith(("server", "l"))}

    def remember():
        """Remembers what the devices and the server have."""
        state["files"] = contents()
        return {}

    def handed_over():
        """Waits until the exchange in the background has changed something, and rests."""
        last, rests = state["files"], 0
        end = time.monotonic() + 20
        while time.monotonic() < end and rests < 10:
            time.sleep(0.05)
            now = contents()
            rests = rests + 1 if now == last != state["files"] else 0
            last = now
        state["files"] = last
        return {"status": "handed over" if rests else "nothing was handed over"}

    for server in ("folder", "repository"):
        yield Case(server, [
            remember, Call(GIT, (*work, "store"), LOGIN + b"password=first\n"), handed_over, sync_there, get_there,
            Call(GIT, (*work, "store"), LOGIN + b"password=second\n", second), handed_over, sync, get,
            Call(DOCKER, (*work, "store"), b'{"ServerURL":"a.example","Username":"ada","Secret":"s"}'), handed_over,
            Call(GIT, (*work, "erase"), LOGIN), handed_over, sync_there, get_there,
            Call(DOCKER, (*work, "get"), b"a.example", second), Call(DOCKER, (*work, "list"), b"", second),
        ], f"team-{server}", reads=[get, get_there, Call(DOCKER, (*work, "get"), b"a.example"),
                                 Call("lanyard", ("list", "--json", *work)), Call("lanyard", ("verify", *work))])


def login_cases(bench):
    """lanyard-pam with right and wrong passwords."""
    user = pwd.getpwuid(os.geteuid()).pw_name

    def step(kind, password=b"", words=(), **variables):
        return Call("lanyard-pam", words, password, {"PAM_TYPE": kind,
                    "PAM_SERVICE": "login", "PAM_USER": user, **variables})

    session = step("open_session")
    get = GETS[0]
    for password in (b"another password", b"", PASSPHRASE + b"\n\n", PASSPHRASE + \
                     b"\0", PASSPHRASE, PASSPHRASE + b"\n", b"x" * 70_000):
        yield Case(f"the password {password[:20]!r}, {len(password)} bytes", [
            step("auth", password), get, session, get, step("auth", password), step("close_session"), get],
            "locked", unlocks=True)
    for service in ("sudo", "other", ""):
        yield Case(f"the service '{service}'", [
            step("auth", PASSPHRASE, PAM_SERVICE=service), step("open_session", PAM_SERVICE=service), get,
            step("auth", PASSPHRASE, ("--service", "other"), PAM_SERVICE=service),
            step("open_session", b"", ("--service", "other"), PAM_SERVICE=service), get], "locked", unlocks=True)
    for name in ("no-such-user", "root:x:0", "+", ""):
        yield Case(f"the user '{name}'", [
            step("auth", PASSPHRASE, PAM_USER=name), step("open_session", PAM_USER=name), get], "locked", unlocks=True)
    yield Case("other types", [step(kind, PASSPHRASE) for kind in ("setcred", "acct", "", "nonsense")] + [
        Call("lanyard-pam", (), PASSPHRASE), step("auth", PASSPHRASE, ("--service",)),
        step("auth", PASSPHRASE, ("get",))],
        "locked", unlocks=True)
    yield Case("no passphrase, no keychain", [step("auth", PASSPHRASE), session], "logins")
    yield Case("no keychain", [step("auth", PASSPHRASE), session])


def lines(*requests):
    return b"".join((request if isinstance(request, bytes) else json.dumps(
        request).encode()) + b"\n" for request in requests)


def transport_cases(bench):
    """The transports' and the security key's programs, asked as Lanyard asks them, and otherwise."""
    hello = {"id": 1, "method": "hello", "timeout": 20000, "versions": [1], "address": str(bench.home / "server"),
             "folder": str(bench.home / "server-of-one"), "team": "0" * 30 + "63"}
    record = {"id": "0" * 31 + "1", "version": 0, "content": "AQI="}
    changes = {"id": 9, "method": "changes", "timeout": 20000, "sequence": 0, "rosterCount": 0}
    work = [{"method": "head"}, {"method": "create"},
            {"method": "putRoster", "sequence": 0, "rosterCount": 0, "roster": ["AQI="]},
            {"method": "head"}, {"method": "put", "rosterCount": 1, "records": [record]}, {
                "method": "put", "rosterCount": 1, "records": [record]},
            {"method": "put", "rosterCount": 1, "records": [
                {**record, "version": 1, "content": "Aw=="}]}, {"method": "record", "record": record["id"]},
            {"method": "record", "record": "0" * 32}, {"method": "create", "accounts": ["eve"]},
            {"method": "nonsense"}, {}]
    requests = lines(hello, *({"id": number, "timeout": 20000, **request}
                     for number, request in enumerate(work, 2)), changes)
    yield Case("a repository", [Call("lanyard-sync-git", (), requests)], "repository",
               reads=[Call("lanyard-sync-git", (), lines({**hello, "folder": f"{bench.home}/server-of-two"}, changes))])
    wrong = [
        lines(hello, changes), lines({**hello, "versions": [2]}), lines({**
              hello, "address": "https://ada:pw@127.0.0.1:1/x"}, changes),
        lines({**hello, "address": "https://127.0.0.1:1/x"}, changes), lines({**
              hello, "address": "postgres://ada:pw@127.0.0.1:1/x"}, changes),
        lines({**hello, "address": "postgres://ada@127.0.0.1:1/x"},
              changes), lines({**hello, "address": "--upload-pack=x"}, changes),
        lines({**hello, "address": "ssh://-oProxyCommand=x/"}, changes), lines({**
              hello, "team": "x"}), lines({**hello, "folder": "relative"}),
        lines(changes), lines({}), b"", b"{", b"\0\n", b"[]\n", b"\xff\n", b"{" * \
              100 + b"\n", lines({**hello, "id": "1"}), lines(hello, hello),
        lines(hello, {**changes, "sequence": -1}), lines(hello, {**changes,
              "sequence": 1e9}), b'{"id":1,"id":1}\n', b" " * (17 << 20) + b"\n",
    ]
    for program in ("lanyard-sync-git", "lanyard-sync-postgresql"):
        yield Case(f"{program}, other requests", [Call(program, (), request) for request in wrong])
    enrollments = [{}, {"enrollments": []}, {"enrollments": ["AQI="]}, {"enrollments": ["!"]}, {"enrollments": "AQI="}]
    touches = [{"version": version, "method": method, "timeout": 1000, **more} for version in (1, 2)
               for method in ("check", "enroll", "prove", "nonsense") for more in enrollments]
    yield Case("lanyard-presence-fido2", [
        Call("lanyard-presence-fido2", (), lines(request)) for request in [*touches, *wrong[9:]]])
