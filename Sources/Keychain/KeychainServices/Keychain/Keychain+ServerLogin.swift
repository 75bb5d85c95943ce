/// A login that covers the address of a server.
package struct ServerLogin: ~Copyable {
    /// The item's attributes.
    package let attributes: ItemAttributes
    /// The item's secret.
    package let secret: Secret
}

extension Keychain {
    /// Returns the login in a group for an address. Of the logins for its scheme, host and port it is the one with
    /// the longest path that is a parent of the address or the address itself; the newest of several.
    ///
    /// - Parameters:
    ///   - url: The address; without a scheme every scheme matches.
    ///   - account: The only account that matches; nil for all.
    /// - Throws: What the store throws.
    package func serverLogin(
        for url: ServerURL, account: ByteString? = nil, in group: ByteString
    ) throws(KeychainError) -> ServerLogin? {
        var query = Query(serverLoginsOf: url, account, group)
        query.returns = [.attributes, .data, .untilEnd]
        query.attributes.isNegative = false
        var login: ServerLogin?
        var length = -1
        try forEachMatch(query) { item throws(KeychainError) in
            guard let attributes = item.attributes, attributes.port(url.scheme) == url.usedPort,
                let covered = url.length(coveredBy: attributes.path), covered > length
            else {
                return .next
            }
            if let secret = item.secret {
                length = covered
                login = ServerLogin(attributes: attributes, secret: secret)
            }
            return .next
        }
        return login
    }

    /// Deletes the logins in a group for an address itself, in whichever form their port and path are.
    ///
    /// - Parameter account: The only account that matches; nil for all.
    /// - Returns: Whether there was one.
    /// - Throws: What the store throws.
    package func removeServerLogins(
        for url: ServerURL, account: ByteString? = nil, in group: ByteString
    ) throws(KeychainError) -> Bool {
        var query = Query(serverLoginsOf: url, account, group)
        query.returns = [.attributes, .reference]
        return try transaction { () throws(KeychainError) in
            var found: [ItemReference] = []
            try forEachMatch(query) { item throws(KeychainError) in
                if let attributes = item.attributes, let reference = item.reference,
                    url.isAddress(of: attributes)
                {
                    found.append(reference)
                }
                return .next
            }
            for reference in found {
                try delete(Query(reference))
            }
            return !found.isEmpty
        }
    }
}

extension Query {
    /// Finds all logins for an address's scheme and host.
    fileprivate init(serverLoginsOf url: ServerURL, _ account: ByteString?, _ group: ByteString) {
        self.init(.internetPassword)
        attributes.accessGroup = group
        attributes.server = url.host.lowercasedASCII
        attributes.protocol = url.scheme.map { ProtocolType(scheme: $0.lowercasedASCII) }
        attributes.account = account
        match.limit = .all
    }
}

extension ServerURL {
    /// The port, 0 for the scheme's own.
    package var usedPort: UInt16 { ServerURL.used(port, scheme?.lowercasedASCII) }

    fileprivate static func used(_ port: UInt16?, _ scheme: ByteString?) -> UInt16 {
        guard let port, !(port == 443 && scheme == "https"), !(port == 80 && scheme == "http")
        else {
            return 0
        }
        return port
    }

    /// Whether an item with the address's scheme and host has its port and path.
    package func isAddress(of attributes: ItemAttributes) -> Bool {
        attributes.port(scheme) == usedPort && length(coveredBy: attributes.path) != nil
            && (attributes.path?.segments ?? []).count == (path?.segments ?? []).count
    }

    /// Returns how many bytes of the path an item's path covers; nil if the address is not below it.
    ///
    /// The address is percent-encoded, and an item may have its path decoded or as it was. A path with dot segments is
    /// below no other, because it leads elsewhere: RFC 3986, 5.2.4.
    fileprivate func length(coveredBy path: ByteString?) -> Int? {
        let parent = path?.segments ?? []
        let own = self.path?.segments ?? []
        guard parent.isEmpty || !own.contains(where: { $0.isDotSegment }) else {
            return nil
        }
        let isBelow = own.starts(with: parent) { own, parent in
            own == parent || Array(own).span.percentDecoded.map { $0[...] } == parent
        }
        return isBelow ? parent.joined().count : nil
    }
}

extension ByteString {
    fileprivate var segments: [ArraySlice<UInt8>] { bytes.split(separator: UInt8(ascii: "/")) }
}

extension ArraySlice<UInt8> {
    /// Whether this is `.` or `..`, perhaps percent-encoded.
    fileprivate var isDotSegment: Bool {
        var rest = self
        var dots = 0
        while let first = rest.first {
            if first == UInt8(ascii: ".") {
                rest = rest.dropFirst()
            } else if rest.starts(with: "%2e".utf8) || rest.starts(with: "%2E".utf8) {
                rest = rest.dropFirst(3)
            } else {
                return false
            }
            dots += 1
        }
        return dots == 1 || dots == 2
    }
}

extension ItemAttributes {
    fileprivate func port(_ scheme: ByteString?) -> UInt16 { ServerURL.used(port, scheme) }
}
