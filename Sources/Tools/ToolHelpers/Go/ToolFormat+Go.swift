package import KeychainServices

extension ToolFormat {
    /// go, whose logins ``GoAuthHelper`` finds.
    package static let go = ToolFormat(
        name: GoAuthHelper.accessGroup.description, helper: "goauth-lanyard", programs: ["go"],
        attributes: { name throws(KeychainError) in
            guard name.protocol == nil || name.protocol == .https else {
                throw KeychainError(.param, "go sends logins only over https")
            }
            guard name.account?.bytes.contains(UInt8(ascii: ":")) != true else {
                throw KeychainError(.param, "accounts for go have no colon")
            }
            var attributes = name
            attributes.protocol = .https
            attributes.server = name.server?.lowercasedASCII
            return attributes
        }, protocolHelper: .go)
}
