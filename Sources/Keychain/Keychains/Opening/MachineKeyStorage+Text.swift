package import SealedStore

extension MachineKeyPlace.Storage {
    /// How the key is stored, for users.
    package var text: String {
        switch sealedTo {
        case nil where isMissing: "missing"
        case nil where problem != nil: "damaged, in '\(folder)'"
        case nil: "plain, in '\(folder)'"
        case .tpm: "sealed by systemd to the TPM and root's host key"
        case .hostKey: "sealed by systemd to root's host key"
        case .unknown: "sealed by systemd"
        }
    }

    /// Returns what a thief can read of keychains, each as it is sealed: one line if that is the same of all.
    package func thefts(
        _ keychains: [(name: String, hasPassphrase: Bool, isPortable: Bool)]
    ) -> [String] {
        let texts = keychains.map {
            theft(hasPassphrase: $0.hasPassphrase, isPortable: $0.isPortable)
        }
        guard let first = texts.first, texts.contains(where: { $0 != first }) else {
            return [texts.first ?? theft()]
        }
        return texts.indices.map { "'\(keychains[$0].name)': \(texts[$0])" }
    }

    /// What a thief can read of a keychain: one line.
    ///
    /// - Parameters:
    ///   - hasPassphrase: Whether the keychain has a passphrase.
    ///   - isPortable: Whether the passphrase opens it without this key.
    package func theft(hasPassphrase: Bool = false, isPortable: Bool = false) -> String {
        guard !hasPassphrase else {
            return sealedTo == nil || isPortable
                ? "a copy of your home folder opens nothing without the passphrase"
                : "a copy of your home folder opens nothing, even with the passphrase"
        }
        return switch sealedTo {
        case nil:
            isMoved
                ? "a copy of your home folder opens nothing, unless it includes '\(folder)'"
                : "a copy of your home folder opens everything"
        case .tpm: "a copy of your home folder or of the whole disk opens nothing"
        case .hostKey, .unknown:
            "a copy of your home folder opens nothing; a copy of the whole disk opens everything"
        }
    }
}
