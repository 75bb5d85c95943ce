import TestSupport
import KeychainServices
import Testing

@Suite("Coding of attributes") struct AttributesCodingTests {
    private func randomAttributes(_ random: inout SeededRandom) -> ItemAttributes {
        var attributes = ItemAttributes()
        func maybe<Value>(
            _ path: WritableKeyPath<ItemAttributes, Value?>,
            _ value: (inout SeededRandom) -> Value
        ) {
            if Bool.random(using: &random) {
                attributes[keyPath: path] = value(&random)
            }
        }
        func text(_ random: inout SeededRandom) -> ByteString {
            let count = random.number(below: 20)
            return ByteString(random.bytes(count))
        }
        func code(_ random: inout SeededRandom) -> FourCharacterCode {
            FourCharacterCode(rawValue: UInt32(truncatingIfNeeded: random.next()))
        }
        let accessible = Accessibility.allCases.randomElement(using: &random)!
        attributes.accessible = accessible
        maybe(\.accessControl) { random in
            let flags: [AccessControl.Flags] = [
                [], .userPresence, [.biometryAny, .or, .devicePasscode],
                [.applicationPassword, .devicePasscode, .and, .userPresence],
            ]
            return AccessControl(
                accessible: accessible, flags: flags.randomElement(using: &random)!)
        }
        maybe(\.accessGroup, text)
        maybe(\.synchronizable) { Bool.random(using: &$0) }
        maybe(\.creationDate) { Timestamp(secondsSinceEpoch: Int64(bitPattern: $0.next())) }
        maybe(\.modificationDate) { Timestamp(secondsSinceEpoch: Int64(bitPattern: $0.next())) }
        maybe(\.label, text)
        maybe(\.account, text)
        maybe(\.itemDescription, text)
        maybe(\.comment, text)
        maybe(\.creator, code)
        maybe(\.type, code)
        maybe(\.isInvisible) { Bool.random(using: &$0) }
        maybe(\.isNegative) { Bool.random(using: &$0) }
        maybe(\.service, text)
        maybe(\.generic, text)
        maybe(\.securityDomain, text)
        maybe(\.server, text)
        maybe(\.protocol) { ProtocolType(rawValue: text(&$0)) }
        maybe(\.authenticationType) { AuthenticationType(rawValue: code(&$0)) }
        maybe(\.port) { UInt16(truncatingIfNeeded: $0.next()) }
        maybe(\.path, text)
        for attribute in Attribute.allCases where Bool.random(using: &random) {
            attributes.markAsData(attribute)
        }
        return attributes
    }

    @Test func randomAttributesRoundTrip() throws {
        var random = SeededRandom()
        for _ in 0..<2000 {
            let attributes = randomAttributes(&random)
            let encoded = AttributesCoding.encode(attributes)
            let decoded = try AttributesCoding.decode(
                encoded.span, accessible: attributes.accessible!)
            #expect(decoded == attributes, "seed \(SeededRandom.seed)")
        }
    }

    /// Whatever decodes has that one stored form.
    @Test func mutatedBytesAreRefusedOrReencodeToThemselves() {
        var random = SeededRandom()
        var accepted = 0
        for _ in 0..<10_000 {
            var bytes = AttributesCoding.encode(randomAttributes(&random))
            for _ in 0...random.number(below: 3) {
                bytes = random.mutated(bytes)
            }
            accepted += check(bytes) ? 1 : 0
        }
        #expect(accepted > 100)
    }

    @Test func randomBytesAreRefusedOrReencodeToThemselves() {
        var random = SeededRandom()
        for _ in 0..<10_000 {
            let count = random.number(below: 60)
            _ = check(random.bytes(count))
        }
    }

    private func check(_ bytes: [UInt8]) -> Bool {
        do throws(KeychainError) {
            let attributes = try AttributesCoding.decode(bytes.span, accessible: .always)
            #expect(
                AttributesCoding.encode(attributes) == bytes,
                "seed \(SeededRandom.seed): \(Hexadecimal.encode(bytes))")
            return true
        } catch {
            #expect(error.status == .decode)
            return false
        }
    }

    @Test(arguments: [
        ("unknown field", "0f 00000000"),
        ("field 0", "00 00000000"),
        ("field twice", "02 00000001 61 02 00000001 61"),
        ("wrong order", "03 00000001 61 02 00000001 61"),
        ("wrong order with data", "83 00000001 61 02 00000001 61"),
        ("field twice, once as data", "02 00000001 61 82 00000001 61"),
        ("group as data", "81 00000001 61"),
        ("trusted applications as data", "8e 00000001 61"),
        ("flag as data", "88 00000001 01"),
        ("field 0 as data", "80 00000000"),
        ("conditions that take hardware", "0d 00000004 00000002"),
        ("unknown conditions", "0d 00000004 00000004"),
        ("flag 2", "08 00000001 02"),
        ("flag of no bytes", "08 00000000"),
        ("flag of two bytes", "08 00000002 0001"),
        ("code of three bytes", "06 00000003 616263"),
        ("code of five bytes", "06 00000005 6162636465"),
        ("port of one byte", "34 00000001 50"),
        ("port of four bytes", "34 00000004 00000050"),
        ("date of four bytes", "0b 00000004 00000000"),
        ("value cut off", "02 00000002 61"),
        ("length cut off", "02 000000"),
        ("enormous length", "02 ffffffff 61"),
    ])
    func malformedBytesAreRefused(_ what: String, _ bytes: String) {
        let bytes = unhexadecimal(bytes)
        #expect(throws: KeychainError(.decode)) {
            try AttributesCoding.decode(bytes.span, accessible: .whenUnlocked)
        }
    }

    @Test func storedFormOfData() {
        var attributes = internetPassword("s", account: "a")
        attributes.markAsData(.account)
        #expect(
            Hexadecimal.encode(AttributesCoding.encode(attributes))
                == "8200000001" + "61" + "3100000001" + "73" + "3200000004" + "68747073")
    }

    /// The numbers are part of the file format.
    @Test func storedFormOfVersion1() {
        var attributes = internetPassword(
            "s", account: "a", port: 443, path: "p", protocol: .https)
        attributes.accessGroup = "g"
        attributes.authenticationType = .httpBasic
        attributes.creationDate = Timestamp(secondsSinceEpoch: 0x0102_0304)
        #expect(
            Hexadecimal.encode(AttributesCoding.encode(attributes))
                == "0100000001" + "67" + "0200000001" + "61"
                + "0b00000008" + "0000000001020304" + "3100000001" + "73"
                + "3200000004" + "68747073" + "3300000004" + "68747470"
                + "3400000002" + "01bb" + "3500000001" + "70")
    }
}
