import Foundation
import Glibc
import Testing
@testable import EndToEndRig

/// `lanyard import` from what other programs keep, by asking them.
@Suite(.timeLimit(.minutes(10)))
struct ImportProgramsTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    @Test(.needs(.git)) func gitsOwnHelper() async throws {
        try home.writeAtHome(
            """
            https://ada:p%40ss@example.com
            https://bob:other@example.com:8443
            https://carl:path@example.org/a/b

            """, to: "credentials")
        let helper = "store --file '\(home.folder)/credentials'"
        try await home.expectImport(
            "git-helper", helper, "https://example.com", "https://bob@example.com:8443/x.git",
            saying: "import    2 new")
        try await home.expectGet(
            "protocol=https\nhost=example.com\n", "username=ada\npassword=p@ss\n")
        try await home.expectGet(
            "protocol=https\nhost=example.com:8443\n", "username=bob\npassword=other\n")
        let outcome = try await home.imports(
            "git-helper", helper, "https://example.com", "https://nothing.example")
        #expect(outcome.outputText == "import    1 unchanged, 1 skipped\n", "\(outcome)")
        #expect(outcome.status == 44, "\(outcome)")
        #expect(outcome.errorText.contains("'https://nothing.example/' was skipped"), "\(outcome)")
        // With a path only where git would ask so.
        try await home.succeeds("git", "config", "--global", "credential.useHttpPath", "true")
        try await home.expectImport(
            "git-helper", helper, "https://example.org/a/b", saying: "import    1 new")
        try await home.expectGet(
            "protocol=https\nhost=example.org\npath=a/b\n", "username=carl\npassword=path\n")
    }

    @Test func aHelperOfAnyForm() async throws {
        let script = try home.write(
            "#!/bin/sh\ntest \"$2\" = get || exit 1\ncat >/dev/null\necho username=\"$1\"\n"
                + "echo password=pw\necho password_expiry_utc=99999999999\n",
            to: "helper", mode: 0o700)
        for (number, helper) in ["\(script) one", "!'\(script)' two"].enumerated() {
            try await home.expectImport(
                "git-helper", helper, "https://h\(number).example",
                saying: "import    1 new")
        }
        let request = "protocol=https\nhost=h1.example\n"
        try await home.expectGet(
            request, "username=two\npassword=pw\npassword_expiry_utc=99999999999\n")
    }

    /// A helper that hangs, one that answers nonsense, one that writes without end.
    @Test(arguments: [
        ("sleep 1000", "did not answer within 1 seconds"),
        ("echo nonsense", "was skipped"), ("exit 3", "failed with status 3"),
        ("exec yes password=x", "answered with more than"),
        ("printf 'password=a\\0b\\n'", "was skipped"),
    ])
    func aHelperThatDoesNotWork(_ script: String, _ reason: String) async throws {
        let outcome = try await home.imports(
            "git-helper", "!\(script);:", "https://example.com", "--timeout",
            script.hasPrefix("sleep") ? "1s" : "100s")
        #expect(outcome.status != 0, "\(outcome)")
        #expect(outcome.errorText.contains(reason), "\(outcome)")
        #expect(!FileManager.default.fileExists(atPath: home.keychain))
    }

    @Test(.needs(.pass, .dockerPass)) func dockersHelperForPass() async throws {
        try await PasswordStore.with(home) { store in
            for number in 0..<3 {
                let outcome = try await home.command(
                    "docker-credential-pass", ["store"],
                    input: Array(
                        #"{"ServerURL":"https://r\#(number).example","Username":"u","Secret":"s\#(number)"}"#
                            .utf8),
                    variables: store.variables
                ).run()
                #expect(outcome.status == 0, "\(outcome)")
            }
            try await home.expectImport(
                "docker-helper", "pass", saying: "import    3 new",
                variables: store.variables)
            try await home.expectImport(
                "docker-helper", "pass", saying: "import    3 unchanged",
                variables: store.variables)
            try await home.expectDockerGet(
                "https://r1.example",
                #"{"ServerURL":"https://r1.example","Username":"u","Secret":"s1"}"# + "\n")
            // They are not pass's own entries.
            let outcome = try await home.imports("pass", variables: store.variables)
            #expect(outcome.status == 64, "\(outcome)")
            #expect(outcome.outputText == "import    3 skipped\n", "\(outcome)")
            #expect(outcome.errorText.contains("lanyard import docker-helper pass"), "\(outcome)")
        }
    }

    @Test func aHelperOfDockersThatDoesNotWork() async throws {
        try home.writeAtHome(
            """
            #!/bin/sh
            case $1 in
            list) echo '{"a.example":"u","b.example":"v","c.example":"w"}' ;;
            get)
                read -r url
                case $url in
                a.example) echo '{"ServerURL":"a.example","Username":"u","Secret":"s"}' ;;
                b.example) echo 'credentials not found in native keychain'; exit 1 ;;
                c.example) echo '{"Username":SECRETWORD' ;;
                esac ;;
            esac
            """, to: "bin/docker-credential-odd", mode: 0o700)
        let path = try home.environment()["PATH"] ?? ""
        let outcome = try await home.imports(
            "docker-helper", "odd", variables: ["PATH": "\(home.folder)/bin:\(path)"])
        #expect(outcome.outputText == "import    1 new, 2 skipped\n", "\(outcome)")
        #expect(!outcome.errorText.contains("SECRETWORD"), "\(outcome)")
        #expect(outcome.errorText.contains("'b.example' was skipped: "), "\(outcome)")
    }

    /// A parent that ignores SIGCHLD passes that on: the kernel then keeps no exit status.
    @Test func aFailureIsNoticedWhereChildrenAreIgnored() async throws {
        try home.writeAtHome(
            """
            #!/bin/sh
            case $1 in
            list) echo '{"a.example":"u"}' ;;
            get) echo '{"ServerURL":"a.example","Username":"u","Secret":"half"}'; exit 3 ;;
            esac
            """, to: "bin/docker-credential-odd", mode: 0o700)
        let path = try home.environment()["PATH"] ?? ""
        let outcome = try await home.command(
            "env", ["--ignore-signal=CHLD", "lanyard", "import", "docker-helper", "odd"],
            variables: ["PATH": "\(home.folder)/bin:\(path)"]
        ).run()
        #expect(outcome.outputText == "import    1 skipped\n", "\(outcome)")
        #expect(try await home.lanyard("list").outputText == "")
    }

    @Test(.needs(.pass)) func pass() async throws {
        try await PasswordStore.with(home) { store in
            try await store.insert("web/example.com/ada", "right")
            try await store.insert("token", "s3cret")
            try await store.insert("-odd name", "with a hyphen")
            try await store.insert(".work/.token", "hidden")
            try await store.insert("notes/bank", "1234\nsomething private\n")
            try await home.expectImport(
                "pass", saying: "import    6 new", variables: store.variables)
            try await home.expectImport(
                "pass", saying: "import    6 unchanged", variables: store.variables)
            expectAnswer(try await home.lanyard("get", ".work/.token"), "hidden\n")
            expectAnswer(try await home.lanyard("get", "token"), "s3cret\n")
            expectAnswer(try await home.lanyard("get", "--", "-odd name"), "with a hyphen\n")
            // The first line is the password, and nothing else is lost.
            expectAnswer(try await home.lanyard("get", "notes/bank"), "1234\n")
            let whole = try await home.lanyard("get", "notes/bank (all lines)")
            #expect(whole.outputText.hasPrefix("1234\nsomething private\n"), "\(whole)")
            let list = try await home.lanyard("list", "--json")
            #expect(!list.outputText.contains("private"), "\(list)")
            try await home.expectImport(
                "pass", "notes/", "--keychain", "login", "--group", "other",
                saying: "import    2 new", variables: store.variables)
            let nothing = try await home.imports("pass", "note", variables: store.variables)
            #expect(nothing.status == 44, "\(nothing)")
        }
    }

    /// gpg prompts with a program of its own, which users may leave unanswered.
    @Test(.needs(.pass)) func passWithAPassphrase() async throws {
        try await PasswordStore.with(home, passphrase: "words") { store in
            try await store.insert("token", "s3cret")
            let answering = """
                #!/bin/sh
                echo OK
                while read -r command rest; do
                    case $command in
                    GETPIN) printf 'D words\\nOK\\n' ;;
                    BYE) echo OK; exit ;;
                    *) echo OK ;;
                    esac
                done
                """
            // It ends with the agent that started it.
            let pinentry = try home.write(
                answering.replacing("printf 'D words\\nOK\\n'", with: "cat >/dev/null"),
                to: "pinentry", mode: 0o700)
            try await store.setPinentry(pinentry)
            let outcome = try await home.imports(
                "pass", "--timeout", "2s", variables: store.variables)
            #expect(outcome.status == 53, "\(outcome)")
            #expect(
                outcome.errorText.contains("pass did not answer within 2 seconds"), "\(outcome)")
            _ = try home.write(answering, to: "pinentry", mode: 0o700)
            try await store.setPinentry(pinentry)
            try await home.expectImport(
                "pass", saying: "import    1 new", variables: store.variables)
        }
    }
}
