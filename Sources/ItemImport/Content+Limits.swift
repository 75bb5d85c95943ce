internal import KeychainServices

extension ImportRecord.Content {
    /// Returns an item, or a skipped entry if it exceeds a keychain's limits.
    static func item(withinLimits item: NewItem) -> ImportRecord.Content {
        guard item.isStorable else {
            return .skipped(reason: SkipReason.tooLong)
        }
        return .item(item)
    }

    var isItem: Bool {
        switch self {
        case .item: true
        default: false
        }
    }
}
