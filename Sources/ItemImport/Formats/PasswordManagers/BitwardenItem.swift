internal import KeychainServices
internal import StrictJSON

/// An item in Bitwarden's format.
struct BitwardenItem: ~Copyable {
    private var type: Int64?
    private var name: ByteString?
    private var notes: Secret?
    private var addresses: [WebAddress] = []
    private var username: ByteString?
    private var password: Secret?
    private var oneTimePassword: Secret?
    private var hasPasskey = false
    private var fields: [ExportedField] = []
    /// The ids of its folder and collections.
    private var folders: [ByteString] = []
    private var hasEarlierPasswords = false
    private var created: Timestamp?
    private var changed: Timestamp?

    /// Reads an item. Unknown members are ignored, `null` counts as absent.
    init(from reader: inout JSONReader) throws(KeychainError) {
        try reader.readObject { name, reader throws(KeychainError) in
            guard try !reader.readNull() else {
                return
            }
            switch name {
            case "type": type = try reader.readInteger()
            case "name": self.name = try reader.readText()
            case "notes": notes = try reader.readSecret()
            case "fields":
                try reader.readArray { reader throws(KeychainError) in try readField(&reader) }
            case "folderId": folders.append(try reader.readText())
            case "collectionIds":
                try reader.readArray { reader throws(KeychainError) in
                    folders.append(try reader.readText())
                }
            case "passwordHistory": try reader.readArray { _ in hasEarlierPasswords = true }
            case "creationDate": created = try BitwardenItem.readDate(&reader)
            case "revisionDate": changed = try BitwardenItem.readDate(&reader)
            case "login":
                try reader.readObject { name, reader throws(KeychainError) in
                    try readLogin(name, &reader)
                }
            default: break
            }
        }
    }

    /// Reads a date; nil for anything else.
    private static func readDate(_ reader: inout JSONReader) throws(KeychainError) -> Timestamp? {
        guard try reader.kind == .string else {
            return nil
        }
        return try reader.readSecret().withBytes { $0.date }
    }

    private mutating func readLogin(
        _ name: ByteString, _ reader: inout JSONReader
    ) throws(KeychainError) {
        guard try !reader.readNull() else {
            return
        }
        switch name {
        case "username": username = try reader.readText()
        case "password": password = try reader.readSecret()
        case "totp":
            let key = try reader.readSecret()
            oneTimePassword = key.count > 0 ? consume key : nil
        case "fido2Credentials":
            try reader.readArray { _ in hasPasskey = true }
        case "uris":
            try reader.readArray { reader throws(KeychainError) in try readAddress(&reader) }
        default: break
        }
    }

    private mutating func readField(_ reader: inout JSONReader) throws(KeychainError) {
        var fieldName: ByteString = ""
        var value = Secret("")
        try reader.readObject { name, reader throws(KeychainError) in
            switch name {
            case "name" where try !reader.readNull(): fieldName = try reader.readText()
            case "value" where try !reader.readNull(): value = try reader.readSecret()
            default: break
            }
        }
        fields.append(ExportedField(fieldName, value))
    }

    private mutating func readAddress(_ reader: inout JSONReader) throws(KeychainError) {
        try reader.readObject { name, reader throws(KeychainError) in
            guard name == "uri", try !reader.readNull() else {
                return
            }
            // The text may contain a password.
            let text = try reader.readSecret()
            if let address = text.withBytes({ WebAddress($0) }) {
                addresses.append(address)
            }
        }
    }

    /// Returns the parts that Lanyard imports.
    ///
    /// - Parameter names: The names of folders and collections by their ids.
    consuming func login(_ names: [ByteString: ByteString]) -> ExportedLogin {
        var login = ExportedLogin()
        login.title = name
        login.created = created
        login.changed = changed
        login.lost = [
            folders.contains { names[$0] == nil } ? .folder : nil,
            hasEarlierPasswords ? .earlierPasswords : nil,
            hasPasskey ? .passkey : nil,
        ].compactMap(\.self)
        let hasOneTimePassword = oneTimePassword != nil
        login.oneTimePassword = oneTimePassword
        login.arrangement.folders = folders.compactMap { names[$0] }
        switch type {
        case 1:
            login.fields = fields
            login.addresses = addresses
            login.username = username
            login.reasonWithoutSecret =
                hasOneTimePassword
                ? "it contains only a one-time password key"
                : hasPasskey ? "it contains only a passkey" : SkipReason.noPassword
            login.setSecret(password: password ?? Secret(""), notes: notes ?? Secret(""))
        case 2:
            login.fields = fields
            login.reasonWithoutSecret = "it is empty"
            login.secret = notes ?? Secret("")
        default:
            login.reasonWithoutSecret = "it is neither a login nor a note"
            login.hasOtherSecret = true
        }
        return login
    }
}
