import TestSupport
import LanyardSecrets
import Testing

@testable import StrictJSON

@Suite("Random texts")
struct RandomTests {
    @Test("written text reads back unchanged")
    func roundTrips() throws {
        var random = SeededRandom()
        for _ in 0..<2_000 {
            let value = random.value(depth: Int.random(in: 0...5, using: &random))
            let written = try value.written
            #expect(try Value(written) == value)
            #expect(isValid(written))
            let spaced = random.spaced(written)
            #expect(try Value(spaced) == value, "\(String(decoding: spaced, as: UTF8.self))")
        }
    }

    @Test("secrets of any text read back unchanged")
    func secrets() throws {
        var random = SeededRandom()
        for count in [0, 1, 2, 15, 16, 17, 255, 4_096, 1 << 20] {
            let secret = Array(random.string(count: count).prefix(count))
            guard let text = String(validating: secret, as: UTF8.self) else {
                continue
            }
            let written = try JSONWriter.write { writer throws(KeychainError) in
                try writer.write(Secret(text))
            }
            let read = try written.withBytes { span throws(KeychainError) in
                try JSONReader.read(span, limit: .max) { reader throws(KeychainError) in
                    try reader.readSecret()
                }
            }
            #expect(read.bytes == secret)
        }
    }

    @Test("a changed text is refused, or written again with the same meaning")
    func mutations() throws {
        var random = SeededRandom()
        var valid = 0
        for _ in 0..<20_000 {
            var text = try random.value(depth: 3).written
            for _ in 0...Int.random(in: 0...2, using: &random) {
                random.mutate(&text)
            }
            do throws(KeychainError) {
                let value = try Value(text)
                valid += 1
                #expect(
                    try Value(value.written) == (value.hasFraction ? Value(value.written) : value))
                #expect(isValid(text))
            } catch {
                #expect(error.status == .decode)
                #expect(!isValid(text))
            }
        }
        #expect((1_000..<19_000).contains(valid), "both happen: \(valid) were valid")
    }
}

extension Value {
    fileprivate var hasFraction: Bool {
        switch self {
        case .fraction: true
        case .array(let elements): elements.contains { $0.hasFraction }
        case .object(let members): members.contains { $0.value.hasFraction }
        default: false
        }
    }
}

extension SeededRandom {
    /// What mutations insert: the bytes that have a meaning, and some that have none.
    private static let bytes =
        Array("\"\\[]{},:/bfnrtu0123456789aAdDeE+-.ls \n\t'#*".utf8) + [
            0x00, 0x1F, 0x7F, 0x80, 0xC2, 0xED, 0xFF,
        ]

    fileprivate mutating func mutate(_ text: inout [UInt8]) {
        let place = Int.random(in: 0..<text.count, using: &self)
        let byte = SeededRandom.bytes.randomElement(using: &self)!
        switch Int.random(in: 0..<4, using: &self) {
        case 0: text[place] = byte
        case 1: text.insert(byte, at: place)
        case 2 where text.count > 1: text.remove(at: place)
        default: text += text[place...].prefix(4)
        }
    }

    /// UTF-8 of about so many bytes, all kinds of characters in it.
    fileprivate mutating func string(count: Int) -> [UInt8] {
        var text = String.UnicodeScalarView()
        var length = 0
        while length < count {
            let ranges: [ClosedRange<UInt32>] = [
                0...0x1F, 0x20...0x7E, 0x20...0x7E, 0x22...0x22, 0x5C...0x5C, 0x7F...0x9F,
                0xA0...0x7FF,
                0x800...0xD7FF, 0xE000...0xFFFF, 0x10000...0x10FFFF,
            ]
            let value = UInt32.random(in: ranges.randomElement(using: &self)!, using: &self)
            let scalar = Unicode.Scalar(value)!
            // The last ones fit exactly.
            let fitting = UTF8.width(scalar) <= count - length ? scalar : "x"
            text.append(fitting)
            length += UTF8.width(fitting)
        }
        return Array(String(text).utf8)
    }

    fileprivate mutating func value(depth: Int) -> Value {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &self) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &self))
        case 2: return .integer(Int64.random(in: .min ... .max, using: &self))
        case 3, 4: return .string(ByteString(string(count: Int.random(in: 0...12, using: &self))))
        case 5, 6:
            var names: Set<ByteString> = []
            var members: [Value.Member] = []
            for _ in 0..<Int.random(in: 0...4, using: &self) {
                let name = ByteString(string(count: Int.random(in: 0...6, using: &self)))
                if names.insert(name).inserted {
                    members.append(Value.Member(name: name, value: value(depth: depth - 1)))
                }
            }
            return .object(members)
        default:
            return .array(
                (0..<Int.random(in: 0...4, using: &self)).map { _ in value(depth: depth - 1) })
        }
    }

    /// The same text with white space wherever it may stand.
    fileprivate mutating func spaced(_ text: [UInt8]) -> [UInt8] {
        var spaced: [UInt8] = []
        var isInString = false
        var isEscaped = false
        for byte in text {
            if !isInString, "[]{},:\"".utf8.contains(byte) {
                spaced += space()
            }
            spaced.append(byte)
            if !isInString, "[]{},:".utf8.contains(byte) {
                spaced += space()
            }
            if byte == UInt8(ascii: "\""), !isEscaped {
                isInString.toggle()
            }
            isEscaped = isInString && byte == UInt8(ascii: "\\") && !isEscaped
        }
        return spaced
    }

    private mutating func space() -> [UInt8] {
        (0..<Int.random(in: 0...2, using: &self)).map { _ in
            [0x20, 0x09, 0x0A, 0x0D].randomElement(using: &self)!
        }
    }
}
