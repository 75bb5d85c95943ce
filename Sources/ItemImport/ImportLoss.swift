/// What an entry has that no item has room for.
public enum ImportLoss: String, Sendable, CaseIterable {
    /// The folder, or the collections, that it is in.
    case folder
    /// Its tags.
    case tags
    /// Fields of the user's own.
    case customFields = "custom_fields"
    /// The passwords that it had before.
    case earlierPasswords = "earlier_passwords"
    /// The key of its one-time passwords.
    case oneTimePassword = "one_time_password"
    /// Its passkey.
    case passkey
    /// The end of a note that is longer than a comment may be.
    case longNote = "long_note"

    /// Whether it only says where the entry is found, so that no secret is lost with it.
    public var isArrangement: Bool { self == .folder || self == .tags }
}
