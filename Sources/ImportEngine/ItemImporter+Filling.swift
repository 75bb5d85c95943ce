internal import KeychainServices

extension ItemImporter {
    /// Puts the pending items into the keychain if it is empty, and those of entries that are taken
    /// meanwhile, up to the first one that can't be put there with others: that one stays pending, and
    /// all that come after it.
    ///
    /// - Throws: What keeps the rest from being imported, too. Then none was put there.
    func fillEmptyKeychain(with records: ImportRecords) throws(KeychainError) {
        guard let first = pending.first else {
            return
        }
        try lookOnce(for: first.item)
        var done: [Int] = []
        var release: BackgroundRelease<[ImportedItem]>?
        defer { release?.finish() }
        let start = clock()
        let added = try keychain.transaction { () throws(KeychainError) in
            guard try keychain.isKnownEmpty() else {
                return 0
            }
            order?.wasEmpty = true
            let added = try keychain.add(
                pending.map(\.item)[...],
                more: { added in
                    let more = takeMore(of: records)
                    if more.isEmpty, release == nil {
                        // What is left to do takes one processor.
                        done = pending.prefix(added).map(\.entry)
                        let all = pending
                        pending = Array(all[added...])
                        release = BackgroundRelease(consume all)
                    }
                    return more
                }, willAdd: willPut)
            try order?.restoreAll(in: keychain)
            return added ?? 0
        }
        let rest = added - done.count
        for entry in done + pending.prefix(rest).map(\.entry) {
            noteNew(entry: entry)
        }
        pending.removeFirst(rest)
        pendingBytes = pending.reduce(0) { $0 + $1.item.size }
        if added > 0 {
            fitBatchSize(to: added, since: start)
        }
    }

    /// Takes a few more entries.
    ///
    /// - Returns: Their items; none where there are no more, or enough for one change.
    private func takeMore(of records: ImportRecords) -> ArraySlice<NewItem> {
        let first = pending.count
        while pending.count < min(first + 128, ItemImporter.firstBatchSize),
            pendingBytes < ItemImporter.batchBytes,
            // What keeps the rest from being read shows again when they are asked for the next time.
            let record = try? records.next()
        {
            append(record)
        }
        return pending[first...].map(\.item)[...]
    }
}
