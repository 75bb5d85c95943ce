internal import PlainTextFormats
package import KeychainServices

/// Comma-separated values, the format in which browsers and password managers export logins: RFC 4180.
///
/// Columns are found by their names in the first row, in any letter case and order; unknown ones are
/// ignored. The known names are those of Chrome, Edge, Brave, Firefox, Safari, Bitwarden, KeePassXC,
/// LastPass and 1Password. The key of one-time passwords becomes an item of its own, in the access group
/// `code`, and each custom field of Bitwarden a generic password with the service `NAME/FIELD`. The end of
/// a note that is too long is reported as ``ImportLoss``.
///
/// Items are in the access group `login`: an internet password for the address, or, without a valid one, a
/// generic password with the entry's name as service. Notes become the comment, up to its limit; folder and
/// tags follow as ``EntryArrangement``. Items keep the dates that Firefox and KeePassXC export. A secure note of Bitwarden or LastPass becomes a generic
/// password with the note as its secret; one with a password becomes a login.
///
/// Two entries may have the same place and account but different passwords: the later one then becomes a
/// generic password with its name. If name and account are the same, too, its name gets a number. Single
/// entries can't be removed from the file, which is an export.
package struct CSVFile: ImportFormat {
    package init() {}

    /// Reads a whole file. An invalid file yields no entries.
    ///
    /// - Throws: ``Status/decode`` if the first row names no column for passwords, and for an unterminated
    ///   quotation mark; what the closure throws.
    package func read(_ text: Span<UInt8>, _ body: ImportRecord.Body) throws(KeychainError) {
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
                    content: .skipped(reason: "its columns don't match the first line"))
                try body(record)
                continue
            }
            let login = CSVFile.login(row, columns, in: text)
            try login.forEachContent(&earlier) { content throws(KeychainError) in
                try body(ImportRecord(place: place, range: nil, content: content))
            }
        }
    }

    /// Counts the rows after the first one, whatever they contain: with its lost parts, a row may yield
    /// several entries.
    package func count(_ text: Span<UInt8>) throws(KeychainError) -> Int {
        var rows = CSVScanner(text)
        _ = try CSVColumns(rows.next(in: text), in: text)
        var count = 0
        while try rows.next(in: text) != nil {
            count += 1
        }
        return count
    }

    private static func login(
        _ row: CSVRow, _ columns: CSVColumns, in text: Span<UInt8>
    ) -> ExportedLogin {
        func value(_ column: Int?) -> ByteString? {
            column.map { row.fields[$0].text(in: text) }
        }
        let address = columns.address.map { row.fields[$0].secret(in: text) }
        // Elsewhere LastPass's address of a note is a host, and a note with a password is a login.
        let isNote =
            row.fields[columns.password].range.isEmpty
            && (value(columns.type)?.lowercasedASCII == "note"
                || columns.areLastPass && address.isLastPassNote)
        var login = ExportedLogin()
        login.title = value(columns.title)
        login.created = columns.created.flatMap { row.fields[$0].date(in: text) }
        login.changed = columns.changed.flatMap { row.fields[$0].date(in: text) }
        func isThere(_ column: Int?) -> Bool {
            column.map { !row.fields[$0].range.isEmpty } ?? false
        }
        login.arrangement.folders = columns.folders(value(columns.folder))
        login.arrangement.addTags(value(columns.tags) ?? "")
        if let fields = columns.customFields {
            login.fields = row.fields[fields].secret(in: text).withBytes { $0.customFields }
        }
        if isThere(columns.oneTimePassword) {
            login.oneTimePassword = columns.oneTimePassword.map {
                row.fields[$0].secret(in: text)
            }
        }
        if isNote {
            login.secret = columns.notes.map { row.fields[$0].secret(in: text) } ?? Secret("")
            login.reasonWithoutSecret = "it is empty"
            return login
        }
        login.username = value(isThere(columns.username) ? columns.username : columns.email)
        login.realm = value(columns.realm)
        login.addresses = address.addresses
        login.setSecret(
            password: row.fields[columns.password].secret(in: text),
            notes: columns.notes.map { row.fields[$0].secret(in: text) } ?? Secret(""))
        return login
    }
}

extension CSVField {
    /// Parses a date: Firefox has milliseconds, KeePassXC ISO 8601.
    fileprivate func date(in text: Span<UInt8>) -> Timestamp? {
        secret(in: text).withBytes { $0.dateInMilliseconds ?? $0.date }
    }
}

extension Secret? {
    /// Whether this is LastPass's address of a secure note.
    fileprivate var isLastPassNote: Bool {
        switch self {
        case .some(let address): address.withBytes { $0.equals("http://sn") }
        case .none: false
        }
    }

    /// The addresses in a field.
    fileprivate var addresses: [WebAddress] {
        switch self {
        case .some(let field): field.withBytes { $0.addressList }
        case .none: []
        }
    }
}

extension CSVColumns {
    /// Returns the folder of an entry without the root that all have.
    fileprivate func folders(_ path: ByteString?) -> [ByteString] {
        guard let path, !path.isEmpty else {
            return []
        }
        guard hasRootFolder else {
            return [path]
        }
        let names = path.bytes.split(
            separator: .slash, maxSplits: 1, omittingEmptySubsequences: false)
        return names.count == 2 && !names[1].isEmpty ? [ByteString(Array(names[1]))] : []
    }
}

extension Span where Element == UInt8 {
    /// The fields in Bitwarden's form: lines `NAME: VALUE`. A line without a name continues the value before
    /// it.
    fileprivate var customFields: [ExportedField] {
        var fields: [(name: Range<Int>, value: Range<Int>)] = []
        var lines = LineScanner()
        while let line = lines.next(in: self) {
            if let colon = extracting(line.range).firstIndex(of: ": ") {
                let start = line.range.lowerBound
                fields.append((start..<start + colon, start + colon + 2..<line.range.upperBound))
            } else if let last = fields.popLast() {
                fields.append((last.name, last.value.lowerBound..<line.range.upperBound))
            } else {
                fields.append((0..<0, line.range))
            }
        }
        return fields.map { field in
            ExportedField(
                ByteString(copying: extracting(field.name)),
                Secret(copying: extracting(field.value)))
        }
    }

    /// The addresses in a list. A comma in a path separates only if a URL follows it.
    fileprivate var addressList: [WebAddress] {
        var addresses: [WebAddress] = []
        var start = 0
        var hasPath = false
        var comma = 0
        while comma <= count {
            comma = firstIndex(of: .comma, from: comma) ?? count
            hasPath = hasPath || !URLParts(extracting(trimmed(start..<comma))).rest.isEmpty
            let next = comma < count ? firstIndex(of: .comma, from: comma + 1) ?? count : count
            if !hasPath || comma == count
                || URLParts(extracting(trimmed(comma + 1..<next))).scheme != nil
            {
                if let address = WebAddress(extracting(start..<comma)) {
                    addresses.append(address)
                }
                start = comma + 1
                hasPath = false
            }
            comma += 1
        }
        return addresses
    }

    private func trimmed(_ range: Range<Int>) -> Range<Int> {
        let part = extracting(range).withoutWhitespace
        return range.lowerBound + part.lowerBound..<range.lowerBound + part.upperBound
    }
}
