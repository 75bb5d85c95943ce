import Testing
@testable import EndToEndRig

/// A keychain file that an attacker made or changed must not make a program compute for hours or take
/// all memory: the price of a passphrase is bounded before the passphrase is even looked at
/// (the kind of CVE-2023-50658, where a header says how often to iterate).
@Suite(.needs(.unsanitized, .sqlite), .timeLimit(.minutes(10)))
struct HostileKeybagTests {
    let home: ScratchHome

    init() async throws {
        home = try ScratchHome()
        try await home.set("example", secret: "distinctive-secret")
        try await home.setPassphrase(isPortable: true)
    }

    /// The memory in KiB and the passes, as they stand in the file.
    private static let usual = "0002000000000003"
    private static let prices = [
        "0008000000000003",  // 512 MiB
        "0004000000000004",  // 256 MiB, four times
        "8000000000000001", "FFFFFFFF00000001",
        "0002000000000007", "00020000FFFFFFFF", "0002000000000000",
        "00007FFF00000003",  // Less than 32 MiB: a guess would cost too little
    ]

    /// A keychain that came from elsewhere: no key of this machine vouches for what is in it.
    private func comesFromElsewhere(_ price: String) async throws {
        let keybag = try await home.succeeds(
            "sqlite3", home.keychain, "SELECT hex(keybag) FROM keychain"
        ).outputText.split(separator: "\n")[0]
        #expect(keybag.contains(Self.usual))
        try await home.succeeds(
            "sqlite3", home.keychain,
            "UPDATE keychain SET keybag = X'\(keybag.replacing(Self.usual, with: price))'")
        try await home.succeeds("rm", "-r", home.state)
    }

    /// Runs a program with less memory than a passphrase takes at any price, and more than it needs itself.
    private func runWithoutMemory(
        _ program: String, _ arguments: String..., input: String = ""
    ) async throws -> Outcome {
        var command = try home.command(
            "prlimit", ["--data=100000000", program] + arguments, input: Array(input.utf8),
            variables: ["LANYARD_PASSPHRASE_FILE": "\(home.path)/passphrase"])
        command.timeLimit = .seconds(60)
        return try await command.run()
    }

    @Test(arguments: prices)
    func theCostIsRefused(_ price: String) async throws {
        try await comesFromElsewhere(price)
        let before = try Snapshot(home.data)
        for outcome in [
            try await runWithoutMemory("lanyard", "get", "example"),
            try await runWithoutMemory("lanyard", "unlock"),
            try await runWithoutMemory(
                "git-credential-lanyard", "get", input: "protocol=https\nhost=example.com\n"),
        ] {
            #expect(outcome.status != 0, "\(outcome)")
            #expect(outcome.output.isEmpty, "\(outcome)")
            #expect(
                outcome.errorText.contains(
                    "the keys of the keychain '\(home.keychain)' are damaged or were tampered with"),
                "\(outcome)")
        }
        #expect(try Snapshot(home.data).differences(from: before) == [])
    }

    @Test func theUsualPriceIsPaid() async throws {
        try await comesFromElsewhere(Self.usual)
        let refused = try await runWithoutMemory("lanyard", "get", "example")
        #expect(refused.errorText.contains("not enough memory"), "\(refused)")
        expectAnswer(try await home.lanyardUnlocked("get", "example"), "distinctive-secret\n")
    }
}
