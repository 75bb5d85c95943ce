internal import KeychainServices

/// The value of state[] that shows that a store after a get brings nothing new.
///
/// It is a digest of the whole answer to git, under a key that never leaves this machine. Without the key,
/// a password can't be guessed from it and a token can't be forged.
enum StateToken {
    /// Distinguishes this helper's values from other helpers'.
    static let prefix: StaticString = "lanyard:"

    /// Makes the token for a login, nil without a key.
    ///
    /// - Parameters:
    ///   - request: Supplies protocol, host and path, which git sends again unchanged.
    ///   - username: The username that git knows after the answer.
    ///   - login: The rest of the answer.
    static func make(
        _ request: borrowing GitCredentialRequest, username: ByteString?,
        _ login: borrowing Login, digest: (borrowing Secret) -> [UInt8]?
    ) -> ByteString? {
        var encoding = SecretBuilder(capacity: 1_024)
        encoding.append("git state 1")
        for field in [request.protocol, request.host, request.path, username, login.authtype] {
            encoding.append(field: field)
        }
        encoding.append(field: login.expiry.map { ByteString(expiry: $0) })
        encoding.append(field: login.password)
        encoding.append(field: login.refreshToken)
        encoding.append(field: login.credential)
        guard let digest = digest(encoding.finish()) else {
            return nil
        }
        return ByteString(prefix.bytes + Hexadecimal.encode(digest).utf8)
    }
}

/// Encodes fields unambiguously: 0 for an absent one; 1, its length in eight bytes and its bytes for a
/// present one.
extension SecretBuilder {
    fileprivate mutating func append(field: ByteString?) {
        guard let field else {
            return append(0)
        }
        append(lengthOfField: field.bytes.count)
        append(field)
    }

    fileprivate mutating func append(field: borrowing Secret?) {
        switch field {
        case .some(let field):
            append(lengthOfField: field.count)
            append(field)
        case .none:
            append(0)
        }
    }

    private mutating func append(lengthOfField length: Int) {
        append(1)
        for shift in stride(from: 56, through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: length >> shift))
        }
    }
}
