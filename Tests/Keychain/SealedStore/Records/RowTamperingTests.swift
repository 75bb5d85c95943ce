import Foundation
import KeychainServices
import Testing

@testable import SealedStore

/// What an attacker does who can write the file but has no key.
struct RowTampering: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// SQL that changes the rows of ``RowTamperingTests/keychain()``: 1 and 2 are passwords of
    /// a.example and b.example, 3 is the generic password.
    let sql: String
    /// Whether NULL and other types have to be made possible first.
    var relaxesSchema = false
    /// What the lookup of a.example may say; nil means the right secret.
    var lookup: [Status?] = [.decode]

    init(
        _ testDescription: String, _ sql: String, relaxesSchema: Bool = false,
        lookup: [Status?] = [.decode]
    ) {
        self.testDescription = testDescription
        self.sql = sql
        self.relaxesSchema = relaxesSchema
        self.lookup = lookup
    }

    /// Exchanges columns of the rows 1 and 2; unique ones by way of a third value.
    private static func swap(_ columns: String...) -> String {
        columns.map { column in
            """
            CREATE TEMP TABLE kept_\(column) AS SELECT change, \(column) AS value FROM item;
            UPDATE item SET \(column) = randomblob(16) WHERE change IN (1, 2);
            UPDATE item SET \(column) =
            (SELECT value FROM kept_\(column) AS kept WHERE kept.change = 3 - item.change)
            WHERE change IN (1, 2);
            """
        }.joined()
    }

    private static let copyOf1 = """
        INSERT INTO item SELECT 10, randomblob(16), class, accessible, metadata_generation,
        secret_generation, randomblob(16), server, service, account, access_group, attributes, secret
        FROM item WHERE change = 1
        """

    static let all: [RowTampering] = [
        .init("secrets swapped", swap("secret")),
        .init("attributes swapped", swap("attributes")),
        .init("both swapped", swap("attributes", "secret")),
        .init("server tags swapped", swap("server")),
        .init("identity tags swapped", swap("identity")),
        .init("ids swapped", swap("id")),
        .init(
            "everything but the number swapped",
            swap("id", "identity", "server", "account", "attributes", "secret")),
        .init(
            "server tag of b made a's",
            "UPDATE item SET server = (SELECT server FROM item WHERE change = 1) WHERE change = 2"),
        .init(
            "server tag emptied", "UPDATE item SET server = x'' WHERE change = 1",
            lookup: [.itemNotFound]),
        .init(
            "server tag NULL", "UPDATE item SET server = NULL WHERE change = 1",
            lookup: [.itemNotFound]),
        .init("a service tag", "UPDATE item SET service = server WHERE change = 1"),
        .init("account tag changed", "UPDATE item SET account = randomblob(16) WHERE change = 1"),
        .init("access group tag changed", "UPDATE item SET access_group = x'' WHERE change = 1"),
        .init(
            "class changed", "UPDATE item SET class = 0x67656E70 WHERE change = 1",
            lookup: [.itemNotFound]),
        .init(
            "class unknown", "UPDATE item SET class = 1 WHERE change = 1",
            lookup: [.itemNotFound]),
        .init(
            "class enormous", "UPDATE item SET class = 0x7FFFFFFFFFFFFFFF WHERE change = 1",
            lookup: [.itemNotFound]),
        .init("accessible changed", "UPDATE item SET accessible = 3 WHERE change = 1"),
        .init("accessible unknown", "UPDATE item SET accessible = 8 WHERE change = 1"),
        .init("accessible 0", "UPDATE item SET accessible = 0 WHERE change = 1"),
        .init("accessible enormous", "UPDATE item SET accessible = 257 WHERE change = 1"),
        .init(
            "accessible that needs a passphrase",
            "UPDATE item SET accessible = 7 WHERE change = 1"),
        .init("metadata generation", "UPDATE item SET metadata_generation = 2 WHERE change = 1"),
        .init(
            "metadata generation enormous",
            "UPDATE item SET metadata_generation = 0x100000001 WHERE change = 1"),
        .init(
            "metadata generation negative",
            "UPDATE item SET metadata_generation = -1 WHERE change = 1"),
        .init("secret generation", "UPDATE item SET secret_generation = 2 WHERE change = 1"),
        .init(
            "secret generation enormous",
            "UPDATE item SET secret_generation = 0x100000001 WHERE change = 1"),
        .init("change number", "UPDATE item SET change = 50 WHERE change = 1"),
        .init("change number 0", "UPDATE item SET change = 0 WHERE change = 1"),
        .init("change number negative", "UPDATE item SET change = -1 WHERE change = 1"),
        .init(
            "change number enormous",
            "UPDATE item SET change = 0x7FFFFFFFFFFFFFFF WHERE change = 1"),
        .init("id changed", "UPDATE item SET id = randomblob(16) WHERE change = 1"),
        .init("id short", "UPDATE item SET id = randomblob(15) WHERE change = 1"),
        .init("id empty", "UPDATE item SET id = x'' WHERE change = 1"),
        .init("attributes empty", "UPDATE item SET attributes = x'' WHERE change = 1"),
        .init(
            "attributes cut off",
            "UPDATE item SET attributes = substr(attributes, 1, 47) WHERE change = 1"),
        .init(
            "attributes large", "UPDATE item SET attributes = zeroblob(3000000) WHERE change = 1"),
        .init(
            "attributes giant", "UPDATE item SET attributes = zeroblob(50000000) WHERE change = 1",
            lookup: [.dataTooLarge]),
        .init("secret empty", "UPDATE item SET secret = x'' WHERE change = 1"),
        .init("secret cut off", "UPDATE item SET secret = substr(secret, 1, 48) WHERE change = 1"),
        .init("secret large", "UPDATE item SET secret = zeroblob(3000000) WHERE change = 1"),
        .init(
            "secret giant", "UPDATE item SET secret = zeroblob(50000000) WHERE change = 1",
            lookup: [.dataTooLarge]),
        .init(
            "tag giant", "UPDATE item SET account = zeroblob(50000000) WHERE change = 1",
            lookup: [.dataTooLarge]),
        .init("secret of the attributes", "UPDATE item SET secret = attributes WHERE change = 1"),
        .init("attributes of the secret", "UPDATE item SET attributes = secret WHERE change = 1"),
        .init("row deleted", "DELETE FROM item WHERE change = 1", lookup: [.itemNotFound]),
        .init("all rows deleted", "DELETE FROM item", lookup: [.itemNotFound]),
        .init("row repeated", copyOf1),
        .init(
            "row repeated and the first deleted", copyOf1 + "; DELETE FROM item WHERE change = 1"),
        .init("other row deleted", "DELETE FROM item WHERE change = 2", lookup: [nil]),
        .init("NULL secret", "UPDATE item SET secret = NULL WHERE change = 1", relaxesSchema: true),
        .init(
            "NULL attributes", "UPDATE item SET attributes = NULL WHERE change = 1",
            relaxesSchema: true),
        .init("NULL id", "UPDATE item SET id = NULL WHERE change = 1", relaxesSchema: true),
        .init(
            "NULL class", "UPDATE item SET class = NULL WHERE change = 1", relaxesSchema: true,
            lookup: [.itemNotFound]),
        .init(
            "NULL accessible", "UPDATE item SET accessible = NULL WHERE change = 1",
            relaxesSchema: true),
        .init("NULL tag", "UPDATE item SET account = NULL WHERE change = 1", relaxesSchema: true),
        .init(
            "text for a secret", "UPDATE item SET secret = 'one' WHERE change = 1",
            relaxesSchema: true),
        .init(
            "number for a secret", "UPDATE item SET secret = 1 WHERE change = 1",
            relaxesSchema: true),
        .init(
            "text for a class", "UPDATE item SET class = 'inet' WHERE change = 1",
            relaxesSchema: true, lookup: [.itemNotFound]),
        .init(
            "text of digits for accessible", "UPDATE item SET accessible = '1x' WHERE change = 1",
            relaxesSchema: true),
        .init("no state", "DELETE FROM keychain", lookup: [.invalidKeychain]),
        .init("row set changed", "UPDATE keychain SET row_set = randomblob(length(row_set))"),
        .init("row set empty", "UPDATE keychain SET row_set = x''"),
        .init(
            "row set giant", "UPDATE keychain SET row_set = zeroblob(50000000)",
            lookup: [.dataTooLarge]),
        .init("row set of the keybag", "UPDATE keychain SET row_set = keybag"),
        .init("keybag empty", "UPDATE keychain SET keybag = x''"),
        .init("keybag too large", "UPDATE keychain SET keybag = zeroblob(3000000)"),
        .init(
            "two states",
            "PRAGMA ignore_check_constraints=ON; INSERT INTO keychain SELECT 0, keybag, x'' FROM keychain"
        ),
        .init(
            "another first state",
            "PRAGMA ignore_check_constraints=ON; INSERT INTO keychain SELECT -1, x'', row_set FROM keychain"
        ),
    ]
}

