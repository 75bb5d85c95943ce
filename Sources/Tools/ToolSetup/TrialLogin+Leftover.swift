package import KeychainServices
internal import ToolHelpers

// A setup that is killed during a trial leaves its login behind.
extension TrialLogin {
    /// The age in seconds after which no trial still uses its login.
    private static let age: Int64 = 3600

    /// Whether an item is a trial login, more than an hour old.
    package static func isLeftBehind(_ attributes: ItemAttributes, at now: Timestamp) -> Bool {
        guard ToolFormat(group: attributes.accessGroup) != nil,
            attributes.account == ByteString(username), let server = attributes.server,
            let date = attributes.modificationDate
        else {
            return false
        }
        let (start, end) = (Array(hostParts.start.utf8), Array(hostParts.end.utf8))
        return server.bytes.starts(with: start) && server.bytes.suffix(end.count) == end[...]
            && date.secondsSinceEpoch < now.secondsSinceEpoch - age
    }

    /// Removes trial logins from a keychain, and leaves failures for the next time.
    ///
    /// - Returns: The number of removed logins.
    package static func removeLeftBehind(from keychain: Keychain, at now: Timestamp) -> Int {
        var found: [ItemReference] = []
        for tool in ToolFormat.all {
            var query = Query(.internetPassword, returns: [.attributes, .reference])
            query.attributes.accessGroup = tool.accessGroup
            query.attributes.account = ByteString(username)
            query.match.limit = .all
            try? keychain.forEachMatch(query) { item in
                if let attributes = item.attributes, let reference = item.reference,
                    isLeftBehind(attributes, at: now)
                {
                    found.append(reference)
                }
                return .next
            }
        }
        return found.count { reference in (try? keychain.delete(Query(reference))) != nil }
    }
}
