/// Four bytes that are both text and a number.
///
/// Keychain Services uses them for classes, protocols, authentication types, creators and types.
/// The corresponding type is FourCharCode.
public struct FourCharacterCode: RawRepresentable, Hashable, Sendable {
    /// The four bytes as a number, most significant first.
    public let rawValue: UInt32

    /// Creates the code with these four bytes.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Creates the code of a four-byte text, nil for any other length.
    public init?(_ text: ByteString) {
        guard text.bytes.count == 4 else {
            return nil
        }
        self.init(rawValue: text.bytes.reduce(0) { $0 << 8 | UInt32($1) })
    }

    /// The four bytes, including trailing spaces.
    public var text: ByteString { ByteString(rawValue.bigEndianBytes) }
}

extension FourCharacterCode: ExpressibleByStringLiteral {
    /// Creates the code of a literal, which must have exactly four ASCII characters.
    public init(stringLiteral value: StaticString) {
        precondition(value.utf8CodeUnitCount == 4, "a four-character code has four characters")
        self.init(rawValue: (0..<4).reduce(0) { $0 << 8 | UInt32(value.byte(at: $1)) })
    }
}

extension FourCharacterCode: CustomStringConvertible {
    /// The four characters.
    public var description: String { text.description }
}
