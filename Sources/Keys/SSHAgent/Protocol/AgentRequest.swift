internal import KeychainServices

/// A client's request.
enum AgentRequest: ~Copyable {
    /// The list of keys.
    case requestIdentities
    /// A signature.
    case sign(SignRequest)
    /// To hold a key in memory.
    case add(NewKey)
    /// To forget a key in memory.
    case remove(publicKey: ByteString)
    /// To forget all keys in memory.
    case removeAll
    /// To do nothing until ``unlock(_:)`` has the same password.
    case lock(Secret)
    case unlock(Secret)
    /// The list of extensions.
    case query
    /// To remember for which session the connection is used.
    case bindSession(SessionBinding)
    /// A message that this agent has no answer for: smart cards, other extensions, other numbers.
    case unsupported

    /// The extensions that ``query`` lists.
    static let extensions: [ByteString] = [queryName, SessionBinding.extensionName]

    private static let queryName: ByteString = "query"

    /// Parses a message.
    ///
    /// - Throws: ``Status/param`` for a malformed message, and for a key of an unknown type.
    init(parsing message: consuming Secret) throws(KeychainError) {
        var reader = WireReader(message)
        let request = try AgentRequest.parse(&reader)
        if !request.isUnsupported {
            try reader.finish()
        }
        self = request
    }

    private static func parse(_ reader: inout WireReader) throws(KeychainError) -> AgentRequest {
        switch try reader.byte() {
        case MessageNumber.requestIdentities: .requestIdentities
        case MessageNumber.signRequest: .sign(try SignRequest(from: &reader))
        case MessageNumber.addIdentity: .add(try NewKey(from: &reader, hasConstraints: false))
        case MessageNumber.addConstrained: .add(try NewKey(from: &reader, hasConstraints: true))
        case MessageNumber.removeIdentity: .remove(publicKey: try reader.string())
        case MessageNumber.removeAllIdentities: .removeAll
        case MessageNumber.lock: .lock(try reader.secret())
        case MessageNumber.unlock: .unlock(try reader.secret())
        case MessageNumber.requestExtension: try parseExtension(&reader)
        default: .unsupported
        }
    }

    private static func parseExtension(
        _ reader: inout WireReader
    ) throws(KeychainError) -> AgentRequest {
        switch try reader.string() {
        case queryName: .query
        case SessionBinding.extensionName: .bindSession(try SessionBinding(from: &reader))
        default: .unsupported
        }
    }

    private var isUnsupported: Bool {
        switch self {
        case .unsupported: true
        default: false
        }
    }
}
