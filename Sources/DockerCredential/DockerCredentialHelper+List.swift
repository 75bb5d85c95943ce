public import KeychainServices
internal import StrictJSON

extension DockerCredentialHelper {
    /// Lists the URLs of all logins as they were stored, each with the user whose login `get`
    /// answers.
    ///
    /// Of the secrets one is read, and not told: what `get` can't answer is not listed, as clients ask
    /// for each login of the list.
    ///
    /// What no client could ask for, an item that is not UTF-8 or has no server, is left out, and so
    /// are negative and invisible items; what is there is all read before the first piece is written.
    ///
    /// - Parameter output: Takes a piece of the answer, `{"URL":"user",…}` and a line feed, sorted
    ///   by URL. `{}` if there is none, and also if the keychain is locked or not there.
    /// - Throws: What the keychain and the closure throw; ``Status/decode`` after the list if logins may be
    ///   missing from it.
    ///
    /// The corresponding function of docker-credential-helpers is `List`.
    public func list(
        to output: @escaping (borrowing Secret) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        var entries: [Entry] = []
        var damage: KeychainError?
        do throws(KeychainError) {
            let found = try self.entries(&damage)
            if !found.isEmpty {
                try checkReadable()
            }
            entries = found
        } catch  where error.isKeychainAbsent {
            hint(error.hint ?? error.reason)
        }
        entries.sort(by: <)
        try JSONWriter.write(to: output) { writer throws(KeychainError) in
            try writer.writeObject { writer throws(KeychainError) in
                var previous: ByteString?
                for entry in entries where entry.url != previous {
                    try writer.member(entry.url, entry.username)
                    previous = entry.url
                }
            }
        }
        if let damage {
            throw damage
        }
    }

    /// Throws if the keychain is locked.
    private func checkReadable() throws(KeychainError) {
        var query = Query(.internetPassword, returns: .data)
        query.attributes.accessGroup = DockerCredentialHelper.accessGroup
        try keychain.forEachMatch(query) { _ in .stop }
    }

    /// - Parameter damage: What keeps some logins from being read.
    private func entries(_ damage: inout KeychainError?) throws(KeychainError) -> [Entry] {
        var query = Query(.internetPassword, returns: .attributes)
        query.attributes.accessGroup = DockerCredentialHelper.accessGroup
        query.match.limit = .all
        var entries: [Entry] = []
        damage = try keychain.forEachMatch(ofAll: [query]) { item in
            if let attributes = item.attributes,
                let entry = Entry(attributes, position: entries.count)
            {
                entries.append(entry)
            }
            return .next
        }
        return entries
    }
}

/// A login in the list.
private struct Entry {
    let url: ByteString
    let username: ByteString
    /// The smaller, the later it was added or changed.
    let position: Int

    /// Nil for an item that can't be listed.
    init?(_ attributes: ItemAttributes, position: Int) {
        guard attributes.isNegative != true, attributes.isInvisible != true,
            let url = ServerURL.text(attributes)
        else {
            return nil
        }
        let username = attributes.account ?? ""
        guard url.isUTF8, username.isUTF8 else {
            return nil
        }
        self.url = url
        self.username = username
        self.position = position
    }

    static func < (left: Entry, right: Entry) -> Bool {
        left.url == right.url
            ? left.position < right.position
            : left.url.bytes.lexicographicallyPrecedes(right.url.bytes)
    }
}
