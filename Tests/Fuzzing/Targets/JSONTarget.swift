import Foundation
import KeychainServices

@testable import StrictJSON

/// The reader of JSON beside Foundation's, and beside its own writer.
enum JSONTarget: FuzzTarget {
    static let name = "json"

    static func run(_ input: [UInt8]) {
        for names in [JSONReader.Names.exact, .ignoringCase] {
            guard let value = read(input, names: names) else {
                continue
            }
            // Foundation has bounds of its own for numbers.
            if !value.hasNumber {
                check(
                    (try? JSONSerialization.jsonObject(
                        with: Data(input), options: .fragmentsAllowed)) != nil,
                    "what is no JSON is accepted")
            }
            let written = attempt { () throws(KeychainError) in
                try JSONWriter.write { writer throws(KeychainError) in
                    try value.write(to: &writer)
                }.array()
            }
            guard let written else {
                fail("what was read can't be written")
            }
            check(
                read(written, names: .exact) == value, "what was written is read as another value")
        }
        checkSkipping(input)
    }

    private static func read(_ input: [UInt8], names: JSONReader.Names) -> JSONValue? {
        attempt { () throws(KeychainError) in
            try JSONReader.read(input.span, limit: 1 << 20, names: names) {
                reader throws(KeychainError) in
                try JSONValue(from: &reader)
            }
        }
    }

    /// What is passed over is checked no less than what is read.
    private static func checkSkipping(_ input: [UInt8]) {
        let skipped: Void? = attempt { () throws(KeychainError) in
            try JSONReader.read(input.span, limit: 1 << 20) { reader throws(KeychainError) in
                try reader.skip()
            }
        }
        check(
            (skipped != nil) == (read(input, names: .exact) != nil),
            "a text is valid when it is read and not when it is skipped, or the other way")
    }
}

/// Any JSON value.
private enum JSONValue: Equatable {
    case object([(name: ByteString, value: JSONValue)])
    case array([JSONValue])
    case string(ByteString)
    case integer(Int64)
    case number
    case bool(Bool)
    case null

    init(from reader: inout JSONReader) throws(KeychainError) {
        switch try reader.kind {
        case .object:
            var members: [(ByteString, JSONValue)] = []
            try reader.readObject { name, reader throws(KeychainError) in
                members.append((name, try JSONValue(from: &reader)))
            }
            self = .object(members)
        case .array:
            var elements: [JSONValue] = []
            try reader.readArray { reader throws(KeychainError) in
                elements.append(try JSONValue(from: &reader))
            }
            self = .array(elements)
        case .string: self = .string(try reader.readText())
        case .number:
            let start = reader.position
            try reader.skip()
            let end = reader.position
            reader.position = start
            do throws(KeychainError) {
                self = .integer(try reader.readInteger())
            } catch {
                reader.position = end
                self = .number
            }
        case .bool: self = .bool(try reader.readBool())
        case .null:
            check(try reader.readNull(), "null is not null")
            self = .null
        }
    }

    var hasNumber: Bool {
        switch self {
        case .object(let members): members.contains { $0.value.hasNumber }
        case .array(let elements): elements.contains(where: \.hasNumber)
        case .integer, .number: true
        default: false
        }
    }

    func write(to writer: inout JSONWriter) throws(KeychainError) {
        switch self {
        case .object(let members):
            try writer.writeObject { writer throws(KeychainError) in
                for member in members {
                    try writer.member(member.name) { writer throws(KeychainError) in
                        try member.value.write(to: &writer)
                    }
                }
            }
        case .array(let elements):
            try writer.writeArray { writer throws(KeychainError) in
                for element in elements {
                    try element.write(to: &writer)
                }
            }
        case .string(let text): try writer.write(text)
        case .integer(let number): try writer.write(number)
        // There is no writer for others: any number that is no integer will do.
        case .number: try writer.write(ByteString("a number"))
        case .bool(let bool): try writer.write(bool)
        case .null: try writer.writeNull()
        }
    }

    static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.object(let left), .object(let right)):
            left.count == right.count
                && zip(left, right).allSatisfy { $0.name == $1.name && $0.value == $1.value }
        case (.array(let left), .array(let right)): left == right
        case (.string(let left), .string(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.string(let text), .number), (.number, .string(let text)): text == "a number"
        case (.number, .number), (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        default: false
        }
    }
}
