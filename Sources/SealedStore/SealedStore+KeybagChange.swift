internal import KeychainServices

extension SealedStore {
    /// Makes a change of the keybag and of the secrets with it, all in one transaction.
    ///
    /// - Parameters:
    ///   - deletable: How many items may be deleted that could not be read any more.
    ///   - progress: Told how many of how many secrets are sealed anew.
    func changeKeybag(
        deletable: Int = 0, progress: (Int, Int) -> Void = { _, _ in },
        _ edit: (inout KeybagDraft) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        // So that no generation is kept after a later one.
        let turn = try UnlockLock(.work, at: location)
        let records = try beginWriting()
        do throws(KeychainError) {
            guard let change = try KeybagChange(of: records, atHand.sources, location, edit) else {
                return file.end()
            }
            guard try change.itemsToDelete() <= deletable else {
                throw KeychainError(
                    .param, "items were stored meanwhile that this would delete",
                    hint: "try again")
            }
            try change.reseal(progress)
            try file.write(
                rowSet: records.rowSet.seal(change.after), keybag: change.keybag.encoded)
            let number = records.rowSet.change
            try anchor.prepare(for: change.keybag, after: records.keys.keybag, change: number)
            try file.commit()
            atHand.sources = change.sourceKeys
            // The change is made, whatever becomes of this.
            try? anchor.advance(to: change.keybag, change: number)
            _ = consume turn
        } catch {
            file.end()
            throw error
        }
    }
}
