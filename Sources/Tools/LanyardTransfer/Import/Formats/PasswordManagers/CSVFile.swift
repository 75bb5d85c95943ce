internal import PlainTextFormats
package import KeychainServices

/// Comma-separated values, the format in which browsers and password managers export logins: RFC 4180. The values may
/// also be separated by semicolons or tabs, or as a first line `sep=` says.
///
/// Columns are found by their names in the first row, in any letter case and order. The known names are those of
/// Chrome, Edge, Brave, Firefox, Safari, Bitwarden, KeePassXC, LastPass, 1Password, Dashlane and Proton Pass, and other
/// words for the same. A cell of another column is reported as ``ImportLoss``, unless the column has no meaning. The
/// key of one-time passwords becomes an item of its own, in the access group `code`, and each custom field of
/// Bitwarden, and each further account, a generic password with the service `NAME/FIELD`. The end of a note that is too
/// long is reported as ``ImportLoss``.
///
/// Items are in the access group `login`: an internet password for the address, or, without a valid one, a
/// generic password with the entry's name as service. Notes become the comment, up to its limit; folder and
/// tags follow as ``EntryArrangement``. Items keep the dates that Firefox, KeePassXC and Proton Pass export. A secure
/// note of Bitwarden or LastPass becomes a generic password with the note as its secret; one with a password becomes a
/// login.
///
/// KeePass 1 writes `\"` and `\\` for these characters; a row with another backslash is not read.
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
        var (rows, columns) = try CSVFile.begin(text)
        var check = rows
        var root = RootFolder()
        while let row = try check.next(in: text) {
            if columns.hasRootFolder, let folder = columns.folder, folder < row.fields.count {
                root.add(row.fields[folder].text(in: text))
            }
        }
        var earlier = EarlierEntries()
        while let row = try rows.next(in: text) {
            let place = "line \(row.line)"
            guard !row.isMalformed, row.count == columns.count,
                row.count == row.fields.count
            else {
                let record = ImportRecord(
                    place: place, range: nil,
                    content: .unreadable(
                        columns.areKeePass && row.count == columns.count
                            ? "it has unknown escapes" : "its columns don't match the first line"))
                try body(record)
                continue
            }
            guard row.fields.allSatisfy({ text.extracting($0.range).isUTF8 }) else {
                let record = ImportRecord(
                    place: place, range: nil,
                    content: .unreadable("it is not UTF-8: save the file in that encoding"))
                try body(record)
                continue
            }
            if let folder = columns.folder, root.isInRecycleBin(row.fields[folder].text(in: text)) {
                // Its owner has deleted it: not a secret that an import leaves behind.
                let record = ImportRecord(
                    place: place, range: nil,
                    content: .skipped(reason: SkipReason.recycleBin, hasSecret: false))
                try body(record)
                continue
            }
            let login = CSVFile.login(row, columns, root, in: text)
            try login.forEachContent(&earlier) { content throws(KeychainError) in
                try body(ImportRecord(place: place, range: nil, content: content))
            }
        }
    }

    /// Counts the rows after the first one, whatever they contain: with its lost parts, a row may yield
    /// several entries.
    package func count(_ text: Span<UInt8>) throws(KeychainError) -> Int {
        var (rows, _) = try CSVFile.begin(text)
        var count = 0
        while try rows.next(in: text) != nil {
            count += 1
        }
        return count
    }

    /// Reads the first row with each separator, until it names a column for passwords.
    ///
    /// - Returns: The rows after it, and its columns.
    private static func begin(
        _ text: Span<UInt8>
    ) throws(KeychainError) -> (CSVScanner, CSVColumns) {
        for separator in [UInt8.semicolon, .tab] {
            var rows = CSVScanner(text, separator: separator)
            if let header = try? rows.next(in: text),
                let columns = try? CSVColumns(header, in: text), columns.count > 1
            {
                return (rows, columns)
            }
        }
        var rows = CSVScanner(text)
        let columns = try CSVColumns(rows.next(in: text), in: text)
        if columns.areKeePass {
            rows.escape = .backslash
        }
        return (rows, columns)
    }

    private static func login(
        _ row: CSVRow, _ columns: CSVColumns, _ root: RootFolder, in text: Span<UInt8>
    ) -> ExportedLogin {
        let parts = UnreadParts(besides: [])
        // The cells that no rule has read yet.
        var unread = Set(
            row.fields.indices.filter {
                !text.extracting(row.fields[$0].range).isEmptyCell && columns.isMeaningful($0)
            })
        func secret(_ column: Int?) -> Secret {
            guard let column else {
                return Secret("")
            }
            unread.remove(column)
            return row.fields[column].secret(in: text)
        }
        func value(_ column: Int?) -> ByteString? { column == nil ? nil : secret(column).text }
        func isThere(_ column: Int?) -> Bool {
            column.map { !row.fields[$0].range.isEmpty } ?? false
        }
        func date(_ column: Int?) -> Timestamp? {
            guard let column, isThere(column) else {
                return nil
            }
            unread.remove(column)
            let date = row.fields[column].date(in: text)
            if date == nil {
                parts.note(.date)
            }
            return date
        }
        var login = ExportedLogin()
        // Elsewhere LastPass's address of a note is a host, and a note with a password is a login.
        let isLastPassNote =
            columns.areLastPass
            && columns.addresses.contains {
                text.extracting(row.fields[$0].range).equals("http://sn")
            }
        let type = value(columns.type)?.lowercasedASCII
        let isNote =
            row.fields[columns.password].range.isEmpty && (type == "note" || isLastPassNote)
        login.title = value(columns.title)
        login.created = date(columns.created)
        login.changed = date(columns.changed)
        login.arrangement.folders = root.folders(value(columns.folder), columns)
        login.arrangement.addTags(value(columns.tags) ?? "")
        if let archived = value(columns.archived), archived.lowercasedASCII == "true" {
            login.arrangement.tags.append("archived")
        }
        if let fields = columns.customFields {
            login.fields = secret(fields).withBytes { $0.customFields }
        }
        if let column = columns.oneTimePasswords.first(where: isThere) {
            login.oneTimePassword = secret(column)
        }
        if isNote {
            login.secret = secret(columns.notes)
            login.reasonWithoutSecret = "it is empty"
            if isLastPassNote {
                unread.subtract(columns.addresses)
            }
        } else {
            let accounts = ([columns.username, columns.email] + columns.otherUsernames).compactMap(
                \.self
            ).filter { isThere($0) }
            login.username = value(accounts.first)
            for other in accounts.dropFirst() {
                let account = secret(other)
                if account.text != login.username {
                    login.fields.append(ExportedField(columns.name(other), account))
                }
            }
            for column in columns.addresses {
                let list = secret(column).withBytes { $0.addressList }
                login.addresses += list.addresses
                if !list.isWhole {
                    parts.note(.address)
                }
            }
            if !login.addresses.isEmpty {
                login.realm = value(columns.realm)
            }
            login.setSecret(password: secret(columns.password), notes: secret(columns.notes))
        }
        for column in unread.sorted() {
            parts.note(columns.name(column))
        }
        login.lost += parts.losses
        return login
    }
}

