public import KeychainServices

/// Docker's logins in a keychain: implements each operation of a credential helper.
///
/// Requests are all of standard input, answers all of standard output. An error's reason is one line for
/// standard output, where docker expects it; its hint goes to standard error. The corresponding code of
/// docker-credential-helpers is in the package `credentials`.
///
/// Items are internet passwords in the access group `docker`; the account is the user's name and the secret
/// the password's bytes.
public struct DockerCredentialHelper {
    /// The group that separates docker's items from other tools'.
    public static let accessGroup: ByteString = "docker"

    let keychain: Keychain
    let hint: (String) -> Void

    /// Limits the bytes of a request: 7 MiB, for a secret of ``secretLimit`` with every byte escaped.
    public static let requestLimit = 7 << 20
    /// Limits the bytes of a password: 1 MiB.
    public static let secretLimit = 1 << 20

    /// Creates a helper that stores logins in a keychain.
    ///
    /// - Parameter hint: Shows the user a one-line hint on standard error about a call that succeeds.
    public init(keychain: Keychain, hint: @escaping (String) -> Void) {
        self.keychain = keychain
        self.hint = hint
    }
}

extension RegistryURL {
    /// Reads the URL from a request of `get` and `erase`: all of it, without white space around it.
    ///
    /// - Throws: ``Status/param`` without a URL, ``Status/dataTooLarge``, ``Status/decode`` unless it is
    ///   UTF-8: docker can't have stored it then.
    init(request: borrowing Secret) throws(KeychainError) {
        self = try request.withBytes { bytes throws(KeychainError) in
            try RegistryURL(trimming: bytes)
        }
        guard text.bytes.span.isUTF8 else {
            throw KeychainError(.decode, "the server URL is not UTF-8")
        }
    }

    /// Reads the URL in a text.
    ///
    /// - Throws: ``Status/param`` if the text is blank, ``Status/dataTooLarge``.
    init(trimming text: Span<UInt8>) throws(KeychainError) {
        let range = text.withoutWhitespace
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
