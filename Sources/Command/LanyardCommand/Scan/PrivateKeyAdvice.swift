internal import LanyardCertificates
internal import LanyardTransfer
internal import KeychainServices

/// What to do about private keys without a passphrase in files.
struct PrivateKeyAdvice {
    /// The hashes of the private keys in the keychain.
    private let stored: Set<ByteString>

    /// - Throws: What the keychain throws. Nothing has to be unlocked.
    init(_ keychain: Keychain) throws(KeychainError) {
        stored = Set(try keychain.storedKeys(.private).compactMap(\.attributes.applicationLabel))
    }

    /// Returns the hint for one or more files, which is about the first one that the keychain lacks, else about the first
    /// one.
    func hint(for files: [String]) -> String {
        let path = files.first { !isStored($0) } ?? files[0]
        let passphrase = "ssh-keygen -p -f \(path.shellQuoted)"
        return isStored(path)
            ? "the keychain has the key: rm \(path.shellQuoted), or give the file a passphrase: \(passphrase)"
            : "lanyard key import \(path.shellQuoted), or give a key a passphrase: \(passphrase)"
    }

    /// Whether the keychain has all private keys of a file.
    private func isStored(_ path: String) -> Bool {
        guard let hashes = try? PrivateKeyAdvice.hashes(of: path), !hashes.isEmpty else {
            return false
        }
        return stored.isSuperset(of: hashes)
    }

    private static func hashes(of path: String) throws(KeychainError) -> [ByteString] {
        let file = try PlainTextFile(path, isForChange: false)
        let contents = try CertificatesAndKeys(file.bytes) { () throws(KeychainError) in
            throw KeychainError(.authFailed)
        }
        return contents.privateKeys.map { ByteString($0.key.publicKey.hash) }
    }
}
