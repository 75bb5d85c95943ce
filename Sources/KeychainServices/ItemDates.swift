/// When an item was made and last changed.
package struct ItemDates: Sendable {
    /// When it was made.
    package let creation: Timestamp
    /// When it was last changed, not before that.
    package let modification: Timestamp

    /// The dates that an item gets when it is added, as ``ItemAttributes/setDates(now:)`` says.
    ///
    /// - Parameter attributes: Those that it is added with.
    package init(of attributes: ItemAttributes, now: Timestamp) {
        func bounded(_ date: Timestamp) -> Timestamp {
            min(max(date, Timestamp(secondsSinceEpoch: 0)), now)
        }
        let changed = attributes.modificationDate
        creation = bounded(attributes.creationDate ?? changed ?? now)
        modification = max(bounded(changed ?? creation), creation)
    }
}
