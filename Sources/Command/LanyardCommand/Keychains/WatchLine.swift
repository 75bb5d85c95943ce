internal import KeychainServices
internal import KeychainWatching
internal import LanyardPrompting
internal import StrictJSON

/// A line that `lanyard watch` prints.
struct WatchLine {
    private let kind: String
    private let keychain: String?
    private let item: ItemReference?
    private let attributes: ItemAttributes?
    private let keychains: [String]?
    private let error: KeychainError?

    init(_ event: KeychainEvent) {
        kind = event.kind.name
        keychain = event.keychain
        item = event.item
        attributes = event.attributes
        keychains = event.keychains
        error = event.error
    }

    /// Creates a line about several keychains.
    init(kind: String, keychains: [String]) {
        self.kind = kind
        keychain = nil
        item = nil
        attributes = nil
        self.keychains = keychains
        error = nil
    }

    /// The line for people: what happened, in which keychain, and the item as `lanyard list` shows it.
    var text: String {
        var cells = [kind.padded(to: 8)]
        cells += keychains ?? [keychain ?? "-"]
        if let attributes {
            cells += [attributes.accessGroup ?? "", attributes.name, attributes.account ?? ""]
                .map(\.description)
        }
        if let error {
            cells.append(error.reason)
        }
        while cells.last?.isEmpty == true {
            cells.removeLast()
        }
        return cells.map(harmless).joined(separator: "  ") + "\n"
    }

    /// Returns the line as a JSON object.
    func json() throws(KeychainError) -> Secret {
        try JSONWriter.writeObject(invalidText: .replace) { writer throws(KeychainError) in
            try writer.member("event", ByteString(kind))
            if let keychains {
                try writer.member("keychains", keychains)
            } else {
                try writer.member("keychain", keychain)
            }
            if let item, let attributes {
                try writer.member("id", ByteString(Hexadecimal.encode(item.id.bytes)))
                try writer.members(of: attributes, item.itemClass)
            }
            if let error {
                try writer.member("reason", error.reason)
                try writer.member("status", Int(error.status.rawValue))
            }
        }
    }
}

extension String {
    /// Returns a text of ASCII with spaces at its end, if it is shorter.
    fileprivate func padded(to count: Int) -> String {
        self + String(repeating: " ", count: max(0, count - utf8.count))
    }
}
