import LanyardSecrets

@testable import StrictJSON

/// Any JSON value, as expectations need it. A number is an integer, or its place is taken by
/// `fraction`.
indirect enum Value: Equatable, Sendable {
    case object([Member])
    case array([Value])
    case string(ByteString)
    case integer(Int64)
    case fraction
    case bool(Bool)
    case null

    struct Member: Equatable, Sendable {
        let name: ByteString
        let value: Value
    }

    static func object(_ members: KeyValuePairs<ByteString, Value>) -> Value {
        .object(members.map { Member(name: $0.key, value: $0.value) })
    }

    /// Reads a text.
    init(
        _ text: [UInt8], names: JSONReader.Names = .exact, depth: Int = 32
    ) throws(KeychainError) {
        self = try JSONReader.read(text.span, limit: .max, names: names, depth: depth) {
            reader throws(KeychainError) in
            try Value(&reader)
        }
    }

    init(_ text: String) throws(KeychainError) {
        try self.init(Array(text.utf8))
    }

    private init(_ reader: inout JSONReader) throws(KeychainError) {
        switch try reader.kind {
        case .object:
            var members: [Member] = []
            try reader.readObject { name, reader throws(KeychainError) in
                members.append(Member(name: name, value: try Value(&reader)))
            }
            self = .object(members)
        case .array:
            var elements: [Value] = []
            try reader.readArray { reader throws(KeychainError) in
                elements.append(try Value(&reader))
            }
            self = .array(elements)
        case .string: self = .string(try reader.readText())
        case .bool: self = .bool(try reader.readBool())
        case .null:
            _ = try reader.readNull()
            self = .null
        case .number:
            do throws(KeychainError) {
                self = .integer(try reader.readInteger())
            } catch  where error.reason.hasPrefix("unexpected") {
                try reader.skip()
                self = .fraction
            }
        }
    }

    func write(_ writer: inout JSONWriter) throws(KeychainError) {
        switch self {
        case .object(let members):
            try writer.writeObject { writer throws(KeychainError) in
                for member in members {
                    try writer.member(member.name) { writer throws(KeychainError) in
                        try member.value.write(&writer)
                    }
                }
            }
        case .array(let elements):
            try writer.writeArray { writer throws(KeychainError) in
                for element in elements {
                    try element.write(&writer)
                }
            }
        case .string(let text): try writer.write(text)
        case .integer(let number): try writer.write(number)
        case .fraction: try writer.write(0)
        case .bool(let bool): try writer.write(bool)
        case .null: try writer.writeNull()
        }
    }

    /// The text that the writer makes of it.
    var written: [UInt8] {
        get throws(KeychainError) {
            try JSONWriter.write { writer throws(KeychainError) in try write(&writer) }.bytes
        }
    }
}

extension Secret {
    var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// Whether a text is valid, as skipping it finds out.
func isValid(_ text: [UInt8], depth: Int = 32) -> Bool {
    (try? JSONReader.read(text.span, limit: .max, depth: depth) { _ in }) != nil
}

/// The reason of the error that a closure throws, nil if it throws none.
func reason(_ body: () throws(KeychainError) -> Void) -> String? {
    do throws(KeychainError) {
        try body()
        return nil
    } catch {
        return error.reason
    }
}
