import Testing

/// The logins that the tools find: what a fix must not make fewer.
struct FoundLogins {
    /// Prints them, a line for each, in a repository.
    ///
    /// git itself is asked, without a way to prompt. docker is not, as it looks only when it talks to an
    /// engine: python looks where docker does.
    static let script = """
        for host in a.example c.example; do
            printf 'protocol=https\\nhost=%s\\nusername=ada\\n\\n' "$host" |
                GIT_ASKPASS= SSH_ASKPASS= git credential fill |
                sed -n "s/^password=/git $host /p"
        done
        url=$(git config --get remote.origin.url) &&
            printf 'url=%s\\n\\n' "$url" | GIT_ASKPASS= SSH_ASKPASS= git credential fill |
            sed -n 's/^password=/remote /p'
        lanyard list --json | python3 -c '
        import base64, json, os, subprocess, sys
        text = sys.stdin.read()
        for item in json.loads(text) if text else []:
            if item.get("account") != "lanyard-test":
                print("list", item.get("server") or item.get("service"), item.get("account"))
        try:
            config = json.load(open(os.environ.get("HOME", "") + "/.docker/config.json"))
        except (OSError, ValueError):
            config = {}
        for host in ["a.example", "c.example"]:
            name = config.get("credHelpers", {}).get(host) or config.get("credsStore")
            auth = config.get("auths", {}).get(host, {}).get("auth")
            if name:
                try:
                    out = subprocess.run(["docker-credential-" + name, "get"], input=host.encode(),
                                         capture_output=True).stdout
                    print("docker", host, json.loads(out)["Secret"])
                except (OSError, ValueError):
                    pass
            elif auth:
                print("docker", host, base64.b64decode(auth).decode().split(":", 1)[1])'
        ! command -v skopeo >/dev/null ||
            skopeo login --get-login c.example | sed 's/^/skopeo /'
        """

    let lines: [String]

    init(_ output: [UInt8]) throws {
        lines = String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Those that others don't have.
    func missing(in others: FoundLogins) -> [String] {
        lines.filter { !others.lines.contains($0) }
    }
}
