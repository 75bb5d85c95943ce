internal import Keychain

/// The last keybag generation that was seen of a keychain, kept beside the machine key, so that an
/// older keybag put in the file's place shows.
struct GenerationAnchor {
    private let path: String

    /// - Parameter keychainID: The keychain's id, 16 bytes.
    init(stateFolder: String, keychainID: [UInt8]) {
        path = "\(stateFolder)/\(hexadecimal(keychainID)).generation"
    }

    /// The generation, nil if none was kept yet.
    func read() throws(KeychainError) -> UInt64? {
        let content: Secret
        do throws(KeychainError) {
            content = try PrivatePlace.read(path, limit: 21)
        } catch {
            if error.status == .noSuchKeychain {
                return nil
            }
            throw error
        }
        let text = content.withBytes { ByteString(copying: $0).description }
        guard text.hasSuffix("\n"), let generation = UInt64(text.dropLast()) else {
            throw KeychainError(
                .decode, "the file '\(path)' is damaged",
                hint: "if nobody tampered with the keychain: rm \(PrivatePlace.quoted(path))")
        }
        return generation
    }

    /// Forgets the generation, when its keychain is deleted.
    func remove() {
        try? SystemCalls.unlink(path)
    }

    /// Throws if a keybag is older than the last one that was seen.
    func check(_ keybag: Keybag) throws(KeychainError) {
        if let seen = try read(), keybag.generation < seen {
            throw KeychainError(
                .decode, "the keychain is an older copy than the one last used here",
                hint: "if you put it back yourself: rm \(PrivatePlace.quoted(path))")
        }
    }

    /// Keeps a keybag's generation, unless it or a later one is kept already. Called after the
    /// keybag is in the keychain for good: a crash in between leaves the anchor behind, never
    /// ahead.
    func advance(to keybag: Keybag) throws(KeychainError) {
        if let seen = try read(), seen >= keybag.generation {
            return
        }
        try PrivatePlace.replaceFile(path, Array("\(keybag.generation)\n".utf8).span)
    }
}
