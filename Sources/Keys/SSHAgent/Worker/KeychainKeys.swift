internal import LanyardCertificates
internal import LanyardConfiguration
internal import KeychainServices
internal import Keychains

/// The private keys in the user's keychains that may sign.
///
/// A key is found by its application label, the digest of its public key.
struct KeychainKeys: StoredKeys {
    /// The group for keys that are for the agent only, and that of the command `lanyard`. Keys of other
    /// programs are not offered to servers.
    private static let accessGroups = AccessGroups("ssh", others: ["login"])

    /// The name of the keychain; nil for the search list.
    let keychain: String?

    /// Returns the keys whose public halves can be read without a question: from the public key's own item,
    /// else from the private key.
    func identities() throws(KeychainError) -> [Identity] {
        let keychain = try open()
        var publicKeys: [ByteString: PublicKey] = [:]
        try keychain.forEachMatch(KeychainKeys.query(.public)) { item throws(KeychainError) in
            if let key = KeychainKeys.publicKey(item), let label = item.attributes?.applicationLabel
            {
                publicKeys[label] = key
            }
            return .next
        }
        var found: [(label: ByteString, comment: ByteString)] = []
        try keychain.forEachMatch(KeychainKeys.query(.private)) { item throws(KeychainError) in
            if let attributes = item.attributes, attributes.canSign != false,
                let label = attributes.applicationLabel
            {
                found.append((label, attributes.label ?? ""))
            }
            return .next
        }
        var identities: [Identity] = []
        for (label, comment) in found {
            let publicKey =
                if let stored = publicKeys[label] { Optional(stored) } else {
                    try readablePublicKey(keychain, label)
                }
            // Keys that SSH has no form for, such as X25519, are none for the agent.
            if let publicKey, publicKey.hash == label.bytes, let form = try? SSHPublicKey(publicKey)
            {
                identities.append(
                    Identity(publicKey: ByteString(form.blob), comment: comment))
            }
        }
        return identities
    }

    func sign(
        _ request: SignRequest, reason: (_ key: ByteString) -> String, mayAsk: Bool
    ) throws(KeychainError) -> ByteString {
        let keychain = try open()
        guard let wanted = (try? SSHPublicKey(blob: request.publicKey.bytes.span))?.key else {
            throw KeychainError(.itemNotFound)
        }
        let label = ByteString(wanted.hash)
        guard let attributes = try attributes(keychain, label), attributes.canSign != false else {
            throw KeychainError(.itemNotFound)
        }
        var query = KeychainKeys.query(.private, label: label)
        query.returns = [.data, .attributes]
        query.match.limit = .one
        query.match.authenticationUI = mayAsk ? .allow : .fail
        query.match.prompt = reason(attributes.label ?? "")
        guard case .item(let item) = try keychain.copyMatching(query) else {
            throw KeychainError(.itemNotFound)
        }
        guard let key = try KeychainKeys.privateKey(item), key.publicKey == wanted else {
            throw KeychainError(.decode, "a key in the keychain does not fit its public key")
        }
        return try CertificateSigning.sign(request, with: key)
    }

    private func open() throws(KeychainError) -> Keychain {
        try SearchListStore(flag: keychain, configuration: Configuration(), isSilent: true)
            .keychain(accessGroups: KeychainKeys.accessGroups)
    }

    private func attributes(
        _ keychain: Keychain, _ label: ByteString
    ) throws(KeychainError) -> ItemAttributes? {
        var query = KeychainKeys.query(.private, label: label)
        query.returns = .attributes
        return try keychain.firstMatch(of: query)?.attributes
    }

    private func readablePublicKey(
        _ keychain: Keychain, _ label: ByteString
    ) throws(KeychainError) -> PublicKey? {
        guard let item = try keychain.firstMatch(of: KeychainKeys.query(.private, label: label))
        else {
            return nil
        }
        return try KeychainKeys.privateKey(item)?.publicKey
    }

    /// Returns a query for all keys of a class, with their data if that needs no question.
    private static func query(_ keyClass: KeyClass, label: ByteString? = nil) -> Query {
        var attributes = ItemAttributes()
        attributes.keyClass = keyClass
        attributes.applicationLabel = label
        var query = Query(.key, attributes, returns: [.attributes, .readableData, .unlogged])
        query.match.limit = .all
        query.synchronizable = .any
        return query
    }

    private static func publicKey(_ item: borrowing MatchedItem) -> PublicKey? {
        guard let type = type(item) else {
            return nil
        }
        switch item.secret {
        case .some(let data):
            return data.withBytes { try? PublicKey(externalRepresentation: $0, type: type) }
        case .none: return nil
        }
    }

    private static func privateKey(
        _ item: borrowing MatchedItem
    ) throws(KeychainError) -> PrivateKey? {
        guard let type = type(item) else {
            return nil
        }
        switch item.secret {
        case .some(let data): return try PrivateKey(externalRepresentation: data, type: type)
        case .none: return nil
        }
    }

    private static func type(_ item: borrowing MatchedItem) -> AsymmetricKeyType? {
        (item.attributes?.keyType?.rawValue).flatMap(AsymmetricKeyType.init(rawValue:))
    }
}
