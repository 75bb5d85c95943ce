"""What every tool asks: logins that are there, and what it stores and deletes."""
import base64
import json
import pathlib

from bench import Call, Case

KEYGRIP = "A" * 40
CERTIFICATES = pathlib.Path(__file__).resolve().parents[1] / "Fuzzing/Seeds/certificate-bundle/text"
HANDSHAKE = '{"RequestId":"1","Type":"Response","Method":"Handshake","Payload":{"ResponseCode":"Success",' \
    '"ProtocolVersion":"2.0.0"}}\n'


def nuget_request(*requests):
    """Requests of NuGet, each a method and its payload."""
    lines = [json.dumps({"RequestId": str(number), "Type": "Request", "Method": method, "Payload": payload}) + "\n"
             for number, (method, payload) in enumerate([*requests, ("Close", None)], 2)]
    return (HANDSHAKE + "".join(lines)).encode()


def cargo_request(kind, index="sparse+https://a.example/ada/", **members):
    request = {"v": 1, "registry": {"index-url": index}, "kind": kind, "args": [], **members}
    return json.dumps(request).encode() + b"\n"


def cluster(address):
    """What kubectl tells its helpers."""
    return {"KUBERNETES_EXEC_INFO": json.dumps({
        "apiVersion": "client.authentication.k8s.io/v1", "kind": "ExecCredential",
        "spec": {"interactive": False, "cluster": {"server": address}}})}


# Each tool's login: what `lanyard set` needs, and the call that gets it.
LOGINS = {
    "git": (["git", "https://ada@a.example"], Call(
        "git-credential-lanyard", ("get",), b"protocol=https\nhost=a.example\nusername=ada\n\n")),
    "docker": (["docker", "a.example", "ada"], Call("docker-credential-lanyard", ("get",), b"a.example")),
    "askpass": (["askpass", "ssh://ada@a.example"], Call("askpass-lanyard", ("ada@a.example's password: ",))),
    "kubectl": (["kubectl", "https://a.example:6443", "ada"], Call(
        "kubectl-credential-lanyard", ("https://a.example:6443", "ada"))),
    "cargo": (["cargo", "sparse+https://a.example/ada/"], Call(
        "cargo-credential-lanyard", ("--cargo-plugin",), cargo_request("get", operation="read"))),
    "keyring": (["keyring", "https://a.example/simple", "ada"], Call(
        "keyring-lanyard", ("get", "https://a.example/simple", "ada"))),
    "terraform": (["terraform", "a.example"], Call("terraform-credentials-lanyard", ("get", "a.example"))),
    "aws": (["aws", "work", "AKIA1"], Call("aws-credential-lanyard", ("work",))),
    "go": (["go", "https://a.example/ada", "ada"], Call("goauth-lanyard", ("https://a.example/ada/x/@v/list",))),
    "bazel": (["bazel", "https://a.example/ada"], Call(
        "bazel-credential-lanyard", ("get",), b'{"uri":"https://a.example/ada/ac/1"}')),
    "vault": (["vault", "https://a.example:8200"], Call(
        "vault-token-lanyard", ("get",), b"", {"VAULT_ADDR": "https://a.example:8200"})),
    "npm": (["npm", "https://a.example/ada/"], Call("pnpm-token-lanyard", ("https://a.example/ada/",))),
    "ansible": (["ansible", "dev"], Call("ansible-lanyard-client", ("--vault-id", "dev"))),
    "podman": (["podman", "ada"], Call("podman-secret-lanyard", ("lookup",), b"", {"SECRET_ID": "ada"})),
    "gpg": (["gpg", KEYGRIP], Call(
        "pinentry-lanyard", (), f"SETKEYINFO n/{KEYGRIP}\nGETPIN\nBYE\n".encode())),
    "nuget": (["nuget", "https://a.example/ada/index.json", "ada"], Call(
        "nuget-plugin-lanyard", ("-Plugin",), nuget_request(
            ("GetAuthenticationCredentials", {"Uri": "https://a.example/ada/index.json", "IsRetry": False})))),
    "gcloud": (["gcloud", "//iam.googleapis.com/ada"], Call("gcloud-credential-lanyard", ("//iam.googleapis.com/ada",))),
}
GETS = [get for _, get in LOGINS.values()]
LISTS = [Call("lanyard", ("list", "--json")), Call("lanyard", ("verify",))]


def make_logins(bench):
    for tool, (words, _) in LOGINS.items():
        bench.set_up("lanyard", "set", "--stdin", "--for", *words, input=f"secret-of-{tool}".encode())
    bench.set_up("lanyard", "set", "--stdin", "--for", "kubectl", "https://[2001:db8::1]", "eve", input=b"an-address")
    bench.set_up("lanyard", "set", "--stdin", "--for", "aws", "session", "AKIA2", input=(
        b"key\nsession_token=token\nexpiration=2099-01-01T00:00:00Z"))
    bench.set_up(
    "lanyard",
    "set",
    "--stdin",
    "--for",
    "git",
    "--expires",
    "2099-01-01",
    "https://eve@b.example",
     input=b"late")
    bench.set_up("lanyard", "set", "--stdin", "--for", "git", "--trust", "docker-credential-lanyard",
                 "https://ada@trust.example", input=b"trusted")
    # A certificate with its key, and a request for another one, which is skipped.
    bench.set_up("lanyard", "certificate", "import", CERTIFICATES)


