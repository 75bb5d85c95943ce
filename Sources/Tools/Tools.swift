internal import AskpassCredential
internal import DockerCredential
internal import GitCredential
package import KeychainServices

extension ToolFormat {
    /// Every tool that there is a helper for: a new one is added here.
    package static let all: [ToolFormat] = [.git, .docker, .askpass]

    /// The tool of a name, nil if there is none.
    package init?(name: String) {
        guard let tool = ToolFormat.all.first(where: { $0.name == name }) else {
            return nil
        }
        self = tool
    }

    /// The tool whose helper looks in an access group, nil if none does.
    package init?(group: ByteString?) {
        guard let tool = ToolFormat.all.first(where: { $0.accessGroup == group }) else {
            return nil
        }
        self = tool
    }
}

/// An item's password, out of the form in which the tool of its access group stores it.
package func password(of secret: borrowing Secret, in group: ByteString?) -> Secret {
    guard let tool = ToolFormat(group: group) else {
        return secret.copy()
    }
    return tool.password(secret)
}
