internal import LanyardCertificates
internal import KeychainServices
internal import SecurityFunctions

/// A pair of keys to generate, and what is stored of it.
struct NewKeyPair {
    private let privateRequest: ItemRequest
    private let publicRequest: ItemRequest
    private let isPrivatePermanent: Bool
    private let isPublicPermanent: Bool
    private let type: AsymmetricKeyType
    private let sizeInBits: Int

    /// Reads the parameters of a caller. Those for both keys give way to those for one.
    ///
    /// - Throws: ``Status/param`` without a type or a size; ``Status/unimplemented`` for other types and for a
    ///   Secure Enclave; what ``ItemRequest`` throws.
    init(_ parameters: NSDictionary) throws(KeychainError) {
        var common = try KeyDictionary(parameters)
        var ofPrivate = try KeyDictionary(common.remove("private") as? NSDictionary ?? [:])
        var ofPublic = try KeyDictionary(common.remove("public") as? NSDictionary ?? [:])
        let isPermanent = try common.removeFlag("perm")
        isPrivatePermanent = try ofPrivate.removeFlag("perm") ?? isPermanent ?? false
        isPublicPermanent = try ofPublic.removeFlag("perm") ?? isPermanent ?? false
        privateRequest = try ItemRequest(common.merging(ofPrivate), .addition)
        // A public key is no secret: only its own parameters ask for its uses.
        _ = common.remove("accc")
        publicRequest = try ItemRequest(common.merging(ofPublic), .addition)
        guard let number = privateRequest.attributes.keyType else {
            throw KeychainError(.param, "a new key needs a type")
        }
        guard let type = AsymmetricKeyType(rawValue: number.rawValue) else {
            throw KeychainError(.unimplemented, "keys of this type can't be generated")
        }
        guard let size = privateRequest.attributes.keySizeInBits else {
            throw KeychainError(.param, "a new key needs a size")
        }
        self.type = type
        sizeInBits = Int(size)
    }

    /// Generates the keys, and stores those that are permanent: both or none.
    ///
    /// - Returns: The keys; a stored one is in its keychain and no longer in memory.
    /// - Throws: ``Status/keySizeNotAllowed``; what the keychain throws.
    func generate() throws(KeychainError) -> (privateKey: SecKey, publicKey: SecKey) {
        let key = try PrivateKey(generating: type, sizeInBits: sizeInBits)
        var made = (
            privateKey: SecKey(.privateKey(key)), publicKey: SecKey(.publicKey(key.publicKey))
        )
        guard isPrivatePermanent || isPublicPermanent else {
            return made
        }
        let request = privateRequest
        let stored = try request.withKeychain(request.keychain) { keychain throws(KeychainError) in
            try keychain.transaction { () throws(KeychainError) in
                var stored: (privateKey: SecKey?, publicKey: SecKey?) = (nil, nil)
                if isPrivatePermanent {
                    stored.privateKey = try add(
                        key.attributes.merging(request.attributes), key.externalRepresentation(),
                        key.publicKey, to: keychain)
                }
                if isPublicPermanent {
                    stored.publicKey = try add(
                        publicAttributes(key.publicKey),
                        Secret(bytes: key.publicKey.externalRepresentation), key.publicKey,
                        to: keychain)
                }
                return stored
            }
        }
        made.privateKey = stored.privateKey ?? made.privateKey
        made.publicKey = stored.publicKey ?? made.publicKey
        return made
    }

    private func publicAttributes(_ key: PublicKey) -> ItemAttributes {
        var attributes = key.attributes.merging(publicRequest.attributes)
        if attributes.accessible == nil, attributes.accessControl == nil {
            let isThisDeviceOnly = privateRequest.attributes.accessible?.isThisDeviceOnly == true
            attributes.accessible = isThisDeviceOnly ? .alwaysThisDeviceOnly : .always
        }
        return attributes
    }

    private func add(
        _ attributes: ItemAttributes, _ data: borrowing Secret, _ publicKey: PublicKey,
        to keychain: Keychain
    ) throws(KeychainError) -> SecKey {
        guard
            let added = try keychain.add(
                .key, attributes, secret: data, returns: [.attributes, .reference],
                context: privateRequest.context),
            let reference = added.reference, let stored = added.attributes
        else {
            throw KeychainError(.itemNotFound)
        }
        return SecKey(
            .stored(
                SecKey.Stored(
                    item: SecKeychainItem(reference, keychain: privateRequest.keychain),
                    attributes: stored, access: privateRequest.access, publicKey: publicKey)))
    }
}
