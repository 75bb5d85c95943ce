internal import Cryptography
package import KeychainServices
internal import LinuxSystem

/// The key of this machine, under which every keychain here is wrapped: 32 random bytes in a file.
package final class MachineKey: Sendable {
    /// The 32 bytes.
    let key: Secret
    /// The key's id: 16 bytes that reveal nothing about it.
    let id: [UInt8]

    /// The key as a keybag's source.
    var source: KeySource { .machineKey(id: id) }

    private init(_ key: consuming Secret) {
        let derived = KeyDerivation.derive(key, label: "lanyard machine key id")
        id = derived.withBytes { ByteString(copying: $0.extracting(first: 16)).bytes }
        self.key = key
    }

    /// Reads the key from its file.
    ///
    /// - Parameter stateFolder: The folder of the file `machine-key`.
    /// - Returns: nil if it is missing.
    /// - Throws: ``Status/writePermissions`` if other users can access it, ``Status/decode`` if it
    ///   is not 32 bytes long.
    package static func read(stateFolder: String) throws(KeychainError) -> MachineKey? {
        guard let key = try PrivatePlace.readIfThere(path(in: stateFolder), limit: 32) else {
            return nil
        }
        guard key.count == 32 else {
            throw KeychainError(
                .decode,
                "the machine key '\(path(in: stateFolder))' is damaged: it is not 32 bytes long",
                hint: "restore it from a backup of its folder")
        }
        return MachineKey(key)
    }

    /// Reads the key, or creates it. An existing one is never replaced.
    package static func readOrMake(stateFolder: String) throws(KeychainError) -> MachineKey {
        if let key = try read(stateFolder: stateFolder) {
            return key
        }
        try PrivatePlace.makeFolder(stateFolder)
        let fresh = try RandomBytes.makeKey()
        _ = try fresh.withBytes { bytes throws(KeychainError) in
            try PrivatePlace.createFile(path(in: stateFolder), bytes)
        }
        // Another process may have been faster: the file's content counts.
        guard let key = try read(stateFolder: stateFolder) else {
            throw KeychainError(.io, "the machine key can't be read after it was written")
        }
        return key
    }

    /// Returns a keyed digest of 32 bytes that only this machine can compute.
    ///
    /// - Parameter use: The purpose; digests for different purposes are unrelated.
    package func digest(_ bytes: borrowing Secret, use: StaticString) -> [UInt8] {
        let derived = KeyDerivation.derive(key, label: use)
        let digest = bytes.withBytes { KeyedDigest.make(under: derived, $0) }
        return ByteString(copying: digest.span).bytes
    }

    static let fileName = "machine-key"

    static func path(in stateFolder: String) -> String { "\(stateFolder)/\(fileName)" }
}
