internal import CLibcrypto
public import KeychainServices

/// A certificate: RFC 5280. The corresponding type is SecCertificateRef.
///
/// Two certificates are equal if their bytes are.
public final class Certificate: Sendable {
    /// The certificate in DER. The corresponding function is SecCertificateCopyData.
    public let der: [UInt8]
    /// The version, 1 to 3.
    public let version: Int
    /// The serial number, the bytes of a signed number with the most significant first. The corresponding function
    /// is SecCertificateCopySerialNumberData.
    public let serialNumber: [UInt8]
    /// The first moment at which the certificate is valid.
    public let notValidBefore: Timestamp
    /// The last moment at which the certificate is valid.
    public let notValidAfter: Timestamp
    /// The subject's key identifier, nil without one: RFC 5280, section 4.2.1.2.
    public let subjectKeyIdentifier: [UInt8]?
    /// The SHA-1 digest of the public key, 20 bytes: the ``PublicKey/hash`` of a key of a supported type.
    public let publicKeyHash: [UInt8]
    /// The public key, nil for an unsupported type.
    public let publicKey: PublicKey?
    /// The host names that the certificate is for: RFC 5280, section 4.2.1.6.
    public let dnsNames: [String]
    /// The IP addresses that the certificate is for, as text.
    public let addresses: [String]
    /// The e-mail addresses of the subject. The corresponding function is SecCertificateCopyEmailAddresses.
    public let emailAddresses: [ByteString]
    /// Whether the certificate may sign others: RFC 5280, section 4.2.1.9.
    public let isAuthority: Bool
    let subjectName: DistinguishedName
    let issuerName: DistinguishedName

    /// The largest number of bytes that a certificate may have: 64 KiB.
    public static let sizeLimit = 64 << 10

    /// Reads a certificate in DER.
    ///
    /// - Throws: ``Status/decode`` for anything but one certificate; ``Status/dataTooLarge`` for more than 64 KiB.
    ///
    /// The corresponding function is SecCertificateCreateWithData.
    public init(der: Span<UInt8>) throws(KeychainError) {
        guard der.count <= Certificate.sizeLimit else {
            throw KeychainError(.dataTooLarge, "a certificate has at most 64 KiB")
        }
        let parsed = try X509Certificate(der)
        // Safe: what libcrypto returns belongs to the certificate, which lives until the end; it is copied.
        let pointer = unsafe parsed.pointer
        self.der = ByteString(copying: der).bytes
        version = try unsafe Certificate.version(X509_get_version(pointer))
        serialNumber = try unsafe Certificate.number(X509_get0_serialNumber(pointer))
        notValidBefore = try unsafe Certificate.date(X509_get0_notBefore(pointer))
        notValidAfter = try unsafe Certificate.date(X509_get0_notAfter(pointer))
        let identifier = unsafe Libcrypto.bytes(X509_get0_subject_key_id(pointer))
        subjectKeyIdentifier = identifier.isEmpty ? nil : identifier
        let key = unsafe Certificate.publicKey(pointer)
        publicKey = key
        publicKeyHash =
            unsafe key?.hash
            ?? Libcrypto.digest(
                Libcrypto.bytes(X509_get0_pubkey_bitstr(pointer)).span, .sha1)
        let names = unsafe AlternativeNames(of: pointer)
        dnsNames = names.hosts
        addresses = names.addresses
        isAuthority = unsafe X509_check_ca(pointer) == 1
        subjectName = try unsafe DistinguishedName(X509_get_subject_name(pointer))
        issuerName = try unsafe DistinguishedName(X509_get_issuer_name(pointer))
        emailAddresses = (names.emailAddresses + subjectName.emailAddresses).unique
        ERR_clear_error()
        withExtendedLifetime(parsed) {}
    }

    /// The subject as RFC 4514 writes it.
    public var subjectDescription: String { subjectName.description }
    /// The issuer as RFC 4514 writes it.
    public var issuerDescription: String { issuerName.description }
    /// The subject's name in DER.
    public var subject: [UInt8] { subjectName.der }
    /// The issuer's name in DER.
    public var issuer: [UInt8] { issuerName.der }
    /// The subject's name in a form in which equal names have equal bytes: DER, with the texts as UTF-8 in capital
    /// letters. SecCertificateCopyNormalizedSubjectSequence has other bytes for the same purpose.
    public var normalizedSubject: [UInt8] { subjectName.normalized }
    /// The issuer's name in that form.
    public var normalizedIssuer: [UInt8] { issuerName.normalized }
    /// A short name of the subject for users. The corresponding function is SecCertificateCopySubjectSummary.
    public var subjectSummary: String {
        subjectName.commonName ?? emailAddresses.first?.description ?? dnsNames.first
            ?? subjectName.organization ?? subjectDescription
    }
    /// The subject's common name, nil without one. The corresponding function is SecCertificateCopyCommonName.
    public var commonName: String? { subjectName.commonName }
    /// A short name of the issuer for users.
    public var issuerSummary: String {
        issuerName.commonName ?? issuerName.organization ?? issuerDescription
    }
    /// The SHA-256 digest of the certificate, 64 hexadecimal digits.
    public var fingerprint: String {
        let bytes = der
        return Hexadecimal.encode(Libcrypto.digest(bytes.span, .sha256))
    }

