import Testing
@testable import EndToEndRig

/// Which of a tool's files counts if several have a login for the same place: the one that the tool itself reads.
@Suite(.timeLimit(.minutes(10)))
struct ImportPrecedenceTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    private static let hcl = "credentials \"a.example\" {\n  token = \"$\"\n}\n"
    private static let json = #"{"credentials": {"a.example": {"token": "$"}}}"#
    private static let argocd = """
        contexts:
        - name: a
          server: a.example
          user: a
        current-context: a
        users:
        - name: a
          auth-token: $

        """
    private static let exoscale =
        "defaultaccount = \"a\"\n[[accounts]]\nname = \"a\"\nkey = \"k\"\nsecret = \"$\"\n"
    private static let snow = "[connections.a]\nuser = \"u\"\npassword = \"$\"\n"

    /// The first file is the one that counts.
    @Test(arguments: [
        (
            "terraform", "https://a.example",
            [(".terraform.d/credentials.tfrc.json", json), (".terraformrc", hcl)]
        ),
        (
            "terraform", "https://a.example",
            [(".terraform.d/d.tfrc", hcl), (".terraform.d/credentials.tfrc.json", json)]
        ),
        (
            "cargo", "https://github.com/rust-lang/crates.io-index",
            [".cargo/credentials", ".cargo/credentials.toml"].map {
                ($0, "[registry]\ntoken = \"$\"\n")
            }
        ),
        (
            "aws", "a",
            [(".aws/credentials", "[a]"), (".aws/config", "[profile a]")].map {
                ($0, "\($1)\naws_access_key_id = A\naws_secret_access_key = $\n")
            }
        ),
        (
            "gem", "gem@rubygems.org",
            [".gem/credentials", ".local/share/gem/credentials"].map {
                ($0, "---\n:rubygems_api_key: $\n")
            }
        ),
        (
            "argocd", "argocd@a",
            [".argocd/config", ".config/argocd/config"].map { ($0, argocd) }
        ),
        (
            "wrangler", "wrangler",
            [".wrangler", ".config/.wrangler"].map {
                ("\($0)/config/default.toml", "api_token = \"$\"\n")
            }
        ),
        (
            "linode-cli", "linode-cli@a",
            [".linode-cli", ".config/linode-cli"].map {
                ($0, "[DEFAULT]\ndefault-user = a\n[a]\ntoken = $\n")
            }
        ),
        (
            "exoscale", "exoscale@a",
            [".config/exoscale/exoscale.toml", ".exoscale/exoscale.toml"].map { ($0, exoscale) }
        ),
        (
            "vultr-cli", "vultr-cli",
            [".config/vultr-cli.yaml", ".vultr-cli.yaml"].map { ($0, "api-key: $\n") }
        ),
        (
            "snow", "snow@a",
            [".snowflake/config.toml", ".config/snowflake/config.toml"].map { ($0, snow) }
        ),
        (
            "kaggle-key", "kaggle-key",
            [".kaggle/kaggle.json", ".config/kaggle/kaggle.json"].map {
                ($0, "{\"username\": \"ada\", \"key\": \"$\"}\n")
            }
        ),
    ])
    func theToolsOwnChoice(tool: String, item: String, files: [(String, String)]) async throws {
        for (number, (path, text)) in files.enumerated() {
            let secret = number == 0 ? "the-right-one" : "the-other-one"
            try home.writeAtHome(text.replacing("$", with: secret), to: path)
        }
        let outcome = try await home.imports(tool, "--remove-plain-text")
        #expect(outcome.status == 45, "\(outcome)")
        let stored = try await home.lanyard("get", item)
        #expect(stored.outputText.hasPrefix("the-right-one\n"), "\(stored)\n\(outcome)")
        // What the keychain lacks stays.
        #expect(home.textAtHome(files[1].0)?.contains("the-other-one") == true, "\(outcome)")
    }

    /// With a configuration that a variable names, terraform reads no other one.
    @Test func aNamedConfigurationComesFirst() async throws {
        let named = try home.writeAtHome(
            Self.hcl.replacing("$", with: "the-right-one"), to: "mine.tfrc")
        try home.writeAtHome(
            Self.json.replacing("$", with: "the-other-one"),
            to: ".terraform.d/credentials.tfrc.json")
        let outcome = try await home.imports(
            "terraform", variables: ["TF_CLI_CONFIG_FILE": named])
        #expect(outcome.status == 45, "\(outcome)")
        expectAnswer(try await home.lanyard("get", "https://a.example"), "the-right-one\n")
    }
}
