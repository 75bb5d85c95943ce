/// The operation that git requests from a credential helper: the helper's last argument.
///
/// Helpers ignore unknown words, which lets the protocol grow. The corresponding section of
/// gitcredentials(7) is "CUSTOM HELPERS".
public enum GitCredentialOperation: String, CaseIterable, Sendable {
    /// Print the login for a request.
    case get
    /// Store a login that worked.
    case store
    /// Delete logins that did not work.
    case erase
    /// Print what the helper supports beyond the first version of the protocol.
    case capability
}
