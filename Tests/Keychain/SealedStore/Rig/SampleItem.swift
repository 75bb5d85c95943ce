import KeychainServices
import Testing

/// Items of every kind, for a keychain that is kept for later.
struct SampleItem {
    let itemClass: ItemClass
    let attributes: ItemAttributes
    let secret: [UInt8]

    /// One of each accessibility that there can be, and one with every attribute of each class.
    static func all(hasPassphrase: Bool) -> [SampleItem] {
        var items = Accessibility.allCases.filter {
            hasPassphrase || $0 != .whenPasscodeSetThisDeviceOnly
        }.map { accessible in
            var attributes = internetPassword(
                ByteString("\(accessible.code).example"), account: "ada")
            attributes.accessible = accessible
            return SampleItem(
                itemClass: .internetPassword, attributes: attributes,
                secret: Array("secret of \(accessible.code)".utf8))
        }
        items.append(
            SampleItem(
                itemClass: .internetPassword, attributes: everyAttribute(.internetPassword),
                secret: Array("pässwörd\nof two lines\u{0}".utf8)))
        items.append(
            SampleItem(
                itemClass: .genericPassword, attributes: everyAttribute(.genericPassword),
                secret: []))
        var long = genericPassword("long", account: "x")
        long.accessible = .whenUnlocked
        items.append(
            SampleItem(
                itemClass: .genericPassword, attributes: long,
                secret: (0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }))
        return items
    }

    private static func everyAttribute(_ itemClass: ItemClass) -> ItemAttributes {
        var attributes = ItemAttributes()
        attributes.accessible = .whenUnlocked
        attributes.accessGroup = "git"
        attributes.account = "grüße"
        attributes.label = "日本語"
        attributes.itemDescription = "a description"
        attributes.comment = "two\nlines"
        attributes.creator = "lnyd"
        attributes.type = "note"
        attributes.isInvisible = true
        attributes.isNegative = false
        attributes.synchronizable = true
        if itemClass == .genericPassword {
            attributes.service = "service"
            attributes.generic = "generic"
        } else {
            attributes.server = "Example.com"
            attributes.protocol = .https
            attributes.port = 8443
            attributes.path = "/a/path"
            attributes.securityDomain = "realm"
            attributes.authenticationType = .httpBasic
        }
        return attributes
    }
}
