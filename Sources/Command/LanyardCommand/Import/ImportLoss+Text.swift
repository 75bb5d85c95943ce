internal import LanyardTransfer

extension ImportReport.Loss {
    /// Names the loss for users: the logins themselves were imported.
    var text: String {
        let entries =
            places.count == 1 ? "1 entry was imported" : "\(places.count) entries were imported"
        let text = "\(file.map { "'\($0)': " } ?? "")\(entries) without \(kind.text)"
        guard !kind.isArrangement else {
            return text
        }
        let shown = places.prefix(ImportReport.Loss.shownPlaces).map(\.description)
        let rest = places.count - shown.count
        return text + " (" + (shown + (rest > 0 ? ["\(rest) more"] : [])).joined(separator: ", ")
            + ")"
    }

    private static let shownPlaces = 10
}

extension ImportLoss {
    fileprivate var text: String {
        switch self {
        case .folder: "the folder"
        case .tags: "the tags"
        case .sections: "the titles of sections"
        case .date: "a date that can't be read"
        case .customFields: "the custom fields"
        case .earlierPasswords: "the earlier passwords"
        case .oneTimePassword: "the one-time password key"
        case .passkey: "the passkey"
        case .attachments: "the attachments"
        case .address: "an address"
        case .words: "words that curl ignores"
        case .longNote: "the end of a long note"
        case .unread(let name): "'\(name)', which Lanyard doesn't know"
        }
    }
}
