internal import KeychainServices

/// What clients see of the keychains: `lanyard exec --secret-service` narrows it for its program. The collection of the
/// session, which is the clients' own, is always there.
struct ServiceScope: Hashable {
    /// The only keychain, nil for all of them.
    var keychain: String?
    /// The only group of items, also of new ones; nil for all of them.
    var group: ByteString?

    /// Whether clients see everything.
    var isNone: Bool { keychain == nil && group == nil }

    /// Whether clients see a keychain.
    func shows(keychain name: String) -> Bool { keychain == nil || keychain == name }

    /// Whether clients see an item of a group.
    func shows(group other: ByteString?) -> Bool { group == nil || group == other ?? "" }

    /// Rejects an item that its client would not see.
    ///
    /// - Throws: ``Status/unimplemented``.
    func check(_ other: ByteString?) throws(KeychainError) {
        guard shows(group: other) else {
            throw KeychainError(
                .unimplemented,
                "such an item is of the group '\(other ?? "")', and this bus shows '\(group ?? "")' alone"
            )
        }
    }
}
