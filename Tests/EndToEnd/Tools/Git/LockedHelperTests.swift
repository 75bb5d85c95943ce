import Testing
@testable import EndToEndRig

/// The helpers on a locked keychain without a way to prompt.
@Suite(.timeLimit(.minutes(10)))
struct LockedHelperTests {
    let home: ScratchHome
    private let hint = "lanyard: hint: lanyard unlock\n"

    init() async throws {
        home = try ScratchHome()
        try await home.store("protocol=https\nhost=a.example\nusername=ada\npassword=pw\n")
        try await home.storeForDocker(
            #"{"ServerURL":"r.example","Username":"ada","Secret":"pw"}"#)
        try await home.setPassphrase()
    }

    @Test func gitGetPrintsNothingAndHints() async throws {
        let outcome = try await home.helper("get", input: "protocol=https\nhost=a.example\n")
        #expect(outcome.status == 1 && outcome.output.isEmpty, "\(outcome)")
        #expect(outcome.errorText.hasSuffix(hint), "\(outcome)")
        // What is not there needs no key, and no word.
        try await home.expectGet("protocol=https\nhost=b.example\n", "")
    }

    @Test(arguments: ["b.example", "a.example"]) func gitStoreFails(host: String) async throws {
        let before = try home.read(home.keychain)
        let outcome = try await home.helper(
            "store", input: "protocol=https\nhost=\(host)\nusername=ada\npassword=new\n")
        #expect(outcome.status == 1 && outcome.output.isEmpty, "\(outcome)")
        #expect(outcome.errorText.hasSuffix(hint), "\(outcome)")
        #expect(try home.read(home.keychain) == before)
    }

    @Test(arguments: ["", "password=pw\n"]) func gitEraseFails(rest: String) async throws {
        let before = try home.read(home.keychain)
        let outcome = try await home.helper(
            "erase", input: "protocol=https\nhost=a.example\n\(rest)")
        #expect(outcome.status == 1 && outcome.output.isEmpty, "\(outcome)")
        #expect(outcome.errorText.hasSuffix(hint), "\(outcome)")
        #expect(try home.read(home.keychain) == before)
    }

    @Test func dockerGoesOnWithoutALogin() async throws {
        let get = try await home.dockerHelper("get", input: "r.example")
        #expect(get.status == 1, "\(get)")
        #expect(get.outputText == "credentials not found in native keychain\n")
        #expect(get.errorText == hint)
        let list = try await home.dockerHelper("list")
        #expect(list.status == 0 && list.outputText == "{}\n", "\(list)")
        #expect(list.errorText == hint)
        let store = try await home.dockerHelper(
            "store", input: #"{"ServerURL":"n.example","Username":"ada","Secret":"pw"}"#)
        #expect(store.status == 1 && store.errorText == hint, "\(store)")
    }

    /// What is given to one process unlocks it, in silence, and no other.
    @Test func aGivenPassphraseIsForItsProcessAlone() async throws {
        let given: [String: String?] = ["LANYARD_PASSPHRASE_FILE": "\(home.path)/passphrase"]
        let get = try await home.helper(
            "get", input: "protocol=https\nhost=a.example\n", variables: given)
        expectAnswer(get, "username=ada\npassword=pw\n")
        let list = try await home.dockerHelper("list", variables: given)
        expectAnswer(list, "{\"r.example\":\"ada\"}\n")
        #expect(try await home.helper("get", input: "protocol=https\nhost=a.example\n").status == 1)
        #expect(try await home.lockState() == "locked")
    }

    /// A wrong one is an error, and never the way to something weaker.
    @Test(arguments: ["wrong\n", "", "the passphrase\n\n", "The passphrase\n"])
    func aWrongPassphraseLeavesItLocked(content: String) async throws {
        let before = try home.read(home.keychain)
        let file = try home.write(content, to: "wrong")
        for operation in ["get", "store", "erase"] {
            let outcome = try await home.helper(
                operation, input: "protocol=https\nhost=a.example\nusername=ada\npassword=pw\n",
                variables: ["LANYARD_PASSPHRASE_FILE": file])
            #expect(outcome.status == 1 && outcome.output.isEmpty, "\(outcome)")
            #expect(outcome.errorText.hasPrefix("lanyard: error: "), "\(outcome)")
            #expect(!outcome.errorText.contains("rong\n"), "\(outcome)")
        }
        #expect(try home.read(home.keychain) == before)
        #expect(try await home.lockState() == "locked")
    }

    /// systemd's credential comes first, and a wrong one is not made good by another.
    @Test func theCredentialComesFirst() async throws {
        let folder = try await home.shell(
            """
            mkdir -m 700 "$HOME/credentials"
            printf 'the passphrase' >"$HOME/credentials/lanyard.passphrase"
            chmod 400 "$HOME/credentials/lanyard.passphrase"
            chmod 500 "$HOME/credentials"
            printf wrong >"$HOME/wrong"
            printf %s "$HOME"
            """
        ).outputText
        let login = "protocol=https\nhost=a.example\n"
        let first = try await home.helper(
            "get", input: login,
            variables: [
                "CREDENTIALS_DIRECTORY": "\(folder)/credentials",
                "LANYARD_PASSPHRASE_FILE": "\(folder)/wrong",
            ])
        expectAnswer(first, "username=ada\npassword=pw\n")
        try await home.shell(
            "chmod 700 \"$HOME/credentials\"; rm \"$HOME/credentials/lanyard.passphrase\"; "
                + "mv \"$HOME/wrong\" \"$HOME/credentials/lanyard.passphrase\"")
        let second = try await home.helper(
            "get", input: login,
            variables: [
                "CREDENTIALS_DIRECTORY": "\(folder)/credentials",
                "LANYARD_PASSPHRASE_FILE": "\(home.path)/passphrase",
            ])
        #expect(second.status == 1 && second.output.isEmpty, "\(second)")
        #expect(second.errorText.contains("CREDENTIALS_DIRECTORY"), "\(second)")
        let none = try await home.helper(
            "get", input: login,
            variables: [
                "CREDENTIALS_DIRECTORY": "\(folder)/nowhere",
                "LANYARD_PASSPHRASE_FILE": "\(home.path)/passphrase",
            ])
        expectAnswer(none, "username=ada\npassword=pw\n")
    }

    /// An open descriptor serves several programs, as one git starts them.
    @Test func aDescriptorServesSeveralPrograms() async throws {
        let outcome = try await home.shell(
            """
            exec 3<"$1"
            export LANYARD_PASSPHRASE_FILE=3
            for number in 1 2 3; do
                printf 'protocol=https\\nhost=a.example\\n' | git-credential-lanyard get
            done
            """, "\(home.path)/passphrase")
        #expect(
            outcome.outputText == String(repeating: "username=ada\npassword=pw\n", count: 3),
            "\(outcome)")
    }
}
