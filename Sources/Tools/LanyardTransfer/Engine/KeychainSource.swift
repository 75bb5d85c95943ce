package import KeychainServices

/// The items of a keychain, the latest last, which preserves their order in the target keychain.
package struct KeychainSource: ImportSource {
    /// The items that existed at the start.
    private let references: [ItemReference]
    /// The names of other programs' items in the keychain.
    package let skipped: [String]
    /// Why other items can't be found.
    private let damage: KeychainError?
    private let keychain: Keychain

    /// Why such an item is skipped.
    package static let isOtherProgram = "it belongs to another program"

    /// Lists all items of a keychain.
    ///
    /// - Throws: What the keychain throws; ``Status/decode`` only if no item can be found.
    package init(_ keychain: Keychain) throws(KeychainError) {
        let all = try keychain.references(ofAll: ItemClass.stored.reversed())
        references = all.found.reversed()
        damage = all.damage
        skipped = try keychain.skippedItems()
        self.keychain = keychain
    }

    /// The number of items.
    package var count: Int { references.count + skipped.count }

    /// Passes each item to a closure. Damaged items and those of other programs are skipped, deleted ones
    /// left out.
    ///
    /// - Throws: What the keychain and the closure throw; ``Status/decode`` at the end if some items can't
    ///   be found.
    package func forEach(_ body: ImportRecord.Body) throws(KeychainError) {
        for name in skipped {
            try body(
                ImportRecord(
                    place: "'\(name)'", range: nil,
                    content: .skipped(reason: KeychainSource.isOtherProgram)))
        }
        try forEachOwn(body)
    }

    /// As ``forEach(_:)``, without other programs' items.
    package func forEachOwn(_ body: ImportRecord.Body) throws(KeychainError) {
        var gone: Set<ItemReference> = []
        var done = 0
        try keychain.readInPieces(references) { reference throws(KeychainError) in
            try content(of: reference)
        } then: { reference, content throws(KeychainError) in
            done += 1
            if let content {
                try body(ImportRecord(place: "item \(done)", range: nil, content: content))
            } else {
                gone.insert(reference)
            }
        }
        try check(gone)
    }

    /// - Returns: Nil if it is not found.
    private func content(
        of reference: ItemReference
    ) throws(KeychainError) -> ImportRecord.Content? {
        do throws(KeychainError) {
            return try keychain.newItem(reference).map { .item($0) }
        } catch {
            switch error.status {
            case .decode: return .failed(error)
            case .authFailed where try takesPassword(reference):
                return .skipped(reason: error.reason)
            default: throw error
            }
        }
    }

    /// Returns whether only a password of its program opens an item.
    private func takesPassword(_ reference: ItemReference) throws(KeychainError) -> Bool {
        let attributes = try keychain.firstMatch(of: Query(reference, returns: .attributes))?
            .attributes
        return try attributes?.requirements.applicationPassword ?? false
    }

    /// Throws if items are missing: those that are listed but not found were not deleted.
    private func check(_ gone: Set<ItemReference>) throws(KeychainError) {
        let present =
            gone.isEmpty ? [] : try keychain.references(ofAll: ItemClass.stored.reversed()).found
        let lost = present.count { gone.contains($0) }
        if lost > 0 {
            throw KeychainError(
                .decode,
                "\(lost == 1 ? "1 item is" : "\(lost) items are") missing: the keychain is damaged",
                hint: "lanyard verify")
        }
        if let damage {
            throw damage
        }
    }
}
