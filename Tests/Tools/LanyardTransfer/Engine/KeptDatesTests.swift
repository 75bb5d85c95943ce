import LanyardTransfer
import KeychainServices
import Testing

/// What dates an item has that was imported.
struct KeptDatesTests {
    private final class Clock {
        var now: Int64 = 1_700_000_000
    }

    private let clock: Clock
    private let keychain: Keychain

    init() {
        let clock = Clock()
        self.clock = clock
        keychain = Keychain(
            TestStore(now: { Timestamp(secondsSinceEpoch: clock.now) }), accessGroups: .all())
    }

    /// - Returns: When the item was made and changed, as the keychain says.
    @discardableResult
    private func imports(
        _ secret: String, created: Int64?, changed: Int64?, replaces: ItemImporter.Replacing = .none
    ) throws -> [Int64?] {
        var attributes = ItemAttributes()
        attributes.service = "s"
        attributes.creationDate = created.map { Timestamp(secondsSinceEpoch: $0) }
        attributes.modificationDate = changed.map { Timestamp(secondsSinceEpoch: $0) }
        var options = ItemImporter.Options()
        options.replaces = replaces
        let importer = ItemImporter(into: keychain, options)
        importer.begin(nil)
        try importer.take(
            ImportRecord(
                place: "here", range: nil,
                content: .item(
                    NewItem(.genericPassword, attributes, secret: Secret(secret)))))
        try importer.finish()
        var dates: [Int64?] = []
        try keychain.forEachMatch(Query(.genericPassword, returns: .attributes)) { item in
            dates = [item.attributes?.creationDate, item.attributes?.modificationDate].map {
                $0?.secondsSinceEpoch
            }
            return .next
        }
        return dates
    }

    @Test func areThoseOfTheEntry() throws {
        #expect(
            try imports("a", created: 1_500_000_000, changed: 1_600_000_000)
                == [1_500_000_000, 1_600_000_000])
    }

    @Test func areNowWithoutAny() throws {
        #expect(try imports("a", created: nil, changed: nil) == [clock.now, clock.now])
    }

    @Test func areNoneThatCanNotBe() throws {
        #expect(try imports("a", created: -7, changed: .max) == [0, clock.now])
    }

    @Test func ofWhatIsThereStay() throws {
        try imports("a", created: 1_500_000_000, changed: 1_600_000_000)
        clock.now += 100
        let same = try imports("a", created: 1_400_000_000, changed: 1_650_000_000)
        #expect(same == [1_500_000_000, 1_600_000_000])
        let other = try imports("b", created: 1_400_000_000, changed: 1_650_000_000)
        #expect(other == [1_500_000_000, 1_600_000_000])
    }

    /// It was changed here, whenever it was elsewhere.
    @Test func ofWhatIsReplacedAreOfThatMoment() throws {
        try imports("a", created: 1_500_000_000, changed: 1_600_000_000)
        clock.now += 100
        let replaced = try imports(
            "b", created: 1_400_000_000, changed: 1_650_000_000, replaces: .all)
        #expect(replaced == [1_500_000_000, clock.now])
    }
}
