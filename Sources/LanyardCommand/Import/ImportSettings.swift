internal import ImportEngine
internal import ToolSetup

/// How an import is done.
struct ImportSettings {
    /// The keychain to use, nil for the default one.
    var keychain: String?
    /// How items are put into it.
    var items = ItemImporter.Options()
    /// Which account of a host answers afterwards, where the source is another helper of a tool.
    var answering: AnsweringOrder.Rule?
    /// Whether what the keychain then has is taken out of the files.
    var removesPlainText = false
    /// What the file is, if the keychain stores it as it was, for `lanyard setup --undo`; else nil.
    var movedKind: PlainTextLeftover.Kind?
}
