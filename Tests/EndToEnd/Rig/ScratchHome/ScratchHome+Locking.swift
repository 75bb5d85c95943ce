import Testing

extension ScratchHome {
    /// Gives the keychain a passphrase, of a file that ``unlocked(_:variables:)`` uses.
    func setPassphrase(
        _ passphrase: String = "the passphrase", isPortable: Bool = false,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let file = try write("\(passphrase)\n", to: "passphrase")
        // Many a test has a short one.
        let options = ["--yes"] + (isPortable ? ["--portable"] : [])
        let outcome = try await command(
            "lanyard", ["passphrase", "set", "--new-passphrase-file", file] + options
        ).run()
        #expect(
            outcome.status == 0 && outcome.output.isEmpty
                && outcome.errorText.hasPrefix("lanyard: the keychain '")
                && outcome.errorText.contains("' is locked now; lanyard unlock"), "\(outcome)",
            sourceLocation: sourceLocation)
    }

    /// Runs lanyard with the passphrase given.
    func lanyardUnlocked(
        _ arguments: String..., input: String = "", passphraseFile: String = "passphrase"
    ) async throws -> Outcome {
        try await command(
            "lanyard", arguments, input: Array(input.utf8),
            variables: ["LANYARD_PASSPHRASE_FILE": "\(path)/\(passphraseFile)"]
        ).run()
    }

    /// Unlocks the keychain for all programs.
    func unlock(
        timeout: String = "10m", sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let outcome = try await lanyardUnlocked("unlock", "--timeout", timeout)
        expectAnswer(outcome, "", sourceLocation: sourceLocation)
    }

    /// Takes the keychain's keys out of the kernel's keyring, where nothing ends with this home.
    func forgetKeys() async throws {
        _ = try await lanyard("lock", "--all")
    }

    /// Runs what may unlock the keychain, and takes its keys out of the kernel's keyring.
    func forgettingKeys(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch {
            try await forgetKeys()
            throw error
        }
        try await forgetKeys()
    }

    /// `state` of `lanyard status --json`.
    func lockState() async throws -> JSONText? {
        try await json("status", "--json").elements.first?.members["state"]
    }
}

/// Expects that a secret can't be had, as the keychain is locked, and lanyard can't prompt here.
func expectLocked(
    _ outcome: Outcome, hint: String = "lanyard unlock",
    sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(outcome.status == 36, "\(outcome)", sourceLocation: sourceLocation)
    #expect(outcome.output.isEmpty, "\(outcome)", sourceLocation: sourceLocation)
    #expect(
        outcome.errorText == """
            lanyard: error: the keychain 'login' is locked, and lanyard can't prompt here
            lanyard: hint: \(hint)

            """, "\(outcome)", sourceLocation: sourceLocation)
}
