import TestSupport
import KeychainServices
import StrictJSON
import Testing

@testable import KeychainPlugin

@Suite("items in JSON and back")
struct CodingTests {
    /// Attributes of which each may be there, with any bytes in each text.
    private func attributes(_ random: inout SeededRandom) -> ItemAttributes {
        func maybe<Value>(_ value: (inout SeededRandom) -> Value) -> Value? {
            Bool.random(using: &random) ? value(&random) : nil
        }
        func code(_ random: inout SeededRandom) -> FourCharacterCode {
            FourCharacterCode(rawValue: .random(in: 0 ... .max, using: &random))
        }
        var attributes = ItemAttributes()
        attributes.accessible = maybe { Accessibility.allCases.randomElement(using: &$0)! }
        attributes.accessControl = maybe {
            AccessControl(
                accessible: Accessibility.allCases.randomElement(using: &$0)!,
                flags: .init(rawValue: .random(in: 0 ... .max, using: &$0)))
        }
        attributes.synchronizable = maybe { .random(using: &$0) }
        attributes.creationDate = maybe {
            Timestamp(secondsSinceEpoch: .random(in: .min ... .max, using: &$0))
        }
        attributes.modificationDate = maybe {
            Timestamp(secondsSinceEpoch: .random(in: .min ... .max, using: &$0))
        }
        attributes.creator = maybe(code)
        attributes.type = maybe(code)
        attributes.isInvisible = maybe { .random(using: &$0) }
        attributes.isNegative = maybe { .random(using: &$0) }
        attributes.protocol = maybe { ProtocolType(rawValue: bytes(&$0)) }
        attributes.authenticationType = maybe { AuthenticationType(rawValue: code(&$0)) }
        attributes.port = maybe { .random(in: 0 ... .max, using: &$0) }
        let texts: [WritableKeyPath<ItemAttributes, ByteString?>] = [
            \.accessGroup, \.label, \.account, \.itemDescription, \.comment, \.service, \.generic,
            \.securityDomain, \.server, \.path,
        ]
        for path in texts {
            attributes[keyPath: path] = maybe(bytes)
        }
        return attributes
    }

    /// Any bytes, or a text with what JSON has to escape.
    private func bytes(_ random: inout SeededRandom) -> ByteString {
        let count = Int.random(in: 0...20, using: &random)
        guard Bool.random(using: &random) else {
            return ByteString((0..<count).map { _ in .random(in: 0 ... .max, using: &random) })
        }
        let scalars = Array(
            "aÄ\"\\/\n\t\u{0}\u{1}\u{7F}\u{85}\u{2028}\u{FFFD}\u{1F511}e\u{301}".unicodeScalars)
        var text = String.UnicodeScalarView()
        for _ in 0..<count {
            text.append(scalars.randomElement(using: &random)!)
        }
        return ByteString(String(text))
    }

    private func roundTrip<Result>(
        _ write: (inout JSONWriter) throws(KeychainError) -> Void,
        _ read: (ByteString, inout JSONReader) throws(KeychainError) -> Result?
    ) throws(KeychainError) -> Result? {
        let text = try JSONWriter.write { writer throws(KeychainError) in
            try writer.writeObject(write)
        }
        var result: Result?
        try text.withBytes { bytes throws(KeychainError) in
            try JSONReader.read(bytes, limit: .max) { reader throws(KeychainError) in
                try reader.readObject { name, reader throws(KeychainError) in
                    result = try read(name, &reader)
                }
            }
        }
        return result
    }

    @Test("all attributes come back")
    func attributes() throws {
        for seed in 0..<2000 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            let attributes = attributes(&random)
            let returned = try roundTrip { writer throws(KeychainError) in
                try writer.member("a", attributes)
            } _: { _, reader throws(KeychainError) in
                try reader.readAttributes()
            }
            #expect(returned == attributes, "seed \(seed)")
        }
    }

    @Test("queries come back")
    func queries() throws {
        for seed in 0..<500 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            var query = Query([.genericPassword, .internetPassword].randomElement(using: &random)!)
            query.attributes = attributes(&random)
            query.attributes.synchronizable = nil
            query.synchronizable = [.any, .synchronizable, .notSynchronizable]
                .randomElement(using: &random)!
            if Bool.random(using: &random) {
                query.reference = ItemReference(itemClass: query.itemClass!, id: .random())
            }
            query.match.caseInsensitive = Bool.random(using: &random) ? true : nil
            let returned = try roundTrip { writer throws(KeychainError) in
                try writer.member(query)
            } _: { _, reader throws(KeychainError) in
                try reader.readQuery()
            }
            #expect(returned == query, "seed \(seed)")
        }
    }

    @Test("items come back with their secrets", arguments: [0, 1, 2, 3, 1000, 2 << 20])
    func items(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let item = PluginItem(.random(), ItemAttributes(), secret: Secret(copying: bytes.span))
        #expect(item.size == count)
        let returned = try roundTrip { writer throws(KeychainError) in
            try writer.member("i") { writer throws(KeychainError) in try item.write(to: &writer) }
        } _: { _, reader throws(KeychainError) in
            try PluginItem(from: &reader)
        }
        #expect(returned?.id == item.id)
        let secret = returned?.takeSecret()
        #expect(secret?.isEqual(to: Secret(copying: bytes.span)) == true)
    }

    @Test("texts stay readable texts where they can")
    func readable() throws {
        func written(_ text: ByteString) throws -> String {
            try JSONWriter.write { writer throws(KeychainError) in
                try writer.writeObject { writer throws(KeychainError) in
                    try writer.member(bytes: "t", text)
                }
            }.withBytes { ByteString(copying: $0).description }
        }
        #expect(try written("Bücher\n") == "{\"t\":\"Bücher\\n\"}\n")
        #expect(try written("a\0") == "{\"t\":{\"base64\":\"YQA=\"}}\n")
        #expect(try written(ByteString([0xFF])) == "{\"t\":{\"base64\":\"/w==\"}}\n")
    }
}
