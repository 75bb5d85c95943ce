internal import KeychainServices

/// The missing `--` in a call of `lanyard exec`.
struct MissingTerminator {
    let error: KeychainError

    /// - Parameter arguments: The invalid arguments of `lanyard`.
    /// - Returns: nil if a `--` before the program would not make them valid.
    init?(_ arguments: [String]) {
        guard arguments.first == "exec", !arguments.contains("--") else {
            return nil
        }
        let program = arguments.indices.dropFirst().first { index in
            guard !arguments[index].hasPrefix("-") else {
                return false
            }
            var terminated = arguments
            terminated.insert("--", at: index)
            return LanyardCommand.commandAlone(given: terminated) != nil
        }
        guard let program else {
            return nil
        }
        let name = arguments[program]
        error = KeychainError(
            .param, "missing -- before the program '\(name)'",
            hint: "lanyard exec [options] -- \(name) [arguments]")
    }
}
