/// A library that reads certificates and keys for a ``Keychain``. The module Certificates has one.
///
/// A keychain without one stores passwords, and keys as they are given; it refuses certificates.
public protocol CertificateDecoding: AnyObject, Sendable {
    /// Returns what a certificate says of itself.
    ///
    /// - Parameter data: The certificate, DER.
    /// - Returns: The attributes in ``ItemAttributes`` that only certificates have, and the label: a short name of
    ///   the subject.
    /// - Throws: ``Status/decode`` for anything but one certificate.
    func attributes(ofCertificate data: Span<UInt8>) throws(KeychainError) -> ItemAttributes

    /// Returns what a key says of itself, nil if the data is not such a key.
    ///
    /// - Parameters:
    ///   - data: The key, in the form that ``KeyType`` names.
    ///   - keyClass: Whether it is public or private.
    /// - Returns: The sizes, the application label, and what the key can be used for.
    func attributes(
        ofKey data: borrowing Secret, _ keyClass: KeyClass, _ keyType: KeyType
    ) -> ItemAttributes?

    /// Returns whether a certificate leads to one of the system's trusted roots.
    ///
    /// - Parameters:
    ///   - data: The certificate, DER.
    ///   - date: When it has to be valid, nil for now.
    func isTrusted(_ data: Span<UInt8>, on date: Timestamp?) -> Bool
}

extension Keychain {
    /// Returns a new item's attributes with those that its data says.
    ///
    /// - Throws: ``Status/param`` for an identity and for a certificate with conditions;
    ///   ``Status/unimplemented`` for a certificate in a program that can't read it; ``Status/decode``.
    func decoded(
        _ attributes: ItemAttributes, _ itemClass: ItemClass, _ data: borrowing Secret
    ) throws(KeychainError) -> ItemAttributes {
        switch itemClass {
        case .identity:
            throw KeychainError(.param, "an identity is added as a certificate and a private key")
        case .certificate: try decodedCertificate(attributes, data)
        case .key: decodedKey(attributes, data)
        default: attributes
        }
    }

    private func decodedCertificate(
        _ given: ItemAttributes, _ data: borrowing Secret
    ) throws(KeychainError) -> ItemAttributes {
        guard let decoder else {
            throw KeychainError(.unimplemented, "this program can't read certificates")
        }
        let own = try data.withBytes { der throws(KeychainError) in
            try decoder.attributes(ofCertificate: der)
        }
        let attributes = given.filter { !$0.attribute.isOfCertificate }
            .merging(own.filter { $0.attribute != .label || given.label == nil })
        return try attributes.readableWhileLocked(accessible)
    }

    /// A program can store anything as a key: what the data does not say stays as given. A name and a
    /// permission that were given win.
    private func decodedKey(
        _ given: ItemAttributes, _ data: borrowing Secret
    ) -> ItemAttributes {
        guard let decoder, let keyClass = given.keyClass, let keyType = given.keyType,
            let own = decoder.attributes(ofKey: data, keyClass, keyType)
        else {
            return given
        }
        let isGiven = { (attribute: Attribute) in given[attribute] != nil }
        return given.merging(
            own.filter {
                $0.attribute == .keySizeInBits || $0.attribute == .effectiveKeySize
                    || !isGiven($0.attribute)
            })
    }

    /// Returns the changes that an update makes to items of a class; new data of a certificate changes all that
    /// it says of itself.
    ///
    /// - Throws: ``Status/param`` for what a certificate says of itself; ``Status/unimplemented`` for identities;
    ///   ``Status/decode``.
    func possible(
        _ changes: ItemAttributes, of itemClass: ItemClass, _ data: borrowing Secret?
    ) throws(KeychainError) -> ItemAttributes {
        switch itemClass {
        case .certificate:
            guard !changes.entries.contains(where: { $0.attribute.isOfCertificate }) else {
                throw KeychainError(.param, "a certificate's attributes are those of its data")
            }
            var possible = changes
            if changes.accessible != nil || changes.accessControl != nil {
                possible = try changes.readableWhileLocked(accessible)
            }
            switch data {
            case .some(let data): return try replacing(possible, data)
            case .none: return possible
            }
        case .identity:
            throw KeychainError(
                .unimplemented, "an identity can't be changed as one",
                hint: "change its certificate or its private key")
        default: return changes
        }
    }
}

extension Keychain {
    /// Returns changes together with what the new data of a certificate says; texts that it lacks are empty.
    private func replacing(
        _ changes: ItemAttributes, _ data: borrowing Secret
    ) throws(KeychainError) -> ItemAttributes {
        var replaced = try decodedCertificate(changes, data)
        replaced.label = changes.label
        for row in Attribute.table where row.attribute.isOfCertificate {
            if row.form == .text || row.form == .data, replaced[row.attribute] == nil {
                replaced[row.attribute] = .text("")
            }
        }
        replaced.accessible = changes.accessible
        return replaced
    }
}

extension ItemAttributes {
    /// Returns the attributes of a certificate with the accessibility that all of them have.
    ///
    /// - Parameter other: The accessibility of items without one.
    /// - Throws: ``Status/param`` for conditions, which a certificate can't have because it is no secret.
    fileprivate func readableWhileLocked(
        _ other: Accessibility
    ) throws(KeychainError) -> ItemAttributes {
        guard accessControl?.flags.isEmpty ?? true else {
            throw KeychainError(.param, "a certificate is no secret and can't have conditions")
        }
        var readable = self
        let wanted = accessible ?? accessControl?.accessible ?? other
        readable.accessible = wanted.readableWhileLocked
        readable.accessControl = nil
        return readable
    }
}

extension Accessibility {
    /// The accessibility of a certificate that is added with this one.
    package var readableWhileLocked: Accessibility {
        isThisDeviceOnly ? .alwaysThisDeviceOnly : .always
    }
}
