internal import KeychainServices

/// An answer to a client.
enum AgentAnswer: Hashable, Sendable {
    case success
    case failure
    /// A known extension could not do what was asked.
    case extensionFailure
    case identities([Identity])
    /// A signature with the name of its algorithm, RFC 4253, section 6.6.
    case signature(ByteString)
    /// The names of the extensions.
    case extensions([ByteString])

    /// Limits the keys in a list, as OpenSSH's clients do.
    private static let identityLimit = 2048

    /// The answer as a message.
    var message: Secret {
        var writer = WireWriter()
        switch self {
        case .success: writer.append(MessageNumber.success)
        case .failure: writer.append(MessageNumber.failure)
        case .extensionFailure: writer.append(MessageNumber.extensionFailure)
        case .identities(let identities):
            let identities = AgentAnswer.fitting(identities)
            writer.append(MessageNumber.identitiesAnswer)
            writer.append(UInt32(identities.count))
            for identity in identities {
                writer.append(string: identity.publicKey)
                writer.append(string: identity.comment)
            }
        case .signature(let signature):
            writer.append(MessageNumber.signResponse)
            writer.append(string: signature)
        case .extensions(let names):
            writer.append(MessageNumber.extensionResponse)
            writer.append(string: "query")
            for name in names {
                writer.append(string: name)
            }
        }
        return writer.finish()
    }

    /// Returns as many of the first keys as a message has room for.
    static func fitting(_ identities: [Identity]) -> ArraySlice<Identity> {
        var room = FrameReader.limit - 5
        var count = 0
        for identity in identities.prefix(identityLimit) {
            room -= 8 + identity.publicKey.bytes.count + identity.comment.bytes.count
            guard room >= 0 else {
                break
            }
            count += 1
        }
        return identities[..<count]
    }
}
