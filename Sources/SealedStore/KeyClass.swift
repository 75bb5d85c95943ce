internal import Keychain

/// What a class key seals: every item's attributes, or the secrets of one accessibility.
enum KeyClass: Hashable {
    case metadata
    case secrets(Accessibility)

    /// The number in stored forms: 0 for metadata, the accessibility's own for secrets.
    var number: UInt8 {
        switch self {
        case .metadata: 0
        case .secrets(let accessible): accessible.rawValue
        }
    }

    init(number: UInt8) throws(KeychainError) {
        if number == 0 {
            self = .metadata
        } else if let accessible = Accessibility(rawValue: number) {
            self = .secrets(accessible)
        } else {
            throw KeychainError(.decode)
        }
    }

    /// The classes that a keychain has keys of.
    static func all(hasPassphrase: Bool) -> [KeyClass] {
        ([.metadata] + Accessibility.allCases.map { .secrets($0) })
            .filter { hasPassphrase || $0 != .secrets(.whenPasscodeSetThisDeviceOnly) }
    }

    /// Whether each machine has a key of its own.
    var isThisDeviceOnly: Bool {
        switch self {
        case .metadata: false
        case .secrets(let accessible): accessible.isThisDeviceOnly
        }
    }

    /// The ways to a key of the class: each takes a source of every kind that it names, in this
    /// order.
    ///
    /// - Parameter isPortable: Whether the passphrase alone is a way, on any machine.
    func ways(hasPassphrase: Bool, isPortable: Bool) -> [[KeySource.Kind]] {
        switch self {
        case .metadata, .secrets(.always):
            // Together with the machine key the passphrase would be none: that opens it alone.
            hasPassphrase && isPortable
                ? [[.machineKey], [.passphrase], [.recoveryKey]] : [[.machineKey], [.recoveryKey]]
        case .secrets(.afterFirstUnlock), .secrets(.whenUnlocked):
            if !hasPassphrase {
                [[.machineKey], [.recoveryKey]]
            } else if isPortable {
                [[.passphrase], [.recoveryKey]]
            } else {
                [[.passphrase, .machineKey], [.recoveryKey]]
            }
        case .secrets(.alwaysThisDeviceOnly):
            [[.machineKey]]
        case .secrets(.afterFirstUnlockThisDeviceOnly), .secrets(.whenUnlockedThisDeviceOnly):
            hasPassphrase ? [[.passphrase, .machineKey]] : [[.machineKey]]
        case .secrets(.whenPasscodeSetThisDeviceOnly):
            hasPassphrase ? [[.passphrase, .machineKey]] : []
        }
    }
}
