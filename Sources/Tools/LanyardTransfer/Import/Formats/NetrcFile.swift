internal import GitCredential
package import KeychainServices
internal import PlainTextFormats

/// The file .netrc, in which curl, ftp and, through curl, git look for logins.
///
/// The file names neither protocol nor port. Because git and curl are its users today, items are those that
/// `git-credential-lanyard` would store for an https login to the machine, in the access group `git`. The
/// machine's name becomes lower case, because curl ignores letter case.
///
/// Quoted texts, with `\"`, `\n`, `\r` and `\t`, are read as curl does. A `#` starts a comment at the start
/// of a line, as in curl, and where a word such as `login` may follow, as in GNU's programs; elsewhere it
/// is part of a value. Unknown words inside an entry, which curl ignores, are reported as ``ImportLoss``; outside of one
/// they are invalid.
///
/// A machine with only a name does not count as an entry. Of two entries for the same machine and login,
/// the later one is ``ImportRecord/Content/shadowed``. The corresponding manual page is netrc(5).
package struct NetrcFile: ImportFormat {
    package init() {}

    /// Why a `default` entry is skipped. git and curl send it to each host that has no entry.
    package static let reasonOfDefault = "'default' entries name no host"

    /// curl takes the first one.
    package var precedence: Precedence { .first }

    /// Reads a whole file. An invalid file yields no entries.
    ///
    /// - Throws: ``Status/decode``, what the closure throws.
    package func read(_ text: Span<UInt8>, _ body: ImportRecord.Body) throws(KeychainError) {
        let parser = NetrcParser(text)
        if let problem = parser.problem {
            throw problem
        }
        var earlier = EarlierEntries(precedence)
        for entry in parser.entries {
            let content = content(of: entry, in: text, &earlier)
            let losses = content.isItem && entry.hasOtherWords ? [ImportLoss.words] : []
            for content in [content] + losses.map({ .without($0) }) {
                try body(
                    ImportRecord(
                        place: "line \(entry.line)", range: entry.range, content: content))
            }
        }
    }

    private func content(
        of entry: NetrcEntry, in text: Span<UInt8>, _ earlier: inout EarlierEntries
    ) -> ImportRecord.Content {
        let machine: NetrcToken
        switch entry.kind {
        case .machine(let name): machine = name
        case .default: return .skipped(reason: NetrcFile.reasonOfDefault)
        case .macro: return .skipped(reason: "it is a macro")
        }
        guard entry.logins.count < 2, entry.passwords.count < 2 else {
            return .unreadable("it has more than one login")
        }
        guard !entry.hasAccount else {
            return .unreadable("it has an account, which only ftp uses")
        }
        guard let password = entry.passwords.first else {
            return .skipped(reason: SkipReason.noPassword, hasSecret: false)
        }
        guard text.extracting(machine.inner).firstIndex(of: "://") == nil else {
            return .unreadable("its machine is a URL, but has to be a host")
        }
        let request = GitCredentialRequest(
            protocol: "https", host: machine.text(in: text).lowercasedASCII, path: nil,
            username: entry.logins.first?.text(in: text), password: password.secret(in: text))
        guard let request else {
            return .unreadable("it contains a line break, which git refuses")
        }
        // No program requests a machine that is only a port, either.
        guard let item = request.item(at: Timestamp(secondsSinceEpoch: 0)),
            item.attributes.server?.isEmpty == false
        else {
            return .unreadable(SkipReason.noHost)
        }
        return earlier.item(item.newItem())
    }
}
