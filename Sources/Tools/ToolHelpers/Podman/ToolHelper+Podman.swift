internal import KeychainServices

extension ToolHelper {
    /// Performs the only argument, an operation of podman's secret driver `shell`.
    static let podman = ToolHelper(
        help: """
            usage: podman-secret-lanyard [--keychain NAME] list|lookup|store|delete
                   podman-secret-lanyard --help|--version

            Stores the secrets of podman in an encrypted keychain. SECRET_ID names one.

            examples:
              printf hunter2 | SECRET_ID=database podman-secret-lanyard store
              podman-secret-lanyard list
            """, accessGroups: AccessGroups(PodmanSecretHelper.accessGroup)
    ) { session throws(KeychainError) in
        let operation = try session.onlyArgument("operation")
        guard ["list", "lookup", "store", "delete"].contains(operation) else {
            throw session.wrongUsage("unknown operation '\(operation)'")
        }
        if operation == "list" {
            return try session.write(
                PodmanSecretHelper(keychain: try session.keychain()).list())
        }
        let id = try PodmanSecretHelper.id(try session.variable(PodmanSecretHelper.variable))
        let helper = PodmanSecretHelper(keychain: try session.keychain())
        switch operation {
        case "lookup": try session.write(helper.lookup(id))
        case "store": try helper.store(try session.readAll(), as: id)
        default: try helper.delete(id)
        }
    }
}
