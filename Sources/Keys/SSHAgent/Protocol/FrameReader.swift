internal import KeychainServices

/// Collects what a connection delivers into messages, each behind its length in four bytes:
/// draft-ietf-sshm-ssh-agent, "Protocol messages".
struct FrameReader: ~Copyable {
    /// Limits a message's bytes, as OpenSSH does.
    static let limit = 256 << 10

    private var header: [UInt8] = []
    private var length = 0
    private var message = SecretBuilder(capacity: 0)

    /// Whether a message has begun and not ended.
    var isInsideMessage: Bool { !header.isEmpty }

    /// The number of bytes to read next. They belong to one message: what follows it stays with the
    /// kernel until the message is answered.
    var wanted: Int {
        header.count < 4 ? 4 - header.count : min(length - message.count, 64 << 10)
    }

    /// Adds bytes, at most as many as ``wanted``.
    ///
    /// - Returns: The message that they complete, without its length.
    /// - Throws: ``Status/param`` for a message that is empty or longer than ``limit``; nothing else on
    ///   this connection can be read then.
    mutating func add(_ bytes: Span<UInt8>) throws(KeychainError) -> Secret? {
        precondition(bytes.count <= wanted, "no byte of the next message is read")
        guard header.count == 4 else {
            for index in bytes.indices {
                header.append(bytes[index])
            }
            if header.count == 4 {
                length = header.reduce(0) { $0 << 8 | Int($1) }
                guard (1...FrameReader.limit).contains(length) else {
                    throw WireReader.malformed
                }
            }
            return nil
        }
        message.append(bytes)
        guard message.count == length else {
            return nil
        }
        var whole = SecretBuilder(capacity: 0)
        swap(&whole, &message)
        header = []
        return whole.finish()
    }

    /// Returns a message behind its length.
    static func frame(_ message: borrowing Secret) -> Secret {
        var frame = SecretBuilder(capacity: message.count + 4)
        frame.append(UInt32(message.count).bigEndianBytes.span)
        frame.append(message)
        return frame.finish()
    }
}
