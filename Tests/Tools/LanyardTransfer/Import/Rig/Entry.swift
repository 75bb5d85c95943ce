import LanyardTransfer
import KeychainServices

/// What a reader hands out, as expectations need it: the secrets of these tests are none.
struct Entry: Equatable {
    enum Content: Equatable {
        case item(ImportedLogin)
        case skipped(String)
        case shadowed
        /// Shadowed by an entry with another secret.
        case unused
        case without(ImportLoss)
    }

    let place: String
    let ranges: [Range<Int>]
    let content: Content

    var login: ImportedLogin? {
        if case .item(let login) = content { login } else { nil }
    }

    var loss: ImportLoss? {
        if case .without(let loss) = content { loss } else { nil }
    }

    var reason: String? {
        if case .skipped(let reason) = content { reason } else { nil }
    }
}

/// An item and its secret.
struct ImportedLogin: Equatable {
    let itemClass: ItemClass
    let attributes: ItemAttributes
    let secret: [UInt8]

    var text: String { String(decoding: secret, as: UTF8.self) }
}

extension Entry {
    init(_ record: ImportRecord) {
        place = record.place
        ranges = record.ranges
        content = Content(record.content)
    }
}

extension Entry.Content {
    init(_ content: ImportRecord.Content) {
        switch content {
        case .item(let item):
            self = .item(
                ImportedLogin(
                    itemClass: item.itemClass, attributes: item.attributes,
                    secret: item.secret.withBytes { ByteString(copying: $0).bytes }))
        case .skipped(let reason, _): self = .skipped(reason)
        case .failed(let error): self = .skipped(error.reason)
        case .shadowed(let isSame): self = isSame ? .shadowed : .unused
        case .without(let loss): self = .without(loss)
        }
    }
}

/// Reads a file.
func read(
    _ format: some ImportFormat, _ bytes: [UInt8]
) throws(KeychainError) -> [Entry] {
    var entries: [Entry] = []
    try format.read(Secret(copying: bytes.span)) {
        (record: ImportRecord) throws(KeychainError) in
        entries.append(Entry(record))
    }
    return entries
}

func read(_ format: some ImportFormat, _ text: String) throws(KeychainError) -> [Entry] {
    try read(format, Array(text.utf8))
}

/// The error with which a file is refused, nil if it is not.
func refusal(_ format: some ImportFormat, _ text: String) -> KeychainError? {
    do throws(KeychainError) {
        _ = try read(format, text)
        return nil
    } catch {
        return error
    }
}

/// What is left of a file without some of its entries.
func cut(_ entries: [Entry], from bytes: [UInt8]) -> [UInt8] {
    removing(entries.filter { $0.loss == nil }.flatMap(\.ranges), from: Secret(copying: bytes.span))
        .withBytes {
            ByteString(copying: $0).bytes
        }
}

/// Attributes, in one expression.
func attributes(_ set: (inout ItemAttributes) -> Void) -> ItemAttributes {
    var attributes = ItemAttributes()
    set(&attributes)
    return attributes
}
