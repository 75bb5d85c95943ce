import Foundation
import Glibc
import Testing
@testable import EndToEndRig
import TestSupport

/// Without the right machine key the keychain stays shut, and as it is.
@Suite(.timeLimit(.minutes(10)))
struct MachineKeyTests {
    let home: ScratchHome
    let request = "protocol=https\nhost=example.com\nusername=ada\n"
    let secret = "distinctive-secret"

    init() async throws {
        home = try ScratchHome()
        try await home.store("\(request)password=\(secret)\n")
    }

    private func expectRefused(
        _ message: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let before = try Snapshot(home.lanyard)
        for operation in ["get", "store", "erase"] {
            let input = operation == "get" ? request : "\(request)password=\(secret)\n"
            let outcome = try await home.helper(operation, input: input)
            expectRefusal(outcome, message, secret: secret, sourceLocation: sourceLocation)
        }
        let after = try Snapshot(home.lanyard)
        #expect(after.differences(from: before) == [], sourceLocation: sourceLocation)
    }

    @Test(arguments: [0, 1, 16, 31, 33, 64, 1 << 20])
    func ofTheWrongLengthIsRefused(_ count: Int) async throws {
        #expect(truncate(home.machineKey, count) == 0)
        try await expectRefused("it is not 32 bytes long")
    }

    @Test func ofAnotherKeychainIsRefused() async throws {
        let other = try ScratchHome()
        try await other.store("\(request)password=\(secret)\n")
        try Data(try other.read(other.machineKey)).write(to: URL(filePath: home.machineKey))
        chmod(home.machineKey, 0o600)
        try await expectRefused("machine key")
    }

    @Test func withAFlippedBitIsRefused() async throws {
        var bytes = try home.read(home.machineKey)
        bytes[31] ^= 1
        try Data(bytes).write(to: URL(filePath: home.machineKey))
        chmod(home.machineKey, 0o600)
        try await expectRefused("machine key")
    }

    @Test func thatIsMissingIsNotMadeAnew() async throws {
        #expect(unlink(home.machineKey) == 0)
        try await expectRefused("machine-key' is missing")
    }

