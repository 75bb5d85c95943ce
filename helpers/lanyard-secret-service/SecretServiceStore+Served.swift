#if SecretService
public import KeychainServices
public import KeychainPlugin
public import SecretServiceStore

/// The store in the form that the plugin serves.
extension SecretServiceStore: ServedKeychain {
    /// Applies the limits of the request.
    public func begin(_ call: PluginCall) {
        isPromptAllowed = call.isPromptAllowed
        // A tenth of it is for the answer: the caller takes silence for the program's end.
        timeLimit = call.timeLimit - min(call.timeLimit / 10, 500)
        promptBegins = call.promptBegins
    }

    /// Checks whether the collection can be used.
    public func status() throws(KeychainError) -> PluginStatus {
        PluginStatus(
            isLocked: try isLocked(), canPrompt: try canPrompt(), place: try place(),
            outlastsReboot: try outlastsReboot())
    }
}
#endif
