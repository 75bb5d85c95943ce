/// A way to a class key: what it takes, all of it together.
enum WrappingMethod: CaseIterable {
    case machineKey
    case passphrase
    case passphraseOnMachine
    case recoveryKey

    /// The sources' kinds in the order in which their keys go into the wrapping key.
    var kinds: [KeySource.Kind] {
        switch self {
        case .machineKey: [.machineKey]
        case .passphrase: [.passphrase]
        case .passphraseOnMachine: [.passphrase, .machineKey]
        case .recoveryKey: [.recoveryKey]
        }
    }

    /// The way of one source or of two, nil if there is none.
    init?(_ first: KeySource.Kind, _ second: KeySource.Kind?) {
        switch (first, second) {
        case (.machineKey, nil): self = .machineKey
        case (.passphrase, nil): self = .passphrase
        case (.passphrase, .machineKey): self = .passphraseOnMachine
        case (.recoveryKey, nil): self = .recoveryKey
        default: return nil
        }
    }
}
