internal import LanyardSecrets

/// Reads the data types of RFC 4251, section 5. The bytes are passed to each call, because a reader
/// can't hold them.
struct SSHReader {
    private(set) var position = 0

    /// Reads a number of four bytes.
    mutating func number(in bytes: Span<UInt8>) throws(KeychainError) -> Int {
        guard bytes.count - position >= 4 else {
            throw .invalidKeyFormat
        }
        defer { position += 4 }
        return (position..<position + 4).reduce(0) { $0 << 8 | Int(bytes[$1]) }
    }

    /// Reads a string, and returns where its bytes are.
    mutating func string(in bytes: Span<UInt8>) throws(KeychainError) -> Range<Int> {
        let count = try number(in: bytes)
        guard count <= bytes.count - position else {
            throw .invalidKeyFormat
        }
        defer { position += count }
        return position..<position + count
    }

    /// Reads a string that must be a text.
    mutating func expect(_ text: StaticString, in bytes: Span<UInt8>) throws(KeychainError) {
        guard bytes.extracting(try string(in: bytes)).equals(text) else {
            throw .invalidKeyFormat
        }
    }

    /// Reads an integer that is not negative and in its shortest form, and returns where its bytes are,
    /// without a leading zero.
    mutating func integer(in bytes: Span<UInt8>) throws(KeychainError) -> Range<Int> {
        let range = try string(in: bytes)
        guard let first = range.first else {
            return range
        }
        guard bytes[first] == 0 else {
            guard bytes[first] < 0x80 else {
                throw .invalidKeyFormat
            }
            return range
        }
        guard range.count > 1, bytes[first + 1] >= 0x80 else {
            throw .invalidKeyFormat
        }
        return range.dropFirst()
    }

    /// Throws if there are more bytes.
    func finish(in bytes: Span<UInt8>) throws(KeychainError) {
        guard position == bytes.count else {
            throw .invalidKeyFormat
        }
    }
}
