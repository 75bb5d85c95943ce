internal import KeychainServices
internal import StrictJSON

/// An item of 1Password's export.
struct OnePasswordItem: ~Copyable {
    private static let secureNote: ByteString = "003"

    private var category: ByteString?
    private var isArchived = false
    private var title: ByteString?
    private var username: ByteString?
    private var password = Secret("")
    private var oneTimePassword: Secret?
    private var notes = Secret("")
    private var addresses: [WebAddress] = []
    private var tags: [ByteString] = []
    private var fields: [ExportedField] = []
    private var earlierPasswords: Set<Int> = []
    private var hasFiles = false
    private var hasPasskey = false
    private var created: Timestamp?
    private var changed: Timestamp?
    private let unread: UnreadParts

    /// The members without a meaning outside of 1Password: numbers of its own, how it shows an entry and a field, the
    /// strength of a password, the label of an address. A key's metadata follow from the key.
    private static let meaningless: Set<ByteString> = [
        "uuid", "favIndex", "subtitle", "icons", "ps", "pbe", "pgrng", "watchtowerExclusions",
        "label", "mode", "name", "hideAddAnotherField", "indexAtSource", "guarded", "multiline",
        "dontGenerate", "inputTraits", "placeholder", "clipboardFilter", "time", "metadata",
        "htmlAction", "htmlMethod", "htmlName", "htmlID", "id", "fieldType",
    ]

    /// Reads an item. `null` counts as absent.
    ///
    /// - Parameter unread: Of the item around it, nil for the outermost one.
    init(
        from reader: inout JSONReader, _ outer: UnreadParts? = nil
    ) throws(KeychainError) {
        unread = outer ?? UnreadParts(besides: OnePasswordItem.meaningless)
        try reader.readMembers(unread) { name, reader throws(KeychainError) in
            switch name {
            // Older exports have each item in one.
            case "item": self = try OnePasswordItem(from: &reader, unread)
            case "file": hasFiles = try reader.skipContent()
            case "createdAt": created = try readDate(&reader)
            case "updatedAt": changed = try readDate(&reader)
            case "state": isArchived = try reader.readText() == "archived"
            case "categoryUuid": category = try reader.readText()
            case "overview": try readOverview(&reader)
            case "details": try readDetails(&reader)
            default: break
            }
        }
    }

    private mutating func readOverview(_ reader: inout JSONReader) throws(KeychainError) {
        var first: WebAddress?
        try reader.readMembers(unread) { name, reader throws(KeychainError) in
            switch name {
            case "title": title = try reader.readText()
            case "url": first = try readAddress(&reader)
            case "urls":
                try reader.readArray { reader throws(KeychainError) in
                    try reader.readMembers(unread) { name, reader throws(KeychainError) in
                        if name == "url", let url = try readAddress(&reader) {
                            addresses.append(url)
                        }
                    }
                }
            case "tags":
                try reader.readArray { reader throws(KeychainError) in
                    tags.append(try reader.readText())
                }
            default: break
            }
        }
        // It is the first one of the list, if that is there.
        if addresses.isEmpty, let first {
            addresses.append(first)
        }
    }

    private mutating func readDetails(_ reader: inout JSONReader) throws(KeychainError) {
        try reader.readMembers(unread) { name, reader throws(KeychainError) in
            switch name {
            case "loginFields":
                try reader.readArray { reader throws(KeychainError) in
                    try readLoginField(&reader)
                }
            case "notesPlain": notes = try reader.readSecret()
            case "password": takePassword(try reader.readSecret(), "password")
            case "sections":
                try reader.readArray { reader throws(KeychainError) in
                    try readSection(&reader)
                }
            case "passwordHistory":
                try reader.readArray { reader throws(KeychainError) in
                    try reader.readMembers(unread) { name, reader throws(KeychainError) in
                        if name == "value" {
                            earlierPasswords.insert(try reader.readSecret().digest)
                        }
                    }
                }
            case "documentAttributes": hasFiles = try reader.skipContent()
            case "passkey": hasPasskey = try reader.skipContent()
            default: break
            }
        }
    }

    private mutating func readSection(_ reader: inout JSONReader) throws(KeychainError) {
        var title: ByteString = ""
        let before = fields.count
        try reader.readMembers(unread) { name, reader throws(KeychainError) in
            switch name {
            case "title": title = try reader.readText()
            case "fields":
                try reader.readArray { reader throws(KeychainError) in try readField(&reader) }
            default: break
            }
        }
        if !title.isEmpty, fields.count > before {
            unread.note(.sections)
        }
    }

    /// Makes a text the password, or a field if the item has another one.
    private mutating func takePassword(_ value: consuming Secret, _ name: ByteString) {
        if password.count == 0 {
            password = value
        } else if value.count > 0, value.digest != password.digest {
            fields.append(ExportedField(name, value))
        }
    }

