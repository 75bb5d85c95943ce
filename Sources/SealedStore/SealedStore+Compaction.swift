internal import KeychainServices

extension SealedStore {
    /// Whether so much of the file is free that writing it anew pays: more than an eighth, and not
    /// just a few pages. So the effort stays in proportion to the changes that freed it.
    func isWorthCompacting() throws(KeychainError) -> Bool {
        let free = try database.number("PRAGMA freelist_count")
        let all = try database.number("PRAGMA page_count")
        return free >= 8 && free > all / 8
    }

    /// Writes the file anew without its free pages; interrupted, it leaves the file as it was. Where
    /// another process uses the keychain now, or there is no room, the next change is early enough.
    func compact() {
        // 8 MiB with pages of 4096 bytes.
        let isSmall = (try? database.number("PRAGMA page_count") < 2048) ?? false
        try? database.vacuum(inMemory: isSmall)
    }
}
