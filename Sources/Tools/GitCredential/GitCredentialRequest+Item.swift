internal import KeychainServices

/// Maps a request to items: internet passwords in the access group `git`.
extension GitCredentialRequest {
    /// The attributes that a matching item has: each field that is present. A host without a port matches
    /// items without one. A negative item is not a login.
    var wanted: ItemAttributes {
        var wanted = fields
        wanted.isNegative = false
        return wanted
    }

    /// The attributes of the one item for this login: each field, with absent ones as none.
    var place: ItemAttributes {
        var place = fields
        place.path = path ?? ""
        place.account = username ?? ""
        return place
    }

    /// Each field that is present.
    private var fields: ItemAttributes {
        let host = host.map(HostAndPort.init)
        var fields = ItemAttributes()
        fields.accessGroup = GitCredentialHelper.accessGroup
        fields.account = username
        fields.server = host?.server
        fields.protocol = `protocol`.map { ProtocolType(scheme: $0) }
        fields.port = host?.port
        fields.path = path
        return fields
    }

    /// The attributes of a new item for this login, without port and path if they are absent.
    var newItem: ItemAttributes {
        var item = fields
        item.label = label
        item.port = item.port == 0 ? nil : item.port
        item.path = item.path?.isEmpty == true ? nil : item.path
        return item
    }

    /// `Git: https://example.com:8443/path`, in the style of git-credential-libsecret.
    private var label: ByteString {
        ByteString(
            [UInt8](room: 16 + size(`protocol`) + size(host) + size(path)) { bytes in
                bytes.append("Git: ")
                append(`protocol`, to: &bytes)
                bytes.append("://")
                append(host, to: &bytes)
                bytes.append("/")
                append(path, to: &bytes)
            }
        ).cut(to: 1_024)
    }

    private func size(_ text: ByteString?) -> Int { text?.bytes.count ?? 0 }

    private func append(_ text: ByteString?, to bytes: inout OutputSpan<UInt8>) {
        if let text {
            bytes.append(copying: text.bytes)
        }
    }
}