    /// Reads a field of a web page's form. One that is neither user name nor password, but was typed in, becomes a
    /// field; buttons and check boxes are the page's own.
    private mutating func readLoginField(_ reader: inout JSONReader) throws(KeychainError) {
        var value: Secret? = nil
        var hasOtherValue = false
        var designation: ByteString?
        var name: ByteString = ""
        var type: ByteString = ""
        try reader.readMembers(unread) { member, reader throws(KeychainError) in
            switch member {
            case "value" where try reader.kind == .string: value = try reader.readSecret()
            case "value": hasOtherValue = try reader.skipContent()
            case "designation": designation = try reader.readText()
            case "name": name = try reader.readText()
            case "fieldType": type = try reader.readText()
            default: break
            }
        }
        let isPagesOwn = ["C", "B", "I", "S"].contains(type)
        if hasOtherValue, !isPagesOwn {
            unread.note("loginFields")
        }
        guard let value, value.count > 0 else {
            return
        }
        switch designation {
        case "username" where username == nil: username = value.text
        case "password": takePassword(value, name)
        case _ where ["P", "T", "E", "N", "TEL", "U", "A"].contains(type):
            fields.append(ExportedField(name, value))
        case _ where !isPagesOwn: unread.note("loginFields")
        default: break
        }
    }

    /// Reads a field of a section. In items other than logins it may be the user name or the password.
    private mutating func readField(_ reader: inout JSONReader) throws(KeychainError) {
        var title: ByteString = ""
        var id: ByteString = ""
        var kind: ByteString = ""
        var value: Secret? = nil
        try reader.readMembers(unread) { member, reader throws(KeychainError) in
            switch member {
            case "title": title = try reader.readText()
            case "id": id = try reader.readText()
            case "value":
                try reader.readMembers(unread) { member, reader throws(KeychainError) in
                    if value == nil {
                        kind = member
                        value = try readValue(&reader)
                    }
                }
            default: break
            }
        }
        guard let value, value.count > 0 else {
            return
        }
        switch (kind, id) {
        case ("file", _): hasFiles = true
        case ("totp", _) where oneTimePassword == nil: oneTimePassword = value.copy()
        case ("concealed", "password") where password.count == 0,
            ("concealed", "credential") where password.count == 0:
            password = value
        case ("string", "username") where username == nil: username = value.text
        case ("url", "url"), ("string", "url"), ("url", "website"):
            if let address = value.withBytes({ WebAddress($0) }) {
                addresses.append(address)
            } else {
                fields.append(ExportedField(title.isEmpty ? id : title, value))
            }
        default: fields.append(ExportedField(title.isEmpty ? id : title, value))
        }
    }

    /// Reads a date, without its fraction of a second; nil if it is no date.
    private func readDate(_ reader: inout JSONReader) throws(KeychainError) -> Timestamp? {
        let text = try reader.readNumber().withBytes { ByteString(copying: $0).description }
        let seconds = Double(text).flatMap { Int64(exactly: $0.rounded(.towardZero)) }
        if seconds == nil {
            unread.note(.date)
        }
        return seconds.map { Timestamp(secondsSinceEpoch: $0) }
    }

    /// Reads a field's value: a text, a number, or the texts of an object, such as an address, in their order. Of a
    /// key for SSH it is the private key.
    private func readValue(_ reader: inout JSONReader) throws(KeychainError) -> Secret? {
        switch try reader.kind {
        case .string: return try reader.readSecret()
        case .number: return try reader.readNumber()
        case .object:
            var texts: SecretBuilder? = SecretBuilder()
            var key: Secret? = nil
            try reader.readMembers(unread) { member, reader throws(KeychainError) in
                // A member of another kind counts as unread.
                guard try reader.kind == .string else {
                    return
                }
                let text = try reader.readSecret()
                if member == "privateKey" {
                    key = consume text
                } else if text.count > 0 {
                    if let count = texts?.count, count > 0 {
                        texts?.append(", ")
                    }
                    texts?.append(text)
                }
            }
            return key ?? texts.take()?.finish()
        default: return nil
        }
    }

    private func readAddress(_ reader: inout JSONReader) throws(KeychainError) -> WebAddress? {
        // The text may contain a password.
        let text = try reader.readSecret()
        let address = text.withBytes { WebAddress($0) }
        if text.count > 0, address?.dropsPassword != false {
            unread.note(.address)
        }
        return address
    }

    /// Returns the parts that Lanyard imports.
    ///
    /// - Parameter vault: The name of its vault.
    consuming func login(_ vault: ByteString?) -> ExportedLogin {
        var login = ExportedLogin()
        login.title = title
        login.created = created
        login.changed = changed
        login.arrangement.folders = [vault].compactMap(\.self).filter { !$0.isEmpty }
        login.arrangement.tags = tags + (isArchived ? ["archived"] : [])
        login.fields = fields
        earlierPasswords.remove(password.digest)
        login.lost =
            unread.losses
            + [
                earlierPasswords.isEmpty ? nil : .earlierPasswords, hasPasskey ? .passkey : nil,
                hasFiles ? .attachments : nil,
            ].compactMap(\.self)
        login.oneTimePassword = oneTimePassword
        login.reasonWithoutSecret =
            hasPasskey ? "it contains only a passkey" : SkipReason.noPassword
        login.addresses = addresses
        login.username = username
        if category == OnePasswordItem.secureNote {
            // The note is its secret.
            if password.count > 0 {
                login.fields.append(ExportedField("password", password))
            }
            password = Secret("")
        }
        login.setSecret(password: password, notes: notes)
        return login
    }
}
