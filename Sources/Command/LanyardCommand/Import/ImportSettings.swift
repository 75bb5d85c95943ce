internal import LanyardTransfer
internal import ToolSetup

/// The settings of an import.
struct ImportSettings {
    /// The keychain to use, nil for the default one.
    var keychain: String?
    /// How to store items.
    var items = ItemImporter.Options()
    /// Which account of a host answers afterwards, if the source is another helper of a tool.
    var answering: AnsweringOrder.Rule?
    /// Whether to remove imported logins from the files.
    var removesPlainText = false
    /// Whether an incomplete import is a failure, because users delete what they have imported.
    var requiresAll = false
    /// The kind of the file if the keychain stores the original for `lanyard setup --undo`; else nil.
    var movedKind: PlainTextLeftover.Kind?
}
