internal import LanyardCryptography
internal import KeychainServices
internal import LinuxSystem

/// Encrypts items into rows, and decrypts rows.
struct ItemSealing {
    let keys: UnlockedKeys
    /// The keys for secrets with an access control.
    let conditions: ConditionKeys

    init(_ keys: UnlockedKeys, _ conditions: ConditionKeys) {
        self.keys = keys
        self.conditions = conditions
    }

    var keychainID: [UInt8] { keys.keybag.keychainID }

    /// Encrypts an item into a row.
    ///
    /// - Throws: ``Status/interactionNotAllowed`` for a locked key, ``Status/authFailed`` for an
    ///   access control or an accessibility that needs a passphrase, if the keychain has none.
    func seal(
        _ attributes: ItemAttributes, _ secret: borrowing Secret, into row: inout ItemRow
    ) throws(KeychainError) {
        row.accessible = attributes.accessible ?? .whenUnlocked
        // Before the class key: the passphrase that this may take unlocks that one, too.
        let content = try sealConditions(secret, of: attributes, in: row)
        try sealContent(content, of: attributes, into: &row)
    }

    /// Encrypts attributes and what belongs into the secret's box into a row.
    func sealContent(
        _ content: borrowing Secret, of attributes: ItemAttributes, into row: inout ItemRow
    ) throws(KeychainError) {
        let classKey = try key(keys.classKey(row.accessible))
        row.secretGeneration = classKey.id.generation
        let padded = content.withBytes { Padding.pad($0) }
        let identity = ItemIdentity(row.itemClass, attributes)
        let associatedData = row.associatedData(
            of: try secretBox(of: attributes), keychainID: keychainID, identity)
        row.secret = try padded.withBytes { bytes throws(KeychainError) in
            try withSecretKey(classKey) { key throws(KeychainError) in
                try SealedBox.seal(bytes, under: key, associatedData: associatedData)
            }
        }
        try sealAttributes(attributes, identity, into: &row)
    }

    /// Encrypts attributes into a row that already has its secret, to which they are bound. The
    /// item's identity and accessibility must be unchanged.
    func sealAttributes(
        _ attributes: ItemAttributes, _ identity: ItemIdentity, into row: inout ItemRow
    ) throws(KeychainError) {
        row.metadataGeneration = keys.metadata.id.generation
        row.tags = BlindIndex(keys).tags(row.itemClass, attributes, identity)
        let padded = Padding.pad(AttributesCoding.encode(attributes).span)
        let associatedData = row.associatedData(of: .attributes, keychainID: keychainID)
        row.attributes = try padded.withBytes { bytes throws(KeychainError) in
            try SealedBox.seal(
                bytes, under: keys.attributesKey, associatedData: associatedData)
        }
    }

    /// Returns the attributes of a row, after checking that its tags belong to them.
    ///
    /// - Throws: ``Status/decode`` if the row was changed or combined from others.
    func openAttributes(_ row: ItemRow) throws(KeychainError) -> ItemAttributes {
        guard row.metadataGeneration == keys.metadata.id.generation else {
            throw damaged
        }
        let associatedData = row.associatedData(of: .attributes, keychainID: keychainID)
        do throws(KeychainError) {
            let padded = try SealedBox.open(
                row.attributes.span, under: keys.attributesKey, associatedData: associatedData)
            let attributes = try Padding.withoutPadding(padded) { bytes throws(KeychainError) in
                try AttributesCoding.decode(bytes, accessible: row.accessible)
            }
            let identity = ItemIdentity(row.itemClass, attributes)
            guard BlindIndex(keys).tags(row.itemClass, attributes, identity) == row.tags else {
                throw KeychainError(.decode)
            }
            return attributes
        } catch {
            throw error.status == .decode ? damaged : error
        }
    }

    /// Returns the secret of a row with these attributes.
    ///
    /// - Throws: ``Status/decode`` if it was changed or belongs to another item;
    ///   ``Status/interactionNotAllowed`` for a locked key, ``Status/authFailed`` for a wrong
    ///   password of the application.
    func openSecret(
        _ row: ItemRow, of attributes: ItemAttributes
    ) throws(KeychainError) -> Secret {
        try conditions.check(for: attributes, row.itemClass)
        return try openSecret(row, of: attributes, with: key(classKey(of: row)))
    }

    /// Returns an available key. A locked one is what the call lacks.
    ///
    /// - Throws: ``Status/interactionNotAllowed``, ``Status/authFailed``.
    func key(_ state: ClassKeyState) throws(KeychainError) -> ClassKey {
        switch state {
        case .atHand(let key): return key
        case .elsewhere(let error): throw error
        case .locked: throw conditions.lacksUnlocking()
        }
    }

    /// Returns whether the box of a row's secret can be opened.
    func classKey(of row: ItemRow) throws(KeychainError) -> ClassKeyState {
        try keys.classKey(row.secretKeyID)
    }

    /// Returns the secret with a key that ``classKey(of:)`` found.
    func openSecret(
        _ row: ItemRow, of attributes: ItemAttributes, with classKey: ClassKey
    ) throws(KeychainError) -> Secret {
        let content = try openContent(row, of: attributes, with: classKey)
        do throws(KeychainError) {
            return try openConditions(content, of: attributes, in: row)
        } catch {
            throw error.status == .decode ? damaged : error
        }
    }

    /// Returns the content of the secret's box: the secret, inside the boxes of its access control.
    func openContent(
        _ row: ItemRow, of attributes: ItemAttributes, with classKey: ClassKey
    ) throws(KeychainError) -> Secret {
        let associatedData = row.associatedData(
            of: try secretBox(of: attributes), keychainID: keychainID,
            ItemIdentity(row.itemClass, attributes))
        do throws(KeychainError) {
            let padded = try withSecretKey(classKey) { key throws(KeychainError) in
                try SealedBox.open(row.secret.span, under: key, associatedData: associatedData)
            }
            return try Padding.withoutPadding(padded) { bytes throws(KeychainError) in
                Secret(copying: bytes).locked()
            }
        } catch {
            throw error.status == .decode ? damaged : error
        }
    }

    private func secretBox(of attributes: ItemAttributes) throws(KeychainError) -> ItemRow.Box {
        try attributes.requirements.isEmpty ? .secret : .controlledSecret
    }

    /// Lends the key that encrypts a class key's secrets to a closure.
    private func withSecretKey<Result: ~Copyable>(
        _ classKey: ClassKey, _ body: (Span<UInt8>) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        try KeyDerivation.withKey(
            classKey.key, label: "lanyard secret", context: keychainID.span, body)
    }

    private var damaged: KeychainError {
        KeychainError(.decode, hint: "restore the keychain file from a backup")
    }
}
