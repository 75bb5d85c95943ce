/// What a query returned of one item: what it asked for, everything else is nil.
///
/// Frozen, so that its secret can be taken out of it in other modules too, without a copy.
@frozen public struct MatchedItem: ~Copyable, Sendable {
    /// The item's class: kSecClass.
    public let itemClass: ItemClass
    /// The attributes, if asked for.
    public let attributes: ItemAttributes?
    /// The secret, if asked for: kSecValueData.
    public let secret: Secret?
    /// A reference, if asked for: kSecValueRef.
    public let reference: ItemReference?
    /// A persistent reference, if asked for: kSecValuePersistentRef.
    public let persistentReference: PersistentReference?

    /// What a store returns of an item, cut down to what the query asked for.
    public init(
        _ reference: ItemReference, _ attributes: ItemAttributes, secret: consuming Secret?,
        returns: ReturnOptions
    ) {
        itemClass = reference.itemClass
        self.attributes = returns.contains(.attributes) ? attributes : nil
        // What is not taken over here is wiped now.
        self.secret = returns.isDisjoint(with: [.data, .readableData]) ? nil : secret
        self.reference = returns.contains(.reference) ? reference : nil
        persistentReference =
            returns.contains(.persistentReference) ? reference.persistentReference : nil
    }
}

/// What copy matching returned.
public enum MatchResult: ~Copyable, Sendable {
    /// There is such an item; the query asked for nothing of it.
    case exists
    /// The one item that a query with the limit one returns.
    case item(MatchedItem)
    /// The items that a query with any other limit returns, also if it is one.
    case items(MatchedItems)
}

/// Matched items in order: those added or changed last come first.
@safe  // Safe: the memory is its own, and freed in `deinit` alone.
@frozen public struct MatchedItems: ~Copyable, @unchecked Sendable {
    // Written by `append` only, which needs exclusive access.
    private var memory: UnsafeMutableBufferPointer<MatchedItem>
    /// How many there are.
    public private(set) var count = 0

    init() {
        // Safe: freed in `deinit`, or where `append` replaces it.
        unsafe memory = .allocate(capacity: 4)
    }

    deinit {
        // Safe: the first `count` elements are those that were initialized.
        unsafe memory.extracting(..<count).deinitialize()
        unsafe memory.deallocate()
    }

    mutating func append(_ item: consuming MatchedItem) {
        // Safe: the memory is full and so all of it is initialized; the elements move to the larger
        // one.
        if unsafe count == memory.count {
            let larger = UnsafeMutableBufferPointer<MatchedItem>.allocate(capacity: count * 2)
            _ = unsafe larger.moveInitialize(fromContentsOf: memory)
            unsafe memory.deallocate()
            unsafe memory = larger
        }
        // Safe: there is room, and nothing is in it yet.
        unsafe memory.initializeElement(at: count, to: item)
        count += 1
    }

    /// The positions of the items.
    public var indices: Range<Int> { 0..<count }

    /// The item at a position.
    public subscript(position: Int) -> MatchedItem {
        _read {
            precondition(indices.contains(position), "there is no item at this position")
            // Safe: the position was checked.
            yield unsafe memory[position]
        }
    }
}
