#if SecretService
internal import KeychainServices

/// A client's session, in which secrets are transferred. The corresponding section of the specification is
/// "Sessions".
final class Session {
    let number: UInt64
    /// The client's unique name: no other client may use the session.
    let owner: String
    /// Nil for the algorithm `plain`.
    private let key: Secret?
    /// Greater than that of each session of the client that was used before.
    var lastUse: UInt64 = 0

    private init(_ number: UInt64, owner: String, key: consuming Secret?) {
        self.number = number
        self.owner = owner
        self.key = key
    }

    var path: String { ObjectPath.session(number).text }

    /// Opens a session.
    ///
    /// - Returns: The session, and what the client gets for its input.
    static func open(
        algorithm: String, input: BusValue, number: UInt64, owner: String
    ) throws(BusError) -> (session: Session, output: BusValue) {
        switch algorithm {
        case "plain":
            guard input.isOf("s") else {
                throw .invalidArguments("the algorithm plain takes an empty text")
            }
            return (Session(number, owner: owner, key: nil), .text(""))
        case "dh-ietf1024-sha256-aes128-cbc-pkcs7":
            guard input.isOf("ay") else {
                throw .invalidArguments("the algorithm takes a public key in bytes")
            }
            guard let answer = DiffieHellman.answer(input.bytes) else {
                throw .invalidArguments("the public key is invalid")
            }
            let publicKey = answer.publicKey
            return (
                Session(number, owner: owner, key: answer.key.copy()), .bytes(publicKey.span)
            )
        default: throw .notSupported("the algorithm is not supported")
        }
    }

    /// Returns the structure with which a secret is transferred.
    func encode(_ secret: borrowing Secret, contentType: ByteString) throws(BusError) -> BusValue {
        let parameter: BusValue
        let value: BusValue
        switch key {
        case .none:
            let nothing: [UInt8] = []
            parameter = .bytes(nothing.span)
            value = secret.withBytes { .bytes($0) }
        case .some(let key):
            guard let encrypted = SessionCipher.encrypt(secret, key: key) else {
                throw .limitsExceeded("the secret can't be encrypted")
            }
            parameter = encrypted.parameter.withBytes { .bytes($0) }
            value = encrypted.value.withBytes { .bytes($0) }
        }
        return .tuple([.path(path), parameter, value, .text(contentType)])
    }

    /// Returns the secret of a structure.
    func decode(_ structure: BusValue) throws(BusError) -> Secret {
        let value = structure[2].bytes
        switch key {
        case .none: return value
        case .some(let key):
            guard let secret = SessionCipher.decrypt(value, key: key, parameter: structure[1].bytes)
            else {
                throw .invalidArguments("the secret can't be decrypted")
            }
            return secret
        }
    }
}
#endif
