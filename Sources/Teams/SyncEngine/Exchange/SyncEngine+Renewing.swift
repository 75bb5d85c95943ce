internal import LanyardSecrets

// Stores again what a device that joins could not read, or would refuse.
extension SyncEngine {
    /// Returns the version of an item that has to be stored again: the winning one, if it is under a key which this device has,
    /// and one that joins has not, or names changes of a device that does not count any more, as only an entry of the roster
    /// beside that tells; or if the versions do not count any more that explain why other changes are not stored. Of versions
    /// that lost, each device stores its own one again.
    func unreadableVersion(of item: SharedItem, _ record: Identifier) -> ItemVersion? {
        let winner = item.winner
        guard item.dropped.allSatisfy(item.explainsDropping) else {
            return winner
        }
        let own = item.conflicts.first { $0.device == device.id } ?? winner
        if namesOverruled(own) {
            return own
        }
        if !winner.isDeletion,
            keys.contains(where: { $0.reach != .all && $0.generation == winner.generation }),
            (try? content(of: winner, of: record, under: sharedKeys)) == nil
        {
            return winner
        }
        return nil
    }

    /// Whether a version names changes of a device that does not count any more. A device that joins may not know why: what
    /// removed owners changed beside the roster, it has little room for.
    func namesOverruled(_ version: ItemVersion) -> Bool {
        replica.roster.devices[version.device]?.last == nil
            && version.context.devices.contains(where: replica.roster.isOverruled)
    }

    /// Stores unreadable items again, as many as the server gets at once.
    ///
    /// - Parameter piece: What the server gets: the items are added.
    /// - Returns: Those that are done with: others may have been first, and a reader changes none.
    func renew(_ piece: inout Piece) throws(KeychainError) -> Set<Identifier> {
        guard let role = replica.roster.devices[device.id]?.role, role != .reader else {
            return unreadable
        }
        var renewed: Set<Identifier> = []
        for record in unreadable {
            guard piece.items.count < pieceCount, piece.size < SyncPiece.size else {
                break
            }
            renewed.insert(record)
            if let item = try replica.item(record),
                let version = unreadableVersion(of: item, record),
                let change = try? change(again: version, of: item, record)
            {
                try apply(change, again: version, &piece)
            }
        }
        return renewed
    }

    private func change(
        again version: ItemVersion, of item: SharedItem, _ record: Identifier
    ) throws(KeychainError) -> LocalChange {
        LocalChange(
            record, try content(of: version, of: record),
            base: version == item.winner ? ItemBase(again: item) : ItemBase(of: version))
    }
}
