internal import LanyardCryptography
package import LanyardSecrets

/// What a team knows about a device: its names and its public keys.
package struct DeviceCard: Hashable, Sendable {
    /// The name of its owner, 1 to 200 bytes of UTF-8.
    package let person: String
    /// The device's own name, 1 to 200 bytes of UTF-8.
    package let name: String
    /// The key of its signatures: Ed25519, 32 bytes.
    package let signingKey: [UInt8]
    /// The key to which team keys are encrypted: X25519, 32 bytes.
    package let encryptionKey: [UInt8]

    private static let nameLimit = 200

    /// Creates a card.
    ///
    /// - Throws: ``Status/param`` for a name that is empty, too long, or has control characters.
    init(
        person: String, name: String, signingKey: [UInt8], encryptionKey: [UInt8]
    ) throws(KeychainError) {
        for text in [person, name] {
            guard DeviceCard.isName(text) else {
                throw DeviceCard.invalidName
            }
        }
        guard signingKey.count == SigningKey.publicKeySize,
            encryptionKey.count == EncryptionKey.publicKeySize
        else {
            throw KeychainError(.decode)
        }
        self.person = person
        self.name = name
        self.signingKey = signingKey
        self.encryptionKey = encryptionKey
    }

    /// Whether a text can be the name of an owner, a device or a team. It is shown before anything else
    /// is known of it: no character moves the cursor or turns the direction of writing.
    static func isName(_ text: String) -> Bool {
        (1...nameLimit).contains(text.utf8.count)
            && !text.unicodeScalars.contains {
                $0.value < 32 || (127..<160).contains($0.value) || $0.value == 0x061C
                    || (0x200E...0x200F).contains($0.value) || (0x2028...0x202E).contains($0.value)
                    || (0x2066...0x2069).contains($0.value)
            }
    }

    /// Checks a name that a user chooses for an owner, a device or a team: lists and commands show where such a name
    /// ends, and which of two a user means.
    ///
    /// - Throws: ``Status/param``.
    package static func checkChosen(_ name: String) throws(KeychainError) {
        guard isName(name) else {
            throw invalidName
        }
        let scalars = name.unicodeScalars
        let isPlain = scalars.allSatisfy { scalar in
            let properties = scalar.properties
            let isBracket = [.openPunctuation, .closePunctuation].contains(
                properties.generalCategory)
            // Persian and Indic names join letters with the two invisible ones.
            let isInvisible =
                properties.isDefaultIgnorableCodePoint && ![0x200C, 0x200D].contains(scalar.value)
            return !isBracket && !isInvisible && (scalar == " " || !properties.isWhitespace)
                && !"/<>\u{2044}\u{2215}\u{29F8}\u{FF0F}".unicodeScalars.contains(scalar)
        }
        let ends = [scalars.first, scalars.last].compactMap { $0 }
        guard isPlain, !ends.contains(" "),
            !ends.contains(where: { $0.properties.isDefaultIgnorableCodePoint })
        else {
            throw KeychainError(
                .param, "'\(name)' is no name for an owner, a device or a team",
                hint: "choose one without slashes, brackets and blanks at its ends")
        }
    }

    static let invalidName = KeychainError(
        .param, "a name has 1 to 200 bytes and no control characters")

    /// The names of its owner and its own one, as commands print and take them.
    package var path: String { "\(person)/\(name)" }

    /// The device's id, which its keys determine.
    package var id: Identifier {
        Identifier(digestOf: Array("lanyard device".utf8) + signingKey + encryptionKey)
    }

    /// A code that no other card has, for reading aloud: 4 groups of 4 characters, 80 bits.
    package var code: String {
        var writer = ByteWriter()
        writer.raw("lanyard device code")
        append(to: &writer)
        return SpokenCode.text(of: writer.bytes)
    }

    func append(to writer: inout ByteWriter) {
        writer.counted(Array(person.utf8))
        writer.counted(Array(name.utf8))
        writer.raw(signingKey)
        writer.raw(encryptionKey)
    }

    /// Reads a card.
    ///
    /// - Throws: ``Status/decode`` if there is none.
    init(reading reader: inout ByteReader) throws(KeychainError) {
        guard let person = String(validating: try reader.counted(), as: UTF8.self),
            let name = String(validating: try reader.counted(), as: UTF8.self)
        else {
            throw KeychainError(.decode)
        }
        let signingKey = try reader.raw(SigningKey.publicKeySize)
        let encryptionKey = try reader.raw(EncryptionKey.publicKeySize)
        do throws(KeychainError) {
            try self.init(
                person: person, name: name, signingKey: signingKey, encryptionKey: encryptionKey)
        } catch {
            throw KeychainError(.decode)
        }
    }
}
