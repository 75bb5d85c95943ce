internal import ImportEngine

/// How an import is done.
struct ImportSettings {
    /// The keychain to use, nil for the default one.
    var keychain: String?
    /// How items are put into it.
    var items = ItemImporter.Options()
    /// Whether what the keychain then has is taken out of the files.
    var removesPlainText = false
}
