internal import KeychainServices

/// The limits of a key in memory.
struct KeyConstraints: Hashable, Sendable {
    /// In seconds; nil for as long as the agent runs.
    var lifetime: UInt32?
    /// Whether the user confirms each signature.
    var isConfirmed = false

    init(lifetime: UInt32? = nil, isConfirmed: Bool = false) {
        self.lifetime = lifetime
        self.isConfirmed = isConfirmed
    }

    /// Reads constraints to the end of the message.
    ///
    /// - Throws: ``Status/param`` for one that is unknown or repeated: a key must never have fewer limits
    ///   than its owner wanted.
    init(from reader: inout WireReader) throws(KeychainError) {
        while !reader.isAtEnd {
            switch try reader.byte() {
            // SSH_AGENT_CONSTRAIN_LIFETIME
            case 1 where lifetime == nil: lifetime = try reader.uint32()
            // SSH_AGENT_CONSTRAIN_CONFIRM
            case 2 where !isConfirmed: isConfirmed = true
            default: throw WireReader.malformed
            }
        }
    }
}
