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
}
