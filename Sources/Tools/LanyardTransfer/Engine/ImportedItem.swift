internal import KeychainServices

/// An item on its way into a keychain.
struct ImportedItem {
    let item: NewItem
    /// Its entry's position in the file.
    let position: ImportRecord.Position
    /// The number of its entry in its file.
    let entry: Int
    /// Its number among the items of this import.
    let number: Int
}
