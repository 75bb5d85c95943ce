/// What an example of a man page needs to be run, beside a home of its own.
struct ManExampleSetting: Sendable {
    /// How an example is tried.
    enum Way: Sendable {
        /// Its commands are run, one after the other, without a terminal.
        case script
        /// The same at a terminal, with a user who does this.
        case terminal([Dialogue.Step])
        /// It is a text, which a script takes as the file `$1`.
        case text(String)
        /// Another test tries it: a file below Tests, and a text in that which says so.
        case elsewhere(String, String)
    }

    /// The page's file.
    let page: String
    /// What only this example of the page contains.
    let mark: String
    var way = Way.script
    /// A script that makes what the example takes for granted.
    var before = ""
    /// What is replaced here, such as a place outside the home.
    var replacing: [String: String] = [:]
    /// A script that fails if the example did not do what the page says; what it printed is in `$OUTPUT`.
    var after = ""
    /// What there may not be on every machine.
    var needs: [Need] = []

    func isOf(_ example: ManExample) -> Bool {
        page == example.page && example.text.contains(mark)
    }
}

/// The settings of all examples but those that need none: commands that work in an empty home, and print
/// what the page shows.
extension ManExampleSetting {
    static let all =
        overview + items + certificates + setup + locking + keychains + team + helpers + others

    static let typesSecret: [Dialogue.Step] = [
        .asked("secret for "), .types("hunter2\n"), .asked("again: "), .types("hunter2\n"),
    ]

    static let gitLogin = """
        printf 'protocol=https\\nhost=example.com\\nusername=ada\\npassword=hunter2\\n' |
            git-credential-lanyard store

        """

    static let dockerLogin = """
        printf '{"ServerURL":"registry.example.com","Username":"ada","Secret":"hunter2"}' |
            docker-credential-lanyard store

        """

    /// A program of this name that replaces a real one.
    static func program(_ name: String, _ script: String) -> String {
        """
        mkdir -p "$HOME/bin"
        printf '%s\\n' '#!/bin/sh' '\(script)' >"$HOME/bin/\(name)"
        chmod +x "$HOME/bin/\(name)"

        """
    }

