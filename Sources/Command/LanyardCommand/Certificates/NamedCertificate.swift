internal import ArgumentParser
internal import LanyardCertificates
internal import KeychainServices

/// The argument that identifies a certificate for a command.
struct NamedCertificate: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The name of a certificate, or the first digits of its fingerprint.",
            valueName: "certificate"))
    var name: String
    @OptionGroup var group: GroupOption
    @OptionGroup var keychain: KeychainOption

    /// Returns the certificate that the user means.
    ///
    /// - Parameter date: When it is to be used; nil to take no renewal.
    /// - Throws: ``Status/itemNotFound``, ``Status/param`` for several.
    func find(
        in opened: OpenKeychains, validAt date: Timestamp?
    ) throws(KeychainError) -> StoredCertificate {
        try opened.storedCertificate(named: name, group: group.name, validAt: date)
    }
}

extension OpenKeychains {
    /// Returns the certificate with a name, of a group or of any.
    ///
    /// - Parameter date: When it is to be used; nil to take no renewal.
    /// - Throws: ``Status/itemNotFound``, ``Status/param`` for several.
    func storedCertificate(
        named name: String, group: String?, validAt date: Timestamp?
    ) throws(KeychainError) -> StoredCertificate {
        do throws(KeychainError) {
            return try keychain.storedCertificate(
                named: name, group: group.map { ByteString($0) }, validAt: date)
        } catch  where error.status == .itemNotFound {
            throw KeychainError(
                error.status, error.reason, hint: group.flatMap(hint) ?? error.hint)
        }
    }
}
