import TestSupport
import KeychainServices
import Testing

@Suite struct ItemIdentityTests {
    @Test func genericPasswordInBytes() {
        var attributes = ItemAttributes()
        attributes.accessGroup = "git"
        attributes.synchronizable = true
        attributes.account = "me"
        attributes.service = ""
        attributes.label = "not a part"
        let parts: [[UInt8]] = [
            [0, 0, 0, 4], Array("genp".utf8), [0, 0, 0, 3], Array("git".utf8), [0, 0, 0, 1, 1],
            [0, 0, 0, 2], Array("me".utf8), [0, 0, 0, 0],
        ]
        #expect(ItemIdentity(.genericPassword, attributes).bytes == Array(parts.joined()))
    }

    @Test func internetPasswordInBytes() {
        var attributes = ItemAttributes()
        attributes.accessGroup = "g"
        attributes.account = "a"
        attributes.securityDomain = "d"
        attributes.server = "s"
        attributes.protocol = .https
        attributes.authenticationType = .httpBasic
        attributes.port = 0x1234
        attributes.path = "/"
        let parts: [[UInt8]] = [
            [0, 0, 0, 4], Array("inet".utf8), [0, 0, 0, 1], Array("g".utf8), [0, 0, 0, 1, 0],
            [0, 0, 0, 1], Array("a".utf8), [0, 0, 0, 1], Array("d".utf8), [0, 0, 0, 1],
            Array("s".utf8), [0, 0, 0, 4], Array("htps".utf8), [0, 0, 0, 4], Array("http".utf8),
            [0, 0, 0, 2, 0x12, 0x34], [0, 0, 0, 1], Array("/".utf8),
        ]
        #expect(ItemIdentity(.internetPassword, attributes).bytes == Array(parts.joined()))
    }

    @Test func lengthsHaveFourBytes() {
        var attributes = ItemAttributes()
        attributes.accessGroup = ""
        attributes.account = ByteString(Array(repeating: 0x61, count: 0x01_02_03))
        let bytes = ItemIdentity(.genericPassword, attributes).bytes
        #expect(bytes[17..<21] == [0, 1, 2, 3])
    }

    @Test func absentIsEmptyOrZero() {
        var empty = ItemAttributes()
        empty.accessGroup = ""
        empty.account = ""
        empty.service = ""
        empty.synchronizable = false
        #expect(
            ItemIdentity(.genericPassword, empty)
                == ItemIdentity(.genericPassword, ItemAttributes()))
        empty.service = nil
        empty.securityDomain = ""
        empty.server = ""
        empty.protocol = ProtocolType(rawValue: "")
        empty.authenticationType = AuthenticationType(rawValue: FourCharacterCode(rawValue: 0))
        empty.port = 0
        empty.path = ""
        #expect(
            ItemIdentity(.internetPassword, empty)
                == ItemIdentity(.internetPassword, ItemAttributes()))
    }

    /// Values made of one another, where a part could be taken for its neighbour.
    @Test func equalBytesMeanEqualParts() {
        let seed = UInt64.random(in: 0 ... .max)
        print("identity: seed \(seed)")
        var random = SeededRandom(seed: seed)
        var known: [[UInt8]: Parts] = [:]
        for _ in 0..<20_000 {
            let parts = Parts(&random)
            let bytes = ItemIdentity(parts.itemClass, parts.attributes(&random)).bytes
            if let same = known[bytes] {
                guard same == parts else {
                    Issue.record("seed \(seed): \(same) and \(parts) have the same bytes")
                    return
                }
            }
            known[bytes] = parts
        }
        #expect(
            known.count == Set(known.values).count, "seed \(seed): equal parts have other bytes")
        // The values meet often enough for the test to mean something.
        #expect(known.count < 19_000)
    }
}

/// What an identity is made of, absent and empty being the same.
private struct Parts: Hashable {
    let itemClass: ItemClass
    let isSynchronizable: Bool
    let texts: [[UInt8]]
    let code: UInt32
    let port: UInt16

    init(_ random: inout SeededRandom) {
        let isGeneric = Bool.random(using: &random)
        itemClass = isGeneric ? .genericPassword : .internetPassword
        isSynchronizable = Int.random(in: 0..<4, using: &random) == 0
        // One run of bytes that could be a length, cut in random places.
        let run: [UInt8] = Bool.random(using: &random) ? [0, 0, 0, 1, 0x61] : [0, 0, 0, 0]
        let cuts = (0..<(isGeneric ? 2 : 5)).map { _ in
            Int.random(in: 0...run.count, using: &random)
        }
        .sorted()
        texts = zip([0] + cuts, cuts + [run.count]).map { Array(run[$0..<$1]) }
        code = isGeneric ? 0 : [0, 0x61, 0x0100_0000].randomElement(using: &random)!
        port = isGeneric ? 0 : [0, 1, 0x100].randomElement(using: &random)!
    }

    func attributes(_ random: inout SeededRandom) -> ItemAttributes {
        func text(_ index: Int) -> ByteString? {
            texts[index].isEmpty && Bool.random(using: &random) ? nil : ByteString(texts[index])
        }
        var attributes = ItemAttributes()
        attributes.accessGroup = text(0)
        attributes.account = text(1)
        attributes.synchronizable =
            isSynchronizable ? true : [nil, false].randomElement(using: &random)!
        guard itemClass == .internetPassword else {
            attributes.service = text(2)
            return attributes
        }
        attributes.securityDomain = text(2)
        attributes.server = text(3)
        attributes.protocol = text(4).map { ProtocolType(rawValue: $0) }
        attributes.path = text(5)
        attributes.port = port == 0 && Bool.random(using: &random) ? nil : port
        attributes.authenticationType =
            code == 0 && Bool.random(using: &random)
            ? nil : AuthenticationType(rawValue: FourCharacterCode(rawValue: code))
        return attributes
    }
}
