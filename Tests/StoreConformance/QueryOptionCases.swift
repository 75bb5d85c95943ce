import KeychainServices

extension StoreConformance {
    @ConformanceCases static var queryOptionCases: [ConformanceCase] {
        for count in [1, 2, 9, 130] {
            ConformanceCase("the oldest of \(count) items come first if asked for") { keychain in
                let accounts = (0..<count).map { ByteString("\($0)") }
                try keychain.add(
                    accounts.map { NewItem(.genericPassword, .account($0), secret: Secret("s")) })
                var query = Query(.genericPassword, returns: .attributes)
                query.match.order = .oldestFirst
                try expectEqual(try keychain.accounts(query), accounts)
                try expectEqual(try keychain.firstMatch(of: query)?.attributes?.account, "0")
                query.match.limit = .atMost(2)
                try expectEqual(
                    try keychain.attributes(of: query).map(\.account), Array(accounts.prefix(2)))
                query.match.order = .newestFirst
                try expectEqual(try keychain.accounts(query), accounts.reversed())

                // A change makes an item the newest.
                try keychain.update(.account("0"), ItemAttributes { $0.label = "new" })
                query.match.order = .oldestFirst
                try expectEqual(
                    try keychain.accounts(query), Array(accounts.dropFirst()) + ["0"])
            }
        }
        ConformanceCase("several items are added together, with references in their order") {
            keychain in
            let accounts: [ByteString] = ["b", "c", "a"]
            let references = try keychain.add(
                accounts.map {
                    NewItem(
                        .genericPassword, .account($0), secret: Secret(copying: $0.bytes.span))
                })
            try expectEqual(references.count, 3)
            for (reference, account) in zip(references, accounts) {
                let item = try keychain.onlyItem(Query(reference))
                try expectEqual(item.attributes.account, account)
                try expectEqual(item.secret, account.bytes)
            }
            try expectEqual(try keychain.add([]), [])
        }
        ConformanceCase("of several items none is added if one can't be") { keychain in
            try keychain.addAccounts("b")
            for (attributes, status) in [
                (ItemAttributes.account("b"), Status.duplicateItem),
                (ItemAttributes { $0.server = "host" }, .noSuchAttribute),
            ] {
                try keychain.expectRefusal(status) {
                    try keychain.add([
                        NewItem(.genericPassword, .account("a"), secret: Secret("s")),
                        NewItem(.genericPassword, attributes, secret: Secret("s")),
                    ])
                }
            }
        }
        ConformanceCase("a list of items bounds copy, update and delete") { keychain in
            try keychain.addAccounts("a", "b", "c", "d")
            let items = try keychain.items(.genericPassword).map(\.reference)
            var query = Query(.genericPassword).with { $0.items = [items[3], items[1], items[3]] }
            try expectEqual(try keychain.accounts(query), ["c", "a"])
            try expectEqual(
                try keychain.accounts(query.with { $0.attributes.account = "a" }), ["a"])
            try keychain.update(query, ItemAttributes { $0.label = "listed" })
            try expectEqual(
                try keychain.count(
                    Query(.genericPassword, ItemAttributes { $0.label = "listed" })), 2)
            query.reference = items[3]
            try expectEqual(try keychain.accounts(query), ["a"])
            query.reference = items[0]
            try keychain.expectRefusal(.itemNotFound) { try keychain.delete(query) }
            query.reference = nil
            try keychain.delete(query)
            try expectEqual(try keychain.accounts(Query(.genericPassword)), ["d", "b"])
            for nothing in [[], [items[1]]] {
                query.items = nothing
                try expectEqual(try keychain.count(query), 0)
                try keychain.expectRefusal(.itemNotFound) { try keychain.delete(query) }
            }
        }
        for sample in textSamples {
            ConformanceCase(
                "the text '\(sample.stored)' is found by '\(sample.wanted)': \(sample.matches)"
            ) { keychain in
                let attributes = ItemAttributes { $0.service = sample.stored }
                try keychain.add(.genericPassword, attributes, secret: Secret("s"))
                var query = Query(
                    .genericPassword, ItemAttributes { $0.service = sample.wanted })
                query.match.caseInsensitive = sample.options.contains(.letterCase)
                query.match.diacriticInsensitive = sample.options.contains(.diacritics)
                query.match.widthInsensitive = sample.options.contains(.width)
                query.match.textAnchor = sample.anchor
                try expectEqual(try keychain.count(query), sample.matches ? 1 : 0)
                query.attributes.service = sample.stored
                try expectEqual(try keychain.count(query), 1, "found by itself")
            }
        }
        ConformanceCase("options for texts leave data, protocols, servers and groups as they are") {
            keychain in
            let item = ItemAttributes {
                $0.server = "é.example.com"
                $0.protocol = .https
                $0.accessGroup = "groupé"
            }
            try keychain.add(.internetPassword, item, secret: Secret("s"))
            try keychain.add(
                .genericPassword, ItemAttributes { $0.generic = "daté" }, secret: Secret("s"))
            func count(
                _ itemClass: ItemClass, _ anchor: TextAnchor,
                _ set: (inout ItemAttributes) -> Void
            ) throws -> Int {
                var query = Query(itemClass, ItemAttributes(set))
                query.match.textAnchor = anchor
                query.match.diacriticInsensitive = true
                return try keychain.count(query)
            }
            try expectEqual(try count(.internetPassword, .end) { $0.server = ".example.com" }, 1)
            try expectEqual(try count(.internetPassword, .end) { $0.server = "e.example.com" }, 0)
            try expectEqual(try count(.internetPassword, .start) { $0.protocolText = "ht" }, 0)
            try expectEqual(try count(.internetPassword, .start) { $0.accessGroup = "group" }, 0)
            try expectEqual(try count(.internetPassword, .start) { $0.accessGroup = "groupé" }, 1)
            try expectEqual(try count(.genericPassword, .start) { $0.generic = "dat" }, 0)
            try expectEqual(try count(.genericPassword, .whole) { $0.generic = "date" }, 0)
        }
        ConformanceCase("a returned item is the next query") { keychain in
            for returns in [ReturnOptions.reference, .persistentReference, .attributes] {
                try keychain.addAccounts("a", "b")
                try keychain.add(
                    .genericPassword,
                    ItemAttributes {
                        $0.account = "a"
                        $0.synchronizable = true
                    }, secret: Secret("s"))
                let asked = Query.account("a", returns: returns)
                for query in [asked, asked.with { $0.synchronizable = .synchronizable }] {
                    let next = try keychain.next(query)
                    try expect(next != nil, "no query can be made of what was returned")
                    try expectEqual(try keychain.onlyItem(next!).attributes.account, "a")
                    try keychain.delete(next!)
                }
                try expectEqual(try keychain.accounts(Query(.genericPassword)), ["b"])
                try keychain.delete(.account("b"))
            }
            try keychain.addAccounts("a")
            let next = try keychain.next(.account("a", returns: .data))
            try expect(next == nil, "a secret alone does not name an item")
        }
        ConformanceCase("a secret that is not locked is read whether asking is allowed or not") {
            keychain in
            try keychain.addAccounts("a", "b")
            for authenticationUI in [AuthenticationUI.allow, .fail, .skip] {
                var query = Query(.genericPassword)
                query.match.authenticationUI = authenticationUI
                query.match.prompt = "to test"
                try expectEqual(try keychain.accounts(query), ["b", "a"])
            }
        }
        ConformanceCase("a single keychain has no search list") { keychain in
            try keychain.addAccounts("a")
            let query = Query(.genericPassword).with { $0.match.searchList = ["login"] }
            try expectStatus(.param) { _ = try keychain.copyMatching(query) }
        }
        ConformanceCase("update and delete refuse each option") { keychain in
            try keychain.addAccounts("a")
            let options: [@Sendable (inout MatchOptions) -> Void] = [
                { $0.order = .oldestFirst }, { $0.searchList = [] },
                { $0.diacriticInsensitive = true }, { $0.widthInsensitive = true },
                { $0.textAnchor = .start }, { $0.authenticationUI = .skip }, { $0.prompt = "" },
            ]
            for option in options {
                let query = Query(.genericPassword).with { option(&$0.match) }
                try keychain.expectRefusal(.param) { try keychain.delete(query) }
                try keychain.expectRefusal(.param) {
                    try keychain.update(query, secret: Secret("new"))
                }
            }
        }
    }