@Suite("Rows changed in the file") struct RowTamperingTests {
    private static let generic = genericPassword("service", account: "me")

    private func keychain() throws -> ScratchKeychain {
        let scratch = try ScratchKeychain()
        let keychain = try scratch.open()
        try keychain.add(
            .internetPassword, internetPassword("a.example", account: "me"), secret: Secret("one"))
        try keychain.add(
            .internetPassword, internetPassword("b.example", account: "me"), secret: Secret("two"))
        try keychain.add(.genericPassword, RowTamperingTests.generic, secret: Secret("three"))
        return scratch
    }

    private func tamper(_ scratch: ScratchKeychain, _ tampering: RowTampering) throws {
        guard tampering.relaxesSchema else {
            return try RawDatabase(scratch.location.file).run(tampering.sql)
        }
        let schema = "PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql = "
        let original = try RawDatabase(scratch.location.file).rows(
            "SELECT sql FROM sqlite_schema WHERE name = 'item'")[0][0]
        try RawDatabase(scratch.location.file).run(
            schema + "replace(replace(replace(sql, ' NOT NULL', ''), ' STRICT', ''), ' BLOB', '') "
                + "WHERE name = 'item'")
        try RawDatabase(scratch.location.file).run(tampering.sql)
        let restoring = try RawDatabase(scratch.location.file)
        try restoring.run("PRAGMA writable_schema=ON")
        guard case .text(let text) = original else {
            return
        }
        try restoring.run(
            "UPDATE sqlite_schema SET sql = '\(text)' WHERE name = 'item'; PRAGMA schema_version=99"
        )
    }

