internal import Certificates
internal import Keychains
internal import KeychainServices
internal import Prompting
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
            if let terminal = OutputTerminal.current {
                try writeTable(for: terminal)
            } else {
                try writeLines()
            }
        }
    }

    /// A table for users: as wide as the terminal, with the time that is left.
    private func writeTable(for terminal: OutputTerminal) throws(KeychainError) {
        var table = FittedTable([
            .init("NAME", leastWidth: 12), .init("ISSUER", leastWidth: 8), .init("EXPIRES"),
            .init("FINGERPRINT"), .init("GROUP", leastWidth: 5),
            .init("KEYCHAIN", leastWidth: 8), .init("MARKS", leastWidth: 8),
        ])
        for stored in certificates {
            let end = stored.certificate.notValidAfter
            table.append([
                .init(stored.name), .init(stored.certificate.issuerSummary),
                .init(end.expiry(at: now), end < now ? .alarming : .plain),
                .init(String(stored.certificate.fingerprint.prefix(16))),
                .init((stored.attributes.accessGroup ?? "").description),
                .init(keychain(of: stored)), .init(stored.marks(at: now)),
            ])
        }
        table.hidden = hidden(keychainColumn: 5, marksColumn: 6)
        try writeAnswer(Secret(table.text(for: terminal)))
    }

    /// Lines for scripts: as wide as necessary, with dates.
    private func writeLines() throws(KeychainError) {
        var table = Table([
            "NAME", "ISSUER", "EXPIRES", "FINGERPRINT", "GROUP", "KEYCHAIN", "MARKS",
        ])
        for stored in certificates {
            let marks = stored.marks(at: now)
            table.append([
                stored.name, stored.certificate.issuerSummary,
                stored.certificate.notValidAfter.text, stored.certificate.fingerprint,
                (stored.attributes.accessGroup ?? "").description, keychain(of: stored),
                marks.isEmpty ? "-" : marks,
            ])
        }
        table.hidden = hidden(keychainColumn: 5, marksColumn: 6)
        try writeAnswer(Secret(table.text))
    }

    private func hidden(keychainColumn: Int, marksColumn: Int) -> Set<Int> {
        var hidden: Set<Int> = []
        if Set(certificates.map(keychain)).count == 1 {
            hidden.insert(keychainColumn)
        }
        if certificates.allSatisfy({ $0.marks(at: now).isEmpty }) {
            hidden.insert(marksColumn)
        }
        return hidden
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
