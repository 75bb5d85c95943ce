public import KeychainServices
internal import LinuxSystem
internal import SQLiteFile

extension Verification {
    /// Whether the damaged items alone explain how the rows differ from those that were stored.
    public var isItemSetExplained: Bool {
        switch rowSet {
        case .complete, .unknown: true
        case .surplus: damaged.contains { $0.damage == .putBack }
        case .missing, .exchanged: false
        }
    }

    fileprivate func isSame(as other: Verification) -> Bool {
        rowSet == other.rowSet && isStructureDamaged == other.isStructureDamaged
            && damaged.map({ $0.row }) == other.damaged.map({ $0.row })
            && damaged.map({ $0.damage }) == other.damaged.map({ $0.damage })
    }
}

extension SealedStore {
    /// Moves damaged items out of the keychain into a new file next to it.
    ///
    /// It also rebuilds broken indexes and authenticates the remaining rows again; the keychain is
    /// sound afterwards. An interruption loses nothing: each row is in the keychain, in the file,
    /// or in both.
    ///
    /// - Parameters:
    ///   - expected: The findings of ``verification(progress:)`` that the user has accepted.
    ///   - acceptsItemSet: Whether to accept the remaining rows even though some are missing or
    ///     were put back.
    /// - Returns: The file's path, nil if no item was damaged.
    /// - Throws: ``Status/param`` if the findings differ now, or the rows are not to be accepted;
    ///   ``Status/invalidKeychain`` if the file can't be repaired; ``Status/readOnly``,
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
            throw KeychainError(
                .param, "the keychain has changed in the meantime", hint: "try again")
        }
        guard acceptsItemSet || found.isItemSetExplained else {
            throw KeychainError(.param, "the keychain has other damage than its items")
        }
        // Rows that are too large for an item must be copied, too.
        file.database.limitLength(to: Int32.max)
        defer { file.database.limitLength(to: Database.lengthLimit) }
        var path: String?
        do throws(KeychainError) {
            if !found.damaged.isEmpty {
                path = try Quarantine.write(
                    found.damaged, of: file.database, beside: location.file)
            }
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
            // No row has left the keychain.
            if let path {
                try? SystemCalls.unlink(path)
            }
            guard [.invalidKeychain, .duplicateItem].contains(error.status) else {
                throw error
            }
            throw KeychainError(
                .invalidKeychain, "the structure of the file is damaged and can't be repaired",
                hint: "save what can be read with lanyard keychain copy, or restore a backup")
        }
        return path
    }
}
