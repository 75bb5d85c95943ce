public import KeychainServices
internal import LinuxSystem

extension Verification {
    /// Whether nothing but the damaged items keeps the rows from being those that were stored.
    public var isItemSetExplained: Bool {
        switch rowSet {
        case .complete, .unknown: true
        case .surplus: damaged.contains { $0.damage == .putBack }
        case .missing, .exchanged: false
        }
    }

    fileprivate func isSame(as other: Verification) -> Bool {
        rowSet == other.rowSet && isStructureDamaged == other.isStructureDamaged
            && damaged.map(\.row) == other.damaged.map(\.row)
            && damaged.map(\.damage) == other.damaged.map(\.damage)
    }
}

extension SealedStore {
    /// Moves damaged items out of the keychain into a new file beside it, makes its indexes anew where
    /// they don't fit, and seals the sum over the rows that stay, after which nothing is found any
    /// more. Whenever it is interrupted, each row is in the keychain, in the file, or in both.
    ///
    /// - Parameters:
    ///   - expected: What ``verification(progress:)`` found, and somebody agreed to.
    ///   - acceptsItemSet: Whether the rows are taken as they are, though some are missing or were put
    ///     back.
    /// - Returns: The file's path, nil if no item was damaged.
    /// - Throws: ``Status/param`` if something else is found now, or the rows are not to be taken as
    ///   they are; ``Status/invalidKeychain`` if the file can't be mended; ``Status/readOnly``,
    ///   ``Status/diskFull``, ``Status/io``.
    public func quarantine(
        _ expected: Verification, acceptsItemSet: Bool = false
    ) throws(KeychainError) -> String? {
        try withoutAsking { () throws(KeychainError) in
            let state = try beginWriting()
            do throws(KeychainError) {
                let path = try moveDamaged(state, expected, acceptsItemSet: acceptsItemSet)
                try file.commit()
                return path
            } catch {
                file.end()
                throw error
            }
        }
    }

    private func moveDamaged(
        _ state: Records, _ expected: Verification, acceptsItemSet: Bool
    ) throws(KeychainError) -> String? {
        let inspection = try inspect(state)
        let found = inspection.verification
        guard found.isSame(as: expected) else {
            throw KeychainError(.param, "the keychain was changed meanwhile", hint: "try again")
        }
        guard acceptsItemSet || found.isItemSetExplained else {
            throw KeychainError(.param, "not only damaged items keep the keychain from being whole")
        }
        // Rows that are too large for an item have to be copied, too.
        file.database.limitLength(to: Int32.max)
        defer { file.database.limitLength(to: Database.lengthLimit) }
        let path =
            found.damaged.isEmpty
            ? nil
            : try Quarantine.write(found.damaged, of: file.database, beside: location.file)
        do throws(KeychainError) {
            if found.isStructureDamaged {
                try file.database.execute("REINDEX")
            }
            for item in found.damaged {
                try state.deleteRow(item.row)
            }
            guard try file.isStructureSound() else {
                throw FormatVersion.notAKeychain
            }
            try file.write(rowSet: inspection.soundSet.seal(state.keys))
        } catch {
            // Nothing has left the keychain.
            if let path {
                try? SystemCalls.unlink(path)
            }
            guard [.invalidKeychain, .duplicateItem].contains(error.status) else {
                throw error
            }
            throw KeychainError(
                .invalidKeychain, "the structure of the file is damaged and can't be mended",
                hint: "save what can be read with lanyard keychain copy, or put a backup back")
        }
        return path
    }
}
