"""The bench: two builds of lanyard-helper take turns at the same place, are asked the same, and are compared.

Each case starts from a copy of the same home. Programs and home have the same paths for both builds: what they print
needs no masking but for the rules in MASKS and in `changes`.
"""
import contextlib
import dataclasses
import fcntl
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import stat
import struct
import subprocess
import termios
import threading
import time

SECONDS = 30
NO_ANSWER = f"none within {SECONDS} seconds"
# What a pipe takes without a reader.
PIPE_SIZE = 60_000
# What differs by nature: pattern, replacement, reason.
MASKS = [
    (rb'"(created|changed|added)":"[^"]*"', rb'"\1":"TIME"', "lanyard lists when an item was stored"),
    (rb"OPTION owner=\d+/", b"OPTION owner=PROCESS/", "pinentry learns who asks"),
]


@dataclasses.dataclass
class Call:
    """One program that is asked. With steps it has a terminal: it shows each text before the next is typed."""
    program: str
    arguments: tuple = ()
    input: bytes = b""
    variables: dict = dataclasses.field(default_factory=dict)
    steps: tuple | None = None

    def __str__(self):
        words = " ".join(word if isinstance(word, str) else repr(word) for word in self.arguments)
        return f"{self.program} {words}"[:120]


@dataclasses.dataclass
class Case:
    """Calls in a home of their own, or functions between them, and further ones that read what these wrote."""
    name: str
    calls: list
    template: str = "empty"
    # A function that changes the home before the calls.
    prepare: object = None
    # Asked by both builds of what each of them wrote.
    reads: list = dataclasses.field(default_factory=list)
    # Whether a keychain may become unlocked, whose keys the kernel has for both homes.
    unlocks: bool = False
    # A context manager around the calls, which gives further variables.
    around: object = None


