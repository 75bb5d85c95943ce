#if SecretService
internal import CGIO
public import KeychainServices

extension SecretServiceStore {
    /// Whether secrets can't be read until the collection is unlocked. Nobody is asked anything.
    ///
    /// - Throws: ``Status/noSuchKeychain`` if there is no such collection.
    ///
    /// The corresponding property is Locked of org.freedesktop.Secret.Collection.
    public func isLocked() throws(KeychainError) -> Bool {
        try perform { link throws(KeychainError) in try link.collectionProperty("Locked").isTrue }
    }

    /// Whether a person could be shown a question, as far as that can be tried without one.
    public func canPrompt() throws(KeychainError) -> Bool {
        try perform { link throws(KeychainError) in try canPrompt(link) }
    }

    /// Where the items are, for a person to read, for example `collection 'Login' of gnome-keyring`.
    public func place() throws(KeychainError) -> String {
        try perform { link throws(KeychainError) in
            let label = try link.collectionProperty("Label").text
            for (name, program) in SecretServiceStore.programs
            where try owner(of: name, link) == link.bus.owner() {
                return "collection '\(label)' of \(program)"
            }
            return "collection '\(label)' of the Secret Service"
        }
    }

    /// Whether what is stored is still there after the machine has been started again: not in the
    /// collection with the alias `session`.
    public func outlastsReboot() throws(KeychainError) -> Bool {
        try perform { link throws(KeychainError) in
            try !link.realPath().hasSuffix("/session")
        }
    }

    /// The names of other programs' items that the searches of this process came upon and left out.
    public func skippedItems() -> [String] { foreign.values.sorted() }

    func isGnomeKeyring(_ link: ServiceLink) throws(KeychainError) -> Bool {
        if let known = link.isGnomeKeyring {
            return known
        }
        let isGnomeKeyring = try owner(of: "org.gnome.keyring", link) == link.bus.owner()
        link.isGnomeKeyring = isGnomeKeyring
        return isGnomeKeyring
    }

    func isKeePassXC(_ link: ServiceLink) throws(KeychainError) -> Bool {
        try owner(of: SecretServiceStore.nameOfKeePassXC, link) == link.bus.owner()
    }

    private static let nameOfKeePassXC = "org.keepassxc.KeePassXC.MainWindow"

    /// The names that the programs which are a Secret Service also have on the bus.
    private static let programs = [
        ("org.gnome.keyring", "gnome-keyring"),
        (nameOfKeePassXC, "KeePassXC"),
        ("org.kde.kwalletd6", "KWallet"), ("org.kde.secretservicecompat", "KWallet"),
    ]
}
#endif
