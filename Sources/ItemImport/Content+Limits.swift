internal import Keychain

extension ImportRecord.Content {
    /// An item, or nothing if it is longer than what a keychain keeps.
    static func item(
        withinLimits itemClass: ItemClass, _ attributes: ItemAttributes,
        _ secret: consuming Secret
    ) -> ImportRecord.Content {
        guard secret.count <= Keychain.secretLimit,
            (try? attributes.check(for: itemClass)) != nil
        else {
            return .skipped(reason: SkipReason.tooLong)
        }
        return .item(itemClass, attributes, secret)
    }

    /// Whether it is an item.
    var isItem: Bool {
        switch self {
        case .item: true
        default: false
        }
    }
}
