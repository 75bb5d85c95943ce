internal import TestSupport
import KeychainServices

/// Few values of few attributes, to make items meet.
extension ModelSteps {
    mutating func everything() -> Query {
        Query(ItemClass.stored.randomElement(using: &random)!).with { $0.synchronizable = .any }
    }

    mutating func randomQuery() -> Query {
        let itemClass = ItemClass.stored.randomElement(using: &random)!
        var query = Query(itemClass, randomAttributes(itemClass))
        query.synchronizable = [.notSynchronizable, .synchronizable, .any]
            .randomElement(using: &random)!
        return query
    }

    mutating func randomAttributes(
        _ itemClass: ItemClass, percent: Int = 50
    ) -> ItemAttributes {
        var attributes = ItemAttributes()
        attributes.accessGroup = random.chance(20) ? text(percent, "git", "") : nil
        attributes.label = random.chance(30) ? text(percent, "", "label") : nil
        switch itemClass {
        case .genericPassword:
            attributes.account = text(percent, "", "a", "b", "c")
            attributes.service = text(percent, "", "s", "t")
        case .internetPassword:
            attributes.account = text(percent, "", "a", "b", "c")
            attributes.server = text(percent, "", "host", "HOST")
            attributes.path = random.chance(40) ? text(percent, "", "p") : nil
            attributes.port =
                random.chance(percent / 2) ? [0, 80].randomElement(using: &random) : nil
            attributes.protocolText = random.chance(30) ? text(percent, "", "htps") : nil
        case .certificate:
            attributes.issuer = text(percent, "i", "j")
            attributes.serialNumber = text(percent, "1", "2")
            attributes.publicKeyHash = random.chance(50) ? text(percent, "k", "l") : nil
        default:
            attributes.applicationLabel = text(percent, "", "k", "l")
            attributes.applicationTag = text(percent, "", "t\0\u{E9}")
            attributes.keyClass =
                random.chance(percent)
                ? [.public, .private, .private].randomElement(using: &random) : nil
            attributes.keySizeInBits =
                random.chance(percent / 2) ? [0, 256, 70_000].randomElement(using: &random) : nil
        }
        return attributes
    }

    private mutating func text(_ percent: Int, _ values: ByteString...) -> ByteString? {
        random.chance(percent) ? values.randomElement(using: &random) : nil
    }

    mutating func randomSecret() -> [UInt8] {
        (0..<Int.random(in: 0...80, using: &random)).map { _ in
            UInt8.random(in: 0...255, using: &random)
        }
    }
}
