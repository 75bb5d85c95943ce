"""Questions to the user: by a pinentry, by an askpass program, and at a terminal."""
from bench import Call, Case
from keychain_cases import PASSPHRASE
from tool_cases import GETS, KEYGRIP, cargo_request

# Answers a question with what is in the next file `answer-N`, or the last
# one; ends if that is empty. Notes what it reads.
PINENTRY = """#!/bin/sh
echo "OK Pleased to meet you"
number=0
while read -r line; do
    printf '%s\\n' "$line" >>"$HOME/asked"
    case $line in
    GETPIN | CONFIRM*)
        [ ! -e "$HOME/answer-$number" ] || answer=$HOME/answer-$number
        number=$((number + 1))
        [ -s "$answer" ] || exit
        cat "$answer"
        ;;
    BYE) echo OK; exit ;;
    *) echo OK ;;
    esac
done
"""
ASKPASS = """#!/bin/sh
printf '%s\\n' "$1" >>"$HOME/asked"
number=0
while read -r _; do number=$((number + 1)); done <"$HOME/asked"
[ ! -e "$HOME/answer-$number" ] || exec cat "$HOME/answer-$number"
exit 1
"""
TRUST = Call("git-credential-lanyard", ("get",), b"protocol=https\nhost=trust.example\n\n")
UNSTORED = Call("askpass-lanyard", ("eve@other.example's password: ",))
CARGO_LOGIN = Call("cargo-credential-lanyard", ("--cargo-plugin",), cargo_request("login"))
GPG = Call("pinentry-lanyard", (), f"SETDESC Please%0Aunlock\nSETKEYINFO n/{'B' * 40}\nGETPIN\nCONFIRM\nBYE\n".encode())
GPG_LOCKED = Call("pinentry-lanyard", (), f"SETKEYINFO n/{KEYGRIP}\nGETPIN\nBYE\n".encode())
# Some of the helpers: each of them asks by the same functions.
ASKING = [GETS[0], GETS[1], GETS[4], GETS[5], GETS[7], GETS[9], GETS[15], GPG_LOCKED, GETS[2]]


def at(call, steps=None, **variables):
    """The same call, at a terminal or with further variables."""
    return Call(call.program, call.arguments, call.input, {**call.variables, **variables}, steps)


def pinentry_cases(bench):
    """A scripted pinentry, with a display, with a terminal, and with neither."""
    good = b"D %s\nOK\n" % PASSPHRASE
    wrong = b"D wrong\nOK\n"

    def prepare(*answers):
        def run():
            bench.write("bin/pinentry", PINENTRY, 0o700)
            for number, answer in enumerate(answers):
                bench.write(f"answer-{number}", answer)
        return run

    for name, answers in [
        ("right", [good]), ("wrong, right", [wrong, good]), ("always wrong", [wrong]),
        ("cancelled", [b"ERR 83886179 Operation cancelled <Pinentry>\n"]), ("timeout", [b"ERR 83886142 Timeout\n"]),
        ("no answer", [b"OK\n"]), ("nonsense", [b"nonsense\n"]), ("ends",
         [b""]), ("escaped", [b"D %74%68e right%20passphrase\nOK\n"]),
        ("status lines", [b"S PASSWORD_FROM_CACHE\n# comment\n" + good]), ("long", [b"D " + b"x" * 3000 + b"\nOK\n"]),
        ("not confirmed", [b"ERR 83886194 Not confirmed\n"]),
    ]:
        some = ASKING if name in ("right", "cancelled") else ASKING[:1]
        yield Case(name, [at(call, DISPLAY=":99") for call in some], "locked", prepare(*answers), unlocks=True)
        yield Case(f"{name}, trust", [at(TRUST, DISPLAY=":99"), at(GPG, DISPLAY=":99"), at(UNSTORED, DISPLAY=":99"),
                                      at(CARGO_LOGIN, DISPLAY=":99")], "logins", prepare(*answers))
        yield Case(f"{name}, at a terminal", [at(GETS[0], ((b"passphrase", b"\3"),))], "locked", prepare(*answers),
                   unlocks=True)
    yield Case("no display", ASKING + [TRUST, GPG, UNSTORED], "locked", prepare(good), unlocks=True)
    yield Case("no prompts", [at(call, DISPLAY=":99", LANYARD_NO_PROMPT="1") for call in ASKING], "locked",
               prepare(good))


