/// The state of a plugin's keychain.
public struct PluginStatus: Hashable, Sendable {
    /// Whether secrets can't be read until it is unlocked.
    public var isLocked: Bool
    /// Whether the plugin can ask the user to unlock it, as far as it has tried.
    public var canPrompt: Bool
    /// The keychain's place for users to read, for example `collection 'login' of gnome-keyring`.
    public var place: String
    /// Whether its items survive a restart of the machine.
    public var outlastsReboot: Bool

    /// Creates a state with these values.
    public init(isLocked: Bool, canPrompt: Bool, place: String, outlastsReboot: Bool) {
        self.isLocked = isLocked
        self.canPrompt = canPrompt
        self.place = place
        self.outlastsReboot = outlastsReboot
    }
}
