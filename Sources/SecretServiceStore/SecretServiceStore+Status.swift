#if SecretService
public import KeychainServices

extension SecretServiceStore {
    /// Whether secrets can't be read until the collection is unlocked. Nobody is asked anything.
    ///
    /// - Throws: ``Status/noSuchKeychain`` if there is no such collection.
    ///
    /// The corresponding property is Locked of org.freedesktop.Secret.Collection.
    public func isLocked() throws(KeychainError) -> Bool {
        try perform { link throws(KeychainError) in try link.properties().isLocked }
    }

    /// Whether a person could be shown a question, as far as that can be tried without one.
    public func canPrompt() throws(KeychainError) -> Bool {
        try perform { link throws(KeychainError) in try canPrompt(link) }
    }

    /// Where the items are, for a person to read, for example `collection 'Login' of gnome-keyring`.
    public func place() throws(KeychainError) -> String {
        try perform { link throws(KeychainError) in
            let label = try link.properties().label
            for (name, program) in SecretServiceStore.programs where try link.isKnown(as: name) {
                return "collection '\(label)' of \(program)"
            }
            return "collection '\(label)' of the Secret Service"
        }
    }

    /// Whether what is stored is still there after the machine has been started again: not in the
    /// collection with the alias `session`.
    public func outlastsReboot() throws(KeychainError) -> Bool {
        try perform { link throws(KeychainError) in
            try !link.path().hasSuffix("/session")
        }
    }

    /// The names of other programs' items that the searches of this process came upon and left out.
    public func skippedItems() -> [String] { foreign.values.sorted() }

    static let nameOfKeePassXC = "org.keepassxc.KeePassXC.MainWindow"

    /// The names that the programs which are a Secret Service also have on the bus.
    private static let programs = [
        ("org.gnome.keyring", "gnome-keyring"),
        (nameOfKeePassXC, "KeePassXC"),
        ("org.kde.kwalletd6", "KWallet"), ("org.kde.secretservicecompat", "KWallet"),
    ]
}
#endif
