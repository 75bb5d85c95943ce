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
    private var hasOtherContent = false
    private var created: Timestamp?
    private var changed: Timestamp?
    private var isArchived = false
    private var isDeleted = false
    private let unread = UnreadParts(besides: [
        "id", "organizationId", "reprompt", "favorite", "object", "organizationUseTotp", "edit",
        "viewPassword", "permissions", "key", "secureNote", "passwordRevisionDate",
        "autofillOnPageLoad", "match", "uriChecksum", "linkedId",
    ])

    /// Reads an item. `null` counts as absent.
    ///
    /// - Throws: ``Status/decode`` for anything else than an object.
    init(from reader: inout JSONReader) throws(KeychainError) {
        try reader.checkObject()
        try reader.readMembers(unread) { name, reader throws(KeychainError) in
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
            case "creationDate": created = try readDate(&reader)
            case "revisionDate": changed = try readDate(&reader)
            case "archivedDate": isArchived = try reader.skipContent()
            case "deletedDate": isDeleted = try reader.skipContent()
            case "login":
                try reader.readMembers(unread) { name, reader throws(KeychainError) in
                    try readLogin(name, &reader)
                }
            // These are skipped as a whole.
            case "card", "identity", "sshKey": hasOtherContent = try reader.skipContent()
            default: break
            }
        }
    }

    /// Reads a date; nil for anything else.
    private func readDate(_ reader: inout JSONReader) throws(KeychainError) -> Timestamp? {
        let isText = try reader.kind == .string
        let date = isText ? try reader.readSecret().withBytes { $0.date } : nil
        if date == nil {
            unread.note(.date)
        }
        if !isText {
            try reader.skip()
        }
        return date
    }

    private mutating func readLogin(
        _ name: ByteString, _ reader: inout JSONReader
    ) throws(KeychainError) {
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
        try reader.readMembers(unread) { name, reader throws(KeychainError) in
            switch name {
            case "name": fieldName = try reader.readText()
            case "value": value = try reader.readSecret()
            case "type": try reader.skip()
            default: break
            }
        }
        fields.append(ExportedField(fieldName, value))
    }

    private mutating func readAddress(_ reader: inout JSONReader) throws(KeychainError) {
        try reader.readMembers(unread) { name, reader throws(KeychainError) in
            guard name == "uri" else {
                return
            }
            // The text may contain a password.
            let text = try reader.readSecret()
            let address = text.withBytes { WebAddress($0) }
            if let address {
                addresses.append(address)
            }
            if text.count > 0, address?.dropsPassword != false {
                unread.note(.address)
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
        guard !isDeleted else {
            // Its owner has deleted it: not a secret that an import leaves behind.
            login.reasonWithoutSecret = "it is in the trash"
            return login
        }
        if type == 2,
            username != nil || password != nil || oneTimePassword != nil
                || !addresses.isEmpty
        {
            unread.note("login")
        }
        if type == 1 || type == 2, hasOtherContent {
            unread.note("card")
        }
        login.lost =
            unread.losses
            + [
                folders.contains { names[$0] == nil } ? .folder : nil,
                hasEarlierPasswords ? .earlierPasswords : nil,
                hasPasskey ? .passkey : nil,
            ].compactMap(\.self)
        let hasOneTimePassword = oneTimePassword != nil
        login.oneTimePassword = oneTimePassword
        login.arrangement.folders = folders.compactMap { names[$0] }
        login.arrangement.tags = isArchived ? ["archived"] : []
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