class Bench:
    """Where the programs run. The folder of programs has the name `programs` while they do, and the home `home`."""

    def __init__(self, work, helpers, programs, scripts):
        """`helpers` has the path of each build, `programs` is the folder of Lanyard's other programs, and `scripts` has
        further programs."""
        self.work = pathlib.Path(work)
        self.home = self.work / "home"
        self.programs = self.work / "programs"
        self.builds = list(helpers)
        self.templates = {}
        self.in_place = None
        self.names = []
        for build, path in helpers.items():
            folder = self.work / build
            folder.mkdir(mode=0o700)
            shutil.copy(path, folder / "lanyard-helper")
            for program in ("lanyard", "lanyard-keychain-secret-service"):
                if (programs / program).exists():
                    shutil.copy(programs / program, folder)
            for name, script in scripts.items():
                (folder / name).write_text(script)
                (folder / name).chmod(0o700)
            self.names = subprocess.run(
                [folder / "lanyard-helper", "--names"], check=True, capture_output=True, text=True, timeout=SECONDS
            ).stdout.split()
            for name in self.names:
                (folder / name).symlink_to("lanyard-helper")
        # Not the machine's pinentry, which may ask in other ways.
        tools = self.work / "tools"
        tools.mkdir()
        for tool in ("sh", "cat", "env", "sleep", "git", "psql", "fido2-token", "fido2-assert", "fido2-cred"):
            found = shutil.which(tool, path="/usr/bin:/bin:/usr/local/bin")
            if found:
                (tools / tool).symlink_to(found)

    @contextlib.contextmanager
    def using(self, build):
        """Lets the programs be those of a build."""
        (self.work / build).rename(self.programs)
        try:
            yield
        finally:
            self.programs.rename(self.work / build)

    def template(self, name, make):
        """Adds a home for cases, which `make` fills with the ordinary programs."""
        with self.using(self.builds[0]):
            self.clear()
            for folder in (self.home, self.home / "run", self.home / "bin", self.home / "tmp"):
                folder.mkdir(mode=0o700)
            make()
            self.templates[name] = self.work / f"template-{name}"
            self.home.rename(self.templates[name])

    def set_up(self, *words, input=b"", **variables):
        """Runs a program that has to succeed."""
        outcome = self.ask(Call(words[0], words[1:], input, variables))
        if outcome["status"] != 0:
            raise RuntimeError(f"{' '.join(map(str, words))}: {outcome}")
        return outcome["answer"]

    def write(self, name, content, mode=0o600):
        """Writes a file of the home, and returns its path."""
        path = self.home / name
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        path.chmod(mode)
        return str(path)

    def clear(self):
        """Removes the home, whatever permissions a case gave it."""
        self.in_place = None
        if self.home.exists():
            for folder, _, _ in os.walk(self.home):
                os.chmod(folder, 0o700)
            shutil.rmtree(self.home)

    def put_home(self, source):
        """Makes the home a copy of another folder. A home that no case changed is left."""
        if self.in_place != source:
            self.clear()
            shutil.copytree(source, self.home, symlinks=True)

    def run(self, case, kept):
        """Runs the calls of a case, keeps its home for readers, and returns the outcomes."""
        template = self.templates[case.template]
        self.put_home(template)
        if case.prepare:
            self.in_place = None
            case.prepare()
        before = files(self.home)
        with case.around() if case.around else contextlib.nullcontext({}) as variables:
            outcomes = [self.outcome(call, variables) for call in case.calls]
        after = files(self.home)
        outcomes.append(("the files", {"changes": changes(before, after)}))
        if case.unlocks:
            self.ask(Call("lanyard", ("lock", "--all")))
        if case.reads:
            shutil.copytree(self.home, kept, symlinks=True)
        self.in_place = template if not case.prepare and before == after and not case.unlocks else None
        return outcomes

    def read(self, case, kept):
        """Runs the readers of a case on a home that was kept."""
        self.in_place = None
        self.put_home(kept)
        self.in_place = None
        with case.around() if case.around else contextlib.nullcontext({}) as variables:
            outcomes = [self.outcome(call, variables) for call in case.reads]
        if case.unlocks:
            self.ask(Call("lanyard", ("lock", "--all")))
        return outcomes

    def outcome(self, call, variables):
        """The outcome of a call, or of a function of a case, with its name."""
        return (str(call), self.ask(call, variables)) if isinstance(call, Call) else (call.__name__, call())

    def environment(self, variables):
        return {
            "PATH": f"{self.home}/bin:{self.programs}:{self.work}/tools", "HOME": str(self.home),
            "LANYARD_HOME": f"{self.home}/l", "XDG_RUNTIME_DIR": f"{self.home}/run", "TMPDIR": f"{self.home}/tmp",
            "LC_ALL": "C", "NO_COLOR": "1", "GIT_CONFIG_NOSYSTEM": "1", **variables,
        }

    def ask(self, call, variables={}):
        """Runs a program. It has no terminal unless the call has steps."""
        command = [self.programs / call.program, *call.arguments]
        if call.program == "askpass-lanyard":
            # It answers each program once.
            command = ["/bin/sh", "-c", '"$@"; exit $?', "sh", *command]
        reader, writer = os.pipe()
        master, slave = pty.openpty() if call.steps is not None else (None, None)
        if slave is not None:
            fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        process = subprocess.Popen(
            command, stdin=reader, stdout=subprocess.PIPE, stderr=subprocess.PIPE if slave is None else slave,
            start_new_session=True, env=self.environment({**variables, **call.variables}),
            preexec_fn=None if slave is None else lambda: fcntl.ioctl(2, termios.TIOCSCTTY, 0))
        outcome, end = {}, time.monotonic() + SECONDS
        if len(call.input) <= PIPE_SIZE:
            write_all(writer, call.input)
        else:
            threading.Thread(target=write_all, args=(writer, call.input), daemon=True).start()
        try:
            if slave is not None:
                os.close(slave)
                outcome["screen"] = mask(screen(master, call.steps, end))
            answer, message = process.communicate(timeout=max(end - time.monotonic(), 0.1))
            outcome |= {"status": process.returncode, "answer": mask(answer), "message": mask(message or b"")}
            if len(call.input) <= PIPE_SIZE:
                outcome["input that was left"] = struct.unpack(
                    "i", fcntl.ioctl(reader, termios.FIONREAD, b"\0\0\0\0"))[0]
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            outcome["status"] = NO_ANSWER
        finally:
            os.close(reader)
            if master is not None:
                os.close(master)
        return outcome


