package import KeychainServices
internal import OneTimeCodes
internal import PlainTextFormats

/// One entry of pass, the password store: a file decrypted by gpg.
///
/// The first line is the password. Later lines `login:`, `user:` or `username:` and `url:` become
/// attributes. An otpauth URL, as pass-otp stores it, becomes an item of its own. Nothing else does, because attributes are readable while the keychain is locked. If the
/// entry contains more, such as the key of one-time passwords or a remark, its whole text becomes the
/// secret of a second item. The corresponding section of pass(1) is "DESCRIPTION".
package struct PassEntry: Sendable {
    /// The name of the entry, for example `web/example.com/ada`.
    package let name: ByteString

    /// Creates the entry with a name.
    ///
    /// - Parameter name: The path of its file in the store, without `.gpg`.
    package init(name: ByteString) {
        self.name = name
    }

    /// Returns what the entry becomes: an item in the access group `login` with the name as its label.
    ///
    /// It is an internet password if it has an address, or if a host is the folder of the account
    /// (`example.com/ada`). A name that ends in a host (`web/example.com`) needs a login for that.
    /// Otherwise it is a generic password with the name as service. If the text contains more, a generic
    /// password `NAME (all lines)` has all of it.
    ///
    /// - Parameter text: All of the decrypted file.
    package func contents(of text: borrowing Secret) -> [ImportRecord.Content] {
        text.withBytes { text in
            let parts = Parts(text)
            let whole = Secret(copying: text)
            guard parts.saysMore else {
                return [login(parts, in: text, secret: parts.password)] + code(parts, in: text)
            }
            guard !parts.password.isEmpty else {
                return [content(.genericPassword, genericAttributes, whole)]
            }
            var attributes = genericAttributes
            attributes.service = ByteString(name.bytes + Array(PassEntry.wholeSuffix.utf8))
            attributes.label = attributes.service
            return [
                login(parts, in: text, secret: parts.password),
                content(.genericPassword, attributes, whole),
            ]
                + code(parts, in: text)
        }
    }

    /// The suffix of an item with the whole text.
    static let wholeSuffix = " (all lines)"

    /// Returns an item with the otpauth URL, and with the name of the login.
    private func code(_ parts: Parts, in text: Span<UInt8>) -> [ImportRecord.Content] {
        guard let url = parts.code, url != parts.password else {
            return []
        }
        return [login(parts, in: text, secret: url)]
    }

    private func login(
        _ parts: Parts, in text: Span<UInt8>, secret: Range<Int>
    ) -> ImportRecord.Content {
        let password = Secret(copying: text.extracting(secret))
        let isCode = secret == parts.code
        if var attributes = internetAttributes(parts) {
            attributes.accessGroup = isCode ? .codeGroup : attributes.accessGroup
            return content(.internetPassword, attributes, password)
        }
        var attributes = genericAttributes
        attributes.accessGroup = isCode ? .codeGroup : attributes.accessGroup
        attributes.account = parts.login
        return content(.genericPassword, attributes, password)
    }

    private func content(
        _ itemClass: ItemClass, _ attributes: ItemAttributes, _ secret: consuming Secret
    ) -> ImportRecord.Content {
        secret.count > 0
            ? .item(withinLimits: NewItem(itemClass, attributes, secret: secret))
            : .skipped(reason: SkipReason.noPassword, hasSecret: false)
    }

    private var attributes: ItemAttributes {
        var attributes = ItemAttributes()
        attributes.accessGroup = "login"
        attributes.label = name
        return attributes
    }

    private var genericAttributes: ItemAttributes {
        var attributes = attributes
        attributes.service = name
        return attributes
    }

    /// Returns the attributes of an internet password; nil without a host.
    private func internetAttributes(_ parts: Parts) -> ItemAttributes? {
        let folders = name.bytes.split(separator: .slash)
        let account = folders.last.map { ByteString(Array($0)) }
        let host = folders.dropLast().last.flatMap { PassEntry.host($0) }
        var attributes = attributes
        if let address = parts.address {
            address.set(&attributes)
            attributes.account = parts.login ?? address.user ?? (host == nil ? nil : account)
        } else if let host {
            host.set(&attributes)
            attributes.account = parts.login ?? account
        } else if let login = parts.login, let host = folders.last.flatMap({ PassEntry.host($0) }) {
            host.set(&attributes)
            attributes.account = login
        } else {
            return nil
        }
        return attributes
    }

    private static func host(_ folder: ArraySlice<UInt8>) -> WebAddress? {
        let address = WebAddress(Array(folder).span)
        return address?.scheme == nil && address?.isWhole == true ? address : nil
    }

    /// The parts of the text.
    private struct Parts {
        let password: Range<Int>
        var login: ByteString?
        var address: WebAddress?
        /// An otpauth URL with a valid key.
        var code: Range<Int>?
        /// Whether the text contains more than the attributes.
        var saysMore = false

        init(_ text: Span<UInt8>) {
            var lines = LineScanner()
            let first = lines.next(in: text)?.range ?? 0..<0
            let hasCarriageReturn = !first.isEmpty && text[first.upperBound - 1] == .carriageReturn
            password = first.lowerBound..<first.upperBound - (hasCarriageReturn ? 1 : 0)
            code = Parts.isCode(password, in: text) ? password : nil
            while let line = lines.next(in: text) {
                let bytes = text.extracting(line.range)
                if code == nil, Parts.isCode(line.range, in: text) {
                    let isReturn = text[line.range.upperBound - 1] == .carriageReturn
                    code = line.range.lowerBound..<line.range.upperBound - (isReturn ? 1 : 0)
                } else if !bytes.isBlank, !take(bytes) {
                    saysMore = true
                }
            }
        }

        private static func isCode(_ range: Range<Int>, in text: Span<UInt8>) -> Bool {
            let line = Secret(copying: text.extracting(range))
            return OneTimeCodeKey.isURL(line)
                && (try? OneTimeCodeKey.url(of: line, label: "").count) != nil
        }

        /// Reads a line if an attribute exists for it.
        private mutating func take(_ line: Span<UInt8>) -> Bool {
            guard let colon = line.firstIndex(of: .colon) else {
                return false
            }
            let before = line.extracting(..<colon)
            let after = line.extracting((colon + 1)...)
            let key = before.extracting(before.withoutWhitespace)
            let value = after.extracting(after.withoutWhitespace)
            guard !value.isEmpty else {
                return false
            }
            if key.equalsIgnoringCase("url"), address == nil,
                let address = WebAddress(value), address.isWhole
            {
                self.address = address
                return true
            }
            if login == nil,
                key.equalsIgnoringCase("login") || key.equalsIgnoringCase("user")
                    || key.equalsIgnoringCase("username")
            {
                login = ByteString(copying: value)
                return true
            }
            return false
        }
    }
}
