package import KeychainServices

/// The attributes in which this program stores an item's dates, a mark for an empty secret and, for
/// an item that replaced another, its id.
package enum ItemDates {
    package static let second: Int64 = 1_000_000_000
    package static let changedKey: ByteString = "lanyard:changed"
    package static let createdKey: ByteString = "lanyard:created"
    package static let modifiedKey: ByteString = "lanyard:modified"
    package static let idKey: ByteString = "lanyard:id"
    package static let emptyKey: ByteString = "lanyard:empty"
}
