import Foundation
import KeychainManagement
import KeychainServices
import ScratchFolders
import SealedStore
import Testing

@testable import Configuration
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
}
