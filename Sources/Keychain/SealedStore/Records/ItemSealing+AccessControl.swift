internal import LanyardCryptography
internal import KeychainServices
internal import LinuxSystem

/// The boxes that an access control adds around a secret, inside the box of its class key.
///
/// The innermost one is under the application's password, the next under the key of
/// ``ProtectionClass/presence``. Each is bound to the item's identity, as the outer one is: not even a
/// program with the class keys can move a secret to another item.
extension ItemSealing {
    /// Puts a secret into the boxes that an access control adds, none without conditions.
    func sealConditions(
        _ secret: borrowing Secret, of attributes: ItemAttributes, in row: ItemRow
    ) throws(KeychainError) -> Secret {
        try checkConditions(of: attributes, row.itemClass)
        let requirements = try attributes.requirements
        guard !requirements.isEmpty else {
            return secret.copy()
        }
        var content = secret.withBytes { Padding.pad($0) }
        if requirements.applicationPassword {
            let sealed = try conditions.withPasswordKey { key throws(KeychainError) in
                try seal(content, under: key, .application, row, attributes)
            }
            content = sealed!
        }
        if requirements.passphrase {
            content = try seal(
                content, under: conditions.presence!.key, .presence, row, attributes)
        }
        return content
    }

    /// Throws unless a secret can be put into the boxes that an access control adds.
    ///
    /// - Throws: ``Status/authFailed`` if the keychain has no passphrase for it;
    ///   ``Status/interactionNotAllowed`` if the call lacks what it takes.
    func checkConditions(
        of attributes: ItemAttributes, _ itemClass: ItemClass
    ) throws(KeychainError) {
        let requirements = try attributes.requirements
        if requirements.passphrase, !keys.keybag.hasPassphrase, keys.keybag.enrollments.isEmpty {
            throw KeychainError(
                .authFailed, "the keychain has no passphrase",
                hint: requirements.passcode
                    ? "lanyard passphrase set" : "lanyard passphrase set, or lanyard presence add")
        }
        if requirements.passcode, !keys.keybag.enrollments.isEmpty {
            throw KeychainError(
                .unimplemented,
                "a keychain with a security key can't require the passphrase itself",
                hint: "require the user's presence instead")
        }
        try conditions.check(for: attributes, itemClass)
    }

    /// Takes a secret out of the boxes that an access control added.
    ///
    /// - Throws: ``Status/interactionNotAllowed`` without the passphrase, ``Status/authFailed`` for a
    ///   wrong password of the application, ``Status/decode`` for damage.
    func openConditions(
        _ content: consuming Secret, of attributes: ItemAttributes, in row: ItemRow
    ) throws(KeychainError) -> Secret {
        let requirements = try attributes.requirements
        guard !requirements.isEmpty else {
            return content
        }
        try conditions.check(for: attributes, row.itemClass)
        var secret = content
        if requirements.passphrase {
            secret = try open(
                secret, under: conditions.presence!.key, .presence, row, attributes)
        }
        if requirements.applicationPassword {
            secret = try openApplicationBox(secret, of: attributes, in: row)
        }
        return try Padding.withoutPadding(secret) { bytes throws(KeychainError) in
            Secret(copying: bytes).locked()
        }
    }

    private func openApplicationBox(
        _ content: borrowing Secret, of attributes: ItemAttributes, in row: ItemRow
    ) throws(KeychainError) -> Secret {
        do throws(KeychainError) {
            let opened = try conditions.withPasswordKey { key throws(KeychainError) in
                try open(content, under: key, .application, row, attributes)
            }
            return opened!
        } catch {
            // The box around it was sound.
            throw error.status == .decode
                ? KeychainError(.authFailed, "wrong application password") : error
        }
    }

    /// Returns the content of a row's outer box, with the box under the key of
    /// ``ProtectionClass/presence`` made anew under another one.
    func renewPresence(
        _ content: consuming Secret, of attributes: ItemAttributes, in row: ItemRow,
        from old: ClassKey?, to new: ClassKey?
    ) throws(KeychainError) -> Secret {
        guard try attributes.requirements.passphrase else {
            return content
        }
        guard let old, let new else {
            throw UnlockedKeys.locked
        }
        let inner = try open(content, under: old.key, .presence, row, attributes)
        return try seal(inner, under: new.key, .presence, row, attributes)
    }

    private func seal(
        _ secret: borrowing Secret, under key: borrowing Secret, _ box: ItemRow.Box, _ row: ItemRow,
        _ attributes: ItemAttributes
    ) throws(KeychainError) -> Secret {
        let associatedData = associatedData(of: box, row, attributes)
        let sealed = try secret.withBytes { bytes throws(KeychainError) in
            try KeyDerivation.withKey(
                key, label: "lanyard access control", context: keychainID.span
            ) { key throws(KeychainError) in
                try SealedBox.seal(bytes, under: key, associatedData: associatedData)
            }
        }
        return Secret(copying: sealed.span)
    }

    private func open(
        _ content: borrowing Secret, under key: borrowing Secret, _ box: ItemRow.Box,
        _ row: ItemRow, _ attributes: ItemAttributes
    ) throws(KeychainError) -> Secret {
        let associatedData = associatedData(of: box, row, attributes)
        return try content.withBytes { bytes throws(KeychainError) in
            try KeyDerivation.withKey(
                key, label: "lanyard access control", context: keychainID.span
            ) { key throws(KeychainError) in
                try SealedBox.open(bytes, under: key, associatedData: associatedData)
            }
        }
    }

    private func associatedData(
        of box: ItemRow.Box, _ row: ItemRow, _ attributes: ItemAttributes
    ) -> [UInt8] {
        row.associatedData(
            of: box, keychainID: keychainID, ItemIdentity(row.itemClass, attributes))
    }
}
