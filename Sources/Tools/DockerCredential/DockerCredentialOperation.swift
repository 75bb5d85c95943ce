/// The operation that docker requests from a credential helper: the helper's argument.
///
/// The corresponding type of docker-credential-helpers is `Action`.
public enum DockerCredentialOperation: String, CaseIterable, Sendable {
    /// Print the login for a server.
    case get
    /// Store a login.
    case store
    /// Delete the logins for a server.
    case erase
    /// Print all servers with their users.
    case list
    /// Print the helper's name and version.
    case version
}
