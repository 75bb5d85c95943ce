extension MatchedItems {
    /// Lends each item to a closure, in order.
    ///
    ///     items.forEach { item in print(item.attributes?.label ?? "") }
    ///
    /// - Throws: What the closure throws.
    public borrowing func forEach<Failure: Error>(
        _ body: (borrowing MatchedItem) throws(Failure) -> Void
    ) throws(Failure) {
        for position in indices {
            try body(self[position])
        }
    }

    /// The attributes of the items that have them, in order. They contain no secret and can be
    /// copied.
    public var attributes: [ItemAttributes] {
        var all: [ItemAttributes] = []
        forEach { item in
            if let attributes = item.attributes {
                all.append(attributes)
            }
        }
        return all
    }
}
