internal import KeychainServices
internal import StrictJSON

/// Answers aws and other programs with its configuration from a keychain.
struct AWSCredentialHelper {
    /// The access group of access keys.
    static let accessGroup: ByteString = "aws"

    let keychain: Keychain
    let now: Timestamp

    /// Returns the credentials of a profile, one line of JSON: those that changed last, of those that have not expired.
    ///
    /// - Throws: ``Status/itemNotFound``, also if all have expired; ``Status/decode`` for an invalid secret; what the
    ///   keychain throws.
    func get(_ profile: String) throws(KeychainError) -> Secret {
        var query = Query(.genericPassword, returns: [.attributes, .data])
        query.attributes.accessGroup = AWSCredentialHelper.accessGroup
        query.attributes.service = ByteString(profile)
        query.attributes.isNegative = false
        query.match.limit = .all
        var answer: Secret?
        var problem = KeychainError(
            .itemNotFound, "found no access key for the profile '\(profile)'",
            hint: "lanyard set --for aws \(profile.shellWord) ACCESS-KEY-ID")
        try keychain.forEachMatch(query) { item throws(KeychainError) in
            guard let key = item.attributes?.account, let secret = item.secret else {
                return .next
            }
            let session = AWSSession(secret)
            guard session.isValid else {
                problem = KeychainError(.decode, "the secret of '\(profile)' is invalid")
                return .next
            }
            guard !session.hasEnded(at: now) else {
                problem = KeychainError(
                    .itemNotFound, "the session of '\(profile)' has expired",
                    hint: "store a new one: lanyard set --for aws --stdin \(profile.shellWord) "
                        + key.shellWord)
                return .next
            }
            answer = try AWSCredentialHelper.answer(key, session)
            return .stop
        }
        guard let answer = answer.take() else {
            throw problem
        }
        return answer
    }

    private static func answer(
        _ key: ByteString, _ session: borrowing AWSSession
    ) throws(KeychainError) -> Secret {
        let secretAccessKey = session.secretAccessKey.copy()
        let token = session.sessionToken.copy()
        let expiration = session.expiration
        return try JSONWriter.writeObject { writer throws(KeychainError) in
            try writer.member("Version", 1)
            try writer.member("AccessKeyId", key)
            try writer.member("SecretAccessKey", secretAccessKey)
            switch token {
            case .some(let token): try writer.member("SessionToken", token)
            case .none: break
            }
            if let expiration {
                try writer.member("Expiration", ByteString(expiration.text))
            }
        }
    }
}
