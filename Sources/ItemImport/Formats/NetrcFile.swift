internal import GitCredential
public import KeychainServices

/// The file .netrc, in which curl, ftp and, through curl, git look for logins.
///
/// The file tells neither protocol nor port. As git and curl are who use it today, items are what
/// `git-credential-lanyard` would keep of a login of the machine by https, in the access group `git`.
/// The machine's name comes in small letters, as curl does not tell them from capitals.
///
/// Texts in quotation marks, with `\"`, `\n`, `\r` and `\t`, are read as curl does. A `#` begins a
/// comment where a line begins, as in curl, and where a word such as `login` may stand, as in GNU's
/// programs; elsewhere it is part of a value. Words that are none of the file's own are ignored inside
/// an entry, as curl does, and refused outside of one.
///
/// A machine with nothing but its name is no entry. Of two entries for the same machine and login the
/// later one is ``ImportRecord/Content/shadowed``. The corresponding manual page is netrc(5).
public struct NetrcFile: ImportFormat {
    /// The form; there is nothing to set.
    public init() {}

    /// Reads a whole file. Nothing is handed out of one that is not of this form.
    ///
    /// - Throws: ``Status/decode``, what the closure throws.
    public func read(
        _ file: borrowing Secret,
        _ body: (ImportRecord) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        try file.withBytes { text throws(KeychainError) in
            var parser = NetrcParser()
            try parser.parse(text)
            var earlier = EarlierEntries()
            for entry in parser.entries {
                try body(
                    ImportRecord(
                        place: "line \(entry.line)", range: entry.range,
                        content: content(of: entry, in: text, &earlier)))
            }
        }
    }

    private func content(
        of entry: NetrcEntry, in text: Span<UInt8>, _ earlier: inout EarlierEntries
    ) -> ImportRecord.Content {
        let machine: NetrcToken
        switch entry.kind {
        case .machine(let name): machine = name
        case .default: return .skipped(reason: "it is for every machine, which no item can be")
        case .macro: return .skipped(reason: "it is a macro")
        }
        guard !entry.hasSeveralLogins else {
            return .skipped(reason: "it has more than one login")
        }
        guard !entry.hasAccount else {
            return .skipped(reason: "it has an account, which ftp alone knows")
        }
        guard let password = entry.password else {
            return .skipped(reason: SkipReason.noPassword)
        }
        let request = GitCredentialRequest(
            protocol: "https", host: machine.text(in: text).lowercasedASCII, path: nil,
            username: entry.login?.text(in: text), password: password.secret(in: text))
        guard let request else {
            return .skipped(reason: "a value of it has a line break in it, which git refuses")
        }
        // Of a machine that is a port alone, too, nobody asks for the login.
        guard let item = request.item(at: Timestamp(secondsSinceEpoch: 0)),
            item.attributes.server?.isEmpty == false
        else {
            return .skipped(reason: SkipReason.noHost)
        }
        return earlier.item(item.newItem()) { _ in .shadowed }
    }
}
