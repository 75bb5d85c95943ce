import Foundation
import KeychainServices
import Testing

@testable import SealedStore

/// A walk over everything hands out what can be read, and ends with an error if that was not everything.
@Suite("a walk over everything")
struct WholeWalkTests {
    /// A keychain with logins of two groups, and generic passwords.
    private func keychain(_ count: Int) throws -> ScratchKeychain {
        let scratch = try ScratchKeychain()
        let keychain = try scratch.open()
        try keychain.transaction { () throws(KeychainError) in
            for number in 0..<count {
                var login = internetPassword("s", account: ByteString("\(number)"))
                login.accessGroup = number % 2 == 0 ? "docker" : "git"
                try keychain.add(.internetPassword, login, secret: Secret("secret \(number)"))
                try keychain.add(
                    .genericPassword, genericPassword("g", account: ByteString("\(number)")),
                    secret: Secret("x"))
            }
        }
        return scratch
    }

    private func all(
        _ itemClass: ItemClass = .internetPassword, group: ByteString? = nil,
        returns: ReturnOptions = [.attributes, .data]
    ) -> Query {
        var query = Query(itemClass, returns: returns)
        query.attributes.accessGroup = group
        query.match.limit = .all
        return query
    }

    /// How many items are handed out, and the error in the end.
    private func walk(
        _ scratch: ScratchKeychain, _ query: Query,
        _ meanwhile: (Int) throws(KeychainError) -> Void = { _ in }
    ) throws -> (count: Int, error: KeychainError?) {
        let keychain = try scratch.open()
        var count = 0
        let error = keychainError {
            try keychain.forEachMatch(query) { item throws(KeychainError) in
                count += 1
                try meanwhile(count)
                return .next
            }
        }
        return (count, error)
    }

    private func sql(_ scratch: ScratchKeychain, _ text: String) throws {
        try RawDatabase(scratch.location.file).run(text)
    }

    @Test(arguments: [0, 1, 2, 5, 6, 100, 400]) func complete(_ count: Int) throws {
        let scratch = try keychain(count)
        for (query, expected) in [
            (all(), count), (all(.genericPassword), count), (all(group: "git"), count / 2),
            (all(group: "docker"), count - count / 2), (all(group: "none"), 0),
        ] {
            let (found, error) = try walk(scratch, query)
            #expect(found == expected)
            #expect(error == nil)
        }
    }

