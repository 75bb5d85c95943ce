package import KeychainServices

/// The items of docker-credential-secretservice: internet passwords in the access group `docker`.
package enum DockerCredentialsSchema: ItemSchema {
    package static let group: ByteString = "docker"
    package static let keys: Set<ByteString> = ["label", "docker_cli", "server", "username"]

    package static func narrowings(_ query: Query) -> [Narrowing] {
        guard query.canMeanNative(.internetPassword, group: group) else {
            return []
        }
        var wanted = [SchemaName.key: SchemaName.docker]
        if query.match.comparesBytes {
            guard wanted.narrow("username", query.attributes.account) else {
                return []
            }
            // Only a whole URL can be searched for.
            let attributes = query.attributes
            if attributes.server != nil, attributes.protocol != nil, attributes.port != nil,
                attributes.path != nil
            {
                guard let url = url(attributes), wanted.narrow("server", url) else {
                    return []
                }
            }
        }
        return [.attributes(wanted)]
    }

    package static func identity(
        _ itemClass: ItemClass, _ attributes: ItemAttributes
    ) -> [ByteString: ByteString]? {
        guard itemClass == .internetPassword, attributes.isNative(group: group),
            let url = url(attributes)
        else {
            return nil
        }
        var written: [ByteString: ByteString] = [
            SchemaName.key: SchemaName.docker, "label": "Docker Credentials", "docker_cli": "1",
        ]
        written["server"] = url
        written["username"] = attributes.account
        return written.values.allSatisfy(\.isPlain) ? written : nil
    }

    package static func decode(_ item: RemoteItem) -> (ItemClass, ItemAttributes)? {
        guard item.schema == SchemaName.docker, let url = item.attributes["server"],
            !url.isEmpty
        else {
            return nil
        }
        var attributes = parts(url)
        attributes.accessGroup = group
        attributes.account = item.attributes["username"]
        return (.internetPassword, attributes)
    }

    /// Returns the URL with exactly these attributes as its parts, nil if there is none.
    private static func url(_ attributes: ItemAttributes) -> ByteString? {
        guard let url = ServerURL.text(attributes) else {
            return nil
        }
        let parts = parts(url)
        let isSame =
            parts.server == attributes.server
            && parts.protocol?.rawValue ?? "" == attributes.protocol?.rawValue ?? ""
            && parts.port ?? 0 == attributes.port ?? 0
            && parts.path ?? "" == attributes.path ?? ""
        return isSame ? url : nil
    }

    private static func parts(_ url: ByteString) -> ItemAttributes {
        var attributes = ItemAttributes()
        guard let parts = ServerURL(url) else {
            attributes.server = url
            return attributes
        }
        attributes.server = parts.host
        attributes.protocol = parts.scheme.map { ProtocolType(scheme: $0) }
        attributes.port = parts.port
        attributes.path = parts.path
        return attributes
    }
}
