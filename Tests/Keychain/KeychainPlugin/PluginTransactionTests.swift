import Foundation
import KeychainServices
import TestSupport
import Testing

@testable import KeychainPlugin

@Suite("transactions, beyond the conformance suite")
struct PluginTransactionTests {
    private func account(_ name: ByteString) -> ItemAttributes {
        ItemAttributes {
            $0.account = name
            $0.accessGroup = "g"
            $0.accessible = .always
        }
    }

    private func add(_ name: ByteString, to store: PluginStore) throws(KeychainError) {
        _ = try store.add(.genericPassword, account(name), secret: Secret("s"))
    }

    private func accounts(_ store: PluginStore) throws -> [String] {
        var query = Query(.genericPassword, returns: .attributes)
        query.match.limit = .all
        var found: [String] = []
        try store.forEachMatch(query) { item throws(KeychainError) in
            found.append(item.attributes!.account!.description)
            return .next
        }
        return found
    }

    /// Changes inside and outside, some of them taken back.
    private func checkNesting(_ store: PluginStore) throws {
        try store.transaction { () throws(KeychainError) in
            try add("a", to: store)
            do throws(KeychainError) {
                try store.transaction { () throws(KeychainError) in
                    try add("b", to: store)
                    throw KeychainError(.userCanceled)
                }
            } catch {
                try add("c", to: store)
            }
            try store.transaction { () throws(KeychainError) in try add("d", to: store) }
        }
        #expect(try accounts(store) == ["d", "c", "a"])
        #expect(throws: KeychainError(.userCanceled)) {
            try store.transaction { () throws(KeychainError) in
                try store.transaction { () throws(KeychainError) in try add("e", to: store) }
                throw KeychainError(.userCanceled)
            }
        }
        #expect(try accounts(store) == ["d", "c", "a"])
    }

    @Test("they nest") func nested() throws {
        try checkNesting(store(try serve()))
        let scratch = try ScratchFolder()
        try checkNesting(ExamplePlugin(in: scratch).store())
    }

    @Test("a plugin without transactions gets only the requests") func none() throws {
        let store = store(try serve(transactions: false))
        #expect(throws: KeychainError(.userCanceled)) {
            try store.transaction { () throws(KeychainError) in
                try add("a", to: store)
                throw KeychainError(.userCanceled)
            }
        }
        #expect(!store.hasTransactions)
        #expect(try accounts(store) == ["a"])
    }

    @Test("a lost connection undoes the open transaction and no more") func broken() throws {
        let scratch = try ScratchFolder()
        let plugin = try ExamplePlugin(in: scratch)
        let store = plugin.store()
        try add("a", to: store)
        #expect(throws: KeychainError(.param)) {
            // The end of the plugin comes before the end of the transaction.
            try store.transaction { () throws(KeychainError) in
                try add("b", to: store)
                store.close()
            }
        }
        #expect(try accounts(plugin.store()) == ["a"])
    }

    @Test("two processes do not change a keychain at once") func exclusive() throws {
        let scratch = try ScratchFolder()
        let plugin = try ExamplePlugin(in: scratch)
        let other = PluginStore(
            executable: plugin.executable, keychain: "work",
            settings: [("file", scratch.path + "/items")], timeLimit: 4000, isPromptAllowed: false)
        try other.open(timeLimit: 60_000)
        let store = plugin.store()
        try store.transaction { () throws(KeychainError) in
            try add("a", to: store)
            #expect(throws: KeychainError(.databaseLocked)) { try add("b", to: other) }
        }
        try add("b", to: other)
        #expect(try accounts(plugin.store()) == ["b", "a"])
    }

    @Test("a served keychain undoes everything at the end of the input") func served() throws {
        let keychain = ServedStore()
        var lines = Lines(keychain)
        lines.send(#"{"id":1,"method":"hello","versions":[1],"keychain":"k"}"#)
        lines.send(#"{"id":2,"method":"begin"}"#)
        lines.send(
            #"{"id":3,"method":"add","class":"genp","secret":"","#
                + #""attributes":{"accessGroup":"g","accessible":"ak"}}"#)
        let answers = lines.answers()
        #expect(answers.count == 3)
        #expect(answers.allSatisfy { $0.contains(#""result":{"#) })
        #expect(try keychain.delete(Query(.genericPassword)) == 0)
    }
}
