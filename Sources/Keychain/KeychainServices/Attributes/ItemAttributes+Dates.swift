extension ItemAttributes {
    /// Sets the dates of an item that is being added.
    ///
    /// A missing date becomes the other one, or now if both are missing. A date that the item
    /// brings along stays, within bounds: not before 1970, not after now, and no change before the
    /// creation. Stores use it in ``KeychainStore/add(_:_:secret:context:)``.
    public mutating func setDates(now: Timestamp) {
        func bounded(_ date: Timestamp) -> Timestamp {
            min(max(date, Timestamp(secondsSinceEpoch: 0)), now)
        }
        let creation = bounded(creationDate ?? modificationDate ?? now)
        modificationDate = max(bounded(modificationDate ?? creation), creation)
        creationDate = creation
    }

    /// Whether at least one date is present.
    package var hasDates: Bool { creationDate != nil || modificationDate != nil }

    /// The attributes without the dates that the keychain sets.
    package var withoutDates: ItemAttributes {
        guard hasDates else {
            return self
        }
        return filter { $0.attribute != .creationDate && $0.attribute != .modificationDate }
    }
}
