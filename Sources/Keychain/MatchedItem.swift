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
        self.secret = returns.contains(.data) ? secret : nil
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
@frozen public struct MatchedItems: ~Copyable, @unchecked Sendable {
    // Written by `append` only, which needs exclusive access.
    private var memory: UnsafeMutableBufferPointer<MatchedItem>
    /// How many there are.
    public private(set) var count = 0

    init() {
        memory = .allocate(capacity: 4)
    }

    deinit {
        memory.extracting(..<count).deinitialize()
        memory.deallocate()
    }

    mutating func append(_ item: consuming MatchedItem) {
        if count == memory.count {
            let larger = UnsafeMutableBufferPointer<MatchedItem>.allocate(capacity: count * 2)
            _ = larger.moveInitialize(fromContentsOf: memory)
            memory.deallocate()
            memory = larger
        }
        memory.initializeElement(at: count, to: item)
        count += 1
    }

    /// The positions of the items.
    public var indices: Range<Int> { 0..<count }

    /// The item at a position.
    public subscript(position: Int) -> MatchedItem {
        _read {
            precondition(indices.contains(position), "there is no item at this position")
            yield memory[position]
        }
    }
}
