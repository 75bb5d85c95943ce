import Foundation
import Testing
@testable import EndToEndRig

/// A machine key in a folder that backups leave out.
@Suite(.timeLimit(.minutes(10)))
struct MovedMachineKeyTests {
    let home: ScratchHome
    var folder: String { "\(home.path)/elsewhere" }
    var tag: String { "\(folder)/CACHEDIR.TAG" }

    init() async throws {
        home = try ScratchHome()
        try await home.set("x", secret: "the secret")
    }

    private func makeRecoveryKey() async throws {
        let made = try await home.lanyard("recovery-key", "create")
        #expect(made.status == 0, "\(made)")
        _ = try home.write(made.outputText, to: "recovery-key")
    }

    private func expectSecret(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let outcome = try await home.lanyard("get", "x")
        #expect(outcome.outputText == "the secret\n", "\(outcome)", sourceLocation: sourceLocation)
    }

    @Test func isMovedAndMovedBack() async throws {
        let key = try home.read(home.machineKey)
        let refused = try await home.lanyard("machine-key", "move", folder)
        #expect(refused.status == 36, "\(refused)")
        #expect(
            refused.errorText.contains("needs a recovery key before its machine key is moved"),
            "\(refused)")
        try await makeRecoveryKey()
        for _ in 0..<2 {
            #expect(try await home.lanyard("machine-key", "move", folder).status == 0)
            #expect(try home.read("\(folder)/machine-key") == key)
            #expect(try home.read(home.machineKey).count != 32)
            #expect(FileManager.default.fileExists(atPath: tag))
            try await expectSecret()
        }
        let status = try await home.json("machine-key", "status", "--json")
        #expect(status.members["moved"] == true)
        #expect(status.members["folder"] == .string(folder))
        #expect(status.members["kind"] == "plain")
        let protection = try await home.lanyard("status")
        #expect(protection.outputText.contains("if '\(folder)' leaks too\n"), "\(protection)")
        #expect(!protection.outputText.contains(home.state), "\(protection)")
        #expect(
            try await !home.lanyard("machine-key", "status").outputText.contains("systemd"))
        #expect(try await home.lanyard("machine-key", "move", "--undo").status == 0)
        #expect(try home.read(home.machineKey) == key)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
        try await expectSecret()
    }

    @Test func isMovedAgain() async throws {
        try await makeRecoveryKey()
        #expect(try await home.lanyard("machine-key", "move", folder).status == 0)
        #expect(try await home.lanyard("machine-key", "move", "\(home.path)/there").status == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
        try await expectSecret()
    }

    /// A restored home without that folder: the recovery key makes a new key.
    @Test func aMissingFolderIsHealedByTheRecoveryKey() async throws {
        try await makeRecoveryKey()
        #expect(try await home.lanyard("machine-key", "move", folder).status == 0)
        try FileManager.default.removeItem(atPath: folder)
        let status = try await home.json("machine-key", "status", "--json")
        #expect(status.members["kind"] == "missing")
        #expect(status.members["folder"] == .string(folder))
        #expect(status.members["moved"] == true)
        let screen = try await home.lanyard("machine-key", "status")
        #expect(screen.outputText.contains("missing"), "\(screen)")
        #expect(!screen.outputText.contains("plain"), "\(screen)")
        let refused = try await home.lanyard("get", "x")
        #expect(refused.errorText.contains("it was moved there"), "\(refused)")
        #expect(refused.errorText.contains("lanyard machine-key renew"), "\(refused)")
        let given = ["LANYARD_PASSPHRASE_FILE": "\(home.path)/recovery-key"]
        let renewal = try await home.lanyard("machine-key", "renew", variables: given)
        #expect(renewal.status == 0, "\(renewal)")
        try await expectSecret()
    }

    /// Backups take the home folder as a whole.
    @Test func aFolderInTheHomeFolderGetsAWarning() async throws {
        try await makeRecoveryKey()
        let there = "\(home.path)/home/there"
        let inside = try await home.lanyard("machine-key", "move", there)
        #expect(inside.status == 0, "\(inside)")
        #expect(
            inside.errorText.contains("warning: '\(there)' is in your home folder"), "\(inside)")
        let outside = try await home.lanyard("machine-key", "move", folder)
        #expect(outside.status == 0, "\(outside)")
        #expect(!outside.errorText.contains("warning"), "\(outside)")
    }

    /// Backups leave out what is beside the key, and a copy of the keychains with it opens them.
    @Test func aFolderThatBackupsNeedIsRefused() async throws {
        try await makeRecoveryKey()
        let key = try home.read(home.machineKey)
        _ = try home.writeAtHome("key", to: ".ssh/id_ed25519")
        for (there, words) in [
            ("\(home.path)/home", "has files that backups need"),
            (home.data, "would open the keychains with the machine key in it"),
            ("\(home.path)/home/.ssh", "has other files"),
        ] {
            let outcome = try await home.lanyard("machine-key", "move", there)
            #expect(outcome.status == 64, "\(outcome)")
            #expect(outcome.errorText.contains(words), "\(outcome)")
            #expect(try home.read(home.machineKey) == key)
        }
    }

    /// Without the machine key neither it nor the passphrase, which is not portable, opens items that ask.
    @Test func aRecoveryKeyThatDoesNotOpenItemsThatAskIsNotEnough() async throws {
        let tag = "\(home.state)/CACHEDIR.TAG"
        let passphrase = try home.write("the passphrase\n", to: "given-passphrase")
        let given = ["LANYARD_PASSPHRASE_FILE": passphrase]
        try await home.forgettingKeys {
            let set = try await home.lanyard(
                "passphrase", "set", "--yes", "--new-passphrase-file", passphrase)
            #expect(set.status == 0, "\(set)")
            let made = try await home.lanyard("recovery-key", "create", variables: given)
            #expect(made.status == 0, "\(made)")
            #expect(FileManager.default.fileExists(atPath: tag))
            let stored = try await home.lanyard(
                "set", "--stdin", "--ask", "token", input: "asks", variables: given)
            #expect(stored.status == 0, "\(stored)")
            #expect(!FileManager.default.fileExists(atPath: tag))
            let refused = try await home.lanyard("machine-key", "move", folder)
            #expect(refused.status == 36, "\(refused)")
            #expect(refused.errorText.contains("does not open its items that ask"), "\(refused)")
            let status = try await home.lanyard("machine-key", "status")
            #expect(
                status.outputText.contains("lanyard recovery-key create --replace"), "\(status)")
            #expect(
                status.outputText.contains("opens nothing without the passphrase"), "\(status)")
            let again = try await home.lanyard(
                "recovery-key", "create", "--replace", variables: given)
            #expect(again.status == 0, "\(again)")
            #expect(FileManager.default.fileExists(atPath: tag))
            #expect(try await home.lanyard("machine-key", "move", folder).status == 0)
        }
    }

    @Test func anotherKeyThereIsNotReplaced() async throws {
        try await makeRecoveryKey()
        let other = try ScratchHome()
        try await other.set("x", secret: "another secret")
        let key = try home.read(home.machineKey)
        let outcome = try await home.lanyard("machine-key", "move", other.state)
        #expect(outcome.errorText.contains("another machine key is at"), "\(outcome)")
        #expect(try home.read(home.machineKey) == key)
        #expect(try await other.lanyard("get", "x").outputText == "another secret\n")
    }

    @Test func aFolderOpenToOthersIsRefused() async throws {
        try await makeRecoveryKey()
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o755])
        let outcome = try await home.lanyard("machine-key", "move", folder)
        #expect(outcome.errorText.contains("is open to other users"), "\(outcome)")
        try await expectSecret()
    }

    /// The tag tells backup programs to leave the folder out: only while a recovery key opens every keychain.
    @Test func theTagFollowsTheRecoveryKey() async throws {
        let tag = "\(home.state)/CACHEDIR.TAG"
        #expect(!FileManager.default.fileExists(atPath: tag))
        try await makeRecoveryKey()
        #expect(
            try String(decoding: home.read(tag), as: UTF8.self).hasPrefix(
                "Signature: 8a477f597d28d172789f06886806bc55\n"))
        #expect(try await home.lanyard("keychain", "create", "work").status == 0)
        #expect(!FileManager.default.fileExists(atPath: tag))
        #expect(try await home.lanyard("recovery-key", "create", "--keychain", "work").status == 0)
        #expect(FileManager.default.fileExists(atPath: tag))
        #expect(try await home.lanyard("recovery-key", "remove").status == 0)
        #expect(!FileManager.default.fileExists(atPath: tag))
    }

    /// A restored copy may be from before its recovery key.
    @Test func theTagFollowsTheRestoredCopy() async throws {
        let tag = "\(home.state)/CACHEDIR.TAG"
        let copies = ["\(home.path)/without", "\(home.path)/with"]
        #expect(try await home.lanyard("backup", copies[0]).status == 0)
        try await makeRecoveryKey()
        #expect(try await home.lanyard("backup", copies[1]).status == 0)
        for (copy, isTagged) in zip(copies, [false, true]) {
            #expect(try await home.lanyard("restore", "--yes", copy).status == 0)
            #expect(FileManager.default.fileExists(atPath: tag) == isTagged)
        }
    }
}
