/// The state of a keychain that a plugin keeps.
public struct PluginStatus: Hashable, Sendable {
    /// Whether secrets can't be read until it is unlocked.
    public var isLocked: Bool
    /// Whether a person could be shown a question that unlocks it, as far as that was tried.
    public var canPrompt: Bool
    /// Where it is, for a person to read, for example `collection 'login' of gnome-keyring`.
    public var place: String
    /// Whether what is stored in it is still there after the machine has been started again.
    public var outlastsReboot: Bool

    /// The state with these values.
    public init(isLocked: Bool, canPrompt: Bool, place: String, outlastsReboot: Bool) {
        self.isLocked = isLocked
        self.canPrompt = canPrompt
        self.place = place
        self.outlastsReboot = outlastsReboot
    }
}