def write_all(descriptor, content):
    """Writes the input, as much of it as is read."""
    with contextlib.suppress(BrokenPipeError), open(descriptor, "wb", buffering=0) as pipe:
        while content:
            content = content[pipe.write(content):]


def screen(master, steps, end):
    """Types what the steps say, and returns all that the terminal shows until its last user is gone."""
    shown, seen, steps = b"", 0, list(steps)
    while time.monotonic() < end:
        if steps and steps[0][0] in shown[seen:]:
            # Where the echo goes off, that may be a moment after the question.
            for _ in range(100):
                if termios.tcgetattr(master)[3] & termios.ECHO:
                    time.sleep(0.002)
            seen = len(shown)
            os.write(master, steps.pop(0)[1])
        if select.select([master], [], [], 0.05)[0]:
            try:
                piece = os.read(master, 65536)
            except OSError:
                break
            if not piece:
                break
            shown += piece
    return shown


def mask(text):
    for pattern, replacement, _ in MASKS:
        text = re.sub(pattern, replacement, text)
    return text


def files(folder):
    """All files below a folder that can be read, with their modes and contents. Others may remove some meanwhile."""
    found = {}
    for parent, folders, names in os.walk(folder):
        for name in folders + names:
            path = pathlib.Path(parent) / name
            with contextlib.suppress(FileNotFoundError, PermissionError):
                mode, content = path.lstat().st_mode, b""
                if stat.S_ISREG(mode):
                    content = path.read_bytes()
                elif stat.S_ISLNK(mode):
                    content = os.readlink(path).encode()
                found[str(path.relative_to(folder))] = (mode, content)
    return found


def changes(before, after):
    """What calls changed. Lanyard's files are encrypted with random numbers: only their sizes are compared."""
    lines = []
    for path in sorted(before.keys() | after.keys()):
        if before.get(path) != after.get(path):
            mode, content = after.get(path, (0, b""))
            if path.startswith("server") or ".sync/git/objects" in path:
                # What gnome-keyring and git write are their own files, with other names each time.
                continue
            if path.endswith(("askpass.answered", "plugins/pid")):
                content = b"names of processes"
            elif path.startswith(("l/data/", "l/state/", "l2/data", "l2/state", "plugins/")):
                content = b"%d bytes" % len(content)
            lines.append(mask(f"{path} {mode:o} ".encode() + content))
    return lines


def compare(bench, group, cases):
    """Runs cases with both builds. Returns how many outcomes were the same, and a text for each that was not."""
    cases = list(cases)
    first, second = bench.builds
    outcomes, same, differences = {}, 0, []

    def kept(build, number):
        return bench.work / "kept" / f"{build}-{number}"

    (bench.work / "kept").mkdir()
    for build in bench.builds:
        with bench.using(build):
            outcomes[build] = [bench.run(case, kept(build, number)) for number, case in enumerate(cases)]
    for reader in bench.builds:
        with bench.using(reader):
            for number, case in enumerate(cases):
                if case.reads:
                    for writer in bench.builds:
                        outcomes[reader, writer, number] = bench.read(case, kept(writer, number))
    shutil.rmtree(bench.work / "kept")
    for number, case in enumerate(cases):
        pairs = [("", outcomes[first][number], outcomes[second][number])]
        if case.reads:
            own = outcomes[first, first, number]
            for reader, writer in ((first, second), (second, first), (second, second)):
                pairs.append((f" ({reader} reads what {writer} wrote)", own, outcomes[reader, writer, number]))
        for note, one, other in pairs:
            for (call, left), (_, right) in zip(one, other, strict=True):
                # Two that hang are not compared.
                unlike = [part for part in left.keys() | right.keys()
                          if left.get(part) != right.get(part) or left.get(part) == NO_ANSWER]
                same += not unlike
                for part in sorted(unlike):
                    differences.append(
                        f"{group}: {case.name}: {call}{note}: {part}\n"
                        f"  {first}: {left.get(part)!r}\n  {second}: {right.get(part)!r}")
    return same, differences
