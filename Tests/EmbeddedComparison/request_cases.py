"""Requests as the fuzzers and the tests of hostile ones have them, and the usage of every name."""
import re

from bench import Call, Case

# Files of one case: they are asked in one home, one after the other.
BATCH = 40
# What reads JSON, and how it is called.
JSON_READERS = [
    ("docker-credential-lanyard", ("store",)), ("cargo-credential-lanyard", ("--cargo-plugin",)),
    ("bazel-credential-lanyard", ("get",)), ("terraform-credentials-lanyard", ("store", "a.example")),
    ("nuget-plugin-lanyard", ("-Plugin",)), ("lanyard-sync-git", ()), ("lanyard-sync-postgresql", ()),
    ("lanyard-presence-fido2", ()),
]


def usage_cases(bench):
    """Each name with the options of all, without any, and with wrong ones."""
    arguments = [
        (), ("--help",), ("-h",), ("--version",), ("-v",), ("--names",), ("",), ("no-such-operation",),
        ("--no-such-option",), ("get", "a.example", "more", "words"), ("--keychain",), ("--keychain", ""),
        ("--keychain=",), ("--keychain", "no-such", "get"), ("--keychain=../x", "get"),
        ("--keychain", "login", "--help"), (b"\xff\xfe",), ("g\u00e9t",), ("x" * 5000,), ("--keychain", "x\ny", "get"),
    ]
    for name in bench.names + ["lanyard-helper"]:
        yield Case(name, [Call(name, words) for words in arguments])
    yield Case("names as arguments", [
        Call("lanyard-helper", (name, *words)) for name in bench.names + ["no-helper"]
        for words in [(), ("--help",), ("get",)]])


def corpus(root, target):
    """The requests of a fuzz target: those that are kept, and what fuzzers found on this machine."""
    for folder in (root / "Tests/Fuzzing/Seeds", root / ".build/fuzzing/corpus"):
        for path in sorted((folder / target).glob("*")):
            yield path.read_bytes()


def batches(name, template, requests, calls):
    """Cases of several requests each; `calls` makes the calls of one."""
    requests = list(requests)
    for start in range(0, len(requests), BATCH):
        batch = requests[start:start + BATCH]
        yield Case(f"{name} from {start}", [call for request in batch for call in calls(request)], template)


def operations(program, *names):
    return lambda request: [Call(program, (name,), request) for name in names]


def words_of(*commands):
    """Calls with the request as an argument."""
    def calls(request):
        text = request.replace(b"\0", b"")[:8192]
        return [Call(program, (*words, text)) for program, *words in commands]
    return calls


def git_calls(request):
    """Requests with a line that names the operation, between blank lines."""
    for part in request.split(b"\n\n"):
        operation = re.search(rb"op=(store|erase)", part)
        yield Call("git-credential-lanyard", (operation[1].decode() if operation else "get",), part)


def docker_calls(request):
    """Lines with an operation and a request."""
    for line in request.split(b"\n"):
        word, _, rest = line.partition(b" ")
        operation = word.decode() if word in (b"get", b"erase", b"store") else "list"
        yield Call("docker-credential-lanyard", (operation,), rest)


