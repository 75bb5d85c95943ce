/// The 16 random bytes that identify an item in its keychain until it is deleted.
public struct ItemID: Hashable, Sendable {
    /// The first eight bytes as a big-endian number.
    package let high: UInt64
    /// The last eight bytes as a big-endian number.
    package let low: UInt64

    /// The 16 bytes.
    public var bytes: [UInt8] {
        [UInt8](room: 16) { bytes in
            bytes.append(bigEndian: high)
            bytes.append(bigEndian: low)
        }
    }

    /// Creates an id from 16 bytes, nil for any other count.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == 16 else {
            return nil
        }
        high = bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) }
        low = bytes[8...].reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Creates an id from its two numbers.
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Returns a new id from the system's random numbers.
    public static func random() -> ItemID {
        var generator = SystemRandomNumberGenerator()
        return ItemID(high: generator.next(), low: generator.next())
    }
}

extension ItemID: Comparable {
    /// Whether the left id's bytes come before those of the right one.
    public static func < (left: ItemID, right: ItemID) -> Bool {
        left.high < right.high || left.high == right.high && left.low < right.low
    }
}

/// An item of an open keychain. The corresponding type is SecKeychainItem.
public struct ItemReference: Hashable, Sendable {
    /// The item's class.
    public let itemClass: ItemClass
    /// The item's id.
    public let id: ItemID

    /// Creates a reference to the item of a class with an id.
    public init(itemClass: ItemClass, id: ItemID) {
        self.itemClass = itemClass
        self.id = id
    }

    /// The reference in a form that can be stored outside the program.
    public var persistentReference: PersistentReference { PersistentReference(self) }
}

/// A reference that can be written down and used later, even by another program: 20 bytes, the
/// class's code and the item's id.
///
/// The corresponding key is kSecValuePersistentRef.
public struct PersistentReference: Hashable, Sendable {
    /// The 20 bytes.
    public let bytes: [UInt8]

    /// Creates the persistent form of a reference.
    public init(_ reference: ItemReference) {
        bytes = reference.itemClass.rawValue.text.bytes + reference.id.bytes
    }

    /// Creates a persistent reference from 20 bytes, nil for any other count.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == 20 else {
            return nil
        }
        self.bytes = bytes
    }

    /// The reference to the item.
    public var reference: ItemReference {
        ItemReference(
            itemClass: ItemClass(rawValue: FourCharacterCode(ByteString(Array(bytes[..<4])))!),
            id: ItemID(Array(bytes[4...]))!)
    }
}
