internal import KeychainServices

/// How a request maps to items: internet passwords in the access group `git`.
extension GitCredentialRequest {
    /// What an item must equal to be meant: each field that is present. A host without a port
    /// means items without one. A negative item is no login.
    var wanted: ItemAttributes {
        ItemAttributes { values in
            setWanted(&values)
            values.isNegative = false
        }
    }

    /// What the one item equals in which this login is kept: each field, absent as none.
    var place: ItemAttributes {
        ItemAttributes { values in
            setWanted(&values)
            values.path = path ?? ""
            values.account = username ?? ""
        }
    }

    private func setWanted(_ values: inout ItemAttributes.Values) {
        values.accessGroup = GitCredentialHelper.accessGroup
        values.protocol = `protocol`.map { ProtocolType(scheme: $0) }
        if let host = host.map(HostAndPort.init) {
            values.server = host.server
            values.port = host.port
        }
        values.path = path
        values.account = username
    }

    /// What a new item for this login has; no port and no path are absent in it.
    var newItem: ItemAttributes {
        let host = host.map(HostAndPort.init)
        return ItemAttributes(
            accessGroup: GitCredentialHelper.accessGroup, label: label, account: username,
            server: host?.server, protocol: `protocol`.map { ProtocolType(scheme: $0) },
            port: host?.port == 0 ? nil : host?.port, path: path?.isEmpty == true ? nil : path)
    }

    /// `Git: https://example.com:8443/path`, as git-credential-libsecret has it.
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
