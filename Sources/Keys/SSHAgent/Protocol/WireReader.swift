internal import KeychainServices

/// Reads the data types of SSH from a message, strictly: RFC 4251, section 5.
///
/// Every method throws ``Status/param`` if the message has no such value at this place.
struct WireReader: ~Copyable {
    private let message: Secret
    /// The number of bytes that were read.
    private(set) var position = 0

    /// Limits the length of names, such as those of algorithms and extensions.
    static let nameLimit = 64

    init(_ message: consuming Secret) {
        self.message = message
    }

    /// Whether everything was read.
    var isAtEnd: Bool { position == message.count }

    /// Throws unless everything was read.
    func finish() throws(KeychainError) {
        guard isAtEnd else {
            throw WireReader.malformed
        }
    }

    /// Reads a byte.
    mutating func byte() throws(KeychainError) -> UInt8 {
        let start = try take(1)
        return message.withBytes { $0[start] }
    }

    /// Reads a boolean: every byte but 0 is true.
    mutating func boolean() throws(KeychainError) -> Bool {
        try byte() != 0
    }

    /// Reads a number of four bytes.
    mutating func uint32() throws(KeychainError) -> UInt32 {
        let start = try take(4)
        return message.withBytes { bytes in
            (0..<4).reduce(0) { $0 << 8 | UInt32(bytes[start + $1]) }
        }
    }

    /// Reads a string.
    mutating func string() throws(KeychainError) -> ByteString {
        let (start, count) = try takeString()
        return message.withBytes { bytes in
            ByteString(copying: bytes.extracting(start..<(start + count)))
        }
    }

    /// Reads a string that is short text.
    mutating func name() throws(KeychainError) -> ByteString {
        let name = try string()
        guard name.bytes.count <= WireReader.nameLimit else {
            throw WireReader.malformed
        }
        return name
    }

    /// Reads a string that is secret.
    mutating func secret() throws(KeychainError) -> Secret {
        let (start, count) = try takeString()
        return bytes(from: start, to: start + count)
    }

    /// Reads a number of any size that is not negative, in its only form: no byte more than it needs.
    mutating func integer() throws(KeychainError) -> ByteString {
        let number = try string()
        guard WireReader.isInteger(number.bytes.span) else {
            throw WireReader.malformed
        }
        return number
    }

    /// Passes over such a number.
    mutating func skipInteger() throws(KeychainError) {
        let (start, count) = try takeString()
        guard message.withBytes({ WireReader.isInteger($0.extracting(start..<(start + count))) })
        else {
            throw WireReader.malformed
        }
    }

    private static func isInteger(_ bytes: Span<UInt8>) -> Bool {
        switch bytes.count {
        case 0: true
        case 1: 1...0x7F ~= bytes[0]
        default: bytes[0] & 0x80 == 0 && (bytes[0] != 0 || bytes[1] & 0x80 != 0)
        }
    }

    /// Returns a copy of a part of the message.
    func bytes(from start: Int, to end: Int) -> Secret {
        message.withBytes { Secret(copying: $0.extracting(start..<end)) }
    }

    private mutating func takeString() throws(KeychainError) -> (start: Int, count: Int) {
        let count = Int(try uint32())
        return (try take(count), count)
    }

    private mutating func take(_ count: Int) throws(KeychainError) -> Int {
        guard count <= message.count - position else {
            throw WireReader.malformed
        }
        defer { position += count }
        return position
    }

    /// The error for a message that breaks the protocol.
    static var malformed: KeychainError { KeychainError(.param, "malformed message") }
}
