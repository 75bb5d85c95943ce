internal import KeychainServices
internal import OneTimeCodes

/// An entry of a password manager's export, as far as Lanyard uses it.
struct ExportedLogin: ~Copyable {
    var title: ByteString?
    /// Its sites, in order, as far as their addresses are valid.
    var addresses: [WebAddress] = []
    var username: ByteString?
    /// The realm of HTTP authentication.
    var realm: ByteString?
    var notes: ByteString?
    /// Its folders and tags.
    var arrangement = EntryArrangement()
    /// Fields of the user's own.
    var fields: [ExportedField] = []
    /// When it was created.
    var created: Timestamp?
    /// When it was changed.
    var changed: Timestamp?
    var secret = Secret("")
    /// The key of its one-time passwords: an otpauth URL, or in Base32.
    var oneTimePassword: Secret? = nil
    /// Why there is no item if there is no secret.
    var reasonWithoutSecret = SkipReason.noPassword
    /// Whether it has a secret that is left out.
    var hasOtherSecret = false
    /// Further parts of the entry that no item has room for.
    var lost: [ImportLoss] = []

    private var group: ByteString = "login"
    /// A digest of the parts that become items of their own, 0 without any.
    private var otherParts = 0

    /// Makes the password the secret; without one the notes, whose item has no room for sites. The key of one-time
    /// passwords needs the sites, and notes stay notes next to it.
    mutating func setSecret(password: consuming Secret, notes text: consuming Secret) {
        if password.count > 0 || oneTimePassword != nil {
            notes = text.count > 0 ? text.withBytes { ByteString(copying: $0) } : nil
            secret = password
        } else if text.count > 0 {
            if !addresses.isEmpty {
                lost.append(.address)
                addresses = []
            }
            secret = text
        }
    }

    /// Passes what the entry becomes to a closure: an internet password for each address. An entry without
    /// addresses, or whose addresses have other passwords in earlier entries, becomes a generic password
    /// with the title as service.
    ///
    /// The key of its one-time passwords becomes an item with the same name in the group of such keys, after
    /// each of the others, and each field of the user's own one with the service `TITLE/FIELD`. An entry
    /// without a password may become only these. Lost parts are passed separately, to make an incomplete
    /// import visible.
    consuming func forEachContent(
        _ earlier: inout EarlierEntries,
        _ body: (ImportRecord.Content) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        let code = takeCode()
        if secret.count == 0, code.count > 0 {
            secret = code.copy()
            group = .codeGroup
        } else if secret.count == 0, let text = notes.take() {
            // An invalid key has no use for the sites.
            setSecret(password: Secret(""), notes: Secret(copying: text.bytes.span))
        }
        lost.insert(contentsOf: arrangement.removeUnfit(), at: 0)
        guard secret.count > 0 else {
            guard title?.isEmpty == false, fields.contains(where: { $0.value.count > 0 }) else {
                let hasSecret =
                    hasOtherSecret || lost.contains(where: \.isSecretInUse)
                    || fields.contains { $0.value.count > 0 }
                return try body(.skipped(reason: reasonWithoutSecret, hasSecret: hasSecret))
            }
            _ = try passFields(&earlier, comment: comment, body)
            if !addresses.isEmpty {
                lost.append(.address)
            }
            return try passLosses(body)
        }
        otherParts = digest(of: code)
        let contents = contents(&earlier)
        for content in contents {
            try body(content)
            if group != .codeGroup, code.count > 0, case .item(let item) = content {
                var attributes = item.attributes
                attributes.accessGroup = .codeGroup
                let key = NewItem(item.itemClass, attributes, secret: code.copy())
                try body(earlier.item(key, with: otherParts))
            }
        }
        guard contents.contains(where: \.isItem) else {
            return
        }
        if try passFields(&earlier, comment: arrangement.comment(after: nil), body) {
            lost.append(.customFields)
        }
        try passLosses(body)
    }

    private func passLosses(
        _ body: (ImportRecord.Content) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        for loss in arrangement.cuts(notes) ? lost + [.longNote] : lost {
            try body(.without(loss))
        }
    }

    private func digest(of code: borrowing Secret) -> Int {
        guard code.count > 0 || !fields.isEmpty else {
            return 0
        }
        var hasher = Hasher()
        hasher.combine(code.digest)
        for field in fields {
            hasher.combine(field.name)
            hasher.combine(field.value.digest)
        }
        return hasher.finalize()
    }

