#if SecretService
public import KeychainServices

extension SecretServiceStore {
    /// Runs a closure; nothing of what it did stays if it throws.
    ///
    /// The Secret Service has no transactions. What the closure adds is there at once, for other
    /// programs too, and is taken back if it throws. What it changes and deletes is kept until it
    /// has ended, and then done change by change: nothing holds other programs off meanwhile, and a
    /// program that is killed then leaves some of the changes made and others not. An item that
    /// changes is never away, but may be there twice.
    ///
    /// - Throws: What the closure throws, what ``SecretServiceStore`` says.
    public func transaction<Result>(
        _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        let before = held
        defer {
            if before == nil {
                absence = nil
            }
        }
        held = before ?? HeldChanges()
        do throws(KeychainError) {
            let result = try body()
            if before == nil {
                try commit()
            }
            return result
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

    /// Takes back what was added since.
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
