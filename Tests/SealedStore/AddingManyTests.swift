import Keychain
import Testing

@testable import SealedStore

@Suite("Adding many") struct AddingManyTests {
    private let scratch: ScratchKeychain
    private let store: SealedStore

    init() throws {
        scratch = try ScratchKeychain()
        store = try scratch.openStore()
    }

    private func items(_ numbers: Range<Int>) -> [NewItem] {
        numbers.map {
            NewItem(
                .internetPassword, internetPassword(ByteString("\($0).example")),
                secret: Secret("secret \($0)"))
        }
    }

    private func add(
        _ items: [NewItem],
        _ attributes: (NewItem) throws(KeychainError) -> ItemAttributes = { $0.attributes }
    ) throws(KeychainError) -> Int? {
        try store.transaction { () throws(KeychainError) in
            try store.add(items[...], attributes: attributes)
        }
    }

    /// The servers of all items in the order in which they were added, each with its secret.
    private func contents() throws -> [(server: String, secret: String)] {
        var contents: [(server: String, secret: String)] = []
        var query = Query(.internetPassword, returns: [.attributes, .data])
        query.match.limit = .all
        try scratch.openStore().forEachMatch(query) { item throws(KeychainError) in
            contents.append((item.attributes?.server?.description ?? "", text(item.secret)))
            return .next
        }
        return contents.reversed()
    }

    private func text(_ secret: borrowing Secret?) -> String {
        switch secret {
        case .some(let secret):
            secret.withBytes {
                String(decoding: ByteString(copying: $0).bytes, as: UTF8.self)
            }
        case .none: ""
        }
    }

    @Test("all are there, in their order, and authenticated", arguments: [0, 1, 128, 2000])
    func all(_ count: Int) throws {
        #expect(try add(items(0..<count)) == count)
        #expect(scratch.verified() == count)
        let contents = try contents()
        #expect(contents.map(\.server) == (0..<count).map { "\($0).example" })
        #expect(contents.map(\.secret) == (0..<count).map { "secret \($0)" })
    }

    @Test("those before one whose identity is there", arguments: [0, 1, 127, 128, 700])
    func existing(_ number: Int) throws {
        #expect(try add(items(number..<number + 1)) == 1)
        #expect(try add(items(0..<1000)) == number)
        #expect(scratch.verified() == number + 1)
        #expect(try add(items(number + 1..<1000)) == 999 - number)
        #expect(scratch.verified() == 1000)
    }

    @Test("those before one that comes twice")
    func twice() throws {
        #expect(try add(items(0..<300) + items(0..<300)) == 300)
        #expect(scratch.verified() == 300)
    }

    @Test("those before one that can't be", arguments: [0, 129, 600])
    func impossible(_ number: Int) throws {
        let server = ByteString("\(number).example")
        let added = try add(items(0..<1000)) { item throws(KeychainError) in
            guard item.attributes.server != server else {
                throw KeychainError(.dataTooLarge)
            }
            return item.attributes
        }
        #expect(added == number)
        #expect(scratch.verified() == number)
    }

    /// Without a passphrase there is no such key.
    @Test("those before one that can't be sealed", arguments: [0, 129, 600])
    func unsealable(_ number: Int) throws {
        let server = ByteString("\(number).example")
        let added = try add(items(0..<1000)) { item throws(KeychainError) in
            var attributes = item.attributes
            attributes.accessible =
                attributes.server == server ? .whenPasscodeSetThisDeviceOnly : .always
            return attributes
        }
        #expect(added == number)
        #expect(scratch.verified() == number)
    }

    @Test("an access group that is given only now counts")
    func group() throws {
        let items = items(0..<200)
        let added = try add(items) { item throws(KeychainError) in
            var attributes = item.attributes
            attributes.accessGroup = "other"
            return attributes
        }
        #expect(added == 200)
        #expect(try contents().count == 200)
        #expect(try add(items) == 200)
        #expect(scratch.verified() == 400)
    }

    @Test("nothing stays of a transaction that fails")
    func failing() throws {
        #expect(throws: KeychainError(.userCanceled)) {
            try store.transaction { () throws(KeychainError) in
                _ = try store.add(items(0..<500)[...]) { $0.attributes }
                throw KeychainError(.userCanceled)
            }
        }
        #expect(scratch.verified() == 0)
        #expect(try add(items(0..<500)) == 500)
        #expect(scratch.verified() == 500)
    }

    @Test("only inside a transaction")
    func outside() throws {
        #expect(try store.add(items(0..<2)[...]) { $0.attributes } == nil)
        #expect(scratch.verified() == 0)
    }
}
