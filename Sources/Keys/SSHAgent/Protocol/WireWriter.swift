internal import KeychainServices

/// Writes the data types of SSH: RFC 4251, section 5.
struct WireWriter: ~Copyable {
    private var bytes = SecretBuilder()

    mutating func append(_ byte: UInt8) {
        bytes.append(byte)
    }

    mutating func append(_ isTrue: Bool) {
        bytes.append(isTrue ? 1 : 0)
    }

    mutating func append(_ number: UInt32) {
        bytes.append(number.bigEndianBytes.span)
    }

    mutating func append(string: ByteString) {
        append(UInt32(string.bytes.count))
        bytes.append(string)
    }

    /// Returns the message.
    consuming func finish() -> Secret {
        bytes.finish()
    }
}
