internal import KeychainServices
internal import StrictJSON

/// What the helper answers to cargo.
///
/// The corresponding type of cargo-credential is `Result<CredentialResponse, Error>`.
enum CargoAnswer: ~Copyable {
    /// The token of a registry. It is the same for each operation, and cargo may keep it until it ends.
    case token(Secret)
    /// A login or a logout was done.
    case done(ByteString)
    /// cargo should ask its next provider.
    case refused(Refusal)
    /// The request failed.
    case failed(KeychainError)

    /// The kinds of errors that cargo tells apart.
    enum Refusal: ByteString {
        case notFound = "not-found"
        case urlNotSupported = "url-not-supported"
        case operationNotSupported = "operation-not-supported"
    }

    /// Returns the answer, one line of JSON.
    ///
    /// - Throws: ``Status/decode`` for a token that is not text.
    consuming func line() throws(KeychainError) -> Secret {
        switch consume self {
        case .token(let token):
            try CargoAnswer.write("Ok", "get") { writer throws(KeychainError) in
                try writer.member("token", token)
                try writer.member("cache", "session")
                try writer.member("operation_independent", true)
            }
        case .done(let kind): try CargoAnswer.write("Ok", kind)
        case .refused(let refusal): try CargoAnswer.write("Err", refusal.rawValue)
        case .failed(let error):
            try CargoAnswer.write("Err", "other") { writer throws(KeychainError) in
                try writer.member("message", ByteString("lanyard: error: \(error.reason)"))
                try writer.member(
                    "caused-by", error.hint.map { [ByteString("lanyard: hint: \($0)")] } ?? [])
            }
        }
    }

    private static func write(
        _ result: ByteString, _ kind: ByteString,
        _ members: (inout JSONWriter) throws(KeychainError) -> Void = { _ in }
    ) throws(KeychainError) -> Secret {
        try JSONWriter.writeObject { writer throws(KeychainError) in
            try writer.member(object: result) { writer throws(KeychainError) in
                try writer.member("kind", kind)
                try members(&writer)
            }
        }
    }
}
