#if SecretService
internal import CGIO
internal import KeychainServices

/// An encrypted session with the Secret Service, in which secrets travel.
///
/// The corresponding method is `OpenSession` of the Secret Service API.
final class SecretSession {
    private let loop: EventLoop
    private let agreement: KeyAgreement
    private let opening: Reply
    private var opened: Opened?

    /// A session that is open.
    private final class Opened {
        let path: String
        let cipher: SessionCipher

        init(path: String, cipher: consuming SessionCipher) {
            self.path = path
            self.cipher = cipher
        }
    }

    /// Begins to open a session. The answer is not waited for.
    init(_ bus: Bus) throws(KeychainError) {
        loop = bus.loop
        agreement = try KeyAgreement()
        opening = bus.send(
            Bus.servicePath, ServiceLink.serviceInterface, "OpenSession",
            .tuple(
                .string(KeyAgreement.algorithm), .boxed(.bytes(try agreement.publicKey()))),
            answer: "(vo)")
    }

    /// Waits until the session is open.
    ///
    /// - Returns: Its path.
    /// - Throws: ``Status/notAvailable`` also if the service would only take secrets in plain text.
    func path() throws(KeychainError) -> String {
        try waitUntilOpen().path
    }

    private func waitUntilOpen() throws(KeychainError) -> Opened {
        if let opened {
            return opened
        }
        try loop.wait { opening.isThere }
        let answer = try opening.take()
        let publicKey = answer.child(0).content
        guard publicKey.isBytes else {
            throw KeychainError(
                .notAvailable, "the Secret Service offers no encrypted session")
        }
        let opened = Opened(
            path: answer.child(1).text.description,
            cipher: SessionCipher(key: try agreement.sessionKey(with: publicKey.bytes)))
        self.opened = opened
        return opened
    }

    /// A secret in the form in which it travels: session, vector, ciphertext, and what kind of text
    /// it is.
    ///
    /// - Parameter isText: Whether it may be called a text, if it is one.
    func encrypt(
        _ secret: borrowing Secret, isText: Bool
    ) throws(KeychainError) -> Variant {
        let opened = try waitUntilOpen()
        let encrypted = try opened.cipher.encrypt(secret)
        let isText = isText && secret.withBytes { $0.isUTF8 }
        return .tuple(
            .path(opened.path), .bytes(encrypted.vector), .bytes(encrypted.ciphertext),
            .string(isText ? "text/plain" : "application/octet-stream"))
    }

    /// The secret that came in the form in which it travels.
    ///
    /// - Throws: ``Status/decode`` if it can't be decrypted.
    func decrypt(_ encrypted: borrowing Variant) throws(KeychainError) -> Secret {
        try waitUntilOpen().cipher.decrypt(
            encrypted.child(2).bytes, vector: encrypted.child(1).bytes)
    }
}

extension Span where Element == UInt8 {
    /// Whether there may be a name in braces in this text for which KeePassXC would put something
    /// else, as it does for `{USERNAME}` or `{REF:P@T:title}`.
    var hasPlaceholder: Bool {
        var isOpen = false
        for index in indices {
            switch self[index] {
            case UInt8(ascii: "}") where isOpen: return true
            case UInt8(ascii: "{") where index + 1 < count:
                isOpen = isOpen || self[index + 1].isLetter
            default: break
            }
        }
        return false
    }

    /// Whether this is text that a C string can hold.
    fileprivate var isUTF8: Bool {
        // Safe: the span's own bytes and count.
        unsafe withUnsafeBytes { bytes in
            unsafe bytes.isEmpty
                || g_utf8_validate_len(
                    bytes.assumingMemoryBound(to: CChar.self).baseAddress, gsize(bytes.count), nil)
                    != 0
        }
    }
}

extension UInt8 {
    fileprivate var isLetter: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
    }
}
#endif
