/// What a certificate says of itself. A ``Keychain`` reads all of it from the certificate's data, and accepts
/// it in queries only.
extension ItemAttributes {
    /// The version of the certificate, 1 to 3: kSecAttrCertificateType.
    public var certificateType: UInt32? {
        get { self[.certificateType]?.number }
        set { self[.certificateType] = newValue.map { .number($0) } }
    }
    /// The encoding of the data, always 3 for DER: kSecAttrCertificateEncoding.
    public var certificateEncoding: UInt32? {
        get { self[.certificateEncoding]?.number }
        set { self[.certificateEncoding] = newValue.map { .number($0) } }
    }
    /// The subject's name in a normalized form, DER: kSecAttrSubject.
    public var subject: ByteString? {
        get { self[.subject]?.text }
        set { self[.subject] = newValue.map { .text($0) } }
    }
    /// The issuer's name in a normalized form, DER: kSecAttrIssuer.
    public var issuer: ByteString? {
        get { self[.issuer]?.text }
        set { self[.issuer] = newValue.map { .text($0) } }
    }
    /// The serial number, the bytes of a signed number with the most significant first:
    /// kSecAttrSerialNumber.
    public var serialNumber: ByteString? {
        get { self[.serialNumber]?.text }
        set { self[.serialNumber] = newValue.map { .text($0) } }
    }
    /// The subject's key identifier, nil if the certificate has none: kSecAttrSubjectKeyID.
    public var subjectKeyID: ByteString? {
        get { self[.subjectKeyID]?.text }
        set { self[.subjectKeyID] = newValue.map { .text($0) } }
    }
    /// The SHA-1 digest of the public key, 20 bytes, which is the ``applicationLabel`` of its private key:
    /// kSecAttrPublicKeyHash.
    public var publicKeyHash: ByteString? {
        get { self[.publicKeyHash]?.text }
        set { self[.publicKeyHash] = newValue.map { .text($0) } }
    }
    /// The first moment at which the certificate is valid.
    public var notValidBefore: Timestamp? {
        get { self[.notValidBefore]?.date }
        set { self[.notValidBefore] = newValue.map { .date($0) } }
    }
    /// The last moment at which the certificate is valid.
    public var notValidAfter: Timestamp? {
        get { self[.notValidAfter]?.date }
        set { self[.notValidAfter] = newValue.map { .date($0) } }
    }
    /// The texts in the subject's name, for example its common name, without line breaks.
    public var subjectValues: [ByteString]? {
        get { self[.subjectValues]?.lines }
        set { self[.subjectValues] = newValue.map(AttributeValue.init(lines:)) }
    }
    /// The e-mail addresses in the subject's name and its alternative names, without line breaks.
    public var emailAddresses: [ByteString]? {
        get { self[.emailAddresses]?.lines }
        set { self[.emailAddresses] = newValue.map(AttributeValue.init(lines:)) }
    }
}

extension Attribute {
    /// Whether a keychain reads the attribute from a certificate's data.
    var isOfCertificate: Bool { row.classes == .certificate }
}

extension AttributeValue {
    /// The lines of a text; none for any other value.
    fileprivate var lines: [ByteString] {
        text?.bytes.split(separator: UInt8(ascii: "\n")).map { ByteString(Array($0)) } ?? []
    }

    fileprivate init(lines: [ByteString]) {
        self = .text(ByteString(Array(lines.map { $0.bytes }.joined(separator: [0x0A]))))
    }
}
