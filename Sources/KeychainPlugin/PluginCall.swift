/// What holds while a plugin carries out one request.
public struct PluginCall {
    /// Whether a person may be asked to unlock the keychain.
    public let isPromptAllowed: Bool
    /// How many milliseconds the answer may take, unless a person is asked; more than 0.
    public let timeLimit: Int64
    /// To be called when a person is about to be asked: from then on two minutes are allowed.
    public let promptBegins: () -> Void

    /// A call with these limits.
    public init(isPromptAllowed: Bool, timeLimit: Int64, promptBegins: @escaping () -> Void) {
        self.isPromptAllowed = isPromptAllowed
        self.timeLimit = timeLimit
        self.promptBegins = promptBegins
    }
}