    @Test(
        "rows that are missing",
        arguments: ["1 = 1", "change = 1", "change > 150", "class = (SELECT max(class) FROM item)"])
    func missing(_ condition: String) throws {
        let scratch = try keychain(100)
        try sql(scratch, "DELETE FROM item WHERE \(condition)")
        let left = try #require(
            try RawDatabase(scratch.location.file).number("SELECT count(*) FROM item"))
        try #require(left < 200)
        for query in [all(), all(.genericPassword), all(group: "docker"), all(group: "none")] {
            let (found, error) = try walk(scratch, query)
            #expect(found <= left)
            #expect(error?.status == .decode)
            #expect(
                error?.reason == "the keychain should have 200 items, but its file has \(left)")
            #expect(error?.hint == "lanyard verify --keychain login")
        }
        // Who wants one item does not wait for such a look.
        var query = Query(.internetPassword, internetPassword("s"), returns: .attributes)
        query.match.limit = .all
        #expect(try walk(scratch, query).error == nil)
    }

    @Test("items tagged with another group are damaged")
    func changedTags() throws {
        let scratch = try keychain(20)
        try sql(scratch, "UPDATE item SET access_group = zeroblob(16)")
        let (found, error) = try walk(scratch, all(group: "docker"))
        #expect(found == 0)
        #expect(error?.reason == "20 items are damaged or were tampered with")
    }

    @Test("damaged items are skipped, all others returned")
    func damaged() throws {
        let scratch = try keychain(100)
        // Those with an odd number are logins.
        try sql(scratch, "UPDATE item SET attributes = zeroblob(176) WHERE change IN (1, 99)")
        try sql(scratch, "UPDATE item SET secret = substr(secret, 1, 24) WHERE change = 51")
        var (found, error) = try walk(scratch, all())
        #expect(found == 97)
        #expect(error?.status == .decode)
        #expect(error?.reason == "3 items are damaged or were tampered with")
        (found, error) = try walk(scratch, all(returns: .attributes))
        #expect(found == 98)
        #expect(error?.reason == "2 items are damaged or were tampered with")
        (found, error) = try walk(scratch, all(.genericPassword))
        #expect(found == 100)
        #expect(error == nil)
        try sql(scratch, "UPDATE item SET class = 7 WHERE change = 2")
        #expect(try walk(scratch, all(.genericPassword)).error?.status == .decode)
    }

    @Test("concurrent changes are not reported as missing")
    func changedMeanwhile() throws {
        let scratch = try keychain(300)
        let other = try scratch.open()
        let (found, error) = try walk(scratch, all()) { count throws(KeychainError) in
            switch count {
            case 5:
                try other.add(.genericPassword, genericPassword("new"), secret: Secret("x"))
            case 10:
                try other.delete(
                    Query(.internetPassword, internetPassword("s", account: "299")))
            case 20:
                try other.delete(Query(.internetPassword, internetPassword("s", account: "0")))
            default: break
            }
        }
        #expect(found == 299)
        #expect(error == nil)
        // Nor do they hide what is.
        try sql(scratch, "DELETE FROM item WHERE change = 21")
        let (_, missing) = try walk(scratch, all()) { count throws(KeychainError) in
            if count == 5 {
                try other.add(.genericPassword, genericPassword("newer"), secret: Secret("x"))
            }
        }
        #expect(missing?.status == .decode)
    }

    @Test("no walk outlasts its deadline, even without matches")
    func deadline() throws {
        let scratch = try keychain(100)
        let store = try scratch.openStore()
        store.walkDeadline = 0
        for query in [all(), all(group: "none")] {
            let error = keychainError { try store.forEachMatch(query) { _ in .next } }
            #expect(error?.status == .notAvailable)
        }
    }

    @Test("many reads in one state of the keychain") func readTogether() throws {
        let scratch = try keychain(3)
        let store = try scratch.openStore()
        let other = try scratch.openStore(busyTimeout: 0)
        try store.readTogether { () throws(KeychainError) in
            for account in ["0", "1", "2"] as [ByteString] {
                let query = Query(.internetPassword, internetPassword("s", account: account))
                var isThere = false
                try store.forEachMatch(query) { _ in
                    isThere = true
                    return .stop
                }
                #expect(isThere)
            }
            #expect(throws: KeychainError(.databaseLocked)) {
                _ = try other.delete(Query(.internetPassword))
            }
            #expect(throws: KeychainError(.param)) {
                try store.transaction {}
            }
        }
        #expect(try other.delete(Query(.internetPassword)) == 3)
    }

    /// A bad sector, or what a file system leaves after a crash.
    @Test(
        "a page of zeros hides only its own items",
        arguments: [ItemOrder.newestFirst, .oldestFirst])
    func aPageOfZeros(order: ItemOrder) throws {
        let count = 60
        let scratch = try keychain(count)
        let whole = try Data(contentsOf: URL(fileURLWithPath: scratch.location.file))
        let pageSize = 4096
        var damagedWalks = 0
        for start in stride(from: pageSize, to: whole.count, by: pageSize) {
            var damaged = whole
            damaged.resetBytes(in: start..<start + pageSize)
            makeFile(scratch.location.file, damaged)
            var query = all()
            query.match.order = order
            let keychain = try scratch.open()
            var walked: [ByteString] = []
            let error = keychainError {
                try keychain.forEachMatch(query) { item in
                    walked.append(item.attributes?.account ?? "")
                    return .next
                }
            }
            #expect(Set(walked).count == walked.count)
            // With its own row or the root of all rows gone, nothing can be read.
            guard !walked.isEmpty else {
                #expect(error != nil)
                continue
            }
            var readable: [ByteString] = []
            for number in 0..<count {
                let account = ByteString("\(number)")
                let query = Query(
                    .internetPassword, internetPassword("s", account: account), returns: .data)
                let isFound: Bool? = try? (keychain.firstSecret(of: query) != nil)
                // Damage is an error, and not a missing item.
                #expect(isFound != false)
                if isFound == true {
                    readable.append(account)
                }
            }
            #expect(Set(walked).isSuperset(of: readable))
            // Never another account's password instead of the latest's.
            let latest = try? keychain.attributes(
                of: Query(.internetPassword, internetPassword("s"), returns: .attributes)
            ).first?.account
            #expect(latest == nil || latest == ByteString("\(count - 1)"))
            #expect((error == nil) == (walked.count == count))
            let ids = try keychain.references(ofAll: [.internetPassword], ItemAttributes()).found
            #expect(ids.count == walked.count)
            for reference in ids {
                #expect(try keychain.firstMatch(of: Query(reference, returns: .data)) != nil)
            }
            damagedWalks += walked.count < count ? 1 : 0
            let verification = try scratch.openStore().verification()
            #expect(!verification.isSound && verification.items == count * 2)
        }
        #expect(damagedWalks > 3)
    }
}
