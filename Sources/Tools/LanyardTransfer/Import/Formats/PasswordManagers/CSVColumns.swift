internal import KeychainServices

/// Maps columns to their meaning by the names in the first row.
struct CSVColumns {
    /// The number of columns.
    let count: Int
    let title: Int?
    /// In order.
    let addresses: [Int]
    let username: Int?
    /// What is the account without a user name.
    let email: Int?
    /// Further names of the account.
    let otherUsernames: [Int]
    let password: Int
    let notes: Int?
    let realm: Int?
    let type: Int?
    /// In order: of several, the first one with a value counts.
    let oneTimePasswords: [Int]
    let customFields: Int?
    let folder: Int?
    /// Whether the folder is a path from a common root, as in KeePassXC.
    let hasRootFolder: Bool
    let tags: Int?
    let archived: Int?
    let created: Int?
    let changed: Int?
    /// Whether LastPass exported them.
    let areLastPass: Bool
    /// Whether they are those of KeePass 1.
    let areKeePass: Bool

    /// The names of all columns, for users.
    private let names: [ByteString]

    /// The columns without a meaning outside of the program that wrote them: how it shows and fills in an entry, and
    /// its own numbers.
    private static let meaningless: Set<ByteString> = [
        "favorite", "favourite", "fav", "favorite status", "icon", "guid", "uuid", "id", "reprompt",
        "autologin",
        "autofill", "hexcolor", "color", "timelastused", "last used", "formactionorigin",
    ]

    /// Finds the columns of a header.
    ///
    /// - Throws: ``Status/decode`` without a column for passwords.
    init(_ header: CSVRow?, in text: Span<UInt8>) throws(KeychainError) {
        var places: [ByteString: Int] = [:]
        var names: [ByteString] = []
        for (index, field) in (header?.fields ?? []).enumerated() {
            let name = text.extracting(field.range)
            names.append(ByteString(copying: name.extracting(name.withoutWhitespace)))
            let key = names[index].lowercasedASCII
            places[key] = places[key] ?? index
        }
        func all(_ names: ByteString...) -> [Int] { names.compactMap { places[$0] } }
        // Some exports have the name of each value before it, and no line with the names of columns.
        guard !names.contains(where: { $0.bytes.span.firstIndex(of: "://") != nil }) else {
            throw KeychainError(
                .decode, "line \(header?.line ?? 1) has an address, and not the names of columns",
                hint: "export the passwords with the column names in the first line")
        }
        guard let password = all("password", "login_password", "pwd").first else {
            throw KeychainError(
                .decode, "line \(header?.line ?? 1) has no column 'password'",
                hint: "export the passwords with the column names in the first line")
        }
        self.names = names
        count = header?.count ?? 0
        // KeePass 1 calls the title so.
        let account = places["login name"] == nil ? nil : places["account"]
        areKeePass = account != nil
        title = all("name", "title").first ?? account
        addresses = all(
            "url", "login_uri", "website", "web site", "website address", "additional_urls",
            "matchurl", "match url")
        username =
            all("username", "login_username", "login", "user", "user name", "login name").first
        email = places["email"]
        otherUsernames = all("username2", "username3")
        self.password = password
        notes = all("note", "notes", "extra", "comments", "comment").first
        realm = places["httprealm"]
        type = places["type"]
        oneTimePasswords = all(
            "totp", "login_totp", "otpauth", "otp", "otpurl", "otpsecret", "one-time password")
        customFields = places["fields"]
        folder = all("folder", "group", "grouping", "category", "vault", "collections").first
        hasRootFolder = places["folder"] == nil && places["group"] != nil
        tags = places["tags"]
        archived = places["archived"]
        created = all("timecreated", "created", "createtime").first
        changed = all("timepasswordchanged", "last modified", "modifytime").first
        areLastPass = places["extra"] != nil && places["grouping"] != nil
    }

    /// The name of a column, for users.
    func name(_ column: Int) -> ByteString {
        names[column].isEmpty ? ByteString("column \(column + 1)") : names[column]
    }

    /// Whether a column has a meaning, known or not.
    func isMeaningful(_ column: Int) -> Bool {
        !CSVColumns.meaningless.contains(names[column].lowercasedASCII)
    }
}
