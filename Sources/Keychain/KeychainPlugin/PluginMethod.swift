/// A helper's request to a plugin.
enum PluginMethod: String, CaseIterable {
    case hello, status, unlock, lock
    case add, update, delete
    case match, next, end, skipped
    case begin, commit, rollback

    /// Whether it may make the plugin ask the user, if that is allowed at all.
    var mayPrompt: Bool {
        switch self {
        case .unlock, .add, .update, .delete, .match, .next, .begin, .commit: true
        case .hello, .status, .lock, .end, .skipped, .rollback: false
        }
    }
}

/// The numbers that both sides of the protocol agree on.
enum PluginProtocol {
    static let version: Int64 = 1
    /// The milliseconds that an answer may take after the user was asked.
    static let promptTime: Int64 = 120_000
    /// The number of items that a helper requests at once.
    static let batchCount = 64
    /// The approximate size in bytes from which an answer gets no further item. Even the largest
    /// item, with every byte of its texts escaped, then fits into a line.
    static let batchSize = 512 << 10
    /// The most names in one answer.
    static let nameCount = 1_000
    /// The deepest nesting of walks, and of transactions, because each uses some of the stack.
    static let nestingLimit = 16
}
