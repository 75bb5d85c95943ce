internal import KeychainServices

/// A request for a signature.
struct SignRequest: Hashable, Sendable {
    /// Which signature an RSA key makes; keys of other types have one only.
    struct Flags: OptionSet, Hashable, Sendable {
        let rawValue: UInt32

        /// SSH_AGENT_RSA_SHA2_256
        static let sha256 = Flags(rawValue: 2)
        /// SSH_AGENT_RSA_SHA2_512
        static let sha512 = Flags(rawValue: 4)
    }

    /// The public key, in the form of RFC 4253, section 6.6.
    let publicKey: ByteString
    /// The data to sign.
    let data: ByteString
    let flags: Flags
}

extension SignRequest {
    init(from reader: inout WireReader) throws(KeychainError) {
        publicKey = try reader.string()
        data = try reader.string()
        flags = Flags(rawValue: try reader.uint32())
    }

    func write(to writer: inout WireWriter) {
        writer.append(string: publicKey)
        writer.append(string: data)
        writer.append(flags.rawValue)
    }
}
