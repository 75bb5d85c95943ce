import Foundation
import Glibc
import KeychainServices
import Testing

@testable import SealedStore
@testable import LinuxSystem

@Suite("Backups") struct BackupTests {
    private func backup(_ scratch: ScratchKeychain, _ name: String = "backup") -> String {
        "\(scratch.folder)/\(name)"
    }

    private func bytes(_ file: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: file))
    }

    /// A backup in place of the keychain, with the key of this machine or without.
    private func restored(
        _ scratch: ScratchKeychain, from file: String, withMachineKey: Bool = true
    ) throws -> ScratchKeychain {
        let other = withMachineKey ? try scratch.copy() : try scratch.moved()
        try FileManager.default.removeItem(atPath: other.location.file)
        try FileManager.default.copyItem(atPath: file, toPath: other.location.file)
        return other
    }

    @Test func isTheKeychainByteByByte() throws {
        let scratch = try ScratchKeychain.withItem()
        let before = try scratch.bytes()
        let found = try #require(try scratch.openStore().backUp(to: backup(scratch)))
        #expect(found.isSound && found.items == 1)
        #expect(try bytes(backup(scratch)) == before)
        #expect(try scratch.bytes() == before)
        var status = stat()
        #expect(lstat(backup(scratch), &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        #expect(try scratch.names() == ["backup"] + ScratchKeychain.namesAtRest)
        #expect(try restored(scratch, from: backup(scratch)).verified() == 1)
    }

    /// What follows the last page is no part of the keychain.
    @Test func endsWithTheLastPage() throws {
        let scratch = try ScratchKeychain.withItem()
        let before = try scratch.bytes()
        try scratch.write(before + Data(repeating: 0xA5, count: 5000))
        try scratch.openStore().backUp(to: backup(scratch))
        #expect(try bytes(backup(scratch)) == before)
    }

    @Test func worksWhileLocked() throws {
        let scratch = try ScratchKeychain.locked()
        defer { scratch.lockAll() }
        let provider = ScriptedProvider(answers: ["pass"])
        let found = try scratch.openStore(provider: provider).backUp(to: backup(scratch))
        #expect(found?.lockedSecrets == 1)
        #expect(provider.questions.isEmpty)
        let other = try restored(scratch, from: backup(scratch))
        #expect(other.reading(ScriptedProvider(given: "pass")) == nil)
    }

    /// One that can't be opened here can still be kept.
    @Test(arguments: [false, true]) func worksWithoutTheMachineKey(_ hasRecoveryKey: Bool) throws {
        let scratch = try ScratchKeychain.withItem()
        let recoveryKey = hasRecoveryKey ? try scratch.makeRecoveryKey() : nil
        let moved = try scratch.moved()
        #expect(try moved.openStore().backUp(to: backup(scratch)) == nil)
        #expect(try bytes(backup(scratch)) == scratch.bytes())
        let other = try restored(scratch, from: backup(scratch), withMachineKey: false)
        let reading = other.reading(recoveryKey.map { ScriptedProvider(given: $0) })
        #expect((reading == nil) == hasRecoveryKey)
    }

    /// Restored after the keybag changed it is refused until its owner says so.
    @Test func anOlderOneIsAcceptedOnPurpose() throws {
        let scratch = try ScratchKeychain.withItem()
        try scratch.openStore().backUp(to: backup(scratch))
        _ = try scratch.makeRecoveryKey()
        let other = try restored(scratch, from: backup(scratch))
        #expect(other.reading()?.status == .decode)
        try SealedStore.acceptRestored(at: other.location)
        #expect(other.reading() == nil)
        // To be looked at, it need not be put in the keychain's place.
        let opened = try SealedStore.openBackup(
            backup(scratch), stateFolder: scratch.stateFolder)
        #expect(try opened.verification().isSound)
    }

    /// The copy has no recovery key: backups must not lack the only way in.
    @Test(arguments: [false, true])
    func theTagOfAFolderThatBackupsLeaveOutGoes(isAccepted: Bool) throws {
        let scratch = try ScratchKeychain.withItem()
        try scratch.openStore().backUp(to: backup(scratch))
        _ = try scratch.makeRecoveryKey()
        try MachineKeyPlace(stateFolder: scratch.stateFolder).tag(true)
        if isAccepted {
            try scratch.write(Data(bytes(backup(scratch))))
            try SealedStore.acceptRestored(at: scratch.location)
        } else {
            let restore = try KeychainRestore(of: backup(scratch), to: scratch.location)
            _ = try restore.apply(keepingPresentIn: "before")
        }
        #expect(
            !FileManager.default.fileExists(atPath: "\(scratch.stateFolder)/CACHEDIR.TAG"))
    }

    @Test func checkingACopyTellsHowFarItIs() throws {
        let scratch = try ScratchKeychain.withItem()
        try scratch.openStore().backUp(to: backup(scratch))
        var told: [[Int]] = []
        _ = try KeychainRestore(of: backup(scratch), to: scratch.location) { done, total in
            told.append([done, total])
        }
        #expect(told.last == [1, 1])
    }

    @Test func nothingIsOverwritten() throws {
        let scratch = try ScratchKeychain.withItem()
        let store = try scratch.openStore()
        for content in [Data(), Data("precious".utf8)] {
            try content.write(to: URL(fileURLWithPath: backup(scratch)))
            #expect(throws: KeychainError(.duplicateKeychain)) {
                try store.backUp(to: backup(scratch))
            }
            chmod(backup(scratch), 0o600)
            #expect(throws: KeychainError(.param)) {
                try store.backUp(to: backup(scratch), replacing: true)
            }
            #expect(try bytes(backup(scratch)) == content)
        }
        try FileManager.default.removeItem(atPath: backup(scratch))
        #expect(symlink(scratch.location.file, backup(scratch)) == 0)
        #expect(throws: KeychainError(.duplicateKeychain)) {
            try store.backUp(to: backup(scratch))
        }
        #expect(throws: KeychainError(.writePermissions)) {
            try store.backUp(to: backup(scratch), replacing: true)
        }
        #expect(throws: KeychainError(.param)) {
            try store.backUp(to: scratch.location.file, replacing: true)
        }
        #expect(link(scratch.location.file, backup(scratch, "same")) == 0)
        #expect(throws: KeychainError(.param)) {
            try store.backUp(to: backup(scratch, "same"), replacing: true)
        }
        #expect(throws: KeychainError(.writePermissions)) {
            try store.backUp(to: backup(scratch, "nowhere/backup"))
        }
        #expect(scratch.verified() == 1)
    }

    @Test func onlyAnEarlierOneOfTheSameKeychainIsReplaced() throws {
        let scratch = try ScratchKeychain.withItem()
        try scratch.openStore().backUp(to: backup(scratch))
        #expect(scratch.adding() == nil)
        try scratch.openStore().backUp(to: backup(scratch), replacing: true)
        #expect(try bytes(backup(scratch)) == scratch.bytes())
        let other = try ScratchKeychain.withItem()
        #expect(throws: KeychainError(.param)) {
            try other.openStore().backUp(to: backup(scratch), replacing: true)
        }
        #expect(try bytes(backup(scratch)) == scratch.bytes())
    }

    /// What is damaged is copied, for what can be saved of it; a good copy is not lost for it.
    @Test func aDamagedKeychainDoesNotReplaceAGoodCopy() throws {
        let scratch = try ScratchKeychain.withItem()
        try scratch.openStore().backUp(to: backup(scratch))
        let good = try bytes(backup(scratch))
        try RawDatabase(scratch.location.file).execute(
            "UPDATE item SET secret = substr(secret, 1, 24)")
        #expect(throws: KeychainError(.decode)) {
            try scratch.openStore().backUp(to: backup(scratch), replacing: true)
        }
        #expect(try bytes(backup(scratch)) == good)
        let found = try scratch.openStore().backUp(to: backup(scratch, "damaged"))
        #expect(found?.damaged.count == 1)
        #expect(try bytes(backup(scratch, "damaged")) == scratch.bytes())
        try scratch.replaceKeybag([])
        #expect(throws: KeychainError(.decode)) {
            try scratch.openStore().backUp(to: backup(scratch, "lost"))
        }
        #expect(try scratch.names().filter { $0.contains(".new-") } == [])
    }

    @Test(arguments: [("write", ENOSPC), ("fsync", EIO), ("link", EIO), ("open", EACCES)])
    func whatFailsLeavesNothing(_ call: String, _ code: Int32) throws {
        let scratch = try ScratchKeychain.withItem()
        let store = try scratch.openStore()
        let injection = Injection(call, 1, code)
        SystemCalls.$injectedError.withValue({ injection.error($0) }) {
            #expect(throws: KeychainError.self) { try store.backUp(to: backup(scratch)) }
        }
        #expect(injection.hasFailed)
        #expect(try scratch.names() == ScratchKeychain.namesAtRest)
        #expect(scratch.verified() == 1)
    }

    /// A change that was interrupted is undone first: the copy has no journal beside it.
    @Test func anInterruptedChangeIsNotInIt() async throws {
        let scratch = try ScratchKeychain.withItem()
        try await InterruptedChange.leave(in: scratch)
        try scratch.openStore().backUp(to: backup(scratch))
        let other = try restored(scratch, from: backup(scratch))
        #expect(other.verified() == 1)
    }

    @Test(.enabled(if: MountNamespace.isPermitted, MountNamespace.reason))
    func worksFromAReadOnlyFolder() async throws {
        let scratch = try ScratchKeychain.withItem()
        await #expect(processExitsWith: .success) { [folder = scratch.folder as String] in
            let scratch = ScratchKeychain(adopting: folder)
            MountNamespace.enter()
            MountNamespace.makeReadOnly(scratch.dataFolder)
            MountNamespace.makeReadOnly(scratch.stateFolder)
            try scratch.openStore().backUp(to: "\(folder)/backup")
            let copy = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/backup"))
            #expect(try copy == scratch.bytes())
        }
    }

    /// A folder in which others can make files is no place to look at a keychain.
    @Test func othersFoldersAreRefused() throws {
        let scratch = try ScratchKeychain.withItem()
        try scratch.openStore().backUp(to: backup(scratch))
        for (mode, isRefused) in [(0o777, true), (0o1777, true), (0o775, true), (0o755, false)] {
            chmod(scratch.folder, mode_t(mode))
            let error = keychainError {
                _ = try SealedStore.openBackup(
                    backup(scratch), stateFolder: scratch.stateFolder)
            }
            #expect(error?.status == (isRefused ? .writePermissions : nil))
        }
        #expect(throws: KeychainError(.noSuchKeychain)) {
            _ = try SealedStore.openBackup(
                backup(scratch, "none"), stateFolder: scratch.stateFolder)
        }
    }

    /// As in /tmp: what is there is read elsewhere, without the journal that others can put next to it.
    @Test func aCopyWhereOthersCanMakeFilesIsReplaced() throws {
        let scratch = try ScratchKeychain.withItem()
        let folder = backup(scratch, "others")
        mkdir(folder, 0o700)
        chmod(folder, 0o777)
        try scratch.openStore().backUp(to: "\(folder)/copy")
        let journal = "\(folder)/copy-journal"
        makeFile(journal, Data("nonsense".utf8))
        #expect(scratch.adding() == nil)
        try scratch.openStore().backUp(to: "\(folder)/copy", replacing: true)
        #expect(try bytes("\(folder)/copy") == scratch.bytes())
        #expect(try bytes(journal) == Data("nonsense".utf8))
        #expect(try scratch.names().filter { $0.hasPrefix("data/") } == ["data/login.keychain"])
        let other = try ScratchKeychain.withItem()
        #expect(throws: KeychainError(.param)) {
            try other.openStore().backUp(to: "\(folder)/copy", replacing: true)
        }
    }

    /// It may be large: nothing is written for it.
    @Test(arguments: [Data(), Data(count: 5000), Data("SQLite format 3\0".utf8)])
    func whatIsNotAKeychainIsNotCopied(_ content: Data) throws {
        let scratch = try ScratchKeychain.withItem()
        makeFile(backup(scratch), content)
        let injection = Injection("write", 1, ENOSPC)
        SystemCalls.$injectedError.withValue({ injection.error($0) }) {
            let error = keychainError {
                _ = try KeychainRestore(of: backup(scratch), to: scratch.location)
            }
            #expect(error?.status == .invalidKeychain)
            #expect(error?.reason.contains(backup(scratch)) == true)
            #expect(error?.hint == "name a copy that lanyard backup made")
        }
        #expect(!injection.hasFailed)
    }

    @Test func whatFollowsTheLastPageIsNotRestored() throws {
        let scratch = try ScratchKeychain.withItem()
        let before = try scratch.bytes()
        makeFile(backup(scratch), before + Data(repeating: 0xA5, count: 5000))
        let restore = try KeychainRestore(of: backup(scratch), to: scratch.location)
        #expect(try restore.apply(keepingPresentIn: "before") != nil)
        try restore.accept()
        #expect(try scratch.bytes() == before)
        #expect(scratch.verified() == 1)
    }

    /// Not that of the temporary copy.
    @Test func damageNamesTheFile() throws {
        let scratch = try ScratchKeychain.withItem()
        try scratch.openStore().backUp(to: backup(scratch))
        try RawDatabase(backup(scratch)).execute("UPDATE keychain SET keybag = x'00'")
        let error = keychainError {
            _ = try KeychainRestore(of: backup(scratch), to: scratch.location)
        }
        #expect(error?.reason.contains(backup(scratch)) == true)
        #expect(error?.reason.contains(".new-") == false, "\(error?.reason ?? "")")
    }

    /// A later state of the keychain of ``ScratchKeychain/withItem()``, and a copy of the earlier one that is about
    /// to replace it.
    private func restoration(_ scratch: ScratchKeychain) throws -> KeychainRestore {
        try scratch.openStore().backUp(to: backup(scratch))
        #expect(scratch.adding("c.example") == nil)
        return try KeychainRestore(of: backup(scratch), to: scratch.location)
    }

    /// Other programs read and write before the copy is accepted.
    @Test(arguments: [false, true])
    func aKeychainIsRefusedAtNoMomentOfItsRestoration(isMovedAwayBefore: Bool) throws {
        let scratch = try ScratchKeychain.withItem()
        let restore = try restoration(scratch)
        if isMovedAwayBefore {
            #expect(rename(scratch.location.file, "\(scratch.folder)/former") == 0)
        }
        let folder = try restore.apply(keepingPresentIn: "before")
        #expect((folder == nil) == isMovedAwayBefore)
        #expect(scratch.reading() == nil)
        #expect(scratch.adding() == nil)
        try restore.accept()
        #expect(scratch.reading() == nil)
        #expect(scratch.verified() == 2)
    }

    @Test func aStoreKeptOpenChangesTheRestoredCopy() throws {
        let scratch = try ScratchKeychain.withItem()
        let restore = try restoration(scratch)
        let kept = try scratch.open()
        try kept.add(.internetPassword, internetPassword("d.example"), secret: Secret("d"))
        _ = try restore.apply(keepingPresentIn: "before")
        try restore.accept()
        try kept.add(.internetPassword, internetPassword("e.example"), secret: Secret("e"))
        let opened = try scratch.open()
        #expect(try secret(opened, internetPassword("e.example")) == "e")
        #expect(scratch.verified() == 2)
    }

    /// As a program that waits for the restoration: it has opened the file that is replaced.
    @Test func aWaitingChangeGoesToTheRestoredCopy() throws {
        let scratch = try ScratchKeychain.withItem()
        let restore = try restoration(scratch)
        let present = try scratch.openStore()
        _ = try present.beginWriting()
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            var error = scratch.adding()
            // Once the file is renamed below, there is no keychain for a moment.
            while error?.status == .noSuchKeychain {
                error = scratch.adding()
            }
            #expect(error == nil)
            isDone.signal()
        }
        #expect(isDone.wait(timeout: .now() + 1) == .timedOut)
        // The waiting change has opened this file, which is not the keychain any more.
        #expect(rename(scratch.location.file, "\(scratch.folder)/former") == 0)
        _ = try restore.apply(keepingPresentIn: "before")
        try restore.accept()
        present.file.end()
        #expect(isDone.wait(timeout: .now() + 60) == .success)
        #expect(scratch.verified() == 2)
    }

    @Test func aStoreKeptOpenSeesADeletion() throws {
        let scratch = try ScratchKeychain.withItem()
        let kept = try scratch.open()
        try kept.add(.internetPassword, internetPassword("d.example"), secret: Secret("d"))
        try SealedStore.delete(at: scratch.location)
        let error = keychainError {
            try kept.add(.internetPassword, internetPassword("e.example"), secret: Secret("e"))
        }
        #expect(error?.status == .noSuchKeychain)
        try SealedStore.make(at: scratch.location)
        #expect(scratch.adding() == nil)
    }
}
