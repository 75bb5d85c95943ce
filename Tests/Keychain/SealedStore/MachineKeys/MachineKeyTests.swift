import Foundation
import KeychainServices
import Testing

@testable import SealedStore

@Suite("Machine key") struct MachineKeyTests {
    /// What reading and adding say, which must be the same; nothing may change.
    private func refusal(
        _ scratch: ScratchKeychain, hasHint: Bool = true
    ) throws -> KeychainError? {
        let before = try scratch.bytes()
        let reading = keychainError {
            _ = try secret(try scratch.open(), internetPassword("a.example"))
        }
        let adding = keychainError {
            let store = try SealedStore.openOrMake(at: scratch.location)
            try Keychain(store, accessGroups: .all()).add(
                .internetPassword, internetPassword("b.example"), secret: Secret("two"))
        }
        #expect(reading == adding)
        #expect((reading?.hint != nil) == hasHint)
        #expect(try scratch.bytes() == before)
        return reading
    }

    @Test(arguments: [0, 1, 31, 33, 64, 1 << 20]) func aWrongLengthIsRefused(_ count: Int) throws {
        let scratch = try ScratchKeychain.withItem()
        try Data(count: count).write(to: URL(fileURLWithPath: scratch.machineKeyFile))
        let error = try refusal(scratch)
        #expect(error?.status == .decode)
        #expect(error?.reason.contains(scratch.machineKeyFile) == true)
        #expect(try Data(contentsOf: URL(fileURLWithPath: scratch.machineKeyFile)).count == count)
    }

    @Test func anotherKeychainsIsRefused() throws {
        let scratch = try ScratchKeychain.withItem()
        let other = try ScratchKeychain()
        try FileManager.default.removeItem(atPath: scratch.machineKeyFile)
        try FileManager.default.copyItem(
            atPath: other.machineKeyFile, toPath: scratch.machineKeyFile)
        #expect(try refusal(scratch)?.status == .authFailed)
    }

    /// A new one would not open the keychain: none is made.
    @Test func aMissingOneIsRefusedAndNotMade() throws {
        let scratch = try ScratchKeychain.withItem()
        try FileManager.default.removeItem(atPath: scratch.machineKeyFile)
        #expect(try refusal(scratch)?.status == .authFailed)
        #expect(!FileManager.default.fileExists(atPath: scratch.machineKeyFile))
        try FileManager.default.removeItem(atPath: scratch.stateFolder)
        #expect(try refusal(scratch)?.status == .authFailed)
        #expect(!FileManager.default.fileExists(atPath: scratch.stateFolder))
    }

    @Test func anExistingOneServesEveryKeychainAndIsNeverReplaced() throws {
        let scratch = try ScratchKeychain()
        let before = FileManager.default.contents(atPath: scratch.machineKeyFile)
        try SealedStore.make(
            at: KeychainLocation(
                file: "\(scratch.dataFolder)/other.keychain", stateFolder: scratch.stateFolder))
        #expect(FileManager.default.contents(atPath: scratch.machineKeyFile) == before)
        let damaged = try ScratchKeychain(make: false)
        mkdir(damaged.stateFolder, 0o700)
        makeFile(damaged.machineKeyFile, Data(count: 31))
        #expect(throws: KeychainError(.decode)) { try SealedStore.make(at: damaged.location) }
        #expect(FileManager.default.contents(atPath: damaged.machineKeyFile)?.count == 31)
        #expect(!FileManager.default.fileExists(atPath: damaged.location.file))
    }

    @Test func aSymbolicLinkIsRefused() throws {
        let scratch = try ScratchKeychain.withItem()
        let real = "\(scratch.folder)/key"
        try FileManager.default.moveItem(atPath: scratch.machineKeyFile, toPath: real)
        symlink(real, scratch.machineKeyFile)
        #expect(try refusal(scratch, hasHint: false)?.status == .writePermissions)
    }

