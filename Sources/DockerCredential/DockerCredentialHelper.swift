public import KeychainServices

/// Docker's logins in a keychain: what a credential helper does at each of docker's calls.
///
/// Requests are all of standard input, answers all of standard output. Of an error that is thrown
/// the reason is one line for standard output, where docker looks for it, and the hint is for
/// standard error. The corresponding code of docker-credential-helpers is in the package
/// `credentials`.
///
/// Items are internet passwords in the access group `docker`, the account is the user's name and
/// the secret the password's bytes.
public struct DockerCredentialHelper {
    /// The group that keeps docker's items apart from other tools'.
    public static let accessGroup: ByteString = "docker"

    let keychain: Keychain
    let hint: (String) -> Void

    /// How many bytes a request may have: 7 MiB, for a secret of ``secretLimit`` in which every byte
    /// is escaped.
    public static let requestLimit = 7 << 20
    /// How many bytes a password may have: 1 MiB.
    public static let secretLimit = 1 << 20

    /// A helper that keeps logins in a keychain.
    ///
    /// - Parameter hint: Tells a person, on standard error, what is worth knowing of a call that
    ///   does not fail: one line.
    public init(keychain: Keychain, hint: @escaping (String) -> Void) {
        self.keychain = keychain
        self.hint = hint
    }
}

extension RegistryURL {
    /// The URL that a request of `get` and `erase` is: all of it, without white space around it.
    ///
    /// - Throws: ``Status/param`` if there is none, ``Status/dataTooLarge``, ``Status/decode`` if
    ///   it is not UTF-8: docker can't have stored it then.
    init(request: borrowing Secret) throws(KeychainError) {
        self = try request.withBytes { bytes throws(KeychainError) in
            try RegistryURL(trimming: bytes)
        }
        guard text.isUTF8 else {
            throw KeychainError(.decode, "the server URL is not UTF-8")
        }
    }

    /// The URL in a text.
    ///
    /// - Throws: ``Status/param`` if the text is blank, ``Status/dataTooLarge``.
    init(trimming text: Span<UInt8>) throws(KeychainError) {
        let range = text.trimmedRange
        guard !range.isEmpty else {
            throw .noServerURL
        }
        guard range.count <= RegistryURL.limit else {
            throw KeychainError(
                .dataTooLarge, "the server URL is longer than \(RegistryURL.limit) bytes")
        }
        self.init(ByteString(copying: text.extracting(range)))
    }
}

extension ByteString {
    var isUTF8: Bool { (try? UTF8Span(validating: bytes.span)) != nil }
}
