import KeychainServices

/// The access groups that a call of the model may use, written a second time, apart from the code
/// under test.
struct ModelGroups {
    /// The groups, of which the first is that of new items; nil for all.
    var groups: [ByteString]?

    func have(_ item: ModelItem) -> Bool {
        groups?.contains(item.attributes.accessGroup ?? "") ?? true
    }

    func mayUse(_ attributes: ItemAttributes) -> Bool {
        guard let group = attributes.accessGroup, let groups else {
            return true
        }
        return groups.contains(group)
    }
}
