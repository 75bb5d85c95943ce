internal import ArgumentParser
internal import LanyardCertificates
internal import KeychainServices
internal import LanyardPrompting

/// `lanyard key generate`.
struct GenerateKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate", abstract: "Make a key pair and store it.",
        discussion: "It prints the public key, in ssh's form if ssh has such keys, else as PEM."
    ).examples(
        "lanyard key generate deploy",
        "lanyard key generate --type rsa --size 4096 --ask release",
        "lanyard key generate --type p256 --pem client")

    @Argument(help: ArgumentHelp("A name for the key.", valueName: "name"))
    var name: String
    @Option(
        help: ArgumentHelp("ed25519, p256, p384, p521, rsa or x25519.", valueName: "type"))
    var type = "ed25519"
    @Option(
        help: ArgumentHelp(
            "The size of an RSA key in bits: 2048 to 4096, otherwise 3072.", valueName: "bits"))
    var size: Int?
    @Flag(help: "Print the public key as PEM.")
    var pem = false
    @OptionGroup var storing: KeyStoringOptions
    @OptionGroup var keychain: KeychainOption

    func run() throws {
        let (type, bits) = try kind()
        let attributes = try storing.attributes(label: name)
        let keychain = try keychain.keychain()
        try checkIsNew(in: keychain)
        let key = try PrivateKey(generating: type, sizeInBits: bits)
        try keychain.add(key, attributes)
        let text = try key.publicKey.text(asPEM: pem, comment: ByteString(name))
        try writeAnswer(Secret(copying: text.span))
    }

    private func kind() throws(KeychainError) -> (AsymmetricKeyType, Int) {
        let kinds: [String: (AsymmetricKeyType, Int)] = [
            "ed25519": (.ed25519, 256), "x25519": (.x25519, 256), "rsa": (.rsa, size ?? 3072),
            "p256": (.ellipticCurve, 256), "p384": (.ellipticCurve, 384),
            "p521": (.ellipticCurve, 521),
        ]
        guard let kind = kinds[type.lowercased()] else {
            throw KeychainError(
                .param, "unknown type of key '\(type)'",
                hint: "use ed25519, p256, p384, p521, rsa or x25519")
        }
        guard size == nil || kind.0 == .rsa else {
            throw KeychainError(.param, "only RSA keys have a choice of sizes")
        }
        if let size, !(2048...4096).contains(size) || size % 8 != 0 {
            throw KeychainError(
                .param, "an RSA key can't have \(size) bits",
                hint: "use a multiple of 8 from 2048 to 4096")
        }
        return kind
    }

    /// Two keys of one name would be a trap, although a keychain can have them.
    private func checkIsNew(in keychain: Keychain) throws(KeychainError) {
        let keys = try keychain.storedKeys(.private)
        guard !keys.contains(where: { $0.attributes.label?.description == name }) else {
            throw KeychainError(
                .duplicateItem, "a key with the name '\(name)' already exists",
                hint: "lanyard key list shows it")
        }
    }
}

/// The options with which keys are stored.
struct KeyStoringOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("A tag by which programs find the key.", valueName: "text"))
    var tag: String?
    @OptionGroup var group: StoringGroupOption
    @Option(
        help: ArgumentHelp("When the private key can be read, for example ak.", valueName: "code"))
    var accessible: String?
    @Flag(help: "Ask for the keychain's passphrase at each use, even while it is unlocked.")
    var ask = false

    /// The group, as an attribute.
    var accessGroup: ByteString { ByteString(group.name ?? "login") }

    func attributes(label: String?) throws(KeychainError) -> ItemAttributes {
        guard !accessGroup.isEmpty else {
            throw KeychainError(.param, "the group has no name")
        }
        var attributes = ItemAttributes()
        attributes.label = label.map { ByteString($0) }
        attributes.applicationTag = tag.map { ByteString($0) }
        attributes.accessGroup = accessGroup
        attributes.accessible = try AttributeOptions.accessibility(accessible)
        if ask {
            attributes.accessControl = AccessControl(
                accessible: attributes.accessible ?? .whenUnlocked, flags: .userPresence)
        }
        return attributes
    }
}

extension PublicKey {
    /// Returns the key for users: a line of ssh's, or PEM if asked for or if ssh has no such keys.
    func text(asPEM: Bool, comment: ByteString) throws(KeychainError) -> [UInt8] {
        if !asPEM, type != .x25519 {
            let isPlain = comment.bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
            return try file(.openSSHPublicKey, comment: isPlain ? comment : "")
        }
        return try file(.subjectPublicKeyInfo)
    }
}
