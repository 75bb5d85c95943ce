import Foundation
import Keychains
import KeychainServices
import TestSupport
import SealedStore
import Testing

@testable import LanyardConfiguration
@testable import LanyardCommand

/// Which keychains need the machine key.
@Suite struct MachineKeychainsTests {
    /// A keychain on a disk that is not mounted may need it.
    @Test func aMissingKeychainCounts() throws {
        let folder = try ScratchFolder()
        let places = Places(home: "\(folder.path)/home")
        var keychains = UserKeychains(try Configuration(places: places))
        let file = "\(folder.path)/disk/work.keychain"
        try keychains.create("work", file: file)
        let store = try SealedStore(
            at: keychains.configuration.location(ofKeychain: "work"))
        try store.makeRecoveryKey { _ throws(KeychainError) in }
        let machine = MachineKeychains(try Configuration(places: places))
        let tag = "\(places.state)/CACHEDIR.TAG"
        try machine.updateTag()
        #expect(FileManager.default.fileExists(atPath: tag))
        try machine.checkNoneIsMissing(before: "is moved")

        try FileManager.default.moveItem(atPath: file, toPath: "\(file).away")
        try machine.updateTag()
        #expect(!FileManager.default.fileExists(atPath: tag))
        #expect(throws: KeychainError(.noSuchKeychain)) {
            try machine.checkNoneIsMissing(before: "is moved")
        }
        try FileManager.default.moveItem(atPath: "\(file).away", toPath: file)
        try machine.updateTag()
        #expect(FileManager.default.fileExists(atPath: tag))
    }

    /// A keychain in a scratch folder, with a recovery key.
    private func keychain(
        _ folder: ScratchFolder
    ) throws -> (SealedStore, Places, MachineKeychains) {
        let places = Places(home: "\(folder.path)/home")
        var keychains = UserKeychains(try Configuration(places: places))
        try keychains.create("work")
        let store = try SealedStore(at: keychains.configuration.location(ofKeychain: "work"))
        try store.makeRecoveryKey { _ throws(KeychainError) in }
        return (store, places, MachineKeychains(try Configuration(places: places)))
    }

    /// Only this key opens such an item, for example a team's keys for this device.
    @Test func anItemForThisMachineCounts() throws {
        let folder = try ScratchFolder()
        let (store, places, machine) = try keychain(folder)
        let tag = "\(places.state)/CACHEDIR.TAG"
        try machine.updateTag()
        #expect(FileManager.default.fileExists(atPath: tag))
        var attributes = ItemAttributes()
        attributes.service = "service"
        attributes.account = "ada"
        attributes.accessible = .whenUnlockedThisDeviceOnly
        try Keychain(store, accessGroup: "test")
            .add(.genericPassword, attributes, secret: Secret("bound"))
        try machine.updateTag()
        #expect(!FileManager.default.fileExists(atPath: tag))
    }

    /// Backups leave out what is in the machine key's folder, and with it a copy of the keychains opens them.
    @Test func aFolderThatBackupsNeedIsRefused() throws {
        let folder = try ScratchFolder()
        let (_, places, machine) = try keychain(folder)
        let home = try #require(ProcessInfo.processInfo.environment["HOME"])
        symlink("\(folder.path)/home", "\(folder.path)/link")
        for path in [
            places.data, "\(places.data)/new", "\(folder.path)/link/data/new", folder.path,
            "\(folder.path)/home", "\(folder.path)/link", "/", home,
        ] {
            #expect(throws: KeychainError(.param), "\(path)") { try machine.check(folder: path) }
        }
        for path in ["\(folder.path)/key", "\(folder.path)/home/key", "\(home)/key"] {
            #expect(throws: Never.self, "\(path)") { try machine.check(folder: path) }
        }
    }

    /// A keychain's file can be in the folder of the state.
    @Test func aFolderWithKeychainsGetsNoTag() throws {
        let folder = try ScratchFolder()
        try FileManager.default.createDirectory(
            atPath: "\(folder.path)/home/state", withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let places = Places(home: "\(folder.path)/home")
        var keychains = UserKeychains(try Configuration(places: places))
        let file = "\(places.state)/work.keychain"
        try keychains.create("work", file: file)
        let store = try SealedStore(at: keychains.configuration.location(ofKeychain: "work"))
        try store.makeRecoveryKey { _ throws(KeychainError) in }
        try MachineKeychains(try Configuration(places: places)).updateTag()
        #expect(!FileManager.default.fileExists(atPath: "\(places.state)/CACHEDIR.TAG"))
    }

    @Test func aPassphraseProtectsFromAThief() throws {
        let folder = try ScratchFolder()
        let (store, _, machine) = try keychain(folder)
        func thefts() throws -> [String] {
            try machine.thefts(#require(try machine.place.storage()))
        }
        #expect(try thefts() == ["a copy of your home folder opens everything"])
        try PassphraseChange.set(Secret("pass"), of: store).apply()
        #expect(
            try thefts() == ["a copy of your home folder opens nothing without the passphrase"])
        // Another keychain without one is a matter of its own.
        var keychains = UserKeychains(machine.configuration)
        try keychains.create("other")
        let both = MachineKeychains(keychains.configuration)
        #expect(
            try both.thefts(#require(try machine.place.storage())).sorted() == [
                "'other': a copy of your home folder opens everything",
                "'work': a copy of your home folder opens nothing without the passphrase",
            ])
    }
}
