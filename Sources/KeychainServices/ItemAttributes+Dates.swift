extension ItemAttributes {
    /// Gives an item that is added its dates. Those that are absent become now, or the other one
    /// where that is given; those that are there, which an item from elsewhere brings along, stay as
    /// far as they can be: not before 1970, not after now, and not changed before it was made.
    ///
    /// For a store's ``KeychainStore/add(_:_:secret:)``.
    public mutating func setDates(now: Timestamp) {
        func bounded(_ date: Timestamp) -> Timestamp {
            min(max(date, Timestamp(secondsSinceEpoch: 0)), now)
        }
        let creation = bounded(creationDate ?? modificationDate ?? now)
        modificationDate = max(bounded(modificationDate ?? creation), creation)
        creationDate = creation
    }

    /// Whether there is a date.
    package var hasDates: Bool { creationDate != nil || modificationDate != nil }

    /// The attributes without dates.
    package var withoutDates: ItemAttributes { hasDates ? filter { $0.value.date == nil } : self }
}
