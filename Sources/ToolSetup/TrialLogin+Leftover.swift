package import KeychainServices
internal import Tools

// A setup that is killed in the middle of a trial leaves its login behind.
extension TrialLogin {
    /// From what age on nobody tries anything with a login any more, in seconds: no trial takes so
    /// long.
    private static let age: Int64 = 3600

    /// Whether an item is such a login, more than an hour old.
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

    /// Removes such logins from a keychain. One that can't be removed now is left for the next time.
    ///
    /// - Returns: How many were removed.
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
