internal import KeychainServices

/// The name of a private key in GnuPG's agent, a digest of its public parameters.
struct Keygrip: Hashable {
    /// 40 hexadecimal digits, in capitals as GnuPG writes them.
    let text: ByteString

    /// Creates a keygrip from its digits, nil for any other text.
    init?(_ digits: some Collection<UInt8>) {
        guard digits.count == 40, digits.allSatisfy({ Hexadecimal.value(of: $0) != nil }) else {
            return nil
        }
        text = ByteString(digits.map { $0 >= 0x61 ? $0 - 0x20 : $0 })
    }

    /// The attributes of the passphrase's item.
    var item: ItemAttributes {
        var attributes = ItemAttributes()
        attributes.service = PinentryServer.accessGroup
        attributes.account = text
        return attributes
    }
}
