internal import LanyardCryptography
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

    init(_ key: consuming Secret) {
        id = MachineKey.id(of: key)
        self.key = key
    }

    /// Returns the id of a key.
    static func id(of key: borrowing Secret) -> [UInt8] {
        let derived = KeyDerivation.derive(key, label: "lanyard machine key id")
        return derived.withBytes { ByteString(copying: $0.extracting(first: 16)).bytes }
    }

    /// Creates a random key.
    static func random() throws(KeychainError) -> MachineKey {
        MachineKey(try RandomBytes.makeKey())
    }

    /// What a state folder has.
    package enum Finding {
        case missing
        case key(MachineKey)
        /// A key that is damaged (``Status/decode``), can't be unsealed, or is not where it was moved to.
        case unreadable(KeychainError)
    }

    /// Looks for the key, and unseals it if it is sealed.
    ///
    /// - Parameter stateFolder: The folder of the file `machine-key`.
    /// - Throws: ``Status/writePermissions`` if other users can access it, ``Status/wrongVersion``.
    package static func find(
        stateFolder: String, with service: SystemdCredentials = .ofThisMachine
    ) throws(KeychainError) -> Finding {
        let file: MachineKeyFile
        do throws(KeychainError) {
            guard let found = try MachineKeyFile.read(stateFolder: stateFolder) else {
                return .missing
            }
            file = found
        } catch  where error.status == .noSuchKeychain {
            return .unreadable(KeychainError(.authFailed, error.reason, hint: error.hint))
        } catch  where error.status == .decode {
            return .unreadable(error)
        }
        switch file.content {
        case .plain(let key): return .key(key)
        case .sealed(let sealed):
            do throws(SystemdRefusal) {
                return .key(
                    MachineKey(try sealed.unseal(with: service, stateFolder: stateFolder)))
            } catch {
                return .unreadable(MachineKey.unreadable(error))
            }
        case .moved: throw KeychainError(.decode)
        }
    }

    /// Reads the key like ``find(stateFolder:with:)``.
    ///
    /// - Returns: nil if it is missing.
    /// - Throws: Also ``Status/authFailed`` if it can't be unsealed, ``Status/decode`` if it is damaged.
    package static func read(
        stateFolder: String, with service: SystemdCredentials = .ofThisMachine
    ) throws(KeychainError) -> MachineKey? {
        switch try find(stateFolder: stateFolder, with: service) {
        case .missing: nil
        case .key(let key): key
        case .unreadable(let error) where error.status == .decode:
            throw KeychainError(.decode, error.reason, hint: MachineKey.orRenewal(error.hint))
        case .unreadable(let error): throw error
        }
    }

    /// Returns a hint with the way out for a damaged key.
    static func orRenewal(_ hint: String?) -> String {
        (hint.map { "\($0); without one, " } ?? "") + renewal
    }

    private static func unreadable(_ refusal: SystemdRefusal) -> KeychainError {
        KeychainError(
            .authFailed, "the machine key can't be unsealed: \(refusal.reason)",
            hint: (refusal.isTemporary ? "try again later, or " : "") + MachineKey.renewal)
    }

    /// The way out for a key that can't be read.
    static let renewal = "use the recovery key: lanyard machine-key renew"

    /// Reads the key, or creates it. An existing one is never replaced.
    package static func readOrMake(stateFolder: String) throws(KeychainError) -> MachineKey {
        if try !MachineKeyFile.isEmpty(in: stateFolder),
            let key = try read(stateFolder: stateFolder)
        {
            return key
        }
        try PrivatePlace.makeFolder(stateFolder)
        try MachineKeyFile.create(.plain(random()), in: stateFolder)
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
