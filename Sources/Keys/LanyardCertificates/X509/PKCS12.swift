internal import CLibcrypto
public import KeychainServices

/// A file with private keys and certificates: PKCS #12, RFC 7292.
public struct PKCS12: Sendable {
    /// A private key of a file.
    public struct Key: Sendable {
        /// The key.
        public let privateKey: PrivateKey
        /// The name that the file gives it, nil without one.
        public let name: String?
    }

    /// A certificate of a file.
    public struct NamedCertificate: Sendable {
        /// The certificate.
        public let certificate: Certificate
        /// The name that the file gives it, nil without one.
        public let name: String?
    }

    /// What a reader should know of a file that is read nevertheless. Lanyard writes no such files.
    public enum Weakness: String, Sendable, CaseIterable {
        /// It has no MAC: whether it was changed can't be checked.
        case noMAC
        /// It is encrypted with RC2, which anyone can break if the key has 40 bits.
        case rc2
    }

    /// The file's weaknesses.
    public internal(set) var weaknesses: Set<Weakness> = []
    /// The private keys, in the file's order.
    public internal(set) var keys: [Key] = []
    /// The certificates, in the file's order.
    public internal(set) var certificates: [NamedCertificate] = []

    /// The largest number of bytes that a file may have: 16 MiB.
    public static let sizeLimit = 16 << 20
    /// The most keys and certificates in a file.
    static let countLimit = 10_000
    /// How often a new file's password is hashed, for each of three parts: .NET opens files with up to a million.
    static let iterations: Int32 = 300_000

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - file: The file, DER.
    ///   - password: Its password; an empty one also opens a file without a password.
    /// - Throws: ``Status/unknownFormat`` for anything else; ``Status/pkcs12VerifyFailure`` for a wrong password;
    ///   ``Status/dataTooLarge`` for a file over 16 MiB or a password that would take too long to check;
    ///   ``Status/unsupportedKeyFormat`` for keys of other types and for unknown algorithms; ``Status/decode`` for
    ///   damage. Of a file without a MAC a wrong password and damage are one.
    ///
    /// The corresponding function is SecPKCS12Import.
    public init(
        _ file: borrowing Secret, password: borrowing Secret
    ) throws(KeychainError) {
        var reader = try PKCS12Reader(file, password: password)
        try reader.read(into: &self)
    }

    /// Whether bytes begin like a file of this form.
    public static func isPKCS12(_ file: Span<UInt8>) -> Bool {
        // A sequence whose first element is the number 3. Its length may be indefinite.
        guard file.count > 6, file[0] == DERTag.sequence.rawValue else {
            return false
        }
        let lengthCount = file[1] < 0x80 ? 1 : Int(file[1] & 0x7F) + 1
        guard lengthCount <= 5, file.count > lengthCount + 4 else {
            return false
        }
        return file.extracting(droppingFirst: lengthCount + 1).starts(with: "\u{2}\u{1}\u{3}")
    }

    /// Returns a new file with a private key, its certificate and those of its issuers, encrypted with AES-256 under
    /// PBKDF2 with 300,000 iterations.
    ///
    /// - Parameters:
    ///   - certificates: The certificate of the key first.
    ///   - name: The name for both. libcrypto writes no characters beyond U+FFFF, as emojis; U+FFFD replaces them.
    ///   - password: Without NULs.
    /// - Throws: ``Status/param`` for a password with a NUL and without a certificate;
    ///   ``Status/publicKeyInconsistent`` for the certificate of another key; ``Status/allocate``.
    ///
    /// The corresponding function is SecItemExport, with kSecFormatPKCS12.
    public static func make(
        _ key: PrivateKey, certificates: [Certificate], name: String,
        password: borrowing Secret
    ) throws(KeychainError) -> Secret {
        Libcrypto.start()
        guard let first = certificates.first else {
            throw KeychainError(.param, "a PKCS #12 file needs a certificate")
        }
        guard first.publicKey == key.publicKey else {
            throw KeychainError(.publicKeyInconsistent, "the certificate is for another key")
        }
        let name = String(
            String.UnicodeScalarView(
                name.unicodeScalars.map { $0.value > 0xFFFF ? "\u{FFFD}" : $0 }))
        let password = try terminated(password)
        // Safe: all that is made here is freed here, and lives until then.
        let others = unsafe lanyard_x509_stack()
        defer { unsafe lanyard_x509_stack_free(others) }
        for certificate in certificates.dropFirst() {
            let copy = try X509Certificate(certificate)
            guard unsafe X509_up_ref(copy.pointer) == 1,
                unsafe lanyard_x509_push(others, copy.pointer) == 1
            else {
                throw Libcrypto.error(.allocate)
            }
        }
        let leaf = try X509Certificate(first)
        let made = try password.withBytes { password throws(KeychainError) in
            let file = unsafe password.withUnsafeBytes { bytes in
                unsafe PKCS12_create(
                    bytes.baseAddress?.assumingMemoryBound(to: CChar.self), name,
                    key.key.pointer, leaf.pointer, others, NID_aes_256_cbc, NID_aes_256_cbc,
                    iterations, iterations, 0)
            }
            guard let file = unsafe file else {
                throw Libcrypto.error(.allocate, "no PKCS #12 file could be made")
            }
            defer { unsafe PKCS12_free(file) }
            return Secret(try unsafe Libcrypto.encoding { unsafe i2d_PKCS12(file, $0) })
        }
        withExtendedLifetime(leaf) {}
        return made
    }

    /// Returns a password with a NUL at its end.
    static func terminated(_ password: borrowing Secret) throws(KeychainError) -> Secret {
        let hasNUL = password.withBytes { bytes in
            bytes.indices.contains { bytes[$0] == 0 }
        }
        guard !hasNUL else {
            throw KeychainError(.param, "a password of PKCS #12 can't contain a NUL")
        }
        var terminated = SecretBuilder(capacity: password.count + 1)
        terminated.append(password)
        terminated.append(0)
        return terminated.finish()
    }
}
