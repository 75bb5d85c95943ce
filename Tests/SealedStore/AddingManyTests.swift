import KeychainServices
import Testing

@testable import SealedStore

@Suite("Adding many") struct AddingManyTests {
    private let scratch: ScratchKeychain
    private let store: SealedStore

    init() throws {
        scratch = try ScratchKeychain()
        store = try scratch.openStore()
    }

    /// More than are put into an empty keychain with all of its indexes in place.
    private static let manyMore = 5000

    /// Throws nothing and finds nothing where each index has each row.
    private func expectWholeIndexes() throws {
        let database = try RawDatabase(scratch.location.file)
        #expect(try database.rows("PRAGMA integrity_check") == [[.text("ok")]])
        #expect(try database.number("SELECT count(*) FROM pragma_index_list('item')") == 6)
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
        _ storable: (NewItem) throws(KeychainError) -> NewItem = { $0 }
    ) throws(KeychainError) -> Int? {
        try store.transaction { () throws(KeychainError) in
            try store.add(
                items[...], more: { _ in [] }, accessible: .whenUnlocked, storable: storable)
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

    @Test(
        "all are there, in their order, and authenticated",
        arguments: [0, 1, 128, 2000, Self.manyMore])
    func all(_ count: Int) throws {
        #expect(try add(items(0..<count)) == count)
        #expect(try store.database.number("PRAGMA cache_size") == -16_384)
        #expect(scratch.verified() == count)
        try expectWholeIndexes()
        let contents = try contents()
        #expect(contents.map(\.server) == (0..<count).map { "\($0).example" })
        #expect(contents.map(\.secret) == (0..<count).map { "secret \($0)" })
    }

    @Test(
        "those before one whose identity is there",
        arguments: [0, 1, 63, 64, 65, 127, 128, 700])
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

    /// A few are inserted at once, large ones by themselves.
    @Test("large ones among small ones", arguments: [0, 13, 63, 64, 130])
    func large(_ number: Int) throws {
        var items = items(0..<200)
        let large = Secret(String(repeating: "a", count: 100_000))
        for index in [number, number + 1, number + 30] {
            items[index] = NewItem(
                .internetPassword, items[index].attributes, secret: large.copy())
        }
        #expect(try add(items) == items.count)
        #expect(scratch.verified() == items.count)
        let contents = try contents()
        let servers = contents.map(\.server)
        #expect(servers == (0..<200).map { "\($0).example" })
        let sizes = contents.map(\.secret.utf8.count)
        #expect(sizes.filter { $0 == 100_000 }.count == 3 && sizes[number] == 100_000)
    }

    @Test("those before one that is too large for a row", arguments: [0, 13, 63, 64, 130])
    func tooLarge(_ number: Int) throws {
        var items = items(0..<200)
        items[number] = NewItem(
            .internetPassword, items[number].attributes,
            secret: Secret(String(repeating: "a", count: Int(Database.lengthLimit))))
        #expect(try add(items) == number)
        #expect(scratch.verified() == number)
    }

    @Test("those before one that comes twice among many, and others in the same transaction")
    func twiceAmongMany() throws {
        let items = items(0..<Self.manyMore)
        let last = Self.manyMore - 1
        try store.transaction { () throws(KeychainError) in
            let added = try store.add(
                (items + items)[...], more: { _ in [] }, accessible: .whenUnlocked
            ) { $0 }
            #expect(added == items.count)
            // What is looked up now is found by the indexes.
            var query = Query(.internetPassword, items[last].attributes)
            query.returns = .attributes
            var found: [ByteString?] = []
            try store.forEachMatch(query) { item throws(KeychainError) in
                found.append(item.attributes?.server)
                return .next
            }
            #expect(found == [items[last].attributes.server])
            let more = try store.add(
                self.items(last + 1..<last + 101)[...], more: { _ in [] }, accessible: .whenUnlocked
            ) {
                $0
            }
            #expect(more == 100)
        }
        #expect(scratch.verified() == items.count + 100)
        try expectWholeIndexes()
    }

    @Test("each has another id", arguments: [100, Self.manyMore])
    func ids(_ count: Int) throws {
        #expect(try add(items(0..<count)) == count)
        let database = try RawDatabase(scratch.location.file)
        let ids = try database.rows("SELECT hex(id) FROM item ORDER BY change").map { row in
            guard case .text(let id) = row[0] else { return "" }
            return id
        }
        #expect(Set(ids).count == count)
        // Of many each goes to the end of the index of ids.
        #expect(count < Self.manyMore || ids == ids.sorted())
        // As random in their last byte as in any.
        #expect(Set(ids.map { $0.suffix(2) }).count > 50)
    }

    @Test("those before one that can't be", arguments: [0, 129, 600])
    func impossible(_ number: Int) throws {
        let server = ByteString("\(number).example")
        let added = try add(items(0..<1000)) { item throws(KeychainError) in
            guard item.attributes.server != server else {
                throw KeychainError(.dataTooLarge)
            }
            return item
        }
        #expect(added == number)
        #expect(scratch.verified() == number)
    }

    @Test("an accessibility that they say counts, else the one that is given")
    func accessibility() throws {
        let items = items(0..<200).enumerated().map { index, item in
            var attributes = item.attributes
            attributes.accessible =
                index % 3 == 0 ? nil : index % 3 == 1 ? .always : .afterFirstUnlock
            return NewItem(item.itemClass, attributes, secret: item.secret.copy())
        }
        #expect(try add(items) == 200)
        var found: [ByteString: Accessibility] = [:]
        try store.forEachMatch(Query(.internetPassword, returns: .attributes)) { item in
            found[item.attributes?.server ?? ""] = item.attributes?.accessible
            return .next
        }
        for item in items {
            let server = item.attributes.server ?? ""
            #expect(found[server] == item.attributes.accessible ?? .whenUnlocked)
        }
        #expect(scratch.verified() == 200)
    }

    /// What the keychain asks of each item that is added by itself.
    @Test("the keychain completes them, and refuses what it would refuse by itself")
    func throughAKeychain() throws {
        let keychain = Keychain(store, accessGroup: "group", accessible: .always)
        var items = items(0..<100)
        var foreign = internetPassword("foreign.example")
        foreign.service = "service"
        var conditional = internetPassword("conditional.example")
        conditional.accessControl = AccessControl(accessible: .afterFirstUnlock, flags: [])
        conditional.accessGroup = "own"
        items.insert(NewItem(.internetPassword, conditional, secret: Secret("")), at: 50)
        items.append(NewItem(.internetPassword, foreign, secret: Secret("")))
        var asked = 0
        let added = try keychain.transaction { () throws(KeychainError) in
            try keychain.add(items[...], willAdd: { asked += 1 })
        }
        #expect(added == 101)
        #expect(asked == 102)
        var others = 0
        try store.forEachMatch(Query(.internetPassword, returns: .attributes)) { item in
            let attributes = item.attributes ?? ItemAttributes()
            if attributes.server == "conditional.example" {
                #expect(attributes.accessible == .afterFirstUnlock)
                #expect(attributes.accessGroup == "own")
            } else {
                others +=
                    attributes.accessible == .always && attributes.accessGroup == "group" ? 1 : 0
            }
            return .next
        }
        #expect(others == 100)
        #expect(scratch.verified() == 101)
    }

    /// Without a passphrase there is no such key.
    @Test("those before one that can't be sealed", arguments: [0, 129, 600])
    func unsealable(_ number: Int) throws {
        let server = ByteString("\(number).example")
        let added = try add(items(0..<1000)) { item throws(KeychainError) in
            var attributes = item.attributes
            attributes.accessible =
                attributes.server == server ? .whenPasscodeSetThisDeviceOnly : .always
            return NewItem(item.itemClass, attributes, secret: item.secret.copy())
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
            return NewItem(item.itemClass, attributes, secret: item.secret.copy())
        }
        #expect(added == 200)
        #expect(try contents().count == 200)
        #expect(try add(items) == 200)
        #expect(scratch.verified() == 400)
    }

    /// Each store is told of no more than what is there by then.
    @Test("those that come later, a few at a time", arguments: [1, 130, Self.manyMore])
    func later(_ first: Int) throws {
        let sizes = [1, 127, 128, 129, 3, 1000, 25]
        let items = items(0..<first + sizes.reduce(0, +))
        var start = first
        var sizesLeft = sizes[...]
        var told: [Int] = []
        let added = try store.transaction { () throws(KeychainError) in
            try store.add(
                items[..<first],
                more: { added in
                    told.append(added)
                    let size = sizesLeft.popFirst() ?? 0
                    defer { start += size }
                    return items[start..<start + size]
                }, accessible: .whenUnlocked, storable: { $0 })
        }
        #expect(added == items.count)
        #expect(told == told.sorted() && told.allSatisfy { $0 <= start })
        #expect(scratch.verified() == items.count)
        let servers = try contents().map(\.server)
        let isInOrder = servers == items.map { $0.attributes.server?.description ?? "" }
        #expect(isInOrder)
        try expectWholeIndexes()
    }

    @Test("none after one that is there, which came later")
    func laterTwice() throws {
        let items = items(0..<300)
        var pieces = [items[100..<150] + items[7..<8] + items[150..<200], items[200...]][...]
        let added = try store.transaction { () throws(KeychainError) in
            try store.add(
                items[..<100], more: { _ in pieces.popFirst() ?? [] },
                accessible: .whenUnlocked, storable: { $0 })
        }
        #expect(added == 150)
        #expect(scratch.verified() == 150)
    }

    /// An index whose values were all the same at first is there meanwhile, and takes others too.
    @Test("those of which the first ones are alike in everything that is looked up but one")
    func alike() throws {
        func item(_ number: Int, _ kind: Int) -> NewItem {
            let name = ByteString("name \(number)")
            var attributes = kind == 1 ? genericPassword("same") : internetPassword("same")
            switch kind {
            case 0: attributes.server = name
            case 1: attributes.service = name
            case 2: attributes.account = name
            default: attributes.accessGroup = name
            }
            return NewItem(
                kind == 1 ? .genericPassword : .internetPassword, attributes,
                secret: Secret("secret \(number)"))
        }
        for kind in 0..<4 {
            let scratch = try ScratchKeychain()
            let store = try scratch.openStore()
            let items = (0..<Self.manyMore).map { item($0, kind) }
            let others = (0..<4).flatMap { other in (0..<50).map { item(-1 - $0, other) } }
            let added = try store.transaction { () throws(KeychainError) in
                var rest = others[...]
                return try store.add(
                    items[...],
                    more: { _ in
                        defer { rest = [] }
                        return rest
                    }, accessible: .whenUnlocked, storable: { $0 })
            }
            #expect(added == items.count + others.count)
            #expect(scratch.verified() == items.count + others.count)
            let database = try RawDatabase(scratch.location.file)
            #expect(try database.rows("PRAGMA integrity_check") == [[.text("ok")]])
            for wanted in [items[0], items[Self.manyMore - 1]]
                + [0, 50, 100, 199].map({ others[$0] })
            {
                var query = Query(wanted.itemClass, wanted.attributes)
                query.returns = .data
                var found = 0
                try store.forEachMatch(query) { item throws(KeychainError) in
                    found +=
                        text(item.secret) == String(decoding: bytes(wanted.secret), as: UTF8.self)
                        ? 1 : 0
                    return .next
                }
                #expect(found == 1)
            }
        }
    }

    @Test("nothing stays of a transaction that fails", arguments: [500, Self.manyMore])
    func failing(_ count: Int) throws {
        #expect(throws: KeychainError(.userCanceled)) {
            try store.transaction { () throws(KeychainError) in
                _ = try store.add(
                    items(0..<count)[...], more: { _ in [] }, accessible: .whenUnlocked
                ) { $0 }
                throw KeychainError(.userCanceled)
            }
        }
        #expect(scratch.verified() == 0)
        try expectWholeIndexes()
        #expect(try add(items(0..<500)) == 500)
        #expect(scratch.verified() == 500)
    }

    /// Some rows of the statement that failed are in the table then, which the row set does not know.
    @Test("nothing stays of a transaction that goes on after it failed")
    func goingOn() throws {
        #expect(try add(items(0..<1)) == 1)
        let error = keychainError {
            try store.transaction { () throws(KeychainError) in
                // The number of the 30th change is taken.
                try store.database.execute(
                    """
                    INSERT INTO item SELECT change + 30, randomblob(16), class, accessible, \
                    metadata_generation, secret_generation, randomblob(16), server, service, \
                    account, access_group, attributes, secret FROM item
                    """)
                let failure = keychainError {
                    _ = try store.add(
                        items(1..<101)[...], more: { _ in [] }, accessible: .whenUnlocked
                    ) { $0 }
                }
                #expect(failure?.status == .invalidKeychain)
            }
        }
        #expect(error?.status == .io)
        #expect(scratch.verified() == 1)
        #expect(try add(items(1..<101)) == 100)
    }

    /// Whatever is being written then: rows, or the indexes that are made last.
    @Test("nothing stays where there is no room for all")
    func noRoom() throws {
        let items = items(0..<Self.manyMore)
        #expect(try add(items) == items.count)
        let pages = try #require(
            try RawDatabase(scratch.location.file).number("PRAGMA page_count"))
        for percent in [50, 90, 97] as [Int64] {
            let scratch = try ScratchKeychain()
            let store = try scratch.openStore()
            // What a full disk is to SQLite, at a page of our choice.
            try store.reopenForWriting()
            try store.database.execute("PRAGMA max_page_count=\(pages * percent / 100)")
            let error = keychainError {
                _ = try store.transaction { () throws(KeychainError) in
                    try store.add(items[...], more: { _ in [] }, accessible: .whenUnlocked) { $0 }
                }
            }
            #expect(error?.status == .diskFull, "\(percent) %")
            #expect(scratch.verified() == 0)
            #expect(scratch.adding() == nil)
            #expect(scratch.verified() == 1)
        }
    }

    @Test("only inside a transaction")
    func outside() throws {
        #expect(
            try store.add(items(0..<2)[...], more: { _ in [] }, accessible: .whenUnlocked) { $0 }
                == nil)
        #expect(scratch.verified() == 0)
    }
}