    /// It has no writer: opening it must not wait.
    @Test(.timeLimit(.minutes(10))) func aFIFOIsRefused() throws {
        let scratch = try ScratchKeychain.withItem()
        try FileManager.default.removeItem(atPath: scratch.machineKeyFile)
        mkfifo(scratch.machineKeyFile, 0o600)
        let error = keychainError { _ = try scratch.openStore() }
        #expect(error?.status == .writePermissions)
    }

    @Test func aFolderIsRefused() throws {
        let scratch = try ScratchKeychain.withItem()
        try FileManager.default.removeItem(atPath: scratch.machineKeyFile)
        mkdir(scratch.machineKeyFile, 0o700)
        let error = keychainError { _ = try scratch.openStore() }
        #expect(error?.status == .writePermissions)
    }

    @Test func aNewOneIsRandom() throws {
        let keys = try (0..<20).map { _ in
            let scratch = try ScratchKeychain(make: false)
            _ = try MachineKey.readOrMake(stateFolder: scratch.stateFolder).id
            return FileManager.default.contents(atPath: scratch.machineKeyFile)
        }
        #expect(Set(keys).count == 20)
        #expect(keys.allSatisfy { $0?.count == 32 })
    }

    /// The id is in every keybag: it must be the same for ever, and tell nothing of the key.
    @Test func theIdIsDerivedFromTheKey() throws {
        let scratch = try ScratchKeychain(make: false)
        mkdir(scratch.stateFolder, 0o700)
        makeFile(scratch.machineKeyFile, Data(0x40..<0x60))
        let key = try MachineKey.readOrMake(stateFolder: scratch.stateFolder)
        // The vector without context of the tests of key derivation.
        #expect(Hexadecimal.encode(key.id) == "bba75f3e874f85c52209f668f73509a1")
    }

    @Test func digestsForDifferentUsesHaveNothingInCommon() throws {
        try KeybagTests.withMachineKey { key in
            let first = key.digest(Secret("bytes"), use: "one")
            #expect(first.count == 32)
            #expect(key.digest(Secret("bytes"), use: "one") == first)
            #expect(key.digest(Secret("bytes"), use: "two") != first)
            #expect(key.digest(Secret("byte"), use: "one") != first)
        }
    }

