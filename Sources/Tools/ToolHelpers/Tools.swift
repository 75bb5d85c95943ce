internal import DockerCredential
internal import GitCredential
package import KeychainServices

extension ToolFormat {
    /// Every tool with a helper: add a new one here.
    package static let all: [ToolFormat] = [
        .git, .docker, .askpass, .kubectl, .cargo, .keyring, .terraform, .aws, .go,
        .bazel, .vault, .npm, .ansible, .podman, .gpg, .nuget, .gcloud,
    ]

    /// Finds the tool with a name.
    package init?(name: String) {
        guard let tool = ToolFormat.all.first(where: { $0.name == name }) else {
            return nil
        }
        self = tool
    }

    /// Finds the tool whose helper uses an access group.
    package init?(group: ByteString?) {
        guard let tool = ToolFormat.all.first(where: { $0.accessGroup == group }) else {
            return nil
        }
        self = tool
    }
}

/// Returns an item's password, decoded from the format of its access group's tool.
package func password(of secret: borrowing Secret, in group: ByteString?) -> Secret {
    guard let tool = ToolFormat(group: group) else {
        return secret.copy()
    }
    return tool.password(secret)
}

/// Returns the password of an item that was read with its attributes and its secret; nil if it has no secret.
package func password(of item: borrowing MatchedItem) -> Secret? {
    switch item.secret {
    case .some(let secret): password(of: secret, in: item.attributes?.accessGroup)
    case .none: nil
    }
}
