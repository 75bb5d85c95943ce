internal import KeychainServices

/// The use of a class key: it encrypts every item's attributes, the secrets of one accessibility, or
/// once more those that need the passphrase at each use, or a touch.
enum ProtectionClass: Hashable {
    case metadata
    case secrets(Accessibility)
    case presence

    /// The number in stored forms: 0 for metadata, the accessibility's own for secrets, 8 for
    /// presence.
    var number: UInt8 {
        switch self {
        case .metadata: 0
        case .secrets(let accessible): accessible.rawValue
        case .presence: 8
        }
    }

    init(number: UInt8) throws(KeychainError) {
        if number == 0 {
            self = .metadata
        } else if let accessible = Accessibility(rawValue: number) {
            self = .secrets(accessible)
        } else if number == ProtectionClass.presence.number {
            self = .presence
        } else {
            throw KeychainError(.decode)
        }
    }

    /// Returns the classes for which every keychain has keys. The first item with a presence makes
    /// the key of that class.
    static func all(hasPassphrase: Bool) -> [ProtectionClass] {
        ([.metadata] + Accessibility.allCases.map { .secrets($0) })
            .filter { hasPassphrase || $0 != .secrets(.whenPasscodeSetThisDeviceOnly) }
    }

    /// Whether each machine has a key of its own.
    var isThisDeviceOnly: Bool {
        switch self {
        case .metadata, .presence: false
        case .secrets(let accessible): accessible.isThisDeviceOnly
        }
    }

    /// Returns whether a class's key is wrapped with this method.
    ///
    /// - Parameter isPortable: Whether the passphrase alone opens the key on any machine.
    func hasWay(_ way: WrappingMethod, hasPassphrase: Bool, isPortable: Bool) -> Bool {
        switch self {
        case .metadata, .secrets(.always):
            // Adding the passphrase to the machine key would be pointless, because the machine key
            // opens the class alone.
            way == .machineKey || way == .recoveryKey
                || way == .passphrase && hasPassphrase && isPortable
        case .secrets(.afterFirstUnlock), .secrets(.whenUnlocked):
            switch way {
            case .machineKey: !hasPassphrase
            case .passphrase: hasPassphrase && isPortable
            case .passphraseOnMachine: hasPassphrase && !isPortable
            case .recoveryKey: true
            case .presence: false
            }
        case .presence:
            switch way {
            case .machineKey: false
            case .passphrase: hasPassphrase && isPortable
            case .passphraseOnMachine: hasPassphrase && !isPortable
            case .recoveryKey, .presence: true
            }
        case .secrets(.alwaysThisDeviceOnly):
            way == .machineKey
        case .secrets(.afterFirstUnlockThisDeviceOnly), .secrets(.whenUnlockedThisDeviceOnly):
            way == (hasPassphrase ? .passphraseOnMachine : .machineKey)
        case .secrets(.whenPasscodeSetThisDeviceOnly):
            hasPassphrase && way == .passphraseOnMachine
        }
    }

    /// Returns the methods with which a class's key is wrapped.
    func ways(hasPassphrase: Bool, isPortable: Bool) -> [WrappingMethod] {
        WrappingMethod.allCases.filter {
            hasWay($0, hasPassphrase: hasPassphrase, isPortable: isPortable)
        }
    }
}
