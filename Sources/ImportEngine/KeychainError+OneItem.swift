package import KeychainServices

extension KeychainError {
    /// Whether it is about one item, so that it is no reason to leave the others behind.
    package var isOfOneItem: Bool {
        switch status {
        case .param, .authFailed, .dataTooLarge, .duplicateItem, .decode, .noSuchAttribute,
            .noSuchClass:
            true
        default: false
        }
    }
}
