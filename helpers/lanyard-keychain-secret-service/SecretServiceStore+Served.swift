#if SecretService
public import KeychainServices
public import KeychainPlugin
public import SecretServiceStore

/// The store as the plugin serves it.
extension SecretServiceStore: ServedKeychain {
    /// Takes over what holds for the request.
    public func begin(_ call: PluginCall) {
        isPromptAllowed = call.isPromptAllowed
        // A tenth of it is for the answer: whoever waits for this program takes its silence for its end.
        timeLimit = call.timeLimit - min(call.timeLimit / 10, 500)
        promptBegins = call.promptBegins
    }

    /// Tries whether the collection can be used.
    public func status() throws(KeychainError) -> PluginStatus {
        PluginStatus(
            isLocked: try isLocked(), canPrompt: try canPrompt(), place: try place(),
            outlastsReboot: try outlastsReboot())
    }
}
#endif