def corpus_cases(bench, root):
    """Every request that a fuzzer reads, to the helper that reads it, with every operation."""
    tools = [name for name in bench.names if not name.startswith("lanyard-")][2:]

    def tool_calls(request):
        line, _, rest = request[1:].partition(b"\n")
        words = [word for word in line.replace(b"\0", b"").split(b" ") if word]
        program = tools[request[0] % len(tools)] if request else tools[0]
        yield Call(program, tuple(words), rest, {"SECRET_ID": "fuzz", "VAULT_ADDR": "https://a.example"})

    def json_calls(request):
        for program, words in JSON_READERS:
            yield Call(program, words, request)
        text = request.replace(b"\0", b"").decode(errors="replace")[:8192]
        yield Call("kubectl-credential-lanyard", ("a.example",), b"", {"KUBERNETES_EXEC_INFO": text})

    git, docker = "git-credential-lanyard", "docker-credential-lanyard"
    for target, calls in [
        ("git-request", operations(git, "get", "store", "get", "erase")), ("git-helper", git_calls),
        ("docker-request", operations(docker, "get", "store", "list", "erase")), ("docker-helper", docker_calls),
        ("tool-helper", tool_calls), ("json", json_calls), ("plugin-server", json_calls),
        ("askpass-prompt", words_of(("askpass-lanyard",))),
        ("address", words_of(
            ("goauth-lanyard",), ("pnpm-token-lanyard",), ("kubectl-credential-lanyard",),
            ("keyring-lanyard", "get"), ("terraform-credentials-lanyard", "get"), ("aws-credential-lanyard",),
            ("gcloud-credential-lanyard",), ("ansible-lanyard-client", "--vault-id"))),
    ]:
        yield from batches(target, "victims", corpus(root, target), calls)


def unescaped(text):
    """The bytes of a value of a hostile request."""
    plain = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"s": b" "}

    def byte(match):
        if match[1]:
            return bytes([int(match[1], 16)])
        return chr(int(match[2], 16)).encode() if match[2] else plain.get(match[3], match[3])

    return re.sub(rb"\\(?:x([0-9A-Fa-f]{2})|u\{([0-9A-Fa-f]+)\}|(.))", byte, text.encode())


def hostile_cases(bench, root):
    """Tests/EndToEnd/HostileRequests, whose form Tests/EndToEnd/Rig/HostileRequest.swift describes."""
    programs = {b"git": "git-credential-lanyard", b"docker": "docker-credential-lanyard", b"lanyard": "lanyard"}
    for path in sorted((root / "Tests/EndToEnd/HostileRequests").glob("*.txt")):
        for text in path.read_text().split("\n== ")[1:]:
            name, *lines = text.split("\n")
            calls, configuration = [], []
            for line in lines:
                word, _, value = line.partition(":")
                value = value[1:]
                if word == "run":
                    program, *words = [unescaped(part) for part in value.split(" ") if part]
                    calls.append(Call(programs[program], tuple(words)))
                elif word == "config":
                    configuration.append(value + "\n")
                elif word == "in" or word.startswith("in*"):
                    calls[-1].input += unescaped(value) * int(word[3:] or 1)

            def prepare(text="".join(configuration)):
                bench.write("l/config/config", text)

            yield Case(f"{path.stem}, {name}", calls, "victims", prepare if configuration else None)


def make_victims(bench):
    """Logins of the sites that an attack would aim at."""
    for number, login in enumerate([
        "protocol=https\nhost=git.victim.example\nusername=alice\n",
        "protocol=https\nhost=git.victim.example:8443\nusername=bob\n",
        "protocol=https\nhost=paths.victim.example\npath=team/repo.git\nusername=carol\n",
        "protocol=http\nhost=plain.victim.example\nusername=dave\n",
        "protocol=https\nhost=[2001:db8::1]\nusername=erin\n",
        "protocol=https\nhost=victim.example\nusername=alice\n",
    ]):
        bench.set_up("git-credential-lanyard", "store", input=f"{login}password=victims-{number}\n".encode())
    for number, url in enumerate([
        "https://registry.victim.example", "registry.victim.example:5000", "https://index.docker.io/v1/",
        "https://index.docker.io/v1/access-token", "https://paths.victim.example/team/", "https://victim.example",
    ]):
        bench.set_up("docker-credential-lanyard", "store", input=(
            '{"ServerURL":"%s","Username":"alice","Secret":"victims-docker-%d"}' % (url, number)).encode())
    bench.set_up("lanyard", "set", "Home Wi-Fi", "--stdin", input=b"victims-service")
    bench.set_up("lanyard", "set", "https://alice@web.victim.example/login", "--stdin", input=b"victims-web")
