extension Keychain {
    /// Adds several items: all of them, or none if one can't be added. Their dates become now,
    /// unless `keepsDates` is true.
    ///
    /// - Returns: References to the new items, in the same order.
    /// - Throws: What ``add(_:_:secret:returns:context:keepsDates:)`` throws for one of them. In a keychain
    ///   without transactions the items before that one may stay.
    ///
    /// The corresponding function is SecItemAdd, with kSecUseItemList.
    @discardableResult
    public func add(
        _ items: [NewItem], keepsDates: Bool = false
    ) throws(KeychainError) -> [ItemReference] {
        // The keychain may have to be unlocked first; the closure then starts again.
        try transaction { () throws(KeychainError) in
            var references: [ItemReference] = []
            for item in items {
                switch try add(
                    item.itemClass, item.attributes, secret: item.secret, returns: .reference,
                    keepsDates: keepsDates)
                {
                case .some(let added): references.append(added.reference!)
                case .none: break
                }
            }
            return references
        }
    }
}
