/// What a helper asks of a plugin.
enum PluginMethod: String, CaseIterable {
    case hello, status, unlock, lock
    case add, update, delete
    case match, next, end, skipped
    case begin, commit, rollback

    /// Whether a person may be asked for it, if she may be asked at all.
    var mayPrompt: Bool {
        switch self {
        case .unlock, .add, .update, .delete, .match, .next, .begin, .commit: true
        case .hello, .status, .lock, .end, .skipped, .rollback: false
        }
    }
}

/// The numbers that both sides of the protocol keep to.
enum PluginProtocol {
    static let version: Int64 = 1
    /// How long an answer may take after a person was asked.
    static let promptTime: Int64 = 120_000
    /// How many items a helper asks for at once.
    static let batchCount = 64
    /// From about how many bytes on no further item is put into an answer. The largest item, with
    /// every byte of its texts escaped, still leaves the line below its limit.
    static let batchSize = 512 << 10
    /// How many names one answer has at most.
    static let nameCount = 1_000
    /// How many walks may go on in one another, and transactions: each takes some of the stack.
    static let nestingLimit = 16
}
