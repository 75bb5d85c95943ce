internal import LanyardSecrets

/// A text in SQL. It has only what is in our source, integers, hexadecimal digits, and names of accounts without a quote.
struct SQL: ExpressibleByStringInterpolation, Sendable {
    private(set) var text: String

    init(stringLiteral value: StaticString) {
        text = value.description
    }

    init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.text
    }

    /// Several texts, each on a line of its own.
    init(_ parts: [SQL], separator: StaticString) {
        text = parts.map({ $0.text }).joined(separator: "\(separator)\n")
    }

    /// The parts of an interpolated literal.
    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + interpolationCount * 16)
        }

        mutating func appendLiteral(_ literal: StaticString) {
            text += literal.description
        }

        mutating func appendInterpolation(_ number: Int64) {
            text += String(number)
        }

        /// Bytes as a value of the type BYTEA.
        mutating func appendInterpolation(_ bytes: [UInt8]) {
            text += "decode('"
            text += Hexadecimal.encode(bytes)
            text += "', 'hex')"
        }

        mutating func appendInterpolation(_ account: PostgreSQLAccount) {
            text += "\"\(account.name)\""
        }

        mutating func appendInterpolation(_ part: SQL) {
            text += part.text
        }
    }
}
