internal import ArgumentParser
internal import Certificates
internal import KeychainServices

/// `lanyard certificate remove`.
struct RemoveCertificateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a certificate.",
        discussion: "Its private key stays, unless you add --key.",
        aliases: ["rm"]
    ).examples(
        "lanyard certificate remove ada@example.com",
        "lanyard certificate remove --key ada@example.com")

    @OptionGroup var named: NamedCertificate
    @Flag(name: .customLong("key"), help: "Remove its private and public key, too.")
    var removesKey = false

    func run() throws {
        let opened = try named.keychain.open()
        let stored = try named.find(in: opened)
        try opened.keychain.transaction { () throws(KeychainError) in
            try opened.keychain.delete(Query(stored.reference))
            if removesKey {
                try opened.keychain.deleteKeys(stored.attributes.publicKeyHash ?? "")
            }
        }
    }
}
