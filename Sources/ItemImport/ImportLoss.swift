/// A part of an entry that no item has room for.
package enum ImportLoss: String, Sendable, CaseIterable {
    /// Its folder or collections.
    case folder
    /// Its tags.
    case tags
    /// Fields of the user's own.
    case customFields = "custom_fields"
    /// Its earlier passwords.
    case earlierPasswords = "earlier_passwords"
    /// The key of its one-time passwords.
    case oneTimePassword = "one_time_password"
    /// Its passkey.
    case passkey
    /// Its attached files.
    case attachments
    /// The end of a note that exceeds a comment's limit.
    case longNote = "long_note"

    /// Whether it is secret and in use: an import without it is incomplete.
    package var isSecretInUse: Bool { !isArrangement && self != .earlierPasswords }

    /// Whether it only organizes entries, which means that no secret is lost with it.
    package var isArrangement: Bool { self == .folder || self == .tags }
}
