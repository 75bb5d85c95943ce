internal import KeychainServices

/// What the process answers.
enum WorkerAnswer: Hashable, Sendable {
    case identities([Identity])
    case signature(ByteString)
    /// The signature needs a question to the user.
    case mustAsk
    /// The user allows it.
    case confirmed
    /// It failed, the key is missing, or the user refuses.
    case refused

    /// The answer as a message.
    var message: Secret {
        var writer = WireWriter()
        switch self {
        case .identities(let identities):
            writer.append(1 as UInt8)
            // A longer answer would be dropped as a whole.
            for identity in AgentAnswer.fitting(identities) {
                writer.append(string: identity.publicKey)
                writer.append(string: identity.comment)
            }
        case .signature(let signature):
            writer.append(2 as UInt8)
            writer.append(string: signature)
        case .mustAsk: writer.append(3 as UInt8)
        case .confirmed: writer.append(4 as UInt8)
        case .refused: writer.append(5 as UInt8)
        }
        return writer.finish()
    }

    /// Parses a message.
    ///
    /// - Throws: ``Status/param``.
    init(parsing message: consuming Secret) throws(KeychainError) {
        var reader = WireReader(message)
        switch try reader.byte() {
        case 1:
            var identities: [Identity] = []
            while !reader.isAtEnd {
                identities.append(
                    Identity(publicKey: try reader.string(), comment: try reader.string()))
            }
            self = .identities(identities)
        case 2: self = .signature(try reader.string())
        case 3: self = .mustAsk
        case 4: self = .confirmed
        case 5: self = .refused
        default: throw WireReader.malformed
        }
        try reader.finish()
    }
}
