import TestSupport
import KeychainServices

extension Item {
    /// An item with each attribute there or not, empty, short or long, text or not.
    static func random(_ random: inout SeededRandom, number: Int) -> Item {
        var attributes = ItemAttributes()
        let itemClass: ItemClass =
            random.element(of: [.genericPassword, .internetPassword, .key])
        attributes.accessible = random.element(
            of: [.whenUnlocked, .afterFirstUnlock, .always])
        if random.number(below: 8) == 0 {
            attributes.accessControl = AccessControl(
                accessible: attributes.accessible ?? .whenUnlocked)
        }
        attributes.accessGroup = random.element(of: ["git", "docker", "login", "", "grüppe"])
        attributes.synchronizable = random.element(of: [nil, false, true])
        attributes.label = text(&random)
        (attributes.creationDate, attributes.modificationDate) = dates(&random)
        attributes.creator = code(&random)
        guard itemClass != .key else {
            addAttributesOfKey(to: &attributes, &random, number: number)
            return Item(itemClass: itemClass, attributes: attributes, secret: secret(&random))
        }
        attributes.isInvisible = random.element(of: [nil, false, true])
        attributes.isNegative = random.element(of: [nil, false, true])
        for path in [\.itemDescription, \.comment, \.account]
            as [WritableKeyPath<ItemAttributes, ByteString?>]
        {
            attributes[keyPath: path] = text(&random)
        }
        attributes.type = code(&random)
        // What makes it unique.
        if itemClass == .genericPassword {
            attributes.service = ByteString("service \(number)")
            attributes.generic = text(&random)
        } else {
            attributes.server = ByteString("\(number).example.com")
            attributes.path = text(&random)
            attributes.securityDomain = text(&random)
            attributes.port = random.element(of: [nil, 0, 1, 443, 65_535])
            attributes.protocol = random.element(
                of: [nil, .https, .httpProxy, ProtocolType(scheme: "x-odd"), .init(rawValue: "")])
            attributes.authenticationType = code(&random).map { AuthenticationType(rawValue: $0) }
        }
        for attribute in Attribute.allCases where random.number(below: 4) == 0 {
            attributes.markAsData(attribute)
        }
        return Item(itemClass: itemClass, attributes: attributes, secret: secret(&random))
    }

    private static func addAttributesOfKey(
        to attributes: inout ItemAttributes, _ random: inout SeededRandom, number: Int
    ) {
        attributes.applicationTag = ByteString("tag \(number)")
        attributes.applicationLabel = text(&random)
        attributes.keyClass = random.element(of: [nil, .public, .private, .symmetric])
        attributes.keyType = random.element(of: [nil, .rsa, .aes, KeyType(rawValue: .max)])
        attributes.keySizeInBits = random.element(of: [nil, 0, 65_535, 65_536])
        attributes.effectiveKeySize = random.element(of: [nil, 0, 256])
        for path in [
            \.isPermanent, \.canEncrypt, \.canDecrypt, \.canDerive, \.canSign, \.canVerify,
            \.canWrap,
            \.canUnwrap,
        ] as [WritableKeyPath<ItemAttributes, Bool?>] {
            attributes[keyPath: path] = random.element(of: [nil, false, true])
        }
    }

    private static func text(_ random: inout SeededRandom) -> ByteString? {
        switch random.number(below: 8) {
        case 0, 1: nil
        case 2: ""
        case 3: ByteString(bytes(random.number(below: 40), &random))
        case 4: "Ärger “mit” \\ / \u{1F511}\u{0}\u{7F}\u{85}\u{2028}\r\n\t"
        case 5: ByteString([0xC3])
        case 6: ByteString(String(repeating: "long ", count: random.number(below: 2000)))
        default: ByteString("text \(random.number(below: 1000))")
        }
    }

    /// Any dates, those among them that no item can have.
    private static func dates(_ random: inout SeededRandom) -> (Timestamp?, Timestamp?) {
        func date() -> Timestamp? {
            switch random.number(below: 8) {
            case 0: nil
            case 1: Timestamp(secondsSinceEpoch: Int64(truncatingIfNeeded: random.next()))
            default: Timestamp(secondsSinceEpoch: Int64(random.number(below: 1_600_000_000)))
            }
        }
        return (date(), date())
    }

    private static func code(_ random: inout SeededRandom) -> FourCharacterCode? {
        switch random.number(below: 4) {
        case 0: nil
        case 1: FourCharacterCode(rawValue: 0)
        case 2: FourCharacterCode(rawValue: UInt32(truncatingIfNeeded: random.next()))
        default: "lnyd"
        }
    }

    private static func secret(_ random: inout SeededRandom) -> [UInt8] {
        switch random.number(below: 8) {
        case 0: []
        case 1: bytes(random.number(below: 300), &random)
        case 2: Array("line 1\nline 2\u{0}".utf8)
        case 3: Array("pässwörd-€-\u{1F511}\"\\".utf8)
        case 4: bytes(random.number(below: 200_000), &random)
        case 5: Array(String(repeating: "x", count: random.number(below: 200_000)).utf8)
        default: Array("secret \(random.next())".utf8)
        }
    }

    static func bytes(_ count: Int, _ random: inout SeededRandom) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }
}
