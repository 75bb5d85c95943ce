internal import KeychainServices

/// An entry of a password manager's export, as far as Lanyard uses it.
struct ExportedLogin: ~Copyable {
    var title: ByteString?
    /// Its sites, in order, as far as their addresses are valid.
    var addresses: [WebAddress] = []
    var username: ByteString?
    /// The realm of HTTP authentication.
    var realm: ByteString?
    var notes: ByteString?
    /// When it was created.
    var created: Timestamp?
    /// When it was changed.
    var changed: Timestamp?
    var secret = Secret("")
    /// Why there is no item if there is no secret.
    var reasonWithoutSecret = SkipReason.noPassword
    /// Further parts of the entry that no item has room for.
    var lost: [ImportLoss] = []

    /// Passes what the entry becomes to a closure: an internet password for each address. An entry without
    /// addresses, or whose addresses have other passwords in earlier entries, becomes a generic password
    /// with the title as service.
    ///
    /// Lost parts are passed separately, to make an incomplete import visible.
    func forEachContent(
        _ earlier: inout EarlierEntries,
        _ body: (ImportRecord.Content) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        guard secret.count > 0 else {
            return try body(.skipped(reason: reasonWithoutSecret))
        }
        let contents = contents(&earlier)
        for content in contents {
            try body(content)
        }
        guard contents.contains(where: \.isItem) else {
            return
        }
        for loss in notes.map({ $0.cutToText != $0 }) == true ? lost + [.longNote] : lost {
            try body(.without(loss))
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
                earlier.item(NewItem(.internetPassword, attributes, secret: secret.copy())) {
                    isTaken = !$0
                    return $0 ? .shadowed : .skipped(reason: SkipReason.samePlace)
                })
            areTaken = areTaken && isTaken
        }
        if areTaken, title?.isEmpty == false {
            return [genericPassword(&earlier)]
        }
        if addresses.count > ExportedLogin.addressLimit {
            contents.append(
                .skipped(reason: "it has more than \(ExportedLogin.addressLimit) addresses"))
        }
        return contents
    }

    /// Limits the items of an entry: each has a copy of the secret.
    static let addressLimit = 64

    /// Returns a generic password; a second entry with the same title and account is named `title (2)`, and
    /// so on.
    private func genericPassword(_ earlier: inout EarlierEntries) -> ImportRecord.Content {
        guard let title, !title.isEmpty else {
            return .skipped(reason: addresses.isEmpty ? SkipReason.noName : SkipReason.samePlace)
        }
        var attributes = attributes
        for number in 1...ExportedLogin.titleLimit {
            attributes.service = number == 1 ? title : ByteString("\(title) (\(number))")
            var isTaken = false
            let content = earlier.item(
                NewItem(.genericPassword, attributes, secret: secret.copy())
            ) {
                isTaken = !$0
                return .shadowed
            }
            if !isTaken {
                return content
            }
        }
        return .skipped(reason: SkipReason.samePlace)
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
        attributes.accessGroup = "login"
        attributes.label = title?.unlessEmpty
        attributes.account = username?.unlessEmpty
        attributes.comment = notes?.unlessEmpty?.cutToText
        attributes.creationDate = created
        attributes.modificationDate = changed
        return attributes
    }
}

extension ByteString {
    fileprivate var unlessEmpty: ByteString? { isEmpty ? nil : self }

    /// Cut to the limit of an item's text.
    fileprivate var cutToText: ByteString { cut(to: 65_535) }
}
