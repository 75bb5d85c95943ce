public import KeychainServices
internal import StrictJSON

extension DockerCredentialHelper {
    /// Lists the URLs of all logins in their stored form, each with the user that `get` returns.
    ///
    /// It reads one secret without printing it: clients request each login of the list, and the list must
    /// not name logins that `get` can't return.
    ///
    /// It leaves out negative and invisible items, and those that no client could request: without UTF-8 or
    /// a server. All items are read before the first piece is written.
    ///
    /// - Parameter output: Takes a piece of the answer, `{"URL":"user",…}` and a line feed, sorted by
    ///   URL. `{}` without logins, and also if the keychain is locked or missing.
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
                try checkReadable(found)
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

    /// Throws if the keychain is locked. A login that asks the user each time does not tell.
    private func checkReadable(_ entries: [Entry]) throws(KeychainError) {
        guard let reference = entries.lazy.compactMap({ $0.readable }).first else {
            return
        }
        try keychain.forEachMatch(Query(reference, returns: .data)) { _ in .stop }
    }

    /// - Parameter damage: Why some logins can't be read.
    private func entries(_ damage: inout KeychainError?) throws(KeychainError) -> [Entry] {
        var query = Query(.internetPassword, returns: [.attributes, .reference])
        query.attributes.accessGroup = DockerCredentialHelper.accessGroup
        query.match.limit = .all
        var entries: [Entry] = []
        damage = try keychain.forEachMatch(ofAll: [query]) { item in
            if let attributes = item.attributes,
                let entry = Entry(attributes, item.reference, position: entries.count)
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
    /// The position in the walk: the smaller, the later the login was added or changed.
    let position: Int
    /// The item, nil if it may ask the user before its secret is read.
    let readable: ItemReference?

    /// Fails for an item that can't be listed.
    init?(_ attributes: ItemAttributes, _ reference: ItemReference?, position: Int) {
        guard attributes.isNegative != true, attributes.isInvisible != true,
            let url = ServerURL.text(attributes)
        else {
            return nil
        }
        let username = attributes.account ?? ""
        guard url.bytes.span.isUTF8, username.bytes.span.isUTF8 else {
            return nil
        }
        self.url = url
        self.username = username
        self.position = position
        let asks =
            attributes.accessControl?.flags.isEmpty == false
            || attributes.trustedApplications?.isEmpty == false
        readable = asks ? nil : reference
    }

    static func < (left: Entry, right: Entry) -> Bool {
        left.url == right.url
            ? left.position < right.position
            : left.url.bytes.lexicographicallyPrecedes(right.url.bytes)
    }
}
