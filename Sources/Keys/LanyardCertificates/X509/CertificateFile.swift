public import KeychainServices

extension Certificate {
    /// Reads the certificates of a PEM text. Other blocks, and text between the blocks, are skipped.
    ///
    /// - Throws: ``Status/decode`` for a damaged certificate; ``Status/dataTooLarge`` for more than 10,000 of them.
    ///
    /// RFC 7468, section 5.
    public static func certificates(
        inPEM text: Span<UInt8>
    ) throws(KeychainError) -> [Certificate] {
        var certificates: [Certificate] = []
        var position = 0
        while let block = try PEMDocument.next(in: text, from: &position) {
            guard block.label == "CERTIFICATE" || block.label == "X509 CERTIFICATE" else {
                continue
            }
            guard certificates.count < 10_000 else {
                throw KeychainError(.dataTooLarge, "a file has at most 10,000 certificates")
            }
            certificates.append(
                try block.contents.withBytes { der throws(KeychainError) in
                    try Certificate(der: der)
                })
        }
        return certificates
    }

    /// Returns a name in the form of ``normalizedIssuer``.
    ///
    /// - Parameter name: The name in DER.
    /// - Throws: ``Status/decode`` for anything else.
    public static func normalized(name: Span<UInt8>) throws(KeychainError) -> [UInt8] {
        try DistinguishedName(der: name).normalized
    }

    /// The certificate as PEM: RFC 7468, section 5.
    public var pem: [UInt8] {
        PEMDocument.encode("CERTIFICATE", Secret(der)).publicBytes()
    }
}