    private struct TextOptions: OptionSet {
        let rawValue: Int
        static let letterCase = TextOptions(rawValue: 1)
        static let diacritics = TextOptions(rawValue: 2)
        static let width = TextOptions(rawValue: 4)
    }

    private struct TextSample: Sendable {
        let stored: ByteString
        let wanted: ByteString
        let options: TextOptions
        let anchor: TextAnchor?
        let matches: Bool

        init(
            _ stored: ByteString, _ wanted: ByteString, _ options: TextOptions,
            _ anchor: TextAnchor? = nil, _ matches: Bool = true
        ) {
            self.stored = stored
            self.wanted = wanted
            self.options = options
            self.anchor = anchor
            self.matches = matches
        }
    }

    private static let textSamples: [TextSample] = [
        TextSample("café", "cafe", .diacritics),
        TextSample("cafe\u{301}", "café", .diacritics),
        TextSample("Việt", "Viet", .diacritics),
        TextSample("ёж и йод", "еж и иод", .diacritics),
        TextSample("ENTRÉE", "entree", [.diacritics, .letterCase]),
        TextSample("ENTRÉE!", "entree!", .diacritics, nil, false),
        TextSample("smørrebrød", "smorrebrod", .diacritics, nil, false),
        TextSample("naïf", "naif", [.letterCase, .width], nil, false),
        TextSample("ＡＢＣ　１２", "ABC 12", .width),
        TextSample("ｶﾞｷﾞ", "ガギ", .width),
        TextSample("ｶﾞｷﾞ!", "カキ!", .width, nil, false),
        TextSample("ｶﾞｷﾞ?", "カキ?", [.width, .diacritics]),
        TextSample("Ｃａｆé", "cafe", [.width, .diacritics, .letterCase]),
        TextSample("ＡＢ", "AB", .diacritics, nil, false),
        TextSample("mail.example", "mail", [], .start),
        TextSample("mail.example", "example", [], .start, false),
        TextSample("mail.example.", ".example.", [], .end),
        TextSample("mail.example.", "mail", [], .end, false),
        TextSample("mail", "mail.example", [], .start, false),
        TextSample("Éxample one", "exam", [.letterCase, .diacritics], .start),
        TextSample("anything", "", [], .start),
        TextSample("whole", "whol", [], .whole, false),
        TextSample(ByteString([0x61, 0xFF, 0x62]), ByteString([0x61, 0xFF]), .diacritics, .start),
        TextSample(ByteString([0xFF, 0xE9]), ByteString([0xFF, 0x65]), .diacritics, nil, false),
    ]
}

extension Keychain {
    /// A query for what another one returned first.
    fileprivate func next(_ query: Query) throws -> Query? {
        guard let item = try firstMatch(of: query) else {
            return nil
        }
        return Query(item)
    }
}