    /// Passes the fields to a closure. A second one of a name is named `TITLE/FIELD (2)`, and so on.
    ///
    /// - Returns: Whether one is lost, because the entry has no title.
    private func passFields(
        _ earlier: inout EarlierEntries, comment: ByteString?,
        _ body: (ImportRecord.Content) throws(KeychainError) -> Void
    ) throws(KeychainError) -> Bool {
        let fields = fields.filter { $0.value.count > 0 }
        guard let title, !title.isEmpty else {
            return !fields.isEmpty
        }
        for field in fields {
            let name = field.name.isEmpty ? ExportedField.unnamed : field.name
            let service = ByteString(title.bytes + [.slash] + name.bytes)
            var attributes = attributes
            attributes.comment = comment
            attributes.accessGroup = "login"
            try body(
                numbered(service, &earlier) { service in
                    attributes.service = service
                    attributes.label = service
                    return NewItem(.genericPassword, attributes, secret: field.value.copy())
                })
        }
        return false
    }

    /// Returns the otpauth URL of the key, empty without one. An invalid key is lost.
    private mutating func takeCode() -> Secret {
        guard let key = oneTimePassword.take() else {
            return Secret("")
        }
        do throws(KeychainError) {
            return try OneTimeCodeKey.url(of: key, label: username ?? title ?? "")
        } catch {
            lost.append(.oneTimePassword)
            return Secret("")
        }
    }

    private func contents(_ earlier: inout EarlierEntries) -> [ImportRecord.Content] {
        guard !addresses.isEmpty else {
            return [genericPassword(&earlier)]
        }
        var contents: [ImportRecord.Content] = []
        var own: Set<ItemIdentity> = []
        var areTaken = true
        for address in addresses.prefix(ExportedLogin.addressLimit) {
            let attributes = attributes(address)
            // Two addresses may differ only in the parts that are left out.
            guard own.insert(ItemIdentity(.internetPassword, attributes)).inserted else {
                continue
            }
            var isTaken = false
            contents.append(
                earlier.item(
                    NewItem(.internetPassword, attributes, secret: secret.copy()), with: otherParts
                ) {
                    isTaken = !$0
                    return .samePlace(isSame: $0)
                })
            areTaken = areTaken && isTaken
        }
        if areTaken, title?.isEmpty == false {
            return [genericPassword(&earlier)]
        }
        if addresses.count > ExportedLogin.addressLimit {
            contents.append(
                .unreadable("it has more than \(ExportedLogin.addressLimit) addresses"))
        }
        return contents
    }

    /// Limits the items of an entry: each has a copy of the secret.
    static let addressLimit = 64

    /// Returns a generic password; a second entry with the same title and account is named `title (2)`, and
    /// so on.
    private func genericPassword(_ earlier: inout EarlierEntries) -> ImportRecord.Content {
        guard let title, !title.isEmpty else {
            return addresses.isEmpty
                ? .unreadable(SkipReason.noName) : .samePlace(isSame: false)
        }
        var attributes = attributes
        return numbered(title, &earlier) { service in
            attributes.service = service
            return NewItem(.genericPassword, attributes, secret: secret.copy())
        }
    }

    /// Returns the item with a name, or with the first of `NAME (2)` and so on that no other item has.
    private func numbered(
        _ name: ByteString, _ earlier: inout EarlierEntries, _ item: (ByteString) -> NewItem
    ) -> ImportRecord.Content {
        for number in 1...ExportedLogin.titleLimit {
            var isTaken = false
            let content = earlier.item(
                item(number == 1 ? name : ByteString("\(name) (\(number))")), with: otherParts
            ) {
                isTaken = !$0
                return .shadowed(isSame: true)
            }
            if !isTaken {
                return content
            }
        }
        return .samePlace(isSame: false)
    }

    /// Limits how many entries of one title and account get distinct names.
    private static let titleLimit = 100

    private func attributes(_ address: WebAddress) -> ItemAttributes {
        var attributes = attributes
        address.set(&attributes)
        attributes.securityDomain = realm?.unlessEmpty
        // In a URL of an Android app, this is the digest of its certificate.
        if attributes.account == nil, address.scheme != "android" {
            attributes.account = address.user?.unlessEmpty
        }
        return attributes
    }

    private var attributes: ItemAttributes {
        var attributes = ItemAttributes()
        attributes.accessGroup = group
        attributes.label = title?.unlessEmpty
        attributes.account = username?.unlessEmpty
        attributes.comment = comment
        attributes.creationDate = created
        attributes.modificationDate = changed
        return attributes
    }

    private var comment: ByteString? { arrangement.comment(after: notes?.unlessEmpty) }
}

/// A field that the user has added to an entry.
final class ExportedField {
    let name: ByteString
    let value: Secret

    /// The name of one without a name.
    static let unnamed: ByteString = "field"

    init(_ name: ByteString, _ value: consuming Secret) {
        self.name = name
        self.value = value
    }
}

extension ByteString {
    fileprivate var unlessEmpty: ByteString? { isEmpty ? nil : self }
}
