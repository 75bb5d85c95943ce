internal import LanyardConfiguration
internal import Keychains
internal import KeychainServices

/// A keychain that tools don't search: they find no login in it.
struct UnsearchedKeychain: Equatable {
    let name: String
    /// The command after which tools search it, after all others: the first one is the default for new items.
    let command: String

    /// - Parameter name: The value of `--keychain`.
    /// - Returns: Nil if tools search the keychain.
    init?(_ name: String?, _ configuration: Configuration) throws(KeychainError) {
        let list = try configuration.searchList()
        guard let name, !list.names.contains(name) else {
            return nil
        }
        self.name = name
        guard !list.isExplicit else {
            command = "export LANYARD_KEYCHAIN=\(name)"
            return
        }
        var names = list.names
        // A list that is chosen complains about a Secret Service that can't be used.
        if !list.isChosen, !configuration.hasUsedSecretService,
            try configuration.defaultKeychain() != Configuration.secretService
        {
            names.removeAll { $0 == Configuration.secretService }
        }
        // Their names need no quotes.
        command = (["lanyard keychain search-list"] + names + [name]).joined(separator: " ")
    }
}
