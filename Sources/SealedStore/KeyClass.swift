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

    /// The classes that a keychain without a passphrase has keys of.
    static let withoutPassphrase: [KeyClass] =
        [.metadata]
        + Accessibility.allCases.filter { $0 != .whenPasscodeSetThisDeviceOnly }
        .map { .secrets($0) }
}
