internal import KeychainServices

/// What the agent lets a process of its own do.
enum WorkerRequest: Hashable, Sendable {
    /// To list the keys of the keychain, without a question to the user.
    case list
    /// To sign with a key of the keychain.
    case sign(SignRequest, Requester, mayAsk: Bool)
    /// To ask the user whether a key in memory may be used.
    case confirm(Identity, Requester)

    /// Whether it may ask the user.
    var mayAsk: Bool {
        switch self {
        case .list: false
        case .sign(_, _, let mayAsk): mayAsk
        case .confirm: true
        }
    }

    /// The request as a message.
    var message: Secret {
        var writer = WireWriter()
        switch self {
        case .list:
            writer.append(1 as UInt8)
        case .sign(let request, let requester, let mayAsk):
            writer.append(2 as UInt8)
            request.write(to: &writer)
            WorkerRequest.write(requester, to: &writer)
            writer.append(mayAsk)
        case .confirm(let identity, let requester):
            writer.append(3 as UInt8)
            writer.append(string: identity.publicKey)
            writer.append(string: identity.comment)
            WorkerRequest.write(requester, to: &writer)
        }
        return writer.finish()
    }

    /// Parses a message.
    ///
    /// - Throws: ``Status/param``.
    init(parsing message: consuming Secret) throws(KeychainError) {
        var reader = WireReader(message)
        switch try reader.byte() {
        case 1: self = .list
        case 2:
            let request = try SignRequest(from: &reader)
            let requester = try WorkerRequest.readRequester(&reader)
            self = .sign(request, requester, mayAsk: try reader.boolean())
        case 3:
            let identity = Identity(
                publicKey: try reader.string(), comment: try reader.string())
            self = .confirm(identity, try WorkerRequest.readRequester(&reader))
        default: throw WireReader.malformed
        }
        try reader.finish()
    }

    private static func write(_ requester: Requester, to writer: inout WireWriter) {
        writer.append(string: ByteString(requester.program ?? ""))
        writer.append(requester.isForwarded)
    }

    private static func readRequester(
        _ reader: inout WireReader
    ) throws(KeychainError) -> Requester {
        let program = try reader.string()
        return Requester(
            program: program.isEmpty ? nil : program.description,
            isForwarded: try reader.boolean())
    }
}