    /// Another program moves it on when this one has read where it is.
    @Test func aMoveMeanwhileIsFollowed() throws {
        let scratch = try ScratchKeychain()
        let folder = "\(scratch.folder)/b"
        try MachineKeyPlace(stateFolder: scratch.stateFolder).move(to: folder)
        var pointers = ["\(scratch.folder)/a", folder]
        let file = try MachineKeyFile.read(stateFolder: scratch.stateFolder) {
            () throws(KeychainError) in
            .moved(folder: pointers.removeFirst())
        }
        #expect(file?.folder == folder)
        #expect(throws: KeychainError(.noSuchKeychain)) {
            _ = try MachineKeyFile.read(stateFolder: scratch.stateFolder) {
                () throws(KeychainError) in
                .moved(folder: "\(scratch.folder)/a")
            }
        }
    }

    /// A program was killed before it removed the key from the former folder.
    @Test func anInterruptedMoveIsFinished() throws {
        let scratch = try ScratchKeychain.withItem()
        let place = MachineKeyPlace(stateFolder: scratch.stateFolder)
        let folders = ["a", "b"].map { "\(scratch.folder)/\($0)" }
        try place.move(to: folders[0])
        let state = try FileManager.default.contentsOfDirectory(atPath: scratch.stateFolder)
        let key = URL(fileURLWithPath: "\(folders[0])/machine-key")
        let content = try Data(contentsOf: key)
        try place.move(to: folders[1])
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: scratch.stateFolder).sorted()
                == state.sorted())
        try content.write(to: key)
        chmod(key.path, 0o600)
        let note = "\(scratch.stateFolder)/machine-key.former"
        try Data(bytes(MachineKeyContent.moved(folder: folders[0]).encoded))
            .write(to: URL(fileURLWithPath: note))
        chmod(note, 0o600)
        try place.move(to: folders[1])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folders[0]) == [])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folders[1]) == ["machine-key"])
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: scratch.stateFolder).sorted()
                == state.sorted())
        #expect(scratch.reading() == nil)
    }

    /// Paths to a folder with other spellings of it.
    private func spellings(_ scratch: ScratchKeychain, _ name: String) -> [String] {
        let folder = scratch.folder
        symlink(folder, "\(folder)/link")
        return [
            "\(folder)/data/../\(name)", "\(folder)//\(name)", "\(folder)/./\(name)",
            "\(folder)/link/\(name)",
        ]
    }

    /// It would replace the only key by a pointer to itself, or delete it as the one in the former folder.
    @Test func aMoveToItsFolderUnderAnotherPathChangesNothing() throws {
        let scratch = try ScratchKeychain.withItem()
        let place = MachineKeyPlace(stateFolder: scratch.stateFolder)
        // This makes the lock.
        try place.move(to: scratch.stateFolder)
        for path in spellings(scratch, "state") {
            let before = try scratch.files()
            try place.move(to: path)
            #expect(try scratch.files() == before, "\(path)")
        }
        try place.move(to: "\(scratch.folder)/away")
        for path in spellings(scratch, "away") {
            let before = try scratch.files()
            try place.move(to: path)
            #expect(try scratch.files() == before, "\(path)")
        }
        #expect(scratch.reading() == nil)
        for path in spellings(scratch, "state") {
            try place.move(to: "\(scratch.folder)/away")
            try place.move(to: path)
            #expect(FileManager.default.contents(atPath: scratch.machineKeyFile)?.count == 32)
            #expect(!FileManager.default.fileExists(atPath: "\(scratch.folder)/away/machine-key"))
        }
        #expect(scratch.reading() == nil)
    }

    /// The note of an interrupted move can have another path of the folder, too.
    @Test func aNoteOfItsFolderUnderAnotherPathChangesNothing() throws {
        let scratch = try ScratchKeychain.withItem()
        let place = MachineKeyPlace(stateFolder: scratch.stateFolder)
        try place.move(to: "\(scratch.folder)/away")
        let note = "\(scratch.stateFolder)/machine-key.former"
        for path in spellings(scratch, "away") {
            try Data(bytes(MachineKeyContent.moved(folder: path).encoded))
                .write(to: URL(fileURLWithPath: note))
            chmod(note, 0o600)
            try place.move(to: "\(scratch.folder)/away")
            #expect(scratch.reading() == nil, "\(path)")
        }
    }

    /// As an earlier version left it: a pointer to the folder that has the pointer.
    @Test func aPointerToAPointerIsHealedByTheRecoveryKey() throws {
        let scratch = try ScratchKeychain.withItem()
        let recoveryKey = try scratch.makeRecoveryKey()
        let pointer = MachineKeyContent.moved(folder: "\(scratch.folder)//state")
        try Data(bytes(pointer.encoded)).write(to: URL(fileURLWithPath: scratch.machineKeyFile))
        #expect(scratch.reading()?.hint?.contains("lanyard machine-key renew") == true)
        #expect(scratch.reading(ScriptedProvider(given: recoveryKey)) == nil)
        let place = MachineKeyPlace(stateFolder: scratch.stateFolder)
        #expect(try place.storage()?.problem != nil)
        let store = try scratch.openStore(provider: ScriptedProvider(given: recoveryKey))
        try store.openWithoutMachineKey()
        try place.replaceUnreadable()
        try store.bindToNewMachineKey()
        #expect(scratch.reading() == nil)
    }

    /// The tag would make backups leave out the other files, too.
    @Test func aFolderWithOtherFilesIsRefused() throws {
        let scratch = try ScratchKeychain.withItem()
        let place = MachineKeyPlace(stateFolder: scratch.stateFolder)
        let folder = "\(scratch.folder)/ssh"
        mkdir(folder, 0o700)
        makeFile("\(folder)/id_ed25519")
        let error = keychainError { try place.move(to: folder) }
        #expect(error?.status == .param)
        #expect(error?.hint?.contains("\(folder)/lanyard") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["id_ed25519"])
        #expect(scratch.reading() == nil)
        // What a killed move leaves is no obstacle.
        try FileManager.default.removeItem(atPath: "\(folder)/id_ed25519")
        makeFile("\(folder)/machine-key.new-0123456789abcdef")
        try place.move(to: folder)
        #expect(scratch.reading() == nil)
        makeFile("\(folder)/other")
        try place.tag(true)
        #expect(!FileManager.default.fileExists(atPath: "\(folder)/CACHEDIR.TAG"))
    }

    @Test func anotherProgramsTagStays() throws {
        let scratch = try ScratchKeychain.withItem()
        let place = MachineKeyPlace(stateFolder: scratch.stateFolder)
        let folder = "\(scratch.folder)/cache"
        let tag = "\(folder)/CACHEDIR.TAG"
        mkdir(folder, 0o700)
        makeFile(tag, Data("Signature: 8a477f597d28d172789f06886806bc55\n# Mine\n".utf8))
        try place.move(to: folder)
        try place.tag(true)
        try place.tag(false)
        try place.move(to: scratch.stateFolder)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["CACHEDIR.TAG"])
    }

    /// The present recovery key does not open the first item that asks: backups must not lack the key.
    @Test func theFirstItemThatAsksNeedsTheKey() throws {
        let scratch = try ScratchKeychain.withItem()
        // Not portable: otherwise it opens the item on any machine.
        try scratch.setPassphrase("pass")
        defer { scratch.lockAll() }
        _ = try scratch.makeRecoveryKey()
        let tag = "\(scratch.stateFolder)/CACHEDIR.TAG"
        try MachineKeyPlace(stateFolder: scratch.stateFolder).tag(true)
        #expect(try scratch.openStore().losesNothingWithoutMachineKey())
        let store = try scratch.openStore(provider: ScriptedProvider(given: "pass"))
        var attributes = genericPassword("service", account: "ada")
        attributes.accessControl = AccessControl(flags: .userPresence)
        try Keychain(store, accessGroup: "test")
            .add(.genericPassword, attributes, secret: Secret("asks"))
        #expect(!FileManager.default.fileExists(atPath: tag))
        #expect(try store.opensWithoutMachineKey())
        #expect(try !store.losesNothingWithoutMachineKey())
        _ = try store.makeRecoveryKey(replaces: true)
        #expect(try store.losesNothingWithoutMachineKey())
    }

    /// Only this key opens it: backups must not lack the key.
    @Test(arguments: [false, true]) func anItemForThisMachineNeedsTheKey(_ isUpdated: Bool) throws {
        let scratch = try ScratchKeychain.withItem()
        _ = try scratch.makeRecoveryKey()
        let tag = "\(scratch.stateFolder)/CACHEDIR.TAG"
        try MachineKeyPlace(stateFolder: scratch.stateFolder).tag(true)
        #expect(try scratch.openStore().itemsBoundHere() == 0)
        var attributes = ItemAttributes()
        attributes.accessible = .whenUnlockedThisDeviceOnly
        if isUpdated {
            _ = try scratch.open().update(Query(.internetPassword), attributes)
        } else {
            attributes.service = "service"
            attributes.account = "ada"
            try scratch.open().add(.genericPassword, attributes, secret: Secret("bound"))
        }
        #expect(!FileManager.default.fileExists(atPath: tag))
        #expect(try scratch.openStore().itemsBoundHere() == 1)
        #expect(try scratch.openStore().itemsLeftBehind() == 0)
    }
}
