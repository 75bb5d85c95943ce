internal import KeychainServices
internal import LanyardSecrets
internal import SyncEngine

/// An item of the keychain with which an exchange was done: the next one reads it only if it was stored anew.
struct NotedItem: Equatable {
    let id: ItemID
    /// The number of the change that stored it, or ``unknown``.
    let change: Int64
    /// The identity of an item that shows what the replica has; nil for one that stays here.
    let identity: ItemDigest?

    /// The number of no change: the next exchange reads the item.
    static let unknown: Int64 = 0

    fileprivate func append(to writer: inout ByteWriter) {
        writer.number(id.high)
        writer.number(id.low)
        writer.number(change)
        writer.number(UInt8(identity == nil ? 0 : 1))
        identity?.append(to: &writer)
    }
}

extension NotedItem {
    fileprivate init(reading reader: inout ByteReader) throws(KeychainError) {
        id = ItemID(high: try reader.number(), low: try reader.number())
        change = try reader.number()
        identity =
            try reader.number(UInt8.self) == 1 ? try ItemDigest(reading: &reader) : nil
    }
}

/// The noted items are in pages, by the first bits of their ids: all are read at each exchange, and one page is written
/// for an item.
extension SharedState {
    /// The number of pages.
    static let notedPages: UInt16 = 1024

    /// Returns the page of an item.
    static func notedPage(of id: ItemID) -> UInt16 { UInt16(id.high >> 54) }

    /// Whether any items are noted.
    var hasNoted: Bool {
        get throws(KeychainError) { try replica.rows.count(.noted) > 0 }
    }

    /// Returns the items of a page, in the order of their ids.
    func noted(page: UInt16) throws(KeychainError) -> [NotedItem] {
        guard let bytes = try replica.rows.value(.noted, page.bigEndianBytes) else {
            return []
        }
        var reader = ByteReader(bytes)
        var items: [NotedItem] = []
        while reader.position < bytes.count {
            items.append(try NotedItem(reading: &reader))
        }
        return items
    }

    /// Sets the items of a page.
    func setNoted(_ items: [NotedItem], page: UInt16) throws(KeychainError) {
        guard !items.isEmpty else {
            return try replica.rows.remove(.noted, page.bigEndianBytes)
        }
        var writer = ByteWriter()
        for item in items {
            item.append(to: &writer)
        }
        try replica.rows.set(writer.bytes, .noted, page.bigEndianBytes)
    }
}

/// A walk over the noted items next to one over those of the keychain, both in the order of their ids.
struct NotedWalk {
    private let state: SharedState
    /// Called with each item that the keychain does not have any more.
    private let gone: (NotedItem) throws(KeychainError) -> Void
    private var items: ArraySlice<NotedItem> = []
    private var nextPage: UInt16 = 0

    init(
        _ state: SharedState, gone: @escaping (NotedItem) throws(KeychainError) -> Void
    ) {
        self.state = state
        self.gone = gone
    }

    /// Returns what is noted of an item, nil if it is not.
    mutating func item(_ id: ItemID) throws(KeychainError) -> NotedItem? {
        try advance(to: SharedState.notedPage(of: id))
        while let item = items.first, (item.id.high, item.id.low) < (id.high, id.low) {
            items.removeFirst()
            try gone(item)
        }
        return items.first?.id == id ? items.removeFirst() : nil
    }

    /// Ends the walk after the keychain's last item.
    mutating func finish() throws(KeychainError) {
        try advance(to: SharedState.notedPages - 1)
        for item in items {
            try gone(item)
        }
    }

    private mutating func advance(to page: UInt16) throws(KeychainError) {
        while nextPage <= page {
            for item in items {
                try gone(item)
            }
            items = try state.noted(page: nextPage)[...]
            nextPage += 1
        }
    }
}
