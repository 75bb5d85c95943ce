internal import ArgumentParser
internal import LanyardCertificates
internal import KeychainServices
internal import LanyardPrompting

/// `lanyard certificate remove`.
struct RemoveCertificateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a certificate.",
        discussion:
            "Its private key stays, unless you add --key. At a terminal, Lanyard asks first.",
        aliases: ["rm"]
    ).examples(
        "lanyard certificate remove ada@example.com",
        "lanyard certificate remove --key ada@example.com")

    @OptionGroup var named: NamedCertificate
    @Flag(name: .customLong("key"), help: "Remove its private and public key, too.")
    var removesKey = false
    @Flag(help: "Remove it without asking.")
    var yes = false

    func run() throws {
        let opened = try named.keychain.open()
        let stored = try named.find(in: opened, validAt: nil)
        let what = "the certificate '\(stored.name)'" + (removesKey ? " and its key" : "")
        try askToRemove(what, yes: yes)
        let isKeyLeft = try opened.keychain.transaction { () throws(KeychainError) in
            try remove(stored, from: opened.keychain)
        }
        noteRemoved(isKeyLeft ? "the certificate '\(stored.name)'" : what)
        if isKeyLeft {
            printNote("the private key stays, because another certificate needs it")
        }
    }

    /// Removes the certificate, and keys of its group.
    ///
    /// - Returns: Whether a private key stays that was to be removed.
    private func remove(
        _ stored: StoredCertificate, from keychain: Keychain
    ) throws(KeychainError) -> Bool {
        let group = stored.attributes.accessGroup
        var identity = Query(ItemReference(itemClass: .identity, id: stored.reference.id))
        identity.attributes.accessGroup = group
        guard removesKey else {
            try keychain.delete(Query(stored.reference))
            return false
        }
        let isIdentity = try keychain.firstMatch(of: identity) != nil
        try keychain.delete(isIdentity ? identity : Query(stored.reference))
        var privateKey = Query(privateKeyOf: stored.attributes)
        privateKey.attributes.accessGroup = group
        if try keychain.firstMatch(of: privateKey) != nil {
            return true
        }
        try keychain.deleteKeys(
            stored.attributes.publicKeyHash ?? "", [.public], accessGroup: group)
        return false
    }
}
