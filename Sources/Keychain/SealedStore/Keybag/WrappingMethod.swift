/// A method of wrapping a class key: the sources it needs, all of them together.
enum WrappingMethod: CaseIterable {
    case machineKey
    case passphrase
    case passphraseOnMachine
    case recoveryKey
    case presence

    /// The sources' kinds, in the order in which their keys go into the wrapping key.
    var kinds: [KeySource.Kind] {
        switch self {
        case .machineKey: [.machineKey]
        case .passphrase: [.passphrase]
        case .passphraseOnMachine: [.passphrase, .machineKey]
        case .recoveryKey: [.recoveryKey]
        case .presence: [.presence]
        }
    }

    /// Returns the method for one source or two, nil if there is none.
    init?(_ first: KeySource.Kind, _ second: KeySource.Kind?) {
        switch (first, second) {
        case (.machineKey, nil): self = .machineKey
        case (.passphrase, nil): self = .passphrase
        case (.passphrase, .machineKey): self = .passphraseOnMachine
        case (.recoveryKey, nil): self = .recoveryKey
        case (.presence, nil): self = .presence
        default: return nil
        }
    }
}
