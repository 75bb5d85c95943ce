/// A part of an entry that its item lacks.
package enum ImportLoss: Hashable, Sendable {
    /// Its folder or collections.
    case folder
    /// Its tags.
    case tags
    /// The titles of its sections.
    case sections
    /// A date that is not readable.
    case date
    /// Fields of the user's own.
    case customFields
    /// Its earlier passwords.
    case earlierPasswords
    /// The key of its one-time passwords.
    case oneTimePassword
    /// Its passkey.
    case passkey
    /// Its attached files.
    case attachments
    /// An address that is none, or one with a password.
    case address
    /// Words that no program reads.
    case words
    /// The end of a note that exceeds a comment's limit.
    case longNote
    /// The column, member, element or word with this name, which no rule of the format reads.
    case unread(String)

    /// Whether an import without it is incomplete.
    package var isSecretInUse: Bool { !isArrangement && self != .earlierPasswords }

    /// Whether it only organizes entries, which means that no secret is lost with it.
    package var isArrangement: Bool {
        switch self {
        case .folder, .tags, .sections, .date: true
        default: false
        }
    }

    /// The word for programs: see lanyard-import(1), "JSON".
    package var word: String {
        switch self {
        case .folder: "folder"
        case .tags: "tags"
        case .sections: "sections"
        case .date: "date"
        case .customFields: "custom_fields"
        case .earlierPasswords: "earlier_passwords"
        case .oneTimePassword: "one_time_password"
        case .passkey: "passkey"
        case .attachments: "attachments"
        case .address: "address"
        case .words: "words"
        case .longNote: "long_note"
        case .unread: "unread"
        }
    }
}
