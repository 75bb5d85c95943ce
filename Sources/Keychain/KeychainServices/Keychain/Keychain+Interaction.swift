internal import Synchronization

extension Keychain {
    /// Whether keychains may ask the user in this process, by default true. If not, what needs a
    /// question throws ``Status/interactionNotAllowed``.
    ///
    /// The corresponding functions are SecKeychainGetUserInteractionAllowed and
    /// SecKeychainSetUserInteractionAllowed.
    public static var isUserInteractionAllowed: Bool {
        get { userInteraction.load(ordering: .relaxed) }
        set { userInteraction.store(newValue, ordering: .relaxed) }
    }
}

private let userInteraction = Atomic(true)
