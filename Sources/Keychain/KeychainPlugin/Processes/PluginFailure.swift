package import LinuxSystem
package import LanyardSecrets

/// The reason why a plugin can't be used any more.
package enum PluginFailure: Error {
    /// It did not answer in time.
    case silent(milliseconds: Int64)
    /// It has asked the user, and did not answer in time after that.
    case silentAfterPrompt
    case ended
    case endedInAnswer
    case notStarted(SystemCallError)
    case systemCall(SystemCallError)
    /// It violated the protocol.
    case nonsense(String)
    case otherVersion
    /// It answered the first request with this error.
    case refused(KeychainError)

    /// Creates the failure of a channel to the plugin.
    ///
    /// - Parameter deadline: The failure once the deadline has passed.
    package init(_ failure: LineChannel.Failure, deadline: PluginFailure) {
        self =
            switch failure {
            case .deadline: deadline
            case .ended, .signal: .ended
            case .endedInLine: .endedInAnswer
            case .tooLong: .nonsense("a line is longer than 16 MiB")
            case .systemCall(let error): .systemCall(error)
            }
    }

    /// Returns the error for callers.
    ///
    /// - Parameter plugin: The plugin's description for users.
    package func error(_ plugin: String) -> KeychainError {
        let what: String
        switch self {
        case .silent(let milliseconds): what = "did not answer within \(seconds(milliseconds))"
        case .silentAfterPrompt:
            what = "did not answer within 2 minutes of its prompt"
        case .ended: what = "exited without an answer"
        case .endedInAnswer: what = "exited in the middle of an answer"
        case .notStarted(let error): what = "can't be started: \(error.words)"
        case .systemCall(let error): what = "can't be reached: \(error.words)"
        case .nonsense(let reason): what = "broke the protocol: \(reason)"
        case .otherVersion: what = "does not speak version 1 of the protocol"
        case .refused(let error): return error
        }
        return KeychainError(.notAvailable, "\(plugin) \(what)")
    }

    private func seconds(_ milliseconds: Int64) -> String {
        guard milliseconds >= 1000 else {
            return "\(milliseconds) ms"
        }
        let tenths = milliseconds % 1000 / 100
        return tenths == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds / 1000).\(tenths) s"
    }
}
