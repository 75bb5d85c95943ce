internal import LanyardSecrets

// Stores again what a device that joins could not read, or would refuse.
extension SyncEngine {
    /// Whether an item's winning version is under the key of an entry of the roster that does not count, which this device
    /// has, and one that joins has not; or the versions do not count any more that explain why other changes are not stored.
    func isUnreadable(_ item: SharedItem, of record: Identifier) -> Bool {
        guard item.dropped.allSatisfy(item.explainsDropping) else {
            return true
        }
        let (winner, count) = (item.winner, Int(replica.roster.generation))
        guard !winner.isDeletion,
            keys[count...].contains(where: { $0.generation == winner.generation })
        else {
            return false
        }
        do throws(KeychainError) {
            _ = try content(of: winner, of: record, under: Array(keys[..<count]))
            return false
        } catch {
            return true
        }
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
            if let item = try replica.item(record), isUnreadable(item, of: record),
                let change = try? change(again: item, record)
            {
                try apply(change, again: item.winner, &piece)
            }
        }
        return renewed
    }

    private func change(
        again item: SharedItem, _ record: Identifier
    ) throws(KeychainError) -> LocalChange {
        LocalChange(
            record, try content(of: item.winner, of: record), base: ItemBase(again: item))
    }
}