    private static let helpers = [
        Self(
            page: "lanyard-helper.1", mark: "--names",
            replacing: ["/usr/libexec/lanyard/": ""], after: "grep -q '^git-' \"$OUTPUT\""),
        Self(
            page: "lanyard-helper.1", mark: "protocol=https", before: gitLogin,
            replacing: ["/usr/libexec/lanyard/": ""], after: "grep -q hunter2 \"$OUTPUT\""),
        Self(
            page: "lanyard-presence.1", mark: "presence add",
            way: .elsewhere(
                "EndToEnd/Keychains/Presence/SecurityKeyTests.swift", #""presence", "add""#)),
        Self(
            page: "lanyard-presence-fido2.1", mark: "fido2-token -L",
            way: .elsewhere("EndToEnd/Keychains/Presence/SecurityKeyTests.swift", #""fido2-token""#)
        ),
        Self(
            page: "lanyard-machine-key.1", mark: "machine-key seal",
            way: .elsewhere(
                "EndToEnd/Keychains/MachineKeys/SealedMachineKeyTests.swift",
                #""machine-key", "seal""#)),
        Self(
            page: "keyring-lanyard.1", mark: "pip install",
            way: .elsewhere(
                "EndToEnd/Tools/Helpers/KeyringTests.swift", #""--keyring-provider", "subprocess""#)
        ),
        Self(
            page: "keyring-lanyard.1", mark: "__token__", way: .terminal(typesSecret),
            after: """
                [ "$(keyring-lanyard get https://upload.pypi.org/legacy/ __token__)" = hunter2 ]
                """),
        Self(
            page: "keyring-lanyard.1", mark: "[backend]",
            way: .elsewhere(
                "EndToEnd/Tools/Helpers/KeyringTests.swift",
                "default-keyring = lanyard_keyring.Keyring")),
        Self(
            page: "terraform-credentials-lanyard.1", mark: "ln -s",
            after: "[ -x .terraform.d/plugins/terraform-credentials-lanyard ]"),
        Self(
            page: "terraform-credentials-lanyard.1", mark: "lanyard set --for",
            way: .elsewhere(
                "EndToEnd/Tools/Helpers/TerraformTests.swift", #""--for", "terraform", host"#)),
        Self(
            page: "aws-credential-lanyard.1", mark: "aws configure set",
            way: .elsewhere("EndToEnd/Tools/Helpers/AWSTests.swift", "credential_process = ")),
        Self(
            page: "aws-credential-lanyard.1", mark: "printf %s",
            way: .elsewhere("EndToEnd/Tools/Helpers/AWSTests.swift", "session_token=")),
        Self(
            page: "goauth-lanyard.1", mark: "go env -w",
            way: .elsewhere("EndToEnd/Tools/Helpers/GoTests.swift", #""GOAUTH": "goauth-lanyard""#)),
        Self(
            page: "cargo-credential-lanyard.1", mark: "[registries.work]",
            way: .elsewhere("EndToEnd/Tools/Helpers/CargoTests.swift", "[registries.work]")),
        Self(
            page: "cargo-credential-lanyard.1", mark: "lanyard set --for cargo",
            way: .elsewhere("EndToEnd/Tools/Helpers/CargoTests.swift", #""--for", "cargo""#)),
        Self(
            page: "lanyard-ssh-agent.1", mark: "key import",
            way: .elsewhere("EndToEnd/Keychains/SSHAgent/StoredKeyTests.swift", #""key", "import""#)
        ),
        Self(
            page: "lanyard-ssh-agent.1", mark: "--socket",
            way: .elsewhere(
                "EndToEnd/Keychains/SSHAgent/AgentSocketTests.swift", "lanyard-ssh-agent --socket")),
        Self(
            page: "lanyard-ssh-agent.1", mark: "gpg.format",
            way: .elsewhere(
                "EndToEnd/Keychains/SSHAgent/CommitSigningTests.swift", "git config gpg.format ssh")
        ),
        Self(
            page: "lanyard-ssh-agent.1", mark: "ssh-add -c",
            way: .elsewhere(
                "EndToEnd/Keychains/SSHAgent/AgentQuestionTests.swift", #"agent.add("-c", key)"#)),
        Self(
            page: "git-credential-lanyard.1", mark: "--unset-all",
            before: "git config --global credential.helper store",
            after: "[ \"$(git config --global --get-all credential.helper)\" = lanyard ]",
            needs: [.git]),
        Self(
            page: "git-credential-lanyard.1", mark: "useHttpPath true",
            after: """
                [ "$(git config --get-urlmatch credential.useHttpPath https://example.com)" = true ]
                """, needs: [.git]),
        Self(
            page: "git-credential-lanyard.1", mark: "git-credential-lanyard get",
            before: gitLogin, after: "grep -qx password=hunter2 \"$OUTPUT\""),
        Self(
            page: "git-credential-lanyard.1", mark: "git-credential-lanyard erase",
            before: gitLogin, after: "[ \"$(lanyard list)\" = '' ]"),
        Self(
            page: "docker-credential-lanyard.1", mark: "\"credHelpers\"",
            way: .text(
                """
                cp "$1" "$HOME/auth.json"
                skopeo login --get-login --authfile "$HOME/auth.json" registry.example.com
                """), before: dockerLogin, after: "[ \"$(cat \"$OUTPUT\")\" = ada ]",
            needs: [.skopeo]),
        Self(
            page: "docker-credential-lanyard.1", mark: "credential-helpers =",
            way: .text(
                """
                mkdir -p "$HOME/.config/containers"
                cp "$1" "$HOME/.config/containers/registries.conf"
                skopeo login --get-login registry.example.com
                """),
            before: dockerLogin, after: "[ \"$(cat \"$OUTPUT\")\" = ada ]", needs: [.skopeo]),
        Self(
            page: "docker-credential-lanyard.1", mark: "docker-credential-lanyard list",
            before: dockerLogin,
            after: "[ \"$(cat \"$OUTPUT\")\" = '{\"registry.example.com\":\"ada\"}' ]"),
        Self(
            page: "docker-credential-lanyard.1", mark: "docker-credential-lanyard erase",
            before: dockerLogin, after: "[ \"$(lanyard list)\" = '' ]"),
    ]

    private static let others = [
        Self(
            page: "lanyard-keychain-secret-service.1", mark: "\"method\":\"hello\"",
            replacing: [
                "/usr/local/libexec/lanyard/": "$(dirname \"$(command -v lanyard)\")/"
            ],
            after: "grep -q '\"kind\":\"secret-service\"' \"$OUTPUT\"", needs: [.plugin]),
        Self(
            page: "lanyard-keychain-secret-service.1", mark: "lock-on-sleep",
            replacing: ["systemctl --user": "echo systemctl --user"],
            after: "[ \"$(lanyard config get keychain.login.lockOnSleep)\" = true ]"),
        Self(
            page: "lanyard-secret-service.1", mark: "setup secret-service",
            // Without the variable, the bus looks in the account's home folder.
            replacing: [
                "lanyard setup":
                    "XDG_DATA_HOME=~/.local/share dbus-run-session -- lanyard setup"
            ],
            after: "grep -q lanyard ~/.local/share/dbus-1/services/org.freedesktop.secrets.service",
            needs: [.privateBus]),
        Self(
            page: "lanyard-secret-service.1", mark: "secret-tool", needs: [.privateBus]),
        Self(
            page: "lanyard-pam.8", mark: "pam-auth-update",
            way: .elsewhere("Packages/unlock-at-login", "pam-auth-update --enable lanyard")),
        Self(
            page: "lanyard-pam.8", mark: "expose_authtok",
            way: .elsewhere("Packages/unlock-at-login", "expose_authtok quiet")),
        Self(
            page: "lanyard-plugin.7", mark: "> {\"id\":1",
            way: .elsewhere("Keychain/KeychainPlugin/ManPageTests.swift", "lanyard-plugin.7")),
        Self(
            page: "lanyard-plugin.7", mark: "./lanyard-keychain-example",
            before: "cp \"$TESTS\"/Keychain/KeychainPlugin/Plugins/lanyard-keychain-example .",
            after: "[ \"$(grep -c '\"result\"' \"$OUTPUT\")\" = 2 ]", needs: [.python]),
        Self(
            page: "lanyard-plugin.7", mark: "KeychainTests.PluginConformanceTests/executable",
            way: .elsewhere(
                "Keychain/KeychainPlugin/PluginConformanceTests.swift", "LANYARD_PLUGIN_SETTINGS")),
        Self(
            page: "lanyard-sync-plugin.7", mark: "> {\"id\":1",
            way: .elsewhere("Teams/SyncPlugins/ManPageTests.swift", "lanyard-sync-plugin.7")),
        Self(
            page: "lanyard-keychain.5", mark: "machine key id:",
            way: .elsewhere("IndependentReader/check_examples.py", "lanyard-keychain(5)")),
        Self(
            page: "lanyard-export.5", mark: "\"format\":\"lanyard-export\"",
            way: .text("lanyard import lanyard \"$1\""),
            after: """
                [ "$(cat "$OUTPUT")" = 'import    2 new' ]
                [ "$(lanyard get https://example.com)" = 'a password' ]
                """),
        Self(
            page: "lanyard-export.5", mark: "chunk of the document",
            way: .elsewhere("IndependentReader/read_export.py", "lanyard-export(5)")),
    ]
}
