internal import KeychainServices

extension SealedStore {
    /// Changes the keybag, and the secrets that depend on it, in one transaction.
    ///
    /// - Parameters:
    ///   - deletable: The most unreadable items that the change may delete.
    ///   - progress: Called with the number of secrets encrypted again and the number of all.
    func changeKeybag(
        deletable: Int = 0, progress: (Int, Int) -> Void = { _, _ in },
        _ edit: (inout KeybagDraft) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        // Otherwise an older generation could be recorded after a newer one.
        let turn = try UnlockLock(.work, at: location)
        let records = try beginWriting()
        do throws(KeychainError) {
            guard let change = try KeybagChange(of: records, atHand.sources, location, edit) else {
                return file.end()
            }
            guard try change.itemsToDelete() <= deletable else {
                throw KeychainError(
                    .param, "this would delete items that were stored in the meantime",
                    hint: "try again")
            }
            try change.reseal(progress)
            try file.write(
                rowSet: records.rowSet.seal(change.after), keybag: change.keybag.encoded)
            let number = records.rowSet.change
            try anchor.prepare(for: change.keybag, after: records.keys.keybag, change: number)
            try file.commit()
            atHand.sources = change.sourceKeys
            advanceAnchor(to: change.keybag, change: number)
            _ = consume turn
        } catch {
            file.end()
            throw error
        }
    }
}