    /// Whether the certificate is signed with its own key.
    public var isSelfSigned: Bool {
        guard normalizedSubject == normalizedIssuer, let parsed = try? X509Certificate(self)
        else {
            return false
        }
        // Safe: it lives until the end, and libcrypto only reads it.
        let isSelfSigned = unsafe X509_self_signed(parsed.pointer, 1) == 1
        ERR_clear_error()
        return isSelfSigned
    }

    /// Whether another certificate's key signed this one, and its name is the issuer's.
    public func isSigned(by issuer: Certificate) -> Bool {
        guard let certificate = try? X509Certificate(self),
            let other = try? X509Certificate(issuer)
        else {
            return false
        }
        // Safe: both live until the end, and libcrypto only reads them.
        let isSigned =
            unsafe X509_check_issued(other.pointer, certificate.pointer) == X509_V_OK
            && X509_verify(certificate.pointer, X509_get0_pubkey(other.pointer)) == 1
        ERR_clear_error()
        return isSigned
    }

    /// Whether both are for the same subject from the same issuer.
    func isRenewal(of other: Certificate) -> Bool {
        normalizedSubject == other.normalizedSubject && normalizedIssuer == other.normalizedIssuer
    }

    /// What a keychain stores about the certificate, with its summary as the label.
    public var attributes: ItemAttributes {
        var attributes = ItemAttributes()
        attributes.label = ByteString(subjectSummary)
        attributes.certificateType = UInt32(clamping: version)
        attributes.certificateEncoding = 3
        attributes.subject = ByteString(normalizedSubject)
        attributes.issuer = ByteString(normalizedIssuer)
        attributes.serialNumber = ByteString(serialNumber)
        attributes.subjectKeyID = subjectKeyIdentifier.map { ByteString($0) }
        attributes.publicKeyHash = ByteString(publicKeyHash)
        attributes.subjectValues = subjectName.values.map { ByteString($0) }
        attributes.emailAddresses = emailAddresses
        attributes.notValidBefore = notValidBefore
        attributes.notValidAfter = notValidAfter
        return attributes
    }
}

extension Certificate: Hashable {
    /// Whether both have the same bytes.
    public static func == (left: Certificate, right: Certificate) -> Bool {
        left.der == right.der
    }

    /// Feeds the bytes to a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(der)
    }
}

extension Certificate {
    private static func version(_ number: Int) throws(KeychainError) -> Int {
        guard (0...2).contains(number) else {
            throw KeychainError(.decode, "a certificate of an unknown version")
        }
        return number + 1
    }

    /// Returns the bytes of a number.
    private static func number(
        _ number: UnsafePointer<ASN1_INTEGER>?
    ) throws(KeychainError) -> [UInt8] {
        // Safe: the number belongs to the caller's certificate.
        let encoded = try unsafe Libcrypto.encoding { unsafe i2d_ASN1_INTEGER(number, $0) }
        var reader = DERReader(0..<encoded.count)
        return Array(encoded[try reader.read(.integer, in: encoded.span)])
    }

    private static func date(
        _ time: UnsafePointer<ASN1_TIME>?
    ) throws(KeychainError) -> Timestamp {
        var days: Int32 = 0
        var seconds: Int32 = 0
        // Safe: the time belongs to the caller's certificate; the other one is freed here.
        let epoch = unsafe ASN1_TIME_set(nil, 0)
        defer { unsafe ASN1_TIME_free(epoch) }
        try Libcrypto.check(
            unsafe ASN1_TIME_diff(&days, &seconds, epoch, time), .decode,
            "a certificate has an invalid date")
        return Timestamp(secondsSinceEpoch: Int64(days) * 86_400 + Int64(seconds))
    }

    private static func publicKey(_ certificate: OpaquePointer) -> PublicKey? {
        // Safe: the key belongs to the caller's certificate.
        let encoded = try? unsafe Libcrypto.encoding {
            unsafe i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), $0)
        }
        return encoded.flatMap { try? PublicKey(subjectPublicKeyInfo: $0.span) }
    }
}

extension [ByteString] {
    /// The elements without repetitions.
    fileprivate var unique: [ByteString] {
        var seen: Set<ByteString> = []
        return filter { seen.insert($0).inserted }
    }
}
