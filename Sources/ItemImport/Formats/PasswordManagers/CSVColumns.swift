internal import KeychainServices

/// Maps columns to their meaning by the names in the first row.
struct CSVColumns {
    /// The number of columns.
    let count: Int
    let title: Int?
    let address: Int?
    let username: Int?
    /// What is the account without a user name.
    let email: Int?
    let password: Int
    let notes: Int?
    let realm: Int?
    let type: Int?
    let oneTimePassword: Int?
    let customFields: Int?
    let folder: Int?
    /// Whether the folder is a path from a common root, as in KeePassXC.
    let hasRootFolder: Bool
    let tags: Int?
    let created: Int?
    let changed: Int?
    /// Whether LastPass exported them.
    let areLastPass: Bool

    /// Finds the columns of a header.
    ///
    /// - Throws: ``Status/decode`` without a column for passwords.
    init(_ header: CSVRow?, in text: Span<UInt8>) throws(KeychainError) {
        var places: [ByteString: Int] = [:]
        for (index, field) in (header?.fields ?? []).enumerated() {
            let name = text.extracting(field.range)
            let trimmed = ByteString(copying: name.extracting(name.withoutWhitespace))
                .lowercasedASCII
            places[trimmed] = places[trimmed] ?? index
        }
        func first(_ names: ByteString...) -> Int? {
            names.lazy.compactMap { places[$0] }.first
        }
        guard let password = first("password", "login_password") else {
            throw KeychainError(
                .decode, "line \(header?.line ?? 1) has no column 'password'",
                hint: "export the passwords with the column names in the first line")
        }
        count = header?.count ?? 0
        title = first("name", "title")
        address = first("url", "login_uri")
        username = first("username", "login_username")
        email = first("email")
        self.password = password
        notes = first("note", "notes", "extra")
        realm = first("httprealm")
        type = first("type")
        oneTimePassword = first("totp", "login_totp", "otpauth")
        customFields = first("fields")
        folder = first("folder", "group", "grouping")
        hasRootFolder = places["folder"] == nil && places["group"] != nil
        tags = first("tags")
        created = first("timecreated", "created")
        changed = first("timepasswordchanged", "last modified")
        areLastPass = places["extra"] != nil && places["grouping"] != nil
    }
}
