internal import GitCredential
internal import KeychainServices

/// The access groups that tools keep their items in.
enum Group {
    static let git: ByteString = "git"

    /// Throws if a secret can't be kept in a group.
    ///
    /// - Throws: ``Status/param`` for several lines in git's, where the first line is the password, and
    ///   for a carriage return or a NUL, which git can't be told.
    static func check(_ secret: borrowing Secret, for group: ByteString) throws(KeychainError) {
        let lines = secret.withBytes { bytes in
            bytes.indices.contains { [0x00, 0x0A, 0x0D].contains(bytes[$0]) }
        }
        guard group != git || !lines else {
            throw KeychainError(.param, "a password of git is one line")
        }
    }

    /// An item's password, out of the form in which its group keeps it.
    static func password(
        of secret: borrowing Secret, in group: ByteString?
    ) -> Secret {
        group == git ? passwordOrCredential(ofStored: secret) : secret.copy()
    }
}
