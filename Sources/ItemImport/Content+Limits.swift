internal import KeychainServices

extension ImportRecord.Content {
    /// An item, or nothing if it is longer than what a keychain keeps.
    static func item(withinLimits item: NewItem) -> ImportRecord.Content {
        guard item.isStorable else {
            return .skipped(reason: SkipReason.tooLong)
        }
        return .item(item)
    }

    /// Whether it is an item.
    var isItem: Bool {
        switch self {
        case .item: true
        default: false
        }
    }
}
