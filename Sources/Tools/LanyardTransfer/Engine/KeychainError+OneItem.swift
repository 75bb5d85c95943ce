package import KeychainServices

extension KeychainError {
    /// Whether it concerns only one item, and the others can continue.
    package var isOfOneItem: Bool {
        switch status {
        case .param, .authFailed, .dataTooLarge, .duplicateItem, .decode, .noSuchAttribute,
            .noSuchClass:
            true
        default: false
        }
    }
}
