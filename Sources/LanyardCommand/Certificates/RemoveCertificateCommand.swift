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
            guard removesKey else {
                return
            }
            for keyClass in [KeyClass.private, .public] {
                var query = Query(.key)
                query.attributes.keyClass = keyClass
                query.attributes.applicationLabel = stored.attributes.publicKeyHash ?? ""
                query.synchronizable = .any
                do throws(KeychainError) {
                    try opened.keychain.delete(query)
                } catch {
                    guard error.status == .itemNotFound else {
                        throw error
                    }
                }
            }
        }
    }
}
