internal import KeychainServices

extension ImportRecord.Content {
    /// Returns an item, or a failed entry if it exceeds a keychain's limits.
    static func item(withinLimits item: NewItem) -> ImportRecord.Content {
        item.isStorable ? .item(item) : .tooLong
    }

    static var tooLong: ImportRecord.Content {
        .failed(KeychainError(.dataTooLarge, "one of its values is too long"))
    }

    var isItem: Bool {
        switch self {
        case .item: true
        default: false
        }
    }
}
