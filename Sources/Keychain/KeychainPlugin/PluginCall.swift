/// The limits that apply to a plugin's work on one request.
public struct PluginCall {
    /// Whether the plugin may ask the user to unlock the keychain.
    public let isPromptAllowed: Bool
    /// The milliseconds that the answer may take unless the user is asked; more than 0.
    public let timeLimit: Int64
    /// Call this before asking the user; the answer may then take two minutes.
    public let promptBegins: () -> Void

    /// Creates a call with these limits.
    public init(isPromptAllowed: Bool, timeLimit: Int64, promptBegins: @escaping () -> Void) {
        self.isPromptAllowed = isPromptAllowed
        self.timeLimit = timeLimit
        self.promptBegins = promptBegins
    }
}