def askpass_cases(bench):
    """A scripted askpass program."""
    def prepare(*answers, mode=0o700):
        def run():
            bench.write("askpass", ASKPASS, mode)
            for number, answer in enumerate(answers, 1):
                bench.write(f"answer-{number}", answer)
        return run

    askpass = str(bench.home / "askpass")
    good = PASSPHRASE + b"\n"
    for name, answers in [
        ("right", [good]), ("no line feed", [PASSPHRASE]), ("wrong, right",
         [b"wrong\n", good]), ("always wrong", [b"wrong\n"] * 9),
        ("fails", []), ("empty", [b""]), ("two lines", [good + b"more\n"]),
        ("NUL", [b"a\0b\n"]), ("long", [b"x" * 70_000]),
        ("yes", [b"yes\n"]), ("no", [b"no\n"]),
    ]:
        for call in ASKING if name == "right" else ASKING[:1]:
            yield Case(f"{name}, {call}", [at(call, LANYARD_ASKPASS=askpass)], "locked", prepare(*answers),
                       unlocks=True)
        yield Case(f"{name}, other questions", [
            at(call, LANYARD_ASKPASS=askpass) for call in (TRUST, GPG, UNSTORED, CARGO_LOGIN)], "logins",
            prepare(*answers))
    yield Case("not executable", [at(GETS[0], LANYARD_ASKPASS=askpass)], "locked", prepare(good, mode=0o600))
    yield Case("writable for all", [at(GETS[0], LANYARD_ASKPASS=askpass)], "locked",
               prepare(good, mode=0o777), unlocks=True)
    yield Case("missing", [at(GETS[0], LANYARD_ASKPASS="/missing"), at(GETS[0], LANYARD_ASKPASS="relative")], "locked")
    yield Case("no prompts", [at(GETS[0], LANYARD_ASKPASS=askpass, LANYARD_NO_PROMPT="1")], "locked", prepare(good))


def terminal_cases(bench):
    """What is typed at a terminal. The screens are compared."""
    asked = b"passphrase for the keychain 'login': "
    good = (asked, PASSPHRASE + b"\n")
    wrong = (asked, b"wrong\n")
    for name, steps in [
        ("right", (good,)), ("wrong, right", (wrong, good)), ("wrong",
         (wrong, wrong, wrong, wrong)), ("interrupted", ((asked, b"\3"),)),
        ("end of file", ((asked, b"\4"),)), ("empty", ((asked, b"\n"), good)
         ), ("corrected", ((asked, b"x\x7f" + PASSPHRASE + b"\n"),)),
        ("long", ((asked, b"x" * 3000 + b"\n"), (asked, b"\3"))), ("quit", ((asked, b"\x1c"),)),
    ]:
        for call in ASKING if name == "right" else ASKING[:1]:
            yield Case(f"{name}, {call}", [at(call, steps)], "locked", unlocks=True)
    yield Case("no prompts", [at(GETS[0], (), LANYARD_NO_PROMPT="1")], "locked")
    yield Case("a dumb terminal", [at(GETS[0], (good,), TERM="dumb")], "locked", unlocks=True)
    yield Case("colours", [at(GETS[0], (wrong, (asked, b"\3")), NO_COLOR="", TERM="xterm-256color")], "locked",
               unlocks=True)
    asked = b"yes, always or no: "
    for answer in (b"yes\n", b"always\n", b"no\n", b"\n", b"x\n", b"\3", b"\4"):
        steps = ((asked, answer), (asked, b"\3"))
        yield Case(f"trust, {answer!r}", [at(TRUST, steps), at(TRUST, steps)], "logins", reads=[at(TRUST, steps)])
    for answer in (b"secret\n", b"\n", b"\3", b"\4"):
        yield Case(f"a secret, {answer!r}", [
            at(UNSTORED, ((b"password: ", answer), (b"password: ", b"\3"))), at(
                CARGO_LOGIN, ((b"oken", answer), (b"oken", b"\3"))),
            at(Call("keyring-lanyard", ("set", "https://new.example", "ada")), ()),
        ], "logins", reads=[GETS[4]])
    for answer in (b"yes\n", b"no\n"):
        yield Case(f"a question, {answer!r}", [
            at(Call("askpass-lanyard", ("Continue connecting (yes/no)? ",)), ((b"yes/no", answer), (b"yes/no", b"\3"))),
            at(Call("askpass-lanyard", ("Allow use of the key?",), b"",
               {"SSH_ASKPASS_PROMPT": "confirm"}), ((b"Allow", answer), (b"Allow", b"\3"))),
        ], "logins")
