/// What git asks of a credential helper: the helper's last argument.
///
/// A word that is none of these is ignored, so that the protocol can grow. The corresponding
/// section of gitcredentials(7) is "CUSTOM HELPERS".
public enum GitCredentialOperation: String, CaseIterable, Sendable {
    /// Print the login that a request describes.
    case get
    /// Keep a login that worked.
    case store
    /// Forget logins that did not work.
    case erase
    /// Print what the helper can do beyond the first version of the protocol.
    case capability
}
