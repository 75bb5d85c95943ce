import Foundation
import KeychainServices
import Testing

@testable import SealedStore

@Suite("Keychain anchor") struct KeychainAnchorTests {
    private func content(_ scratch: ScratchKeychain) throws -> AnchorContent {
        try #require(try KeychainAnchor(scratch.location).read())
    }

    private func expectRefused(
        _ scratch: ScratchKeychain, _ reason: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let before = try scratch.files()
        for error in [scratch.reading(), scratch.adding()] {
            #expect(error?.status == .decode, sourceLocation: sourceLocation)
            #expect(error?.reason.contains(reason) == true, sourceLocation: sourceLocation)
            #expect(
                error?.hint?.hasSuffix("lanyard keychain accept-restore login") == true,
                sourceLocation: sourceLocation)
        }
        #expect(try scratch.files() == before, sourceLocation: sourceLocation)
    }

    /// A second keychain under the same machine key, in place of the first.
    private func replace(_ scratch: ScratchKeychain) throws {
        let other = KeychainLocation(
            file: "\(scratch.dataFolder)/other.keychain", stateFolder: scratch.stateFolder)
        try SealedStore.make(at: other)
        #expect(rename(other.file, scratch.location.file) == 0)
    }

    @Test func aNewKeychainHasOne() throws {
        let scratch = try ScratchKeychain()
        #expect(try content(scratch).keychainID == scratch.keybag().keychainID)
        #expect(try content(scratch).generation == 1)
        #expect(try content(scratch).isNew)
        #expect(scratch.adding() == nil)
        #expect(try !content(scratch).isNew)
    }

    /// Who can take it away could put an older copy back, too.
    @Test func aMissingOneIsRefusedUntilAccepted() throws {
        let scratch = try ScratchKeychain.withItem()
        try FileManager.default.removeItem(atPath: scratch.anchorFile())
        try expectRefused(scratch, "login.anchor")
        try SealedStore.acceptRestored(at: scratch.location)
        #expect(scratch.reading() == nil)
        #expect(scratch.adding() == nil)
    }

    @Test(arguments: [0, 1, AnchorContent.size - 1, AnchorContent.size + 1])
    func oneOfAnotherLengthIsRefused(_ count: Int) throws {
        let scratch = try ScratchKeychain.withItem()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: scratch.anchorFile()))
        try (bytes + [0]).prefix(count).write(to: URL(fileURLWithPath: scratch.anchorFile()))
        try expectRefused(scratch, "damaged")
        try SealedStore.acceptRestored(at: scratch.location)
        #expect(scratch.reading() == nil)
    }

    /// Version, flags, id, generation; without a passphrase the next two have to be zeros.
    @Test func bytesFlippedAreRefused() throws {
        let scratch = try ScratchKeychain.withItem()
        let file = URL(fileURLWithPath: try scratch.anchorFile())
        let bytes = try Data(contentsOf: file)
        for position in 0..<(AnchorContent.size - 2 * UnlockEpochs.size) {
            var changed = bytes
            changed[position] ^= 0x08
            try changed.write(to: file)
            #expect(scratch.reading()?.status == .decode, "byte \(position)")
        }
        try bytes.write(to: file)
        #expect(scratch.reading() == nil)
    }

    @Test func oneThatIsAheadIsRefused() throws {
        let scratch = try ScratchKeychain.withItem()
        try scratch.setAnchor(generation: 2)
        try expectRefused(scratch, "older than")
    }

    /// The same keys, and items as they were before the last change.
    @Test func anOlderCopyOfTheItemsIsRefusedUntilAccepted() throws {
        let scratch = try ScratchKeychain.withItem()
        let older = try scratch.bytes()
        #expect(try content(scratch).change == 1)
        #expect(scratch.adding() == nil)
        #expect(try content(scratch).change == 2)
        let newer = try scratch.bytes()
        try scratch.write(older)
        try expectRefused(scratch, "older than")
        try scratch.write(newer)
        #expect(scratch.reading() == nil)
        try scratch.write(older)
        try SealedStore.acceptRestored(at: scratch.location)
        #expect(try content(scratch).change == 1)
        #expect(scratch.reading() == nil)
        #expect(scratch.adding() == nil)
    }

    /// As a crash leaves it: it follows at the next change.
    @Test func oneThatIsBehindIsNoReasonToRefuse() throws {
        let scratch = try ScratchKeychain.withItem()
        let file = URL(fileURLWithPath: try scratch.anchorFile())
        let behind = try Data(contentsOf: file)
        #expect(scratch.adding() == nil)
        try behind.write(to: file)
        #expect(scratch.reading() == nil)
        #expect(try content(scratch).change == 1)
        _ = try scratch.openStore().add(
            .internetPassword, internetPassword("c.example"), secret: Secret("three"))
        #expect(try content(scratch).change == 3)
    }

    @Test func oneThatIsNoPrivateFileIsRefused() throws {
        let scratch = try ScratchKeychain.withItem()
        let path = try scratch.anchorFile()
        chmod(path, 0o640)
        #expect(scratch.reading()?.status == .writePermissions)
        try FileManager.default.removeItem(atPath: path)
        symlink("/dev/null", path)
        #expect(scratch.reading()?.status == .writePermissions)
        try FileManager.default.removeItem(atPath: path)
        mkfifo(path, 0o600)
        #expect(scratch.reading()?.status == .writePermissions)
    }

    /// With the passphrase of the first one would go.
    @Test func anotherKeychainIsRefusedUntilAccepted() throws {
        let scratch = try ScratchKeychain.locked()
        try replace(scratch)
        try expectRefused(scratch, "not the keychain")
        #expect(scratch.verification()?.status == .decode)
        try SealedStore.acceptRestored(at: scratch.location)
        #expect(scratch.reading()?.status == .itemNotFound)
        #expect(scratch.adding() == nil)
    }

    @Test func anotherKeychainIsRefusedAlsoAfterADeletion() throws {
        let scratch = try ScratchKeychain.withItem()
        try FileManager.default.removeItem(atPath: scratch.location.file)
        try replace(scratch)
        try expectRefused(scratch, "not the keychain")
    }

    /// An attacker's keychain from another machine, of which they know the passphrase: the user does not type the own
    /// one into it.
    @Test func noPromptForAnotherKeychainsPassphrase() throws {
        let scratch = try ScratchKeychain.locked()
        let foreign = try ScratchKeychain.locked()
        try scratch.write(foreign.bytes())
        let person = ScriptedProvider(answers: ["pass"])
        #expect(scratch.reading(person)?.reason.contains("not the keychain") == true)
        #expect(
            keychainError { try scratch.openStore(provider: person).unlock(timeout: 60) } != nil)
        #expect(person.questions.isEmpty)
    }

    @Test func aKeychainThatDisappearedIsNotMadeAnew() throws {
        let scratch = try ScratchKeychain.withItem()
        let bytes = try scratch.bytes()
        #expect(try !SealedStore.isVanished(at: scratch.location))
        try FileManager.default.removeItem(atPath: scratch.location.file)
        #expect(try SealedStore.isVanished(at: scratch.location))
        let names = try scratch.names()
        for error in [
            keychainError { _ = try SealedStore.openOrMake(at: scratch.location) },
            keychainError { try SealedStore.make(at: scratch.location) },
        ] {
            #expect(error?.status == .noSuchKeychain)
            #expect(error?.reason.contains(scratch.location.file) == true)
            #expect(error?.hint?.hasSuffix("lanyard keychain delete login") == true)
        }
        #expect(try scratch.names() == names)
        makeFile(scratch.location.file, bytes)
        #expect(scratch.reading() == nil)
    }

    @Test func aDeletedKeychainIsMadeAnew() throws {
        let scratch = try ScratchKeychain.withItem()
        for isGone in [false, true] {
            if isGone {
                try FileManager.default.removeItem(atPath: scratch.location.file)
            }
            try SealedStore.delete(at: scratch.location)
            #expect(try scratch.names() == ["data", "state", "state/machine-key"])
            #expect(throws: KeychainError(.noSuchKeychain)) {
                try SealedStore.delete(at: scratch.location)
            }
            _ = try SealedStore.openOrMake(at: scratch.location)
            #expect(scratch.adding() == nil)
        }
    }

    /// An older copy is accepted from then on.
    @Test(.enabled(if: MountNamespace.isPermitted, MountNamespace.reason))
    func whatCannotBeRecordedIsReportedOnce() async throws {
        let scratch = try ScratchKeychain.withItem()
        await #expect(processExitsWith: .success) { [folder = scratch.folder as String] in
            let scratch = ScratchKeychain(adopting: folder)
            MountNamespace.enter()
            MountNamespace.makeReadOnly(scratch.stateFolder)
            let provider = ScriptedProvider()
            let store = try scratch.openStore(provider: provider)
            for server in ["b.example", "c.example"] as [ByteString] {
                _ = try store.add(
                    .internetPassword, internetPassword(server), secret: Secret("two"))
            }
            #expect(provider.recordFailures.map(\.status) == [.readOnly])
        }
        #expect(scratch.verified() == 3)
    }

    /// Two files of one name in different folders.
    @Test func keychainsAreToldApartByTheirNames() throws {
        let scratch = try ScratchKeychain.withItem()
        let file = "\(scratch.folder)/elsewhere/login.keychain"
        let work = KeychainLocation(file: file, stateFolder: scratch.stateFolder, name: "work")
        try SealedStore.make(at: work)
        for _ in 1...2 {
            #expect(scratch.reading() == nil)
            #expect(try SealedStore(at: work).count() == 0)
        }
        let same = KeychainLocation(file: file, stateFolder: scratch.stateFolder)
        #expect(keychainError { _ = try SealedStore(at: same).count() }?.status == .decode)
    }

    @Test func everyNameHasAFileOfItsOwn() {
        let names = [
            "login", "a.b-c_D1", "", ".", "..", ".hidden", "a/b", "/a", "ключ", "a\nb", "a\u{0}b",
            String(repeating: "x", count: 64), String(repeating: "x", count: 65),
            String(repeating: "x", count: 300),
        ]
        let files = names.map(KeychainAnchor.fileName)
        #expect(Set(files).count == names.count)
        #expect(files[0] == "login.anchor")
        for file in files {
            #expect(!file.contains("/") && !file.hasPrefix(".") && file.utf8.count <= 71)
        }
    }

    /// Killed before the keychain has its file, it leaves nothing that looks like a lost keychain.
    @Test func anAnnouncedKeychainIsNotMissed() throws {
        let scratch = try ScratchKeychain()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: scratch.anchorFile()))
        let other = try ScratchKeychain()
        try FileManager.default.removeItem(atPath: other.location.file)
        try bytes.write(to: URL(fileURLWithPath: other.anchorFile()))
        #expect(try !SealedStore.isVanished(at: other.location))
        _ = try SealedStore.openOrMake(at: other.location)
        #expect(other.adding() == nil)
    }

    /// A change whose program has not written the record yet.
    private final class SlowChange: @unchecked Sendable {
        private let isDone = DispatchSemaphore(value: 0)
        private var error: KeychainError?

        /// Begins it, and returns when the item is in the file.
        init(_ scratch: ScratchKeychain) throws {
            let count = try scratch.openStore().count()
            Thread.detachNewThread { [self] in
                error = scratch.adding()
                isDone.signal()
            }
            while try scratch.openStore().count() == count {
                Thread.sleep(forTimeInterval: 0.005)
            }
        }

        func expectToEnd(sourceLocation: SourceLocation = #_sourceLocation) {
            #expect(isDone.wait(timeout: .now() + 60) == .success, sourceLocation: sourceLocation)
            #expect(error == nil, sourceLocation: sourceLocation)
        }
    }

    @Test func aChangeDoesNotBringBackTheRecordOfADeletedKeychain() throws {
        let scratch = try ScratchKeychain.withItem()
        let turn = try UnlockLock(.work, at: scratch.location)
        let change = try SlowChange(scratch)
        try FileManager.default.removeItem(atPath: scratch.location.file)
        KeychainAnchor(scratch.location).remove()
        _ = consume turn
        change.expectToEnd()
        #expect(try !SealedStore.isVanished(at: scratch.location))
        try SealedStore.make(at: scratch.location)
        #expect(scratch.adding() == nil)
    }

    @Test func aChangeOfADeletedKeychainLeavesTheRecordOfItsSuccessor() throws {
        let scratch = try ScratchKeychain.withItem()
        let successor = KeychainLocation(
            file: "\(scratch.dataFolder)/other.keychain", stateFolder: scratch.stateFolder)
        try SealedStore.make(at: successor)
        let turn = try UnlockLock(.work, at: scratch.location)
        let change = try SlowChange(scratch)
        #expect(rename(successor.file, scratch.location.file) == 0)
        #expect(rename(KeychainAnchor(successor).path, try scratch.anchorFile()) == 0)
        _ = consume turn
        change.expectToEnd()
        #expect(scratch.adding() == nil)
    }

    @Test func aChangeLeavesTheRecordOfARestoredCopy() throws {
        let scratch = try ScratchKeychain.withItem()
        let copy = try Data(contentsOf: URL(fileURLWithPath: scratch.location.file))
        let record = try content(scratch)
        #expect(scratch.adding("c.example") == nil)
        let turn = try UnlockLock(.work, at: scratch.location)
        let change = try SlowChange(scratch)
        try copy.write(to: URL(fileURLWithPath: scratch.location.file))
        try KeychainAnchor(scratch.location).accept(scratch.keybag(), change: record.change)
        _ = consume turn
        change.expectToEnd()
        #expect(scratch.reading() == nil)
        #expect(scratch.adding() == nil)
    }

    /// Both wait for a program that is about to write the record, as one that locks the keychain.
    @Test(arguments: [true, false])
    func deletingAndAcceptingWaitForTheRecordsWriter(_ deletes: Bool) throws {
        let scratch = try ScratchKeychain.withItem()
        let isDone = DispatchSemaphore(value: 0)
        let turn = try UnlockLock(.work, at: scratch.location)
        Thread.detachNewThread {
            let error = keychainError {
                try deletes
                    ? SealedStore.delete(at: scratch.location)
                    : SealedStore.acceptRestored(at: scratch.location)
            }
            #expect(error == nil)
            isDone.signal()
        }
        #expect(isDone.wait(timeout: .now() + 3) == .timedOut)
        #expect(FileManager.default.fileExists(atPath: scratch.location.file))
        _ = consume turn
        #expect(isDone.wait(timeout: .now() + 60) == .success)
        #expect(try !SealedStore.isVanished(at: scratch.location))
    }
}
