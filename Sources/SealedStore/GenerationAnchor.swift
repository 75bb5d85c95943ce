internal import Cryptography
internal import Keychain
internal import LinuxSystem

/// What was last seen of a keychain's keybag, kept beside the machine key, so that an older keybag put
/// in the file's place shows, and one that has lost its passphrase elsewhere.
///
/// The lines of the file: the generation; while there is a passphrase, `passphrase` and the generation of
/// the class key of whenUnlocked, as one from before the passphrase vouches for nothing to somebody who
/// has the recovery key still; while the passphrase is being removed, `next` and the SHA-256 digest of the keybag without it in hexadecimal digits.
struct GenerationAnchor {
    private struct Content: Equatable {
        var generation: UInt64
        /// The generation of the class key that vouches for the keybag, nil without a passphrase.
        var vouching: UInt32?
        var next: String?

        init(_ keybag: Keybag) {
            generation = keybag.generation
            vouching =
                keybag.hasPassphrase
                ? keybag.classKey(.secrets(.whenUnlocked))?.id.generation ?? 0 : nil
        }

        init?(_ text: String) {
            // As it is without a passphrase, which takes no list of lines.
            if text.utf8.count < 20, text.utf8.last == UInt8(ascii: "\n"),
                let generation = UInt64(text.dropLast())
            {
                self.generation = generation
                return
            }
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            guard lines.last == "", let generation = UInt64(lines[0]) else {
                return nil
            }
            self.generation = generation
            for line in lines.dropFirst().dropLast() {
                if line.hasPrefix("passphrase "),
                    let vouching = UInt32(line.dropFirst("passphrase ".count))
                {
                    self.vouching = vouching
                } else if line.hasPrefix("next ") {
                    next = String(line.dropFirst("next ".count))
                } else {
                    return nil
                }
            }
        }

        var text: String {
            var text = "\(generation)\n"
            if let vouching {
                text += "passphrase \(vouching)\n"
            }
            if let next {
                text += "next \(next)\n"
            }
            return text
        }
    }

    private let path: String

    /// - Parameter keychainID: The keychain's id, 16 bytes.
    init(stateFolder: String, keychainID: [UInt8]) {
        path = "\(stateFolder)/\(hexadecimal(keychainID)).generation"
    }

    private func read() throws(KeychainError) -> Content? {
        let content: Secret
        do throws(KeychainError) {
            content = try PrivatePlace.read(path, limit: 256)
        } catch {
            if error.status == .noSuchKeychain {
                return nil
            }
            throw error
        }
        let text = content.withBytes { ByteString(copying: $0).description }
        guard let content = Content(text), content.text == text else {
            throw KeychainError(
                .decode, "the file '\(path)' is damaged",
                hint: "if nobody tampered with the keychain: lanyard keychain accept-restore")
        }
        return content
    }

    private func write(_ content: Content) throws(KeychainError) {
        try PrivatePlace.replaceFile(path, Array(content.text.utf8).span)
    }

    /// The ids of the keychains that were used under the machine key in a folder.
    static func keychains(stateFolder: String) throws(KeychainError) -> [String] {
        let ending = ".generation"
        let digits = "0123456789abcdef"
        return try PrivatePlace.files(in: stateFolder)
            .filter { $0.hasSuffix(ending) }.map { String($0.dropLast(ending.count)) }
            .filter { $0.utf8.count == 32 && $0.allSatisfy(digits.contains) }
    }

    /// Forgets the keychain, when it is deleted.
    func remove() {
        try? SystemCalls.unlink(path)
    }

    /// Throws if a keybag is older than the last one that was seen, or has lost its passphrase.
    func check(_ keybag: Keybag, encoded: [UInt8]) throws(KeychainError) {
        guard let seen = try read() else {
            return
        }
        let hint = "if you put it back yourself: lanyard keychain accept-restore"
        guard keybag.generation >= seen.generation else {
            throw KeychainError(
                .decode, "the keychain is an older copy than the one last used here", hint: hint)
        }
        guard keybag.hasPassphrase || seen.vouching == nil || seen.next == Self.digest(encoded)
        else {
            throw KeychainError(
                .decode, "the keychain had a passphrase when it was last used here, and has none",
                hint: hint)
        }
        let vouching = Content(keybag).vouching ?? seen.vouching ?? 0
        guard vouching >= seen.vouching ?? 0 else {
            throw KeychainError(
                .decode, "the keychain has older keys than when it was last used here", hint: hint)
        }
    }

    /// Lets a keybag follow that has no passphrase any more. Called before it is in the keychain for
    /// good: a crash in between leaves both it and the one before it welcome.
    func allow(_ next: Keybag) throws(KeychainError) {
        guard var content = try read(), content.vouching != nil, !next.hasPassphrase else {
            return
        }
        content.next = Self.digest(next.encoded)
        try write(content)
    }

    /// Whether there is something to keep of a keybag.
    func isBehind(_ keybag: Keybag) -> Bool {
        guard let seen = try? read() else {
            return true
        }
        return seen.generation < keybag.generation || seen.next != nil
    }

    /// Keeps what there is to know of a keybag, unless a later one is known already. Called after the
    /// keybag is in the keychain for good: a crash in between leaves the anchor behind, never ahead.
    func advance(to keybag: Keybag) throws(KeychainError) {
        let content = Content(keybag)
        if let seen = try read(), seen.generation > content.generation || seen == content {
            return
        }
        try write(content)
    }

    /// Keeps what there is to know of a keybag, whatever was known before.
    func accept(_ keybag: Keybag) throws(KeychainError) {
        try write(Content(keybag))
    }

    private static func digest(_ encodedKeybag: [UInt8]) -> String {
        hexadecimal(sha256(encodedKeybag.span))
    }
}
