internal import KeychainServices
internal import OneTimeCodes

/// An entry of KeePassXC or KeePass.
struct KeePassEntry: ~Copyable {
    var hasAttachments = false
    var created: Timestamp?
    var changed: Timestamp?

    /// The elements without a meaning outside of KeePass: its own numbers, how it shows an entry and types it in, when it
    /// was used, and what KeePassXC remembers about browsers.
    let unread = UnreadParts(besides: [
        "UUID", "IconID", "CustomIconUUID", "ForegroundColor", "BackgroundColor", "QualityCheck",
        "PreviousParentGroup", "LastAccessTime", "UsageCount", "LocationChanged", "Expires",
        "ExpiryTime", "Enabled", "DataTransferObfuscation",
    ])

    private var tags: ByteString = ""
    private let folder: [ByteString]
    private let isInRecycleBin: Bool
    private var title: ByteString?
    private var username: ByteString?
    private var password = Secret("")
    private var notes = Secret("")
    private var addresses: [WebAddress] = []
    private var fields: [ExportedField] = []
    private var code = CodeFields()
    private var hasPasskey = false
    private var hasReference = false
    /// Those of earlier versions other than title, user name and address, which are no secrets.
    private var earlierValues: Set<Int> = []
    private var values: Set<Int> = []
    private var keys: Set<ByteString> = []

    /// - Parameter folder: The names of its groups, from the top.
    init(folder: [ByteString], isInRecycleBin: Bool) {
        self.folder = folder
        self.isInRecycleBin = isInRecycleBin
    }

    /// Replaces its tags. What an assignment through an optional replaces in here is leaked by swiftc 6.3.1.
    mutating func setTags(_ tags: ByteString) {
        self.tags = tags
    }

    /// Adds a field. Of two with one name, the last one counts.
    mutating func add(_ key: ByteString, _ value: consuming Secret) {
        if !keys.insert(key).inserted, value.count > 0, !values.contains(value.digest) {
            unread.note(ByteString("\(key) (repeated)"))
        }
        values.insert(value.digest)
        switch key {
        case "Title": title = value.text
        case "UserName":
            hasReference = hasReference || KeePassEntry.isReference(value)
            username = value.text
        case "Password":
            hasReference = hasReference || KeePassEntry.isReference(value)
            password = value
        case "Notes": notes = value
        case "URL": addAddress(value, key: nil)
        case _ where key.bytes.starts(with: "KP2A_URL".utf8): addAddress(value, key: key)
        case _ where key.bytes.starts(with: "KPEX_PASSKEY".utf8): hasPasskey = true
        default:
            if value.count > 0, let value = code.take(key, value) {
                fields.append(ExportedField(key, value))
            }
        }
    }

    /// Adds a field of an earlier version.
    mutating func addEarlier(_ key: ByteString, _ value: borrowing Secret) {
        if !["Title", "UserName", "URL"].contains(key), value.count > 0 {
            earlierValues.insert(value.digest)
        }
    }

    /// Returns the parts that Lanyard imports.
    consuming func login() -> ExportedLogin {
        var login = ExportedLogin()
        login.title = title
        login.created = created
        login.changed = changed
        guard !isInRecycleBin else {
            // Its owner has deleted it: not a secret that an import leaves behind.
            login.reasonWithoutSecret = SkipReason.recycleBin
            return login
        }
        guard !hasReference else {
            login.reasonWithoutSecret = "it refers to another entry"
            login.hasOtherSecret = true
            return login
        }
        if !folder.isEmpty {
            login.arrangement.folders = [
                ByteString(Array(folder.map(\.bytes).joined(separator: [.slash])))
            ]
        }
        login.arrangement.addTags(tags)
        login.fields = fields
        login.lost =
            unread.losses
            + [
                earlierValues.isSubset(of: values) ? nil : .earlierPasswords,
                hasPasskey ? .passkey : nil,
                hasAttachments ? .attachments : nil, code.isUnsupported ? .oneTimePassword : nil,
            ].compactMap(\.self)
        login.oneTimePassword = code.key()
        login.reasonWithoutSecret =
            hasPasskey ? "it contains only a passkey" : SkipReason.noPassword
        login.addresses = addresses
        login.username = username
        login.setSecret(password: password, notes: notes)
        return login
    }

    private mutating func addAddress(_ value: consuming Secret, key: ByteString?) {
        guard value.count > 0 else {
            return
        }
        let address = value.withBytes { WebAddress($0) }
        if let address {
            addresses.append(address)
        }
        if address == nil, let key {
            fields.append(ExportedField(key, value))
        } else if address?.dropsPassword != false {
            unread.note(.address)
        }
    }

    /// Whether it is a field of another entry, such as `{REF:P@I:…}`.
    private static func isReference(_ value: borrowing Secret) -> Bool {
        value.withBytes { bytes in
            bytes.starts(with: "{REF:") || bytes.starts(with: "{ref:")
        }
    }
}

/// The fields with the key of one-time passwords: `otp` has an otpauth URL; older versions of KeePassXC, and KeePass, have
/// one field for each part.
private struct CodeFields: ~Copyable {
    /// Whether there is one that Lanyard can't use.
    private(set) var isUnsupported = false
    private var url: Secret?
    private var secret: Secret?
    private var parameters: [String] = []

    /// Takes a field.
    ///
    /// - Returns: The value of another field.
    mutating func take(_ key: ByteString, _ value: consuming Secret) -> Secret? {
        switch key {
        case "otp": url = value.copy()
        case "TOTP Seed", "TimeOtp-Secret-Base32": secret = value.copy()
        case "TOTP Settings": takeSettings(CodeFields.text(value))
        case "TimeOtp-Period": add("period", CodeFields.text(value))
        case "TimeOtp-Length": add("digits", CodeFields.text(value))
        case "TimeOtp-Algorithm":
            let name = CodeFields.text(value).split(separator: "-").dropFirst().joined()
            add("algorithm", name)
        case _ where key.bytes.starts(with: "TimeOtp-Secret".utf8),
            _ where key.bytes.starts(with: "HmacOtp-Secret".utf8):
            isUnsupported = true
        case _ where key.bytes.starts(with: "HmacOtp-".utf8): break
        default: return value
        }
        return nil
    }

    /// Returns the key: an otpauth URL, or in Base32.
    consuming func key() -> Secret? {
        if let url {
            return url
        }
        guard !isUnsupported, let secret else {
            return nil
        }
        guard !parameters.isEmpty, let url = try? OneTimeCodeKey.url(of: secret, label: "") else {
            return secret
        }
        var text = SecretBuilder()
        text.append(url)
        for parameter in parameters {
            text.append(ByteString(parameter))
        }
        return text.finish()
    }

    /// Takes `PERIOD;DIGITS`; Steam's codes have a letter there.
    private mutating func takeSettings(_ text: String) {
        let words = text.split(separator: ";")
        guard words.count >= 2, words[0].allSatisfy(\.isNumber), words[1].allSatisfy(\.isNumber)
        else {
            isUnsupported = true
            return
        }
        add("period", String(words[0]))
        add("digits", String(words[1]))
    }

    private mutating func add(_ name: String, _ value: String) {
        parameters.append("&\(name)=\(value)")
    }

    private static func text(_ value: borrowing Secret) -> String {
        value.withBytes { ByteString(copying: $0).description }
    }
}
