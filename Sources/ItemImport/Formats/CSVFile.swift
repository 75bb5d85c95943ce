public import KeychainServices

/// Comma-separated values, as browsers and password managers export logins: RFC 4180.
///
/// Columns are found by their names in the first row, letter case set aside, so that their order and
/// others beside them don't matter. Known are those of Chrome, Edge, Brave, Firefox, Safari,
/// Bitwarden, KeePassXC, LastPass and 1Password. What else an entry has is handed out as an
/// ``ImportLoss``: its folder, tags, custom fields, the key of one-time passwords, and the end of a note
/// that is too long.
///
/// Items are in the access group `login`: an internet password for the address, or, where there is
/// none that can be read, a generic password whose service is the entry's name. Notes become the
/// comment, as long as that may be. Firefox and KeePassXC export dates, which items keep. A secure note of Bitwarden's or LastPass's is a generic password
/// with the note as its secret. Of two entries for the same place and account with other passwords the
/// later one is a generic password of its name, and of two of the same name and account the later one has
/// a number behind it. Single entries can't be removed from the file: what is read is an export.
public struct CSVFile: ImportFormat {
    /// The form; there is nothing to set.
    public init() {}

    /// Reads a whole file. Nothing is handed out of one that is not of this form.
    ///
    /// - Throws: ``Status/decode`` if the first row has no name of a column for passwords, and for a
    ///   quotation mark that nothing ends; what the closure throws.
    public func read(
        _ file: borrowing Secret,
        _ body: (ImportRecord) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        try file.withBytes { text throws(KeychainError) in
            var check = CSVScanner(text)
            while try check.next(in: text) != nil {}
            var rows = CSVScanner(text)
            let columns = try CSVColumns(rows.next(in: text), in: text)
            var earlier = EarlierEntries()
            while let row = try rows.next(in: text) {
                let place = "line \(row.line)"
                guard !row.isMalformed, row.count == columns.count,
                    row.count == row.fields.count
                else {
                    let record = ImportRecord(
                        place: place, range: nil,
                        content: .skipped(reason: "it has not the columns of the first line"))
                    try body(record)
                    continue
                }
                let login = CSVFile.login(row, columns, in: text)
                try login.forEachContent(&earlier) { content throws(KeychainError) in
                    try body(ImportRecord(place: place, range: nil, content: content))
                }
            }
        }
    }

    /// The rows behind the first one, whatever they say: some give several entries, for what is lost of them.
    public func count(_ file: borrowing Secret) throws(KeychainError) -> Int {
        try file.withBytes { text throws(KeychainError) in
            var rows = CSVScanner(text)
            _ = try CSVColumns(rows.next(in: text), in: text)
            var count = 0
            while try rows.next(in: text) != nil {
                count += 1
            }
            return count
        }
    }

    private static func login(
        _ row: CSVRow, _ columns: CSVColumns, in text: Span<UInt8>
    ) -> ExportedLogin {
        func value(_ column: Int?) -> ByteString? {
            column.map { row.fields[$0].text(in: text) }
        }
        let address = columns.address.map { row.fields[$0].secret(in: text) }
        let isNote =
            value(columns.type)?.lowercasedASCII == "note" || address.isLastPassNote
        var login = ExportedLogin()
        login.title = value(columns.title)
        login.created = columns.created.flatMap { row.fields[$0].date(in: text) }
        login.changed = columns.changed.flatMap { row.fields[$0].date(in: text) }
        func isThere(_ column: Int?) -> Bool {
            column.map { !row.fields[$0].range.isEmpty } ?? false
        }
        let isInFolder =
            columns.hasRootFolder
            ? value(columns.folder)?.bytes.contains(.slash) == true : isThere(columns.folder)
        login.lost = [
            isInFolder ? .folder : nil, isThere(columns.tags) ? .tags : nil,
            isThere(columns.customFields) ? .customFields : nil,
            isThere(columns.oneTimePassword) ? .oneTimePassword : nil,
        ].compactMap(\.self)
        if isNote {
            login.secret = columns.notes.map { row.fields[$0].secret(in: text) } ?? Secret("")
            login.reasonWithoutSecret = "it is empty"
            return login
        }
        login.username = value(columns.username)
        login.realm = value(columns.realm)
        login.notes = value(columns.notes)
        login.secret = row.fields[columns.password].secret(in: text)
        login.addresses = address.addresses(inList: columns.hasAddressList)
        return login
    }
}

extension CSVField {
    /// The moment that it means: Firefox has milliseconds, KeePassXC a date of ISO 8601.
    fileprivate func date(in text: Span<UInt8>) -> Timestamp? {
        secret(in: text).withBytes { $0.dateInMilliseconds ?? $0.date }
    }
}

extension Secret? {
    /// Whether this is what LastPass has for the address of a secure note.
    fileprivate var isLastPassNote: Bool {
        switch self {
        case .some(let address): address.withBytes { $0.equals("http://sn") }
        case .none: false
        }
    }

    /// The addresses in a field. In a list a comma ends one only if another URL begins behind it.
    fileprivate func addresses(inList isList: Bool) -> [WebAddress] {
        switch self {
        case .some(let field):
            field.withBytes { isList ? $0.addressList : WebAddress($0).map { [$0] } ?? [] }
        case .none: []
        }
    }
}

extension Span where Element == UInt8 {
    fileprivate var addressList: [WebAddress] {
        var addresses: [WebAddress] = []
        var start = 0
        while start <= count {
            let end = firstIndex(of: .comma, from: start) ?? count
            let piece = extracting(start..<end)
            if let address = WebAddress(piece), start == 0 || address.scheme != nil {
                addresses.append(address)
            }
            start = end + 1
        }
        return addresses
    }
}
