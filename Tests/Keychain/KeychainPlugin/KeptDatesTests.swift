import KeychainServices
import TestSupport
import Testing

@testable import KeychainPlugin

@Suite("dates of items that come from elsewhere") struct KeptDatesTests {
    private static let old = Timestamp(secondsSinceEpoch: 1_000_000_000)

    private func addOld(to keychain: Keychain) throws -> ItemAttributes? {
        var attributes = ItemAttributes()
        attributes.account = "a"
        attributes.creationDate = KeptDatesTests.old
        attributes.modificationDate = KeptDatesTests.old
        try keychain.add(.genericPassword, attributes, secret: Secret("s"), keepsDates: true)
        var found: ItemAttributes?
        try keychain.forEachMatch(Query(.genericPassword, returns: .attributes)) { item in
            found = item.attributes
            return .next
        }
        return found
    }

    /// It gets what it always got, and the dates are lost, but nothing else.
    @Test("a plugin without support for dates works") func olderPlugin() throws {
        let scratch = try ScratchFolder()
        let source = try sourceOfPlugin("lanyard-keychain-example")
        let older =
            source
            .replacing(", \"dates\": True}", with: "}")
            .replacing(
                "    def add(self, request):\n",
                with: """
                        def add(self, request):
                            if "keepDates" in request or "creationDate" in request["attributes"]:
                                raise Refusal(PARAM, "what is that?")

                    """)
        #expect(older.count > source.count)
        #expect(!older.contains("\"dates\""))
        let store = PluginStore(
            executable: try scratch.script("lanyard-keychain-older", older), keychain: "work",
            settings: [], timeLimit: 60_000, isPromptAllowed: false)
        let found = try #require(try addOld(to: Keychain(store, accessGroups: .all())))
        #expect(!store.keepsDates)
        #expect(found.account == "a")
        #expect(found.creationDate.map { $0 > KeptDatesTests.old } == true)
        #expect(found.modificationDate == found.creationDate)
    }

    @Test("a plugin with support stores them") func newerPlugin() throws {
        let example = try ExamplePlugin(in: ScratchFolder())
        let found = try #require(try addOld(to: Keychain(example.store(), accessGroups: .all())))
        #expect(found.creationDate == KeptDatesTests.old)
        #expect(found.modificationDate == KeptDatesTests.old)
    }

    /// An older helper may send dates that it means nothing by.
    @Test("dates alone change nothing", arguments: [nil, false, true]) func helper(keeps: Bool?)
        throws
    {
        var lines = Lines()
        lines.send(#"{"id":1,"method":"hello","versions":[1],"keychain":"k"}"#)
        let member = keeps.map { #","keepDates":\#($0)"# } ?? ""
        lines.send(
            #"{"id":2,"method":"add","class":"genp","secret":"cw==","attributes":{"accessible":"ak","#
                + #""accessGroup":"login","creationDate":5,"modificationDate":7}\#(member)}"#)
        lines.send(
            #"{"id":3,"method":"match","query":{"class":"genp","attributes":{}}}"#)
        let answers = lines.answers()
        try #require(answers.count == 3)
        let isKept = answers[2].contains(#""creationDate":5,"modificationDate":7"#)
        #expect(isKept == (keeps == true), "\(answers)")
    }
}
