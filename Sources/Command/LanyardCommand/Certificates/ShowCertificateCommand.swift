internal import ArgumentParser
internal import LanyardCertificates
internal import Keychains
internal import KeychainServices
internal import LanyardPrompting
internal import StrictJSON

/// `lanyard certificate show`.
struct ShowCertificateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show what a certificate says, and whether it is trusted."
    ).examples(
        "lanyard certificate show ada@example.com",
        "lanyard certificate show --json 3fa90c11")

    @OptionGroup var named: NamedCertificate
    @OptionGroup var json: JSONFlag

    func run() throws {
        let opened = try named.keychain.open()
        let stored = try named.find(in: opened, validAt: currentTime())
        let trust = try CertificateTrust(
            intermediates: opened.keychain.storedCertificates().map(\.certificate)
        ).evaluate(stored.certificate)
        guard json.isOn else {
            return try screen(stored, trust).show()
        }
        try writeAnswer(
            JSONWriter.writeObject(invalidText: .replace) { writer throws(KeychainError) in
                try writer.members(of: stored)
                try writer.member("isTrusted", trust.isTrusted)
                if let reason = trust.reason {
                    try writer.member("reason", ByteString(reason))
                }
                try writer.member("pem", ByteString(stored.certificate.pem))
            })
    }

    private func screen(_ stored: StoredCertificate, _ trust: CertificateTrust.Result) -> Screen {
        let certificate = stored.certificate
        var screen = Screen()
        screen.add("name", stored.name)
        screen.add("subject", certificate.subjectDescription)
        screen.add("issuer", certificate.issuerDescription)
        screen.add("serial", Hexadecimal.encode(certificate.serialNumber))
        let now = currentTime()
        screen.add(
            "valid", "from \(certificate.notValidBefore.text)",
            "to \(certificate.notValidAfter.text) (\(certificate.notValidAfter.expiry(at: now)))")
        screen.add("hosts", certificate.dnsNames + certificate.addresses)
        screen.add("e-mail", certificate.emailAddresses.map(\.description))
        if let key = certificate.publicKey {
            screen.add("key", "\(key.words), hash \(Hexadecimal.encode(certificate.publicKeyHash))")
        }
        screen.add("private", stored.hasPrivateKey ? "in the keychain" : "not in the keychain")
        screen.add("sha256", certificate.fingerprint)
        screen.add(
            "trust",
            trust.isTrusted ? "trusted by this system" : trust.reason ?? "not trusted")
        return screen
    }
}

extension PublicKey {
    /// The type and size in words.
    fileprivate var words: String {
        switch type {
        case .rsa: "RSA, \(sizeInBits) bits"
        case .ellipticCurve: "P-\(sizeInBits)"
        case .ed25519: "Ed25519"
        case .x25519: "X25519"
        }
    }
}
