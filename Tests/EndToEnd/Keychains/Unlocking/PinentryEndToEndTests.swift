import Testing
@testable import EndToEndRig

/// The real pinentry asks at the terminal of a git helper.
@Suite(.serialized, .needs(.python, .keyrings), .timeLimit(.minutes(10)))
struct PinentryEndToEndTests {
    /// A real pinentry.
    enum Flavour: String, CaseIterable, Sendable {
        case tty = "pinentry-tty"
        case curses = "pinentry-curses"

        /// What ends a line. curses has set the terminal to give it as it comes.
        var enter: String { self == .tty ? "\n" : "\r" }
        /// curses: from the field over OK to Cancel.
        var cancel: String { self == .tty ? "\u{4}" : "\t\t\r" }
    }

    private static let question = "passphrase:"

    let home: ScratchHome

    init() async throws {
        home = try ScratchHome()
        try await home.store("protocol=https\nhost=a.example\nusername=ada\npassword=pw\n")
        try await home.setPassphrase()
    }

    private func run(
        _ flavour: Flavour, steps: [Dialogue.Step]
    ) async throws -> Dialogue.Session? {
        guard try await Need.succeeds(flavour.rawValue, "--version") else {
            print("skipped: PinentryEndToEndTests: there is no \(flavour.rawValue)")
            return nil
        }
        let terminal = Dialogue(
            home: home,
            variables: [
                "PATH": try await home.pathWith("pinentry=\(flavour.rawValue)"), "TERM": "xterm",
            ])
        return try await terminal.run(
            "printf 'protocol=https\\nhost=a.example\\n' | git-credential-lanyard get "
                + "2>\"$1/error\" >\"$1/output\"",
            home.path, steps: steps)
    }

    @Test(arguments: Flavour.allCases) func unlocks(_ flavour: Flavour) async throws {
        try await home.forgettingKeys {
            let steps: [Dialogue.Step] = [
                .asked(PinentryEndToEndTests.question), .types("the passphrase\(flavour.enter)"),
            ]
            guard let session = try await run(flavour, steps: steps) else {
                return
            }
            session.expect(status: 0)
            #expect(session.shown.contains("Unlock the keychain 'login'"), "\(session)")
            #expect(!session.shown.contains("the passphrase"), "\(session)")
            #expect(try home.text("output") == "username=ada\npassword=pw\n")
            #expect(try home.text("error") == "")
            #expect(try await home.lockState() == "unlocked")
        }
    }

    @Test(arguments: Flavour.allCases) func wrongTwice(_ flavour: Flavour) async throws {
        try await home.forgettingKeys {
            let steps: [Dialogue.Step] = [
                .asked(PinentryEndToEndTests.question), .types("wrong\(flavour.enter)"),
                .asked("wrong passphrase"), .types("wrong\(flavour.enter)"),
                .asked("wrong passphrase"), .types("the passphrase\(flavour.enter)"),
            ]
            guard let session = try await run(flavour, steps: steps) else {
                return
            }
            session.expect(status: 0)
            #expect(try home.text("output") == "username=ada\npassword=pw\n")
        }
    }

    @Test(arguments: Flavour.allCases, ["cancel", "\u{3}"])
    func cancelled(_ flavour: Flavour, by keys: String) async throws {
        try await home.forgettingKeys {
            let keys = keys == "cancel" ? flavour.cancel : keys
            let steps: [Dialogue.Step] = [.asked(PinentryEndToEndTests.question), .types(keys)]
            guard let session = try await run(flavour, steps: steps) else {
                return
            }
            session.expect(status: 1)
            #expect(try home.text("output") == "")
            #expect(try home.text("error") == "lanyard: error: cancelled: nothing was changed\n")
            #expect(try await home.lockState() == "locked")
        }
    }
}