def further_gets():
    """Other forms of the question for each tool."""
    for prompt in [
        "Password for 'https://ada@a.example': ", "Username for 'https://a.example': ", "[sudo] password for ada: ",
        "Enter passphrase for key '/home/ada/.ssh/id': ", "Bad passphrase, try again for /home/ada/.ssh/id: ",
        "(ada@a.example) Password: ", "(ada@[2001:db8::1]) Password: ", "ada@A.EXAMPLE's password: ", "no prompt at all",
        "Are you sure you want to continue connecting (yes/no/[fingerprint])? ", "x\x1b[31m's password: ",
        "Password for 'https://%61da@a.example:443': ", "Allow use of key /home/ada/.ssh/id?",
    ]:
        for hint in ({}, {"SSH_ASKPASS_PROMPT": "confirm"}, {"SSH_ASKPASS_PROMPT": "none"}):
            yield Call("askpass-lanyard", (prompt,), b"", hint)
    for address in ("https://a.example:6443", "https://A.example:6443/",
                    "https://[2001:DB8:0::1]:443", "no address", ""):
        yield Call("kubectl-credential-lanyard", (address,), b"", cluster("https://other.example"))
        yield Call("kubectl-credential-lanyard", (), b"", cluster(address))
    for certificate in ("Ada", "6d49c040", "6d49c041"):
        yield Call("kubectl-credential-lanyard", (certificate,))
    for api in ("v1beta1", "v1", "v2"):
        yield Call("kubectl-credential-lanyard", ("https://a.example:6443",), b"", {
            "KUBERNETES_EXEC_INFO": '{"apiVersion":"client.authentication.k8s.io/%s","kind":"ExecCredential"}' % api})
    for request in (b"protocol=https\nhost=b.example\n\n", b"protocol=https\nhost=trust.example\n\n", b"",
                    b"capability[]=authtype\ncapability[]=state\nprotocol=https\nhost=a.example\n\n"):
        yield Call("git-credential-lanyard", ("get",), request)
    yield Call("git-credential-lanyard", ("capability",))
    for word in ("list", "version"):
        yield Call("docker-credential-lanyard", (word,))
    for profile in ("session", "missing"):
        yield Call("aws-credential-lanyard", (profile,))
    for words in (["get", "a.example"], ["get", "a.example", "eve"], ["--mode", "creds", "get", "https://a.example/simple"],
                  ["--mode=creds", "--output=json", "get", "https://a.example/simple"], ["--output", "x", "get", "a"]):
        yield Call("keyring-lanyard", tuple(words))
    for words in ((), ("https://a.example",), ("http://a.example/ada",), ("https://a.example:8443/",)):
        yield Call("goauth-lanyard", words, b"HTTP/1.1 401 Unauthorized\r\n\r\n")
    for address in ("https://a.example/ada", "HTTPS://A.EXAMPLE:443/ada/", "https://a.example/ad", "//a.example/ada"):
        yield Call("pnpm-token-lanyard", (address,))
        yield Call("bazel-credential-lanyard", ("get",), json.dumps({"uri": address}).encode())
        yield Call("nuget-plugin-lanyard", ("-Plugin",), nuget_request(
            ("Handshake", {"ProtocolVersion": "2.0.0", "MinimumProtocolVersion": "1.0.0"}), ("GetOperationClaims", {}),
            ("Initialize", {"ClientVersion": "6.12.0", "Culture": "en-US", "RequestTimeout": "00:00:05"}),
            ("SetLogLevel", {"LogLevel": "Debug"}), ("NoSuchMethod", {}),
            ("GetAuthenticationCredentials", {"Uri": address, "IsRetry": False}),
            ("GetAuthenticationCredentials", {"Uri": address, "IsRetry": True})))
        yield Call("vault-token-lanyard", ("get",), b"", {"VAULT_ADDR": address})
        yield Call("gcloud-credential-lanyard", (address,))
    yield Call("nuget-plugin-lanyard", ("-Plugin",), b'{"RequestId":"1"')
    for commands in (
        "OPTION grab\nOPTION ttyname=/dev/null\nGETINFO flavor\nGETINFO version\nGETINFO ttyinfo\nNOP\nHELP\nRESET\nBYE",
        f"SETKEYINFO n/{KEYGRIP}\nSETERROR wrong\nGETPIN", "GETPIN", "CONFIRM", "CONFIRM --one-button", "MESSAGE", "NONSENSE",
        f"SETDESC %00\nSETKEYINFO n/{KEYGRIP[1:]}\nGETPIN", "SETKEYINFO --clear\nGETPIN", "x" * \
            2000, "\0", "SETPROMPT \u00e9",
    ):
        yield Call("pinentry-lanyard", (), f"{commands}\n".encode())
    for words in (("--vault-id", "prod"), ("--vault-id=dev",), (), ("dev",), ("--vault-id", "")):
        yield Call("ansible-lanyard-client", words)
    for variables in ({}, {"SECRET_ID": "eve"}, {"SECRET_ID": "../ada"}, {"SECRET_ID": "x" * 300}):
        yield Call("podman-secret-lanyard", ("lookup",), b"", variables)
    yield Call("podman-secret-lanyard", ("list",))


