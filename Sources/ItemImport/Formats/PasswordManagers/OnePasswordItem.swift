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

    /// Reads an item. Unknown members are ignored, `null` counts as absent.
    init(from reader: inout JSONReader) throws(KeychainError) {
        try reader.readMembers { name, reader throws(KeychainError) in
            switch name {
            // Older exports have each item in one.
            case "item": self = try OnePasswordItem(from: &reader)
            case "file": hasFiles = true
            case "createdAt": created = try OnePasswordItem.readDate(&reader)
            case "updatedAt": changed = try OnePasswordItem.readDate(&reader)
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
        try reader.readMembers { name, reader throws(KeychainError) in
            switch name {
            case "title": title = try reader.readText()
            case "url": first = try OnePasswordItem.readAddress(&reader)
            case "urls":
                try reader.readArray { reader throws(KeychainError) in
                    try reader.readMembers { name, reader throws(KeychainError) in
                        if name == "url", let url = try OnePasswordItem.readAddress(&reader) {
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
        try reader.readMembers { name, reader throws(KeychainError) in
            switch name {
            case "loginFields":
                try reader.readArray { reader throws(KeychainError) in
                    try readLoginField(&reader)
                }
            case "notesPlain": notes = try reader.readSecret()
            case "password": password = try reader.readSecret()
            case "sections":
                try reader.readArray { reader throws(KeychainError) in
                    try reader.readMembers { name, reader throws(KeychainError) in
                        if name == "fields" {
                            try reader.readArray { reader throws(KeychainError) in
                                try readField(&reader)
                            }
                        }
                    }
                }
            case "passwordHistory":
                try reader.readArray { reader throws(KeychainError) in
                    try reader.readMembers { name, reader throws(KeychainError) in
                        if name == "value" {
                            earlierPasswords.insert(try reader.readSecret().digest)
                        }
                    }
                }
            case "documentAttributes": hasFiles = true
            case "passkey": hasPasskey = true
            default: break
            }
        }
    }

    /// Reads a field of a web page's form. Those that are neither user name nor password are the page's own.
    private mutating func readLoginField(_ reader: inout JSONReader) throws(KeychainError) {
        var value = Secret("")
        var designation: ByteString?
        var name: ByteString = ""
        var type: ByteString = ""
        try reader.readMembers { member, reader throws(KeychainError) in
            switch member {
            case "value" where try reader.kind == .string: value = try reader.readSecret()
            case "designation": designation = try reader.readText()
            case "name": name = try reader.readText()
            case "fieldType": type = try reader.readText()
            default: break
            }
        }
        switch designation {
        case "username": username = value.text
        case "password": password = value
        case _ where type == "P" && value.count > 0: fields.append(ExportedField(name, value))
        default: break
        }
    }

    /// Reads a field of a section. In items other than logins it may be the user name or the password.
    private mutating func readField(_ reader: inout JSONReader) throws(KeychainError) {
        var title: ByteString = ""
        var id: ByteString = ""
        var kind: ByteString = ""
        var value: Secret? = nil
        try reader.readMembers { member, reader throws(KeychainError) in
            switch member {
            case "title": title = try reader.readText()
            case "id": id = try reader.readText()
            case "value":
                try reader.readMembers { member, reader throws(KeychainError) in
                    kind = member
                    value = try OnePasswordItem.readValue(&reader)
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
    private static func readDate(_ reader: inout JSONReader) throws(KeychainError) -> Timestamp? {
        let text = try reader.readNumber().withBytes { ByteString(copying: $0).description }
        return Double(text).flatMap { Int64(exactly: $0.rounded(.towardZero)) }
            .map { Timestamp(secondsSinceEpoch: $0) }
    }

    /// Reads a field's value: a text, a number, or the texts of an object, such as an address, in their order. Of a
    /// key for SSH it is the private key.
    private static func readValue(_ reader: inout JSONReader) throws(KeychainError) -> Secret? {
        switch try reader.kind {
        case .string: return try reader.readSecret()
        case .number: return try reader.readNumber()
        case .object:
            var texts: SecretBuilder? = SecretBuilder()
            var key: Secret? = nil
            try reader.readMembers { member, reader throws(KeychainError) in
                guard try reader.kind == .string else {
                    return
                }
                let text = try reader.readSecret()
                if member == "privateKey" {
                    key = consume text
                } else if text.count > 0, member != "provider" {
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

    private static func readAddress(
        _ reader: inout JSONReader
    ) throws(KeychainError) -> WebAddress? {
        // The text may contain a password.
        try reader.readSecret().withBytes { WebAddress($0) }
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
        login.lost = [
            earlierPasswords.isEmpty ? nil : .earlierPasswords, hasPasskey ? .passkey : nil,
            hasFiles ? .attachments : nil,
        ].compactMap(\.self)
        login.oneTimePassword = oneTimePassword
        login.reasonWithoutSecret =
            hasPasskey ? "it contains only a passkey" : SkipReason.noPassword
        login.addresses = addresses
        login.username = username
        if category == OnePasswordItem.secureNote {
            password = Secret("")
        }
        login.setSecret(password: password, notes: notes)
        return login
    }
}

extension JSONReader {
    /// Reads the members of an object that are not `null`; nothing of anything else.
    fileprivate mutating func readMembers(
        _ body: (ByteString, inout JSONReader) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        guard try kind == .object else {
            return try skip()
        }
        try readObject { name, reader throws(KeychainError) in
            if try !reader.readNull() {
                try body(name, &reader)
            }
        }
    }
}
