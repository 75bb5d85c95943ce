public import KeychainServices

/// What a file has of certificates and keys, whatever its form: PEM with any number of them, DER, PKCS #12, or one
/// of ssh's forms.
public struct CertificatesAndKeys: Sendable {
    /// A private key with its name, nil without one.
    public struct NamedKey: Sendable {
        /// The key.
        public let key: PrivateKey
        /// What the file calls it.
        public let name: String?
    }

    /// The private keys, in the file's order.
    public private(set) var privateKeys: [NamedKey] = []
    /// The public keys without a private one in the file.
    public private(set) var publicKeys: [PublicKey] = []
    /// The certificates, in the file's order.
    public private(set) var certificates: [PKCS12.NamedCertificate] = []
    /// The weaknesses of a PKCS #12 file.
    public private(set) var weaknesses: Set<PKCS12.Weakness> = []
    /// The labels of the blocks in a PEM text that have none of these.
    public private(set) var otherBlocks: [String] = []

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - file: The file's bytes.
    ///   - password: Returns the password, if one is needed; called once at most.
    /// - Throws: ``Status/unknownFormat`` if nothing is found; what ``KeyFile/init(_:password:)``,
    ///   ``PKCS12/init(_:password:)`` and ``Certificate/init(der:)`` throw, and what the closure throws.
    ///
    /// The corresponding function is SecItemImport.
    public init(
        _ file: borrowing Secret, password: () throws(KeychainError) -> Secret
    ) throws(KeychainError) {
        let passwords = AskedPassword()
        if file.withBytes({ PKCS12.isPKCS12($0) }) {
            try read(pkcs12: file, passwords, password)
        } else if file.withBytes({ (try? DERReader.sequence($0)) != nil }) {
            try read(der: file, passwords, password)
        } else {
            try read(text: file, passwords, password)
        }
        guard !privateKeys.isEmpty || !publicKeys.isEmpty || !certificates.isEmpty else {
            throw CertificatesAndKeys.nothing
        }
        let hashes = Set(privateKeys.map(\.key.publicKey.hash))
        publicKeys.removeAll { hashes.contains($0.hash) }
    }

    private static var nothing: KeychainError {
        KeychainError(.unknownFormat, "no certificate and no key found")
    }

    /// A password that is asked for once.
    private final class AskedPassword {
        var known: Secret?

        func with<Result>(
            _ ask: () throws(KeychainError) -> Secret,
            _ body: (borrowing Secret) throws(KeychainError) -> Result
        ) throws(KeychainError) -> Result {
            let password: Secret
            switch known {
            case .some(let known): password = known.copy()
            case .none: password = try ask()
            }
            known = password.copy()
            return try body(password)
        }
    }

    private mutating func read(
        pkcs12 file: borrowing Secret, _ asked: AskedPassword,
        _ password: () throws(KeychainError) -> Secret
    ) throws(KeychainError) {
        let contents: PKCS12
        do throws(KeychainError) {
            contents = try PKCS12(file, password: Secret(""))
        } catch  where error.status == .pkcs12VerifyFailure {
            contents = try asked.with(password) { password throws(KeychainError) in
                try PKCS12(file, password: password)
            }
        }
        privateKeys = contents.keys.map { NamedKey(key: $0.privateKey, name: $0.name) }
        certificates = contents.certificates
        weaknesses = contents.weaknesses
    }

    private mutating func read(
        der file: borrowing Secret, _ asked: AskedPassword,
        _ password: () throws(KeychainError) -> Secret
    ) throws(KeychainError) {
        guard file.withBytes({ DERKeyFormat($0) == nil }) else {
            return try readKey(asked, password) { password throws(KeychainError) in
                try KeyFile(file, password: password)
            }
        }
        try append(certificate: file)
    }

    private mutating func append(certificate der: borrowing Secret) throws(KeychainError) {
        let certificate = try der.withBytes { der throws(KeychainError) in
            try Certificate(der: der)
        }
        certificates.append(PKCS12.NamedCertificate(certificate: certificate, name: nil))
    }

    private mutating func readKey(
        _ asked: AskedPassword, _ password: () throws(KeychainError) -> Secret,
        _ body: (borrowing Secret?) throws(KeychainError) -> KeyFile?
    ) throws(KeychainError) {
        let read: KeyFile?
        do throws(KeychainError) {
            read = try body(nil)
        } catch {
            guard error.status == .passphraseRequired else {
                throw error.status == .unknownFormat ? CertificatesAndKeys.nothing : error
            }
            read = try asked.with(password) { password throws(KeychainError) in
                let given: Secret? = password.copy()
                return try body(given)
            }
        }
        guard let read else {
            return
        }
        switch read.key {
        case .privateKey(let key):
            let comment = read.comment.description
            privateKeys.append(NamedKey(key: key, name: comment.isEmpty ? nil : comment))
        case .publicKey(let key): publicKeys.append(key)
        }
    }

    private mutating func read(
        text file: borrowing Secret, _ asked: AskedPassword,
        _ password: () throws(KeychainError) -> Secret
    ) throws(KeychainError) {
        guard file.count <= PKCS12.sizeLimit else {
            throw KeychainError(.dataTooLarge, "a file has at most 16 MiB")
        }
        var position = 0
        var hasBlocks = false
        while let block = try file.withBytes({ bytes throws(KeychainError) in
            try PEMDocument.next(in: bytes, from: &position)
        }) {
            hasBlocks = true
            guard privateKeys.count + publicKeys.count + certificates.count < PKCS12.countLimit
            else {
                throw KeychainError(
                    .dataTooLarge, "a file has at most \(PKCS12.countLimit) items")
            }
            switch block.label {
            case "CERTIFICATE", "X509 CERTIFICATE": try append(certificate: block.contents)
            case _ where DERKeyFormat(label: block.label) != nil, _ where block.label.isPrivateKey:
                try readKey(asked, password) { password throws(KeychainError) in
                    try KeyFile.read(block, password: password)
                }
            // A key of OpenSSL's has its curve in it, too.
            case "EC PARAMETERS": break
            default: otherBlocks.append(block.label.description)
            }
        }
        if !hasBlocks {
            // A line of ssh's, or nothing that is known.
            try readKey(asked, password) { password throws(KeychainError) in
                try KeyFile(file, password: password)
            }
        }
    }
}

extension ByteString {
    /// Whether a block with this label has a private key, perhaps of an unsupported type.
    fileprivate var isPrivateKey: Bool { description.hasSuffix("PRIVATE KEY") }
}
