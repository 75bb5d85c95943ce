internal import ArgumentParser
internal import LanyardCertificates
internal import KeychainServices

/// The argument that identifies a key for a command.
struct NamedKey: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The name or tag of a key, its fingerprint, or the first digits of its hash.",
            valueName: "key"))
    var name: String
    @OptionGroup var group: GroupOption
    @OptionGroup var keychain: KeychainOption

    /// Returns the private key that the user means, or the public one if there is no private one.
    ///
    /// - Throws: ``Status/itemNotFound``, ``Status/param`` for several.
    func find(in opened: OpenKeychains) throws(KeychainError) -> StoredKey {
        for keyClass in [KeyClass.private, .public] {
            let keys = try opened.keychain.storedKeys(
                keyClass, group: group.name.map { ByteString($0) })
            let meant = keys.filter { $0.isMeant(by: name) }
            guard meant.count <= 1 else {
                throw KeychainError(
                    .param, "\(meant.count) keys match '\(name)'",
                    hint: "name one by its fingerprint (see lanyard key list)")
            }
            if let key = meant.first {
                return key
            }
        }
        throw KeychainError(
            .itemNotFound, "found no key '\(name)'",
            hint: group.hint(in: opened) ?? "lanyard key list shows all keys")
    }
}
