import Foundation
import KeychainServices
import TestSupport
import SealedStore
import SyncEngine
import Testing

@testable import KeychainSync

/// Everything that a server has of a team, here in a folder.
@Suite("Content of a server") struct ServerContentTests {
    private let folder: ScratchFolder
    /// The records after the first exchange.
    private let records: [ServerRecord]
    /// The texts of all items.
    private let texts: [String]

    init() throws {
        folder = try ScratchFolder()
        let server = "\(folder.path)/server"
        let items = (0..<50).map { number in
            (
                host: "host-\(number).hidden.example", account: "account-\(number)",
                label: "label-\(number)",
                // Of different lengths, in one bucket together with the attributes.
                secret: "password-\(number)-" + String(repeating: "x", count: number)
            )
        }
        texts = items.flatMap { [$0.host, $0.account, $0.label, $0.secret] }
        records = try ServerContentTests.share(items, "\(folder.path)/first", server)
        _ = try ServerContentTests.share(items, "\(folder.path)/second", server)
    }

    private static func share(
        _ items: [(host: String, account: String, label: String, secret: String)],
        _ machine: String, _ server: String
    ) throws -> [ServerRecord] {
        let location = KeychainLocation(
            file: "\(machine)/data/work.keychain", stateFolder: "\(machine)/state")
        let store = try SealedStore.openOrMake(at: location)
        for item in items {
            var attributes = ItemAttributes()
            attributes.server = ByteString(item.host)
            attributes.account = ByteString(item.account)
            attributes.label = ByteString(item.label)
            attributes.accessGroup = "git"
            attributes.accessible = .whenUnlocked
            try store.add(.internetPassword, attributes, secret: Secret(item.secret))
        }
        let shared = try SharedKeychain.create(
            SharedKeychain.Place(
                name: "work", stateFolder: location.stateFolder, keychainFile: nil), store,
            team: "team", address: server, isForSynchronizable: false, person: "ada",
            device: "laptop",
            connect: { (address, team) throws(KeychainError) in
                FolderTransport(address, team: team)
            })
        #expect(try shared.exchange().sent > items.count)
        return try FolderTransport(server, team: shared.roster.team)
            .changes(since: ServerHead(sequence: 0, rosterCount: 0)).records
    }

    /// The teams' files.
    private func files() throws -> [Data] {
        let server = "\(folder.path)/server"
        return try FileManager.default.contentsOfDirectory(atPath: server).map {
            try Data(contentsOf: URL(filePath: "\(server)/\($0)"))
        }.filter { !$0.isEmpty }
    }

    @Test func noTextOfAnItemIsThere() throws {
        let files = try files()
        #expect(files.count == 2)
        for file in files {
            // What is readable, so the search finds something.
            #expect(file.range(of: Data("laptop".utf8)) != nil)
            for text in texts + ["hidden.example", "password-", "account-", "label-"] {
                #expect(file.range(of: Data(text.utf8)) == nil, "\(text)")
            }
        }
    }

    /// All 50 items have different lengths.
    @Test func lengthsAreHidden() {
        // One of them is the device's head.
        #expect(records.count == 51)
        #expect(Set(records.map(\.content.count)).count <= 3)
    }

    @Test func idsSayNothingOfTheItems() throws {
        let ids = records.map { Data($0.id.bytes) }
        let found = try files().map { file in ids.count { file.range(of: $0) != nil } }
        #expect(found.sorted() == [0, 51])
        // No content is the same twice.
        #expect(Set(records.map(\.content)).count == 51)
    }
}
