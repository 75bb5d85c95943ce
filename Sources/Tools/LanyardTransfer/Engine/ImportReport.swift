package import KeychainServices

/// The result of an import.
package struct ImportReport: Sendable {
    /// An entry that the import did not store.
    package struct Left: Sendable {
        /// Its position.
        fileprivate(set) var position: ImportRecord.Position
        /// The path of the file, nil for other sources.
        let file: String?
        /// The attributes of its item, nil if it makes none.
        package let attributes: ItemAttributes?
        /// The reason.
        package let error: KeychainError
        /// Whether the keychain has a different item, which another option would replace.
        package let isDiffering: Bool
        /// Whether no import takes it.
        package let isUnsupported: Bool
        /// Whether it has a secret.
        package let hasSecret: Bool
        /// The number of its entry among all.
        let number: Int

        /// Its position, for users.
        package var place: String {
            file.map { "\(position) of '\($0)'" } ?? position.description
        }
    }

    /// Parts of a file's entries that no item has room for.
    package struct Loss: Sendable {
        /// The path of the file, nil for other sources.
        package let file: String?
        /// The kind of part.
        package let kind: ImportLoss
        /// The positions of the entries.
        package fileprivate(set) var places: [ImportRecord.Position]
    }

    /// How many items the keychain has gained.
    package var new = 0
    /// How many it had already.
    package var same = 0
    /// How many replaced another one.
    package var changed = 0
    /// How many exist but were not compared, because Lanyard must not ask.
    package var uncompared = 0
    /// How many of these ask at each use; the keychain is locked for the others.
    package var asking = 0
    /// How many differ from an existing item, which remains.
    package var differing = 0
    /// How many entries make no item, or one that can't be stored.
    package var skipped = 0
    /// How many entries are never used, because an earlier one is for the same place.
    package var shadowed = 0
    /// The differing and skipped ones, in order.
    package var left: [Left] = []
    /// The lost parts of imported entries.
    package private(set) var losses: [Loss] = []

    /// Whether the keychain has an item for any entry.
    package var hasItem: Bool { new + same + changed + uncompared + differing > 0 }

    /// Creates an empty report.
    package init() {}

    /// Counts a lost part of an entry.
    mutating func add(_ kind: ImportLoss, at place: ImportRecord.Position, of file: String?) {
        if let index = losses.firstIndex(where: { $0.kind == kind && $0.file == file }) {
            losses[index].places.append(place)
        } else {
            losses.append(Loss(file: file, kind: kind, places: [place]))
        }
    }

    /// Moves the positions in a file to where a removal has left them.
    package mutating func follow(_ removal: PlainTextRemoval.Outcome) {
        for index in left.indices where left[index].file == removal.file {
            left[index].position = left[index].position.after(removal.removedLines)
        }
        for index in losses.indices where losses[index].file == removal.file {
            losses[index].places = losses[index].places.map { $0.after(removal.removedLines) }
        }
    }
}
