internal import ArgumentParser
internal import LanyardCertificates
internal import Keychains
internal import KeychainServices
internal import LanyardPrompting
internal import StrictJSON

/// `lanyard key list`.
struct ListKeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the keys, without anything private.",
        discussion: "The latest comes first. A public key is listed if its private key is missing.",
        aliases: ["ls"]
    ).examples(
        "lanyard key list",
        "lanyard key list --json")

    @OptionGroup var group: GroupOption
    @OptionGroup var json: JSONFlag
    @OptionGroup var keychain: KeychainOption

    func run() throws {
        let opened = try keychain.open()
        let name = group.name.map { ByteString($0) }
        let keys =
            try opened.keychain.storedKeys(.private, group: name)
            + opened.keychain.storedKeys(.public, group: name)
        if keys.isEmpty {
            group.noteNothing(in: opened)
        }
        if json.isOn {
            try writeJSON(keys, opened)
        } else {
            try writeTable(keys, opened)
        }
    }

    private func writeTable(
        _ keys: [StoredKey], _ opened: OpenKeychains
    ) throws(KeychainError) {
        guard !keys.isEmpty else {
            return
        }
        let terminal = OutputTerminal.current
        let keychains = keys.map { opened.store.keychainName(of: $0.reference) ?? "" }
        var table = FittedTable([
            .init("NAME", leastWidth: 12), .init("TYPE"), .init("GROUP", leastWidth: 5),
            .init("FINGERPRINT", leastWidth: 16), .init("KEYCHAIN", leastWidth: 8),
            .init("MARKS", leastWidth: 8),
        ])
        for (key, keychain) in zip(keys, keychains) {
            table.append([
                .init(key.name), .init(key.type),
                .init((key.attributes.accessGroup ?? "").description),
                .init(key.fingerprint ?? key.hexadecimal), .init(keychain),
                // Lines for scripts have no trailing spaces.
                .init(key.marks.isEmpty && terminal == nil ? "-" : key.marks),
            ])
        }
        table.hidden = Set(
            (Set(keychains).count > 1 ? [] : [4])
                + (keys.allSatisfy(\.marks.isEmpty) ? [5] : []))
        try writeAnswer(Secret(table.text(for: terminal)))
    }

    private func writeJSON(
        _ keys: [StoredKey], _ opened: OpenKeychains
    ) throws(KeychainError) {
        try writeAnswer(
            JSONWriter.write(invalidText: .replace) { writer throws(KeychainError) in
                try writer.writeObjects(of: keys) { writer, key throws(KeychainError) in
                    try writer.members(of: key)
                    let keychain = opened.store.keychainName(of: key.reference) ?? ""
                    try writer.member("keychain", ByteString(keychain))
                }
            })
    }
}

extension JSONWriter {
    /// Writes what is public of a key as an object's members: part of the stable output.
    mutating func members(of key: StoredKey) throws(KeychainError) {
        try member("name", ByteString(key.name))
        try member("group", key.attributes.accessGroup ?? "")
        if let tag = key.attributes.applicationTag, !tag.isEmpty {
            try member("tag", tag)
        }
        try member("type", ByteString(key.type))
        try member("hash", ByteString(key.hexadecimal))
        try member("hasPrivateKey", key.attributes.keyClass == .private)
        try member("asks", key.asks)
        if let created = key.attributes.creationDate {
            try member("created", ByteString(created.text))
        }
        if let fingerprint = key.fingerprint {
            try member("fingerprint", ByteString(fingerprint))
        }
        if let publicKey = key.publicKey {
            let text = try publicKey.text(asPEM: false, comment: key.attributes.label ?? "")
            try member("publicKey", ByteString(text))
        }
    }
}

extension StoredKey {
    /// The type and size, for example `rsa 3072`.
    var type: String {
        let bits = attributes.keySizeInBits ?? 0
        switch attributes.keyType {
        case .rsa: return "rsa \(bits)"
        case .ellipticCurve: return "p\(bits)"
        case .ed25519: return "ed25519"
        case .x25519: return "x25519"
        case .aes: return "aes \(bits)"
        default: return "unknown"
        }
    }

    /// Whether each use takes the passphrase.
    var asks: Bool { (try? attributes.requirements.passphrase) == true }

    /// What distinguishes it: whether each use asks, and whether the private key is missing.
    var marks: String {
        [
            attributes.keyClass == .public ? "public" : nil, asks ? "asks" : nil,
            attributes.trustedApplications?.isEmpty == false ? "restricted" : nil,
        ].compactMap(\.self).joined(separator: ",")
    }
}
