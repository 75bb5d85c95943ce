#if SecretService
public import KeychainServices

extension SecretServiceStore {
    /// Returns whether secrets can't be read until the collection is unlocked, without asking the
    /// user.
    ///
    /// - Throws: ``Status/noSuchKeychain`` if the collection does not exist.
    ///
    /// The corresponding property is Locked of org.freedesktop.Secret.Collection.
    public func isLocked() throws(KeychainError) -> Bool {
        try perform { link throws(KeychainError) in try link.properties().isLocked }
    }

    /// Returns whether the user could be asked, as far as that can be determined without asking.
    public func canPrompt() throws(KeychainError) -> Bool {
        try perform { link throws(KeychainError) in try canPrompt(link) }
    }

    /// Returns the place of the items for users to read, for example `collection 'Login' of
    /// gnome-keyring`.
    public func place() throws(KeychainError) -> String {
        try perform { link throws(KeychainError) in
            let label = try link.properties().label
            for (name, program) in SecretServiceStore.programs where try link.isKnown(as: name) {
                return "collection '\(label)' of \(program)"
            }
            return "collection '\(label)' of \(try link.programName() ?? "the Secret Service")"
        }
    }

    /// Returns whether the items survive a restart of the machine: not in the collection with the
    /// alias `session`.
    public func outlastsReboot() throws(KeychainError) -> Bool {
        try perform { link throws(KeychainError) in
            try !link.path().hasSuffix("/session")
        }
    }

    /// Returns the names of other programs' items that this process's searches found and skipped.
    public func skippedItems() -> [String] { foreign.values.sorted() }

    static let nameOfKeePassXC = "org.keepassxc.KeePassXC.MainWindow"

    /// The bus names that identify Secret Service programs; others, such as oo7, are named by their file.
    private static let programs = [
        ("org.gnome.keyring", "gnome-keyring"),
        (nameOfKeePassXC, "KeePassXC"),
        ("org.kde.kwalletd6", "KWallet"), ("org.kde.secretservicecompat", "KWallet"),
    ]
}
#endif
