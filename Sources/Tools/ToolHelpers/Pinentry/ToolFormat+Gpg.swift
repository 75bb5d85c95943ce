package import KeychainServices

extension ToolFormat {
    /// gpg, whose passphrases ``PinentryServer`` gives to gpg-agent.
    package static let gpg = ToolFormat(
        name: PinentryServer.accessGroup.description, helper: "pinentry-lanyard",
        programs: ["gpg", "gpg-agent"], isForServers: false,
        attributes: { name throws(KeychainError) in
            guard name.server == nil, name.account == nil,
                let keygrip = name.service.flatMap({ Keygrip($0.bytes) })
            else {
                throw KeychainError(
                    .param, "gpg needs the keygrip of a key: 40 hexadecimal digits",
                    hint: "gpg --list-secret-keys --with-keygrip")
            }
            var attributes = keygrip.item
            attributes.label = ByteString(Array("GnuPG: ".utf8) + keygrip.text.bytes)
            return attributes
        },
        check: { passphrase throws(KeychainError) in
            let isLine = passphrase.withBytes { bytes in
                bytes.indices.allSatisfy { ![0x00, 0x0A, 0x0D].contains(bytes[$0]) }
            }
            guard isLine else {
                throw KeychainError(.param, "passphrases for gpg must be one line")
            }
        }, protocolHelper: .gpg)
}
