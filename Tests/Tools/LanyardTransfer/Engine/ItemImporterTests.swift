import LanyardTransfer
import KeychainServices
import Testing

/// What becomes of entries on their way into a keychain.
struct ItemImporterTests {
    let store = TestStore()
    var keychain: Keychain { Keychain(store, accessGroups: .all()) }

    @discardableResult
    private func run(
        _ text: String, _ change: (inout ItemImporter.Options) -> Void = { _ in },
        shadowing: Bool = false, clock: @escaping () -> Int64 = { 0 }
    ) throws -> ItemImporter {
        var options = ItemImporter.Options()
        change(&options)
        // How many go into one transaction must not depend on how busy the machine is.
        let importer = ItemImporter(into: keychain, options, clock: clock)
        importer.repeatsAreShadowed = shadowing
        importer.begin("FILE")
        try LineFormat().read(Secret(text)) { record throws(KeychainError) in
            try importer.take(record)
        }
        try importer.finish()
        return importer
    }

    @Test func whatIsNewAndThenTheSame() throws {
        let first = try run("a 1\nb 2\n- x\n= y\n=\nc\n").report
        #expect((first.new, first.same, first.skipped, first.shadowed) == (3, 0, 1, 2))
        #expect(try keychain.secrets() == ["a": "1", "b": "2", "c": ""])
        let second = try run("a 1\nb 2\n- x\n= y\n=\nc\n")
        let report = second.report
        #expect((report.new, report.same, report.skipped, report.shadowed) == (0, 3, 1, 2))
        #expect(
            second.fates
                == [.isInKeychain, .isInKeychain, .isLeft, .isLeft, .isShadowed, .isInKeychain])
        #expect(report.left.map(\.place) == ["line 3 of 'FILE'"])
        #expect(report.left.map(\.error.reason) == ["it says so"])
    }

    @Test func whatDiffersStaysUnlessItIsReplaced() throws {
        try run("a 1\n")
        let kept = try run("a 2\n").report
        #expect((kept.differing, kept.changed) == (1, 0))
        #expect(kept.left.map(\.isDiffering) == [true])
        #expect(try keychain.secrets() == ["a": "1"])
        let replaced = try run("a 2\n") { $0.replaces = .all }.report
        #expect((replaced.differing, replaced.changed) == (0, 1))
        #expect(try keychain.secrets() == ["a": "2"])
    }

    /// One file can't make the same item twice; to replace the first by the second and, at the next import,
    /// the second by the first would lose one of them without a word.
    @Test(arguments: [true, false])
    func theFirstOfTwoCounts(_ replaces: Bool) throws {
        for _ in 0..<2 {
            let report = try run("a 1\na 2\na 1\n") { $0.replaces = replaces ? .all : .none }.report
            #expect((report.new + report.same, report.skipped) == (2, 1))
            #expect(report.left.map(\.place) == ["line 2 of 'FILE'"])
            #expect(try keychain.secrets() == ["a": "1"])
        }
        let shadowing = try run("a 1\na 2\n", shadowing: true)
        #expect((shadowing.report.skipped, shadowing.report.shadowed) == (0, 1))
        // Its secret is nowhere else.
        #expect(shadowing.fates == [.isInKeychain, .isLeft])
    }

    @Test func aDryRunSaysTheSameAndWritesNothing() throws {
        try run("a 1\nd 4\n")
        let dry = try run("a 1\nb 2\nb 2\nb 3\nd 5\n- x\n") { $0.isDryRun = true }.report
        #expect(try keychain.secrets() == ["a": "1", "d": "4"])
        let real = try run("a 1\nb 2\nb 2\nb 3\nd 5\n- x\n").report
        #expect(
            [dry.new, dry.same, dry.differing, dry.skipped]
                == [real.new, real.same, real.differing, real.skipped])
        #expect(dry.left.map(\.place) == real.left.map(\.place))
        #expect(dry.new == 1 && dry.same == 2 && dry.differing == 1 && dry.skipped == 2)
    }

    /// At most twice as many as in the one before, where it was quick.
    @Test func moreAndMoreInOneTransaction() throws {
        let text = (0..<1000).map { "item-\($0) secret-\($0)\n" }.joined()
        try run(text)
        #expect(store.transactions == [256, 512, 232])
        #expect(try keychain.secrets().count == 1000)
    }

    /// The first ones go into a transaction after a second.
    @Test(
        arguments: [
            (1, [256, 512, 232]), (10, [100, 200, 400, 300]), (1000, [1, 64, 64, 64, 7]),
        ] as [(Int64, [Int])])
    func fewerInOneTransactionWhereItIsSlow(
        _ milliseconds: Int64, _ transactions: [Int]
    ) throws {
        var now: Int64 = 0
        let count = transactions.reduce(0, +)
        try run(
            (0..<count).map { "item-\($0) secret-\($0)\n" }.joined(),
            clock: {
                now += milliseconds
                return now
            })
        #expect(store.transactions == transactions)
    }

    /// Large ones go sooner: all of a batch is in memory until then.
    @Test func fewLargeOnesInOneTransaction() throws {
        let secret = String(repeating: "x", count: 2 << 20)
        try run((0..<14).map { "item-\($0) \(secret)\n" }.joined())
        #expect(store.transactions == [12, 2])
    }

    @Test func whatIsThereInPartIsAddedToTheRest() throws {
        let lines = (0..<1200).map { "item-\($0) secret-\($0)\n" }
        try run(lines.enumerated().filter { $0.offset % 2 == 0 }.map(\.element).joined())
        let report = try run(lines.joined()).report
        #expect((report.new, report.same) == (600, 600))
        #expect(try keychain.secrets().count == 1200)
    }

    /// What was written before stays, and is the same when it goes on.
    @Test func anImportThatFailsGoesOnLater() throws {
        let text = (0..<1000).map { "item-\($0) secret-\($0)\n" }.joined()
        store.limit = 2
        #expect(throws: KeychainError(.diskFull)) { try run(text) }
        let count = try keychain.secrets().count
        #expect(count > 0 && count < 1000)
        store.limit = Int.max
        let report = try run(text).report
        #expect((report.new, report.same) == (1000 - count, count))
    }

    @Test func aGroupCountsForAll() throws {
        try run("a 1\n") { $0.group = "other" }
        let report = try run("a 1\n").report
        #expect(report.new == 1, "an item of another group is another one")
        // The first line of a secret is git's password, and the rest something else.
        let importer = ItemImporter(into: keychain, options(group: "git"))
        importer.begin(nil)
        try importer.take(
            ImportRecord(
                place: "here", range: nil,
                content: .item(
                    NewItem(.genericPassword, ItemAttributes(), secret: Secret("one\ntwo")))))
        try importer.finish()
        #expect(importer.report.left.map(\.error.reason) == ["git passwords must be one line"])
    }

    private func options(group: ByteString) -> ItemImporter.Options {
        var options = ItemImporter.Options()
        options.group = group
        return options
    }

    /// The expiry that git keeps with a password is no part of the password.
    @Test func gitsFormStaysInItsGroup() throws {
        var attributes = ItemAttributes()
        attributes.accessGroup = "git"
        attributes.server = "example.com"
        for group in [nil, "login"] as [ByteString?] {
            var options = ItemImporter.Options()
            options.group = group
            let importer = ItemImporter(into: keychain, options)
            importer.begin(nil)
            try importer.take(
                ImportRecord(
                    place: "here", range: nil,
                    content: .item(
                        NewItem(
                            .internetPassword, attributes,
                            secret: Secret("pw\npassword_expiry_utc=9")))))
            try importer.finish()
            #expect(importer.report.new == 1)
        }
        var query = Query(.internetPassword, returns: .data)
        query.attributes.accessGroup = "login"
        var secret: String?
        try keychain.forEachMatch(query) { item throws(KeychainError) in
            switch item.secret {
            case .some(let found): secret = found.text
            case .none: break
            }
            return .stop
        }
        #expect(secret == "pw")
    }

    /// A helper keeps an expiry beside the password, of which a plain text knows nothing.
    @Test func theSamePasswordIsTheSameLoginOfGit() throws {
        var attributes = ItemAttributes()
        attributes.accessGroup = "git"
        attributes.server = "example.com"
        try keychain.add(
            .internetPassword, attributes, secret: Secret("pw\npassword_expiry_utc=9"))
        attributes.label = "another label"
        for (secret, isSame) in [
            ("pw", true), ("pw2", false), ("pw\noauth_refresh_token=t", false),
        ] {
            let compared = try keychain.compared(
                .internetPassword, attributes, Secret(secret), by: .login)
            #expect(compared?.isSame == isSame, "\(secret)")
        }
    }

    @Test func attributesThatAreGivenCount() throws {
        var attributes = ItemAttributes()
        attributes.service = "s"
        attributes.accessGroup = "login"
        attributes.comment = "c"
        try keychain.add(.genericPassword, attributes, secret: Secret("pw"))
        func isSame(_ change: (inout ItemAttributes) -> Void) throws -> Bool? {
            var other = attributes
            change(&other)
            return try keychain.compared(.genericPassword, other, Secret("pw"), by: .login)?.isSame
        }
        #expect(try isSame { _ in } == true)
        #expect(try isSame { $0.comment = nil } == true)
        #expect(try isSame { $0.comment = "d" } == false)
        #expect(try isSame { $0.label = "l" } == false)
        #expect(try isSame { $0.account = "" } == true)
        #expect(try isSame { $0.account = "x" } == nil)
    }
}
