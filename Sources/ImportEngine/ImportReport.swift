package import ItemImport
package import KeychainServices

/// What came of an import.
package struct ImportReport: Sendable {
    /// An entry that is not in the keychain as it was found.
    package struct Left: Sendable {
        /// Where it stands, for a person.
        package let place: String
        /// What the item would be, nil if it makes none.
        package let attributes: ItemAttributes?
        /// Why.
        package let error: KeychainError
        /// Whether it is that the keychain has another one, which would be replaced if that were asked for.
        package let isDiffering: Bool
        /// The number of its entry among all.
        let number: Int
    }

    /// What entries of a file had that no item has room for.
    package struct Loss: Sendable {
        /// The path of the file, nil for what is no file.
        package let file: String?
        /// What it is.
        package let kind: ImportLoss
        /// Where the entries stand.
        package fileprivate(set) var places: [String]
    }

    /// How many items the keychain has now and had not.
    package var new = 0
    /// How many it had already.
    package var same = 0
    /// How many took the place of another one.
    package var changed = 0
    /// How many are there and not compared, as the keychain is locked and nobody is asked.
    package var uncompared = 0
    /// How many have another one in their place, which stays.
    package var differing = 0
    /// How many entries make no item, or one that can't be kept.
    package var skipped = 0
    /// How many entries are never used, since an earlier one is for the same place.
    package var shadowed = 0
    /// Those that differ or were skipped, in their order.
    package var left: [Left] = []
    /// What is lost of entries that were imported.
    package private(set) var losses: [Loss] = []

    /// Nothing yet.
    package init() {}

    /// Counts what is lost of an entry.
    mutating func add(_ kind: ImportLoss, at place: String, of file: String?) {
        if let index = losses.firstIndex(where: { $0.kind == kind && $0.file == file }) {
            losses[index].places.append(place)
        } else {
            losses.append(Loss(file: file, kind: kind, places: [place]))
        }
    }
}
