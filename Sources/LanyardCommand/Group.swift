internal import GitCredential
internal import Keychain

/// The access groups that tools keep their items in.
enum Group {
    static let git: ByteString = "git"

    /// An item's password, out of the form in which its group keeps it.
    static func password(
        of secret: borrowing Secret, in group: ByteString?
    ) -> Secret {
        group == git ? passwordOrCredential(ofStored: secret) : secret.copy()
    }
}
