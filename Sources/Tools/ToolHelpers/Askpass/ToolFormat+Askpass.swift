package import KeychainServices

extension ToolFormat {
    /// Programs that use askpass: ssh, ssh-add and sudo. git's answers from ``AskpassHelper`` are stored
    /// for git.
    package static let askpass = ToolFormat(
        name: AskpassHelper.accessGroup.description, helper: "askpass-lanyard",
        programs: ["ssh", "ssh-add", "sudo"], isForServers: false,
        attributes: askpassAttributes,
        check: { password throws(KeychainError) in try checkLine(password, .param) },
        protocolHelper: .askpass)

    @Sendable private static func askpassAttributes(
        _ name: ItemAttributes
    ) throws(KeychainError) -> ItemAttributes {
        if name.protocol == .ssh, let server = name.server, name.account?.isEmpty == false {
            var attributes = name
            attributes.server = server.lowercasedASCII
            return attributes
        }
        switch (name.service, name.account) {
        case ("OpenSSH", let path?),
            (let path?, nil) where path.bytes.first == UInt8(ascii: "/"):
            var attributes = ItemAttributes.key(path)
            attributes.label = ByteString(Array("SSH: ".utf8) + path.bytes)
            return attributes
        case ("sudo", let user?) where !user.isEmpty: return .sudo(user)
        default:
            throw KeychainError(
                .param, "askpass needs a key's absolute path, ssh://USER@HOST or sudo USER",
                hint: "lanyard set --for askpass ~/.ssh/id_ed25519")
        }
    }

    /// Throws unless the secret is one line: programs read only the first.
    static func checkLine(_ secret: borrowing Secret, _ status: Status) throws(KeychainError) {
        let isLine = secret.withBytes { bytes in
            bytes.indices.allSatisfy { ![0x00, 0x0A, 0x0D].contains(bytes[$0]) }
        }
        guard isLine else {
            throw KeychainError(status, "passwords for askpass must be one line")
        }
    }
}
