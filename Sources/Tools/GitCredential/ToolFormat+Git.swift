package import KeychainServices

extension ToolFormat {
    /// git, whose items ``GitCredentialHelper`` stores.
    package static let git = ToolFormat(
        name: GitCredentialHelper.accessGroup.description, helper: "git-credential-lanyard",
        programs: ["git"],
        hosts: Hosts(
            names: [
                "github.com", "gist.github.com", "gitlab.com", "bitbucket.org", "codeberg.org",
                "dev.azure.com", "gitea.com",
            ],
            domains: ["visualstudio.com"],
            firstLabels: ["git", "github", "gitlab", "gitea", "forgejo", "bitbucket", "gerrit"]),
        readsAccountFromURL: true,
        hostlessSchemes: ["cert"],
        attributes: gitAttributes,
        check: checkLine,
        password: passwordOrCredential,
        isSameLogin: isSameLogin(_:asStored:),
        expiry: Expiry(
            date: expiry(ofStored:), hasEnded: hasEnded(stored:at:),
            secret: { stored(password: $0, expiry: $1) }))

    @Sendable private static func gitAttributes(
        _ parts: ItemAttributes
    ) throws(KeychainError) -> ItemAttributes {
        let port = parts.port.flatMap { $0 == 0 ? nil : ":\($0)" } ?? ""
        // The absolute path of a certificate's file.
        let root = parts.server == "" ? "/" : ""
        let path = ByteString(Array(root.utf8) + (parts.path?.bytes ?? []))
        let request = GitCredentialRequest(
            protocol: parts.protocol?.scheme ?? "https",
            host: ByteString((parts.server?.bytes ?? []) + port.utf8),
            path: path.isEmpty ? nil : path, username: parts.account,
            password: Secret(""))
        // Without an expiry, any time will do.
        guard let item = request?.item(at: Timestamp(secondsSinceEpoch: 0)) else {
            throw KeychainError(.param, "the URL or the account contains a line break or a NUL")
        }
        return item.attributes
    }

    /// Throws unless the password is one line without a carriage return or NUL, which git could not
    /// receive.
    @Sendable private static func checkLine(
        _ password: borrowing Secret
    ) throws(KeychainError) {
        let isLine = password.withBytes { bytes in
            bytes.indices.allSatisfy { ![0x00, 0x0A, 0x0D].contains(bytes[$0]) }
        }
        guard isLine else {
            throw KeychainError(.param, "git passwords must be one line")
        }
    }
}