/// The group around all others in KeePassXC's exports, which is the database and no folder.
private struct RootFolder {
    private var name: [UInt8]?
    private var isCommon = true
    private var hasFolders = false

    /// Adds the path of an entry.
    mutating func add(_ path: ByteString) {
        let names = RootFolder.split(path)
        hasFolders = hasFolders || names.count > 1
        isCommon = isCommon && (name == nil || name == names[0])
        name = names[0]
    }

    private static func split(_ path: ByteString) -> [[UInt8]] {
        path.bytes.split(separator: .slash, maxSplits: 1, omittingEmptySubsequences: false)
            .map { Array($0) }
    }

    /// Whether there is one; another program's groups have none.
    private var isThere: Bool {
        name != nil && isCommon && (hasFolders || name == Array("Root".utf8))
    }

    /// Returns the folder of an entry without the root.
    func folders(_ path: ByteString?, _ columns: CSVColumns) -> [ByteString] {
        guard let path, !path.isEmpty else {
            return []
        }
        guard isThere else {
            return [path]
        }
        let names = RootFolder.split(path)
        return names.count == 2 && !names[1].isEmpty ? [ByteString(names[1])] : []
    }

    /// Whether an entry is deleted.
    func isInRecycleBin(_ path: ByteString) -> Bool {
        let names = RootFolder.split(path)
        return isThere && names.count == 2
            && names[1].split(separator: .slash).first == Array("Recycle Bin".utf8)[...]
    }
}

extension CSVField {
    /// Parses a date: Firefox has milliseconds, Proton Pass seconds, KeePassXC ISO 8601.
    fileprivate func date(in text: Span<UInt8>) -> Timestamp? {
        secret(in: text).withBytes { text in
            let isSeconds = CSVField.digitsOfSeconds.contains(text.count)
            let seconds = isSeconds ? text.decimalNumber.flatMap { Int64(exactly: $0) } : nil
            return seconds.map { Timestamp(secondsSinceEpoch: $0) }
                ?? text.dateInMilliseconds ?? text.date
        }
    }

    /// The digits of a number of seconds; one of milliseconds has more.
    private static let digitsOfSeconds = 9...11
}

extension Span where Element == UInt8 {
    /// Whether a cell has no content: NordPass writes `[]` for no fields.
    fileprivate var isEmptyCell: Bool {
        let value = extracting(withoutWhitespace)
        return value.isEmpty || value.equals("[]") || value.equals("{}")
    }

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

    /// The addresses in a list, and whether nothing else is in it. A comma in a path separates only if a URL follows it.
    fileprivate var addressList: (addresses: [WebAddress], isWhole: Bool) {
        var addresses: [WebAddress] = []
        var isWhole = true
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
                let part = extracting(start..<comma)
                if let address = WebAddress(part) {
                    addresses.append(address)
                    isWhole = isWhole && !address.dropsPassword
                } else {
                    isWhole = isWhole && part.isBlank
                }
                start = comma + 1
                hasPath = false
            }
            comma += 1
        }
        return (addresses, isWhole)
    }

    private func trimmed(_ range: Range<Int>) -> Range<Int> {
        let part = extracting(range).withoutWhitespace
        return range.lowerBound + part.lowerBound..<range.lowerBound + part.upperBound
    }
}