    /// A user who has no passphrase would not think of the recovery key.
    @Test func thatIsMissingLeavesTheRecoveryKey() async throws {
        let made = try await home.lanyard("recovery-key", "create")
        #expect(made.status == 0, "\(made)")
        #expect(rename(home.machineKey, "\(home.path)/kept") == 0)
        let reason =
            "the keychain 'login' is locked: the machine key '\(home.machineKey)' is missing, "
            + "and lanyard can't prompt here for the recovery key"
        for command in [["get", "--group", "git", "https://example.com"], ["list"]] {
            let outcome = try await home.command("lanyard", command).run()
            #expect(outcome.status == 36, "\(outcome)")
            #expect(
                outcome.errorText == """
                    lanyard: error: \(reason)
                    lanyard: hint: lanyard unlock

                    """, "\(outcome)")
        }
        let status = try await home.lanyard("status")
        #expect(
            status.outputText.contains(
                "locked: the machine key '\(home.machineKey)' is missing; with the recovery key: "
                    + "lanyard unlock --recovery-key\n"), "\(status)")
        let helper = try await home.helper("get", input: request)
        #expect(helper.errorText.contains("machine-key' is missing"), "\(helper)")
        // Another machine's is no better.
        _ = try home.write(String(repeating: "0", count: 32), to: "other")
        #expect(rename("\(home.path)/other", home.machineKey) == 0)
        let other = try await home.lanyard("get", "--group", "git", "https://example.com")
        #expect(
            other.errorText.contains("is locked: it was sealed under another machine key, "),
            "\(other)")
        _ = try home.write(made.outputText, to: "passphrase")
        #expect(try await home.lanyardUnlocked("list").status == 0)
    }

    /// The recovery key is asked for as if it were missing, and the damaged file stays.
    @Test(.needs(.keyrings), arguments: ["unlock --recovery-key", "machine-key renew", "restore"])
    func thatIsDamagedLeavesTheRecoveryKey(command: String) async throws {
        let made = try await home.lanyard("recovery-key", "create")
        let recoveryKey = try home.write(made.outputText, to: "recovery-key")
        let copy = "\(home.path)/copy"
        try await home.succeeds("lanyard", "backup", copy)
        try Data("short".utf8).write(to: URL(filePath: home.machineKey))
        chmod(home.machineKey, 0o600)
        let reason = "the machine key '\(home.machineKey)' is damaged: it is not 32 bytes long"
        let get = try await home.lanyard("get", "--group", "git", "https://example.com")
        #expect(
            get.status == 36
                && get.errorText == """
                    lanyard: error: the keychain 'login' is locked: \(reason), and lanyard can't prompt \
                    here for the recovery key
                    lanyard: hint: lanyard unlock

                    """,
            "\(get)")
        let status = try await home.lanyard("machine-key", "status")
        #expect(
            status.outputText.contains(
                "error     \(reason)\n          restore it from a backup of its folder; without one, "
                    + "use the recovery key: lanyard machine-key renew\n"), "\(status)")
        let json = try await home.json("machine-key", "status", "--json")
        #expect(json.members["kind"] == "damaged", "\(json)")
        let doctor = try await home.lanyard("doctor")
        #expect(
            doctor.outputText.contains(
                "without one, lanyard unlock --recovery-key\n"), "\(doctor)")
        let words =
            command == "restore"
            ? ["restore", "--yes", copy] : command.split(separator: " ").map(String.init)
        let opened = try await home.command(
            "lanyard", words, variables: ["LANYARD_PASSPHRASE_FILE": recoveryKey]
        ).run()
        #expect(opened.status == 0, "\(opened)")
        try await home.expectGet(request, "username=ada\npassword=\(secret)\n")
        let kept = try FileManager.default.contentsOfDirectory(atPath: home.state)
            .filter { $0.hasPrefix("machine-key.unreadable-") }
        try #require(kept.count == 1, "\(kept)")
        #expect(try home.read("\(home.state)/\(kept[0])") == Array("short".utf8))
        #expect(opened.errorText.contains("'\(home.state)/\(kept[0])'\n"), "\(opened)")
    }

    /// A second keychain names the ways on as `login` does.
    @Test(arguments: [true, false]) func thatIsLostNamesTheWaysOn(isReplaced: Bool) async throws {
        try await home.succeeds("lanyard", "keychain", "create", "work")
        _ = try home.write(String(repeating: "0", count: 32), to: "other")
        #expect(rename("\(home.path)/other", home.machineKey) == 0)
        if !isReplaced {
            #expect(unlink(home.machineKey) == 0)
        }
        for (name, option) in [("login", ""), ("work", " --keychain work")] {
            let ways =
                "; or restore a backup that has a recovery key: lanyard restore\(option) FILE; or forget it: "
                + "lanyard keychain delete \(name)\n"
            for command in ["list", "status", "verify", "recovery-key create", "passphrase set"] {
                let words = command.split(separator: " ").map { String($0) }
                let outcome = try await home.command("lanyard", words + ["--keychain", name]).run()
                #expect(outcome.status == 51 && outcome.errorText.hasSuffix(ways), "\(outcome)")
            }
            let doctor = try await home.lanyard("doctor")
            #expect(doctor.outputText.contains(ways), "\(doctor)")
        }
        let status = try await home.lanyard("machine-key", "status")
        let text =
            isReplaced
            ? "only another key opens the keychain 'work'"
            : "key       missing: restore it from a backup of its folder"
        #expect(status.outputText.contains(text), "\(status)")
    }

    @Test func whoseFolderIsMissingIsNotMadeAnew() async throws {
        try FileManager.default.removeItem(atPath: home.state)
        try await expectRefused("machine-key' is missing")
    }

    private static let form = "lanyard machine key\n\u{0}\u{1}"
    private static let moved = "\u{0}\u{0}\u{0}\u{5}moved"
    private static let sealed = "\u{0}\u{0}\u{0}\u{7}systemd"

    private static let unreadable: [(content: String, status: Int32)] = [
        ("too short", 93), ("lanyard machine key\n", 93), (form, 93), ("\(form)\(moved)", 93),
        ("\(form)\(sealed)id", 93), ("\(form)\(moved)\u{0}\u{0}\u{0}\u{1}x", 93),
        ("lanyard machine key\n\u{0}\u{2}", 34), ("\(form)\u{0}\u{0}\u{0}\u{1}x", 34),
        ("\(form)\(moved)\u{0}\u{0}\u{0}\u{5}/none", 51),
    ]

    /// lanyard(1) lists how a command ends that can't read it.
    @Test(arguments: unreadable)
    func endsWithAListedStatus(content: String, status: Int32) async throws {
        try Data(content.utf8).write(to: URL(filePath: home.machineKey))
        chmod(home.machineKey, 0o600)
        let page = try Repository.text("man/lanyard.1")
        let listed = page.matches(of: /\n\.It (\d+) Pq err/).compactMap { Int32($0.1) }
        for arguments in [["get", "https://example.com"], ["list"], ["verify"], ["unlock"]] {
            let outcome = try await home.command("lanyard", arguments).run()
            #expect(outcome.status == status && listed.contains(status), "\(outcome)")
            #expect(outcome.errorText.contains("the machine key '"), "\(outcome)")
        }
    }

    @Test func servesEveryKeychainThatIsMade() async throws {
        let before = try home.read(home.machineKey)
        try await home.succeeds("lanyard", "keychain", "delete", "--yes", "login")
        try await home.expectGet(request, "")
        try await home.store("\(request)password=\(secret)\n")
        #expect(try home.read(home.machineKey) == before)
        try await home.expectGet(request, "username=ada\npassword=\(secret)\n")
    }
}
