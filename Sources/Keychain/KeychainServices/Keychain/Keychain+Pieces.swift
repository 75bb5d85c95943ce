extension Keychain {
    /// Returns references to all items of some classes, as ``forEachMatch(ofAll:_:)`` passes them.
    ///
    /// - Parameter attributes: What they have.
    /// - Returns: Also the error that keeps some items from being found; nil if there is none.
    package func references(
        ofAll classes: [ItemClass], _ attributes: ItemAttributes = ItemAttributes()
    ) throws(KeychainError) -> (found: [ItemReference], damage: KeychainError?) {
        let queries = classes.map { itemClass in
            var query = Query(itemClass, attributes, returns: .reference)
            query.synchronizable = .any
            query.match.limit = .all
            return query
        }
        var found: [ItemReference] = []
        let damage = try forEachMatch(ofAll: queries) { item throws(KeychainError) in
            if let reference = item.reference {
                found.append(reference)
            }
            return .next
        }
        return (found, damage)
    }

    /// Reads many items, a piece of them at once: other programs wait meanwhile, and one question to the user
    /// serves a whole piece.
    ///
    /// - Parameters:
    ///   - read: Reads one item; it may be called twice for the same.
    ///   - body: Gets each result, in the order of the references.
    /// - Throws: What the closures and the store throw.
    package func readInPieces<Result>(
        _ references: [ItemReference],
        _ read: (ItemReference) throws(KeychainError) -> Result,
        then body: (ItemReference, Result) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        var done = 0
        while done < references.count {
            let piece = references[done..<min(done + 128, references.count)]
            let results = try readTogether { () throws(KeychainError) in
                var results: [Result] = []
                for reference in piece {
                    results.append(try read(reference))
                }
                return results
            }
            for (reference, result) in zip(piece, results) {
                try body(reference, result)
            }
            done = piece.endIndex
        }
    }

    /// Returns an item with its secret, to add it elsewhere; nil if it is not found.
    ///
    /// - Throws: What ``firstMatch(of:)`` throws.
    package func newItem(_ reference: ItemReference) throws(KeychainError) -> NewItem? {
        guard let item = try firstMatch(of: Query(reference, returns: [.attributes, .data])) else {
            return nil
        }
        let attributes = item.attributes ?? ItemAttributes()
        guard let secret = item.secret else {
            return nil
        }
        return NewItem(reference.itemClass, attributes, secret: secret)
    }
}
