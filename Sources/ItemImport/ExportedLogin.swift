internal import Keychain

/// An entry of a password manager's export: what of it there is.
struct ExportedLogin: ~Copyable {
    var title: ByteString?
    /// The sites that it is for, in order; those of which the address can be read.
    var addresses: [WebAddress] = []
    var username: ByteString?
    /// The realm of HTTP authentication.
    var realm: ByteString?
    var notes: ByteString?
    /// When it was made.
    var created: Timestamp?
    /// When it was changed.
    var changed: Timestamp?
    var secret = Secret("")
    /// Why there is no item if there is no secret.
    var reasonWithoutSecret = SkipReason.noPassword
    /// What else the entry holds that no item has room for: why each is skipped.
    var leftOut: [String] = []

    /// Hands out what the entry is to the keychain: an internet password for each address, a generic
    /// password with the title as the service if there is none. What can't be kept is skipped by
    /// itself, so that nobody takes the export for imported whole.
    func forEachContent(
        _ earlier: inout EarlierEntries,
        _ body: (ImportRecord.Content) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        guard secret.count > 0 else {
            return try body(.skipped(reason: reasonWithoutSecret))
        }
        var leftOut = leftOut
        if let notes, notes.cutToText != notes {
            leftOut.append("its note is too long")
        }
        try forEachItem(&earlier, body)
        for reason in leftOut {
            try body(.skipped(reason: reason))
        }
    }

    private func forEachItem(
        _ earlier: inout EarlierEntries,
        _ body: (ImportRecord.Content) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        guard !addresses.isEmpty else {
            return try body(genericPassword(&earlier))
        }
        var own: Set<ItemIdentity> = []
        for address in addresses.prefix(ExportedLogin.addressLimit) {
            let attributes = attributes(address)
            // Two addresses may differ in what is left out of them.
            guard own.insert(ItemIdentity(.internetPassword, attributes)).inserted else {
                continue
            }
            try body(
                earlier.item(
                    NewItem(.internetPassword, attributes, secret: secret.copy())
                ) {
                    .skipped(reason: SkipReason.samePlace)
                })
        }
        if addresses.count > ExportedLogin.addressLimit {
            try body(
                .skipped(reason: "it has more than \(ExportedLogin.addressLimit) addresses"))
        }
    }

    /// How many items an entry becomes: each has a copy of the secret.
    static let addressLimit = 64

    private func genericPassword(_ earlier: inout EarlierEntries) -> ImportRecord.Content {
        guard let title, !title.isEmpty else {
            return .skipped(reason: SkipReason.noName)
        }
        var attributes = attributes
        attributes.service = title
        return earlier.item(NewItem(.genericPassword, attributes, secret: secret.copy())) {
            .skipped(reason: SkipReason.samePlace)
        }
    }

    private func attributes(_ address: WebAddress) -> ItemAttributes {
        var attributes = attributes
        address.set(&attributes)
        attributes.securityDomain = realm?.unlessEmpty
        // What stands there in a URL of an Android app is its certificate's digest.
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

    /// Cut to what a text of an item may be, not inside a character.
    fileprivate var cutToText: ByteString {
        let limit = 65_535
        guard bytes.count > limit else {
            return self
        }
        var end = limit
        while end > limit - 4, bytes[end] & 0xC0 == 0x80 {
            end -= 1
        }
        return ByteString(Array(bytes[..<end]))
    }
}