    /// What each lookup says: the right secret (nil), or an error; any other secret is an issue.
    private func lookup(
        _ keychain: Keychain, _ itemClass: ItemClass, _ attributes: ItemAttributes,
        _ expected: String
    ) -> Status? {
        keychainError {
            let found = try secret(keychain, attributes, of: itemClass)
            #expect(found == expected)
        }?.status
    }

    @Test(arguments: RowTampering.all) func neverGiveAnotherSecret(_ tampering: RowTampering) throws
    {
        let scratch = try keychain()
        let open = try scratch.open()
        #expect(lookup(open, .internetPassword, internetPassword("a.example"), "one") == nil)
        try tamper(scratch, tampering)
        let before = try scratch.bytes()
        for keychain in [try scratch.open(), open] {
            let found = lookup(keychain, .internetPassword, internetPassword("a.example"), "one")
            #expect(tampering.lookup.contains(found), "\(String(describing: found))")
            // By each of the other indexes, and with none.
            for attributes in [
                internetPassword("b.example"), internetPassword("b.example", account: "me"),
            ] {
                _ = lookup(keychain, .internetPassword, attributes, "two")
            }
            _ = lookup(keychain, .genericPassword, RowTamperingTests.generic, "three")
            _ = keychainError {
                var all = Query(.internetPassword, returns: [.data, .attributes])
                all.match.limit = .all
                try keychain.forEachMatch(all) { item throws(KeychainError) in
                    let isOne = item.attributes?.server == "a.example"
                    #expect(secretText(item) == (isOne ? "one" : "two"))
                    return .next
                }
            }
        }
        let verifying = keychainError { _ = try scratch.openStore().verify() }
        #expect(
            [.decode, .invalidKeychain, .dataTooLarge].contains(verifying?.status),
            "\(String(describing: verifying))")
        #expect(try scratch.bytes() == before)
        #expect(try scratch.names() == ScratchKeychain.namesAtRest)
        // Changes on it may work or not; they don't crash, and what was found stays found.
        _ = scratch.adding("c.example")
        _ = keychainError {
            try scratch.open().update(
                Query(.internetPassword, internetPassword("a.example")), secret: Secret("new"))
        }
        _ = keychainError {
            try scratch.open().delete(Query(.internetPassword, internetPassword("b.example")))
        }
        let again = keychainError { _ = try scratch.openStore().verify() }
        #expect(again != nil)
    }

    private var a: Query { Query(.internetPassword, internetPassword("a.example")) }

    /// A lookup can't tell; verify can.
    @Test func anOldRowPutBackInPlaceOfTheNewIsFound() throws {
        let scratch = try keychain()
        let old = try RawDatabase(scratch.location.file).row(1)
        try scratch.open().update(a, secret: Secret("new"))
        #expect(scratch.verified() == 3)
        let database = try RawDatabase(scratch.location.file)
        try database.execute("DELETE FROM item WHERE change = 4")
        try RawDatabase(scratch.location.file).insert(old)
        #expect(try secret(try scratch.open(), internetPassword("a.example")) == "one")
        #expect(throws: KeychainError(.decode)) { try scratch.openStore().verify() }
    }

    @Test func anOldSecretPutBackIsFound() throws {
        let scratch = try keychain()
        let old = try RawDatabase(scratch.location.file).row(1)
        try scratch.open().update(a, secret: Secret("new"))
        try RawDatabase(scratch.location.file).execute(
            "UPDATE item SET secret = ?1 WHERE change = 4", old[12])
        let keychain = try scratch.open()
        let answer = lookup(keychain, .internetPassword, internetPassword("a.example"), "new")
        #expect(answer == .decode, "a row is one piece")
        #expect(throws: KeychainError(.decode)) { try scratch.openStore().verify() }
    }

    @Test func aDeletedRowPutBackIsFound() throws {
        let scratch = try keychain()
        let old = try RawDatabase(scratch.location.file).row(1)
        try scratch.open().delete(a)
        #expect(scratch.verified() == 2)
        try RawDatabase(scratch.location.file).insert(old)
        #expect(throws: KeychainError(.decode)) { try scratch.openStore().verify() }
    }

    /// Also where as many rows were taken away.
    @Test func aRowExchangedForAnOlderOneIsFound() throws {
        let scratch = try keychain()
        let old = try RawDatabase(scratch.location.file).row(1)
        try scratch.open().delete(a)
        try RawDatabase(scratch.location.file).execute("DELETE FROM item WHERE change = 2")
        try RawDatabase(scratch.location.file).insert(old)
        #expect(throws: KeychainError(.decode)) { try scratch.openStore().verify() }
    }

    @Test func anOldRowSetPutBackIsFound() throws {
        let scratch = try keychain()
        let old = try RawDatabase(scratch.location.file).blob("SELECT row_set FROM keychain")
        try scratch.open().update(a, secret: Secret("new"))
        try RawDatabase(scratch.location.file).execute(
            "UPDATE keychain SET row_set = ?1", .blob(old))
        #expect(throws: KeychainError(.decode)) { try scratch.openStore().verify() }
    }

    /// A row of another keychain of the same machine, ids and tags and all.
    @Test func aRowOfAnotherKeychainIsRefused() throws {
        let scratch = try keychain()
        let other = KeychainLocation(
            file: "\(scratch.dataFolder)/other.keychain", stateFolder: scratch.stateFolder)
        try SealedStore.make(at: other)
        try Keychain(try SealedStore(at: other), accessGroups: .all(addingTo: "test")).add(
            .internetPassword, internetPassword("a.example", account: "me"), secret: Secret("bad"))
        let row = try RawDatabase(other.file).rows("SELECT * FROM item")[0]
        let tag = try RawDatabase(scratch.location.file).row(1)[7]
        try RawDatabase(scratch.location.file).execute("DELETE FROM item WHERE change = 1")
        try RawDatabase(scratch.location.file).insert(row)
        #expect(throws: KeychainError(.itemNotFound)) {
            _ = try secret(try scratch.open(), internetPassword("a.example"))
        }
        try RawDatabase(scratch.location.file).execute(
            "UPDATE item SET server = ?1 WHERE change = 1", tag)
        #expect(throws: KeychainError(.decode)) {
            _ = try secret(try scratch.open(), internetPassword("a.example"))
        }
    }

    /// A damaged item is no reason to lose the others.
    @Test func otherItemsStayReadable() throws {
        let scratch = try keychain()
        try RawDatabase(scratch.location.file).execute(
            "UPDATE item SET secret = x'' WHERE change = 1")
        let keychain = try scratch.open()
        #expect(lookup(keychain, .internetPassword, internetPassword("a.example"), "") == .decode)
        #expect(lookup(keychain, .internetPassword, internetPassword("b.example"), "two") == nil)
        #expect(lookup(keychain, .genericPassword, RowTamperingTests.generic, "three") == nil)
    }

    /// An index that names a row twice: no walk gets an item twice, and none goes on forever.
    @Test func anIndexThatNamesARowTwiceIsFound() throws {
        let scratch = try ScratchKeychain.withItem()
        for account in ["x", "y"] as [ByteString] {
            try scratch.open().add(
                .internetPassword, internetPassword("s", account: account), secret: Secret("one"))
        }
        let tag = Data(
            try RawDatabase(scratch.location.file).blob("SELECT server FROM item WHERE change = 3"))
        var file = try scratch.bytes()
        // In the index the row's number follows the tag.
        let place = try #require(file.range(of: tag + [3]))
        file[place.upperBound - 1] = 2
        try scratch.write(file)
        let keychain = try scratch.open()
        var query = Query(.internetPassword, internetPassword("s"), returns: .attributes)
        query.match.limit = .all
        #expect(throws: KeychainError.self) { _ = try keychain.copyMatching(query) }
        query.match.limit = nil
        query.returns = []
        #expect(throws: KeychainError.self) { try keychain.delete(query) }
        #expect(throws: KeychainError.self) { try scratch.openStore().verify() }
        #expect(try scratch.bytes() == file)
    }

    /// An entry of an index changed behind the table's back: a lookup does not find the row, or
    /// finds another's; verify tells.
    @Test(arguments: ["server", "account", "identity", "id"])
    func anIndexThatDoesNotFitItsTableIsFound(_ column: String) throws {
        let scratch = try keychain()
        let tag = Data(
            try RawDatabase(scratch.location.file).blob(
                "SELECT \(column) FROM item WHERE change = 1"))
        let other = Data(
            try RawDatabase(scratch.location.file).blob(
                "SELECT \(column) FROM item WHERE change = 2"))
        let file = try scratch.bytes()
        var places: [Range<Data.Index>] = []
        var start = file.startIndex
        while let place = file.range(of: tag, in: start..<file.endIndex) {
            places.append(place)
            start = place.upperBound
        }
        #expect(places.count >= 2, "table and index")
        for place in places {
            for value in [other, Data(repeating: 0xFF, count: 16), Data(count: 16)]
            where value != tag {
                var changed = file
                changed.replaceSubrange(place, with: value)
                try scratch.write(changed)
                let keychain = try scratch.open()
                _ = lookup(keychain, .internetPassword, internetPassword("a.example"), "one")
                _ = lookup(
                    keychain, .internetPassword, internetPassword("b.example", account: "me"), "two"
                )
                #expect(throws: KeychainError.self) { try scratch.openStore().verify() }
            }
        }
    }
}