def tool_cases(bench):
    """Logins that are there, that are not, and all that helpers can change."""
    further = list(further_gets())
    yield Case("logins", GETS + further, "logins")
    yield Case("no keychain", GETS + further)
    git, docker = "git-credential-lanyard", "docker-credential-lanyard"
    login = b"protocol=https\nhost=a.example\nusername=ada\n"
    for secret in (b"hunter2", b"", "\u00e9\u2028\U0001f511".encode(), b"\xff\xfe", b"x" * 40_000, b"a=b", b" "):
        name = f"{secret[:9]!r}, {len(secret)} bytes"
        yield Case(f"git stores {name}", [
            Call(git, ("store",), login + b"password=" + secret + b"\n"), Call(git, ("get",), login),
            Call(git, ("store",), login + b"password=" + secret + \
                 b"2\npassword_expiry_utc=4070908800\noauth_refresh_token=r\n"),
            Call(git, ("get",), login), Call(git, ("erase",), login + b"password=other\n"), Call(git, ("get",), login),
        ], reads=[Call(git, ("get",), login), *LISTS])
        stored = json.dumps({"ServerURL": "https://a.example", "Username": "ada",
                            "Secret": secret.decode("latin-1")}).encode()
        yield Case(f"docker stores {name}", [
            Call(docker, ("store",), stored), Call(docker, ("list",)), Call(docker, ("store",), stored),
        ], reads=[Call(docker, ("get",), b"a.example"), Call(docker, ("list",)), *LISTS])
        token = secret.decode("latin-1")
        yield Case(f"cargo stores {name}", [
            Call("cargo-credential-lanyard", ("--cargo-plugin",), cargo_request("login", token=token)),
            Call("cargo-credential-lanyard", ("--cargo-plugin",), cargo_request("login")),
        ], reads=[LOGINS["cargo"][1], *LISTS])
        yield Case(f"keyring stores {name}", [
            Call("keyring-lanyard", ("set", "https://a.example/simple", "ada"), secret + b"\n"),
        ], reads=[LOGINS["keyring"][1], *LISTS])
        yield Case(f"terraform stores {name}", [
            Call("terraform-credentials-lanyard", ("store", "a.example"), json.dumps({"token": token}).encode()),
        ], reads=[LOGINS["terraform"][1], *LISTS])
        yield Case(f"vault stores {name}", [
            Call("vault-token-lanyard", ("store",), secret, {"VAULT_ADDR": "https://a.example:8200"}),
        ], reads=[LOGINS["vault"][1], *LISTS])
        yield Case(f"podman stores {name}", [
            Call("podman-secret-lanyard", ("store",), base64.b64encode(secret), {"SECRET_ID": "ada"}),
            Call("podman-secret-lanyard", ("store",), secret, {"SECRET_ID": "ada"}),
            Call("podman-secret-lanyard", ("list",)),
        ], reads=[LOGINS["podman"][1], *LISTS])
    yield Case("erasing", [
        Call(
    git, ("erase",), login), Call(
        docker, ("erase",), b"a.example"), Call(
            docker, ("erase",), b"missing.example"),
        Call("cargo-credential-lanyard", ("--cargo-plugin",), cargo_request("logout")),
        Call("cargo-credential-lanyard", ("--cargo-plugin",), cargo_request("logout")),
        Call("keyring-lanyard", ("del", "https://a.example/simple", "ada")
             ), Call("keyring-lanyard", ("del", "missing", "ada")),
        Call("terraform-credentials-lanyard", ("forget", "a.example")),
        Call("vault-token-lanyard", ("erase",), b"", {"VAULT_ADDR": "https://a.example:8200"}),
        Call("podman-secret-lanyard", ("delete",), b"", {"SECRET_ID": "ada"}),
        Call("podman-secret-lanyard", ("delete",), b"", {"SECRET_ID": "missing"}),
    ], "logins", reads=[*GETS, *LISTS])
    state = b"capability[]=authtype\ncapability[]=state\n"
    yield Case("git's tokens and states", [
        Call(git, ("store",), state + login + b"authtype=Bearer\ncredential=abc\nephemeral=1\n"),
        Call(git, ("get",), state + login), Call(git, ("get",), login),
        Call(git, ("erase",), state + login + b"state[]=lanyard:0\n"), Call(git, ("get",), state + login),
    ], reads=[Call(git, ("get",), state + login), *LISTS])
