import Foundation
import KeychainServices
import SQLiteFile
import TestSupport
import SealedStore
import SyncEngine
import SyncConformance
import Testing

@testable import LanyardDiagnosis
@testable import KeychainSync

@Suite("doctor's findings of a shared keychain")
struct SharedKeychainStateTests {
    private let folder: ScratchFolder
    private let keychain: SealedKeychain
    private let store: SealedStore
    private let place: SharedKeychain.Place

    init() throws {
        folder = try ScratchFolder()
        let location = KeychainLocation(
            file: "\(folder.path)/data/work.keychain", stateFolder: "\(folder.path)/state")
        keychain = SealedKeychain(
            name: "work", location: location, isInUse: true, isFirst: false)
        store = try SealedStore.openOrMake(at: location)
        place = SharedKeychain.Place(
            name: "work", stateFolder: location.stateFolder, keychainFile: location.file)
        let server = MemoryServer()
        let shared = try SharedKeychain.create(
            place, store, team: "work", address: "memory", isForSynchronizable: false,
            person: "ada", device: "laptop",
            connect: { (_, _) throws(KeychainError) in server })
        _ = try shared.exchange()
    }

    private func findings() throws -> [Finding] {
        let state = SharedKeychainState(keychain, stateFolder: place.stateFolder)
        return try #require(state).findings(now: Timestamp(secondsSinceEpoch: 0))
    }

    @Test("a sound one has none")
    func soundness() throws {
        #expect(try findings().isEmpty)
    }

    @Test(
        "a file that can't be read",
        arguments: [
            (0, 4, .teamUnreadable), (63, 99, .teamUnreadable), (0, 200, .teamDamaged),
            (4000, 1, .teamDamaged),
        ] as [(Int, UInt8, FindingCode)])
    func file(position: Int, byte: UInt8, code: FindingCode) throws {
        let file = URL(filePath: place.file)
        var bytes = try Data(contentsOf: file)
        bytes[position] = byte
        try bytes.write(to: file)
        #expect(try findings().map(\.code) == [code])
    }

    @Test("an exchange is under way")
    func exchange() throws {
        let other = try Database(
            path: place.file,
            errors: Database.Errors("other", invalidFile: KeychainError(.decode)),
            access: .writing, busyTimeout: 0)
        try other.execute("BEGIN EXCLUSIVE")
        let findings = try findings()
        #expect(findings.map(\.code) == [.teamBusy])
        #expect(findings.map(\.severity) == [.note])
        try other.execute("ROLLBACK")
    }
}
