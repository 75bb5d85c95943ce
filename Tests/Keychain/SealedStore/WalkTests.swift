import KeychainServices
import Testing

@testable import SealedStore

/// A walk over items reads a few at a time: no writer waits for what is done with them.
@Suite("a walk over items")
struct WalkTests {
    /// A keychain with items of one server, account 0 added first.
    private func keychain(_ count: Int) throws -> ScratchKeychain {
        let scratch = try ScratchKeychain()
        let keychain = try scratch.open()
        try keychain.transaction { () throws(KeychainError) in
            for number in 0..<count {
                try keychain.add(
                    .internetPassword, internetPassword("s", account: ByteString("\(number)")),
                    secret: Secret("secret \(number)"))
            }
        }
        return scratch
    }

    private var all: Query {
        var query = Query(
            .internetPassword, internetPassword("s"), returns: [.attributes, .data])
        query.match.limit = .all
        return query
    }

    private func accounts(
        _ keychain: Keychain, _ meanwhile: (String) throws(KeychainError) -> Void = { _ in }
    ) throws -> [String] {
        var accounts: [String] = []
        try keychain.forEachMatch(all) { item throws(KeychainError) in
            let account = item.attributes?.account?.description ?? "none"
            accounts.append(account)
            try meanwhile(account)
            return .next
        }
        return accounts
    }

    @Test(arguments: [0, 1, 2, 4, 5, 6, 20, 21, 22, 84, 85, 86, 340, 341, 342, 600])
    func handsOutEachItemOnceInOrder(_ count: Int) throws {
        let scratch = try keychain(count)
        #expect(try accounts(scratch.open()) == (0..<count).reversed().map { "\($0)" })
    }

    @Test func doesNotKeepOthersFromWriting() throws {
        let scratch = try keychain(200)
        let other = Keychain(
            try scratch.openStore(busyTimeout: 0), accessGroups: .all(addingTo: "test"))
        var added = 0
        let accounts = try accounts(scratch.open()) { account throws(KeychainError) in
            if ["199", "150", "0"].contains(account) {
                try other.add(
                    .genericPassword, ItemAttributes(), secret: Secret("x"), returns: [])
                try other.delete(Query(.genericPassword))
                added += 1
            }
        }
        #expect(added == 3)
        #expect(accounts.count == 200)
    }

    @Test func missesNothingThatOthersChangeMeanwhile() throws {
        let scratch = try keychain(200)
        let other = try scratch.open()
        let accounts = try accounts(scratch.open()) { account throws(KeychainError) in
            guard account == "150" else {
                return
            }
            // One that was handed out, one whose turn comes, one that is new, one that goes.
            for number in ["180", "20"] {
                let query = Query(
                    .internetPassword, internetPassword("s", account: ByteString(number)))
                try other.update(query, secret: Secret("changed"))
            }
            try other.add(
                .internetPassword, internetPassword("s", account: "new"), secret: Secret("x"))
            try other.delete(Query(.internetPassword, internetPassword("s", account: "10")))
        }
        #expect(accounts.count == Set(accounts).count)
        #expect(Set(accounts) == Set((0..<200).map { "\($0)" } + ["new"]).subtracting(["10"]))
        #expect(accounts.suffix(2) == ["new", "20"])
    }

    @Test func refusesChangesByItself() throws {
        let scratch = try keychain(3)
        let keychain = try scratch.open()
        #expect(throws: KeychainError(.param)) {
            _ = try accounts(keychain) { _ throws(KeychainError) in
                try keychain.delete(Query(.internetPassword, internetPassword("s")))
            }
        }
        #expect(try accounts(keychain).count == 3)
    }
}
