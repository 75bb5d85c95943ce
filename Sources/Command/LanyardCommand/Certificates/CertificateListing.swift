internal import LanyardCertificates
internal import Keychains
internal import KeychainServices
internal import LanyardPrompting
internal import StrictJSON

/// The output of `lanyard certificate list` and `lanyard identity list`.
struct CertificateListing {
    let certificates: [StoredCertificate]
    let opened: OpenKeychains
    let now = currentTime()

    func write(asJSON: Bool) throws(KeychainError) {
        if asJSON {
            try writeJSON()
        } else if !certificates.isEmpty {
            try writeTable(for: .current)
        }
    }

    /// - Parameter terminal: For users, the time that is left; nil for scripts, which get dates and whole
    ///   fingerprints.
    private func writeTable(for terminal: OutputTerminal?) throws(KeychainError) {
        var table = FittedTable([
            .init("NAME", leastWidth: 12), .init("ISSUER", leastWidth: 8), .init("EXPIRES"),
            .init("FINGERPRINT"), .init("GROUP", leastWidth: 5),
            .init("KEYCHAIN", leastWidth: 8), .init("MARKS", leastWidth: 8),
        ])
        let isForUsers = terminal != nil
        for stored in certificates {
            let certificate = stored.certificate
            let end = certificate.notValidAfter
            let marks = stored.marks(at: now)
            table.append([
                .init(stored.name), .init(certificate.issuerSummary),
                .init(isForUsers ? end.expiry(at: now) : end.text, end < now ? .alarming : .plain),
                .init(String(certificate.fingerprint.prefix(isForUsers ? 16 : .max))),
                .init((stored.attributes.accessGroup ?? "").description),
                .init(keychain(of: stored)),
                .init(marks.isEmpty && !isForUsers ? "-" : marks),
            ])
        }
        table.hidden = hidden
        try writeAnswer(Secret(table.text(for: terminal)))
    }

    /// The columns for the keychain and the marks, if they say nothing.
    private var hidden: Set<Int> {
        Set(
            (Set(certificates.map(keychain)).count == 1 ? [5] : [])
                + (certificates.allSatisfy { $0.marks(at: now).isEmpty } ? [6] : []))
    }

    private func keychain(of stored: StoredCertificate) -> String {
        opened.store.keychainName(of: stored.reference) ?? ""
    }

    private func writeJSON() throws(KeychainError) {
        try writeAnswer(
            JSONWriter.write(invalidText: .replace) { writer throws(KeychainError) in
                try writer.writeObjects(of: certificates) { writer, stored throws(KeychainError) in
                    try writer.members(of: stored)
                    try writer.member("keychain", ByteString(keychain(of: stored)))
                }
            })
    }
}

extension StoredCertificate {
    /// The words that distinguish it for users.
    func marks(at now: Timestamp) -> String {
        [
            hasPrivateKey ? "identity" : nil, certificate.isAuthority ? "authority" : nil,
            certificate.notValidBefore > now ? "future" : nil,
        ].compactMap(\.self).joined(separator: ",")
    }
}

extension JSONWriter {
    /// Writes a certificate as an object's members: part of the stable output.
    mutating func members(of stored: StoredCertificate) throws(KeychainError) {
        let certificate = stored.certificate
        try member("name", ByteString(stored.name))
        try member("group", stored.attributes.accessGroup ?? "")
        try member("subject", ByteString(certificate.subjectDescription))
        try member("issuer", ByteString(certificate.issuerDescription))
        try member("serialNumber", ByteString(Hexadecimal.encode(certificate.serialNumber)))
        try member("notValidBefore", ByteString(certificate.notValidBefore.text))
        try member("notValidAfter", ByteString(certificate.notValidAfter.text))
        try member("fingerprint", ByteString(certificate.fingerprint))
        try member("publicKeyHash", ByteString(Hexadecimal.encode(certificate.publicKeyHash)))
        try member("names", certificate.dnsNames + certificate.addresses)
        try member("emailAddresses", certificate.emailAddresses.map(\.description))
        try member("isAuthority", certificate.isAuthority)
        try member("hasPrivateKey", stored.hasPrivateKey)
    }
}
