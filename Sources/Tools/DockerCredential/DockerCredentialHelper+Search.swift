internal import KeychainServices

/// An item that matches a URL.
struct Found {
    let reference: ItemReference
    let url: RegistryURL
    let username: ByteString
    let match: Match
}

extension DockerCredentialHelper {
    /// Calls a closure for each item that matches a URL. It reads only attributes, which needs no
    /// passphrase. Items of one server name come latest first.
    func forEachFound(
        _ asked: RegistryURL, _ body: (Found) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        for query in candidates(asked) {
            try keychain.forEachMatch(query) { item throws(KeychainError) in
                if let found = Found(item, asked: asked) {
                    try body(found)
                }
                return .next
            }
        }
    }

    /// Returns the item that answers for a URL, nil without one.
    ///
    /// The better match wins, and among equals the one added or changed last.
    func best(_ asked: RegistryURL) throws(KeychainError) -> Found? {
        var best: [Found] = []
        try forEachFound(asked) { found in
            guard let first = best.first, first.match <= found.match else {
                best = [found]
                return
            }
            // The first item of a server name is the latest.
            if first.match == found.match,
                !best.contains(where: { $0.url.hasSameServer(as: found.url) })
            {
                best.append(found)
            }
        }
        return best.count > 1 ? try lastChanged(best) : best.first
    }

    /// Returns the latest item across several server names; the dates are too coarse to compare.
    private func lastChanged(_ items: [Found]) throws(KeychainError) -> Found? {
        var query = Query(.internetPassword, returns: .reference)
        query.attributes.accessGroup = DockerCredentialHelper.accessGroup
        query.match.limit = .all
        var last: Found?
        try keychain.forEachMatch(query) { item in
            last = items.first { $0.reference == item.reference }
            return last == nil ? .next : .stop
        }
        return last
    }

    private func candidates(_ asked: RegistryURL) -> [Query] {
        guard asked.parts != nil else {
            return [query(asked.place, ignoresCase: false)]
        }
        return asked.servers.map { server in
            var attributes = ItemAttributes()
            attributes.accessGroup = DockerCredentialHelper.accessGroup
            attributes.server = server
            return query(attributes, ignoresCase: true)
        }
    }

    private func query(_ attributes: ItemAttributes, ignoresCase: Bool) -> Query {
        var query = Query(.internetPassword, attributes, returns: [.attributes, .reference])
        query.match.caseInsensitive = ignoresCase
        query.match.limit = .all
        return query
    }
}

extension Found {
    /// Fails for an item of another group, a negative one, and one that does not match the URL.
    fileprivate init?(_ item: borrowing MatchedItem, asked: RegistryURL) {
        // A case-insensitive query finds the group `Docker`, too.
        guard let reference = item.reference, let attributes = item.attributes,
            attributes.accessGroup == DockerCredentialHelper.accessGroup,
            attributes.isNegative != true,
            let url = RegistryURL(attributes), let match = Match(stored: url, asked: asked)
        else {
            return nil
        }
        self.reference = reference
        self.url = url
        username = attributes.account ?? ""
        self.match = match
    }
}

extension RegistryURL {
    fileprivate func hasSameServer(as other: RegistryURL) -> Bool {
        parts?.host.lowercasedASCII == other.parts?.host.lowercasedASCII
    }
}
