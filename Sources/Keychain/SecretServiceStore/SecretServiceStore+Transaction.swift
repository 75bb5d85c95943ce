#if SecretService
public import KeychainServices

extension SecretServiceStore {
    /// Runs a closure, and undoes its changes if it throws.
    ///
    /// The Secret Service has no transactions. Items that the closure adds exist at once, for other
    /// programs too, and are removed if it throws. Its changes and deletions wait until it ends,
    /// and then happen one by one. Meanwhile other programs are not locked out, and an interrupted
    /// command may leave part of its changes. A changing item is never missing, but may exist
    /// twice.
    ///
    /// - Throws: What the closure throws, what ``SecretServiceStore`` says.
    public func transaction(_ body: () throws(KeychainError) -> Void) throws(KeychainError) {
        let before = held
        defer {
            if before == nil {
                absence = nil
            }
        }
        held = before ?? HeldChanges()
        do throws(KeychainError) {
            try body()
            if before == nil {
                try commit()
            }
        } catch {
            rollBack(to: before)
            throw error
        }
    }

    private func commit() throws(KeychainError) {
        if let changes = held?.changes.values, !changes.isEmpty {
            let deletes = changes.contains { $0.result == nil || $0.changesIdentity }
            try perform(deletes ? .deleting : .using) { link throws(KeychainError) in
                try apply(Array(changes), link)
            }
        }
        held = nil
    }

    /// Removes the items added since.
    private func rollBack(to before: HeldChanges?) {
        let added = held?.added.dropFirst(before?.added.count ?? 0) ?? []
        held = before
        guard !added.isEmpty else {
            return
        }
        try? perform(.deleting) { link throws(KeychainError) in
            for path in added {
                try deleteItem(path, link)
            }
        }
    }
}
#endif
