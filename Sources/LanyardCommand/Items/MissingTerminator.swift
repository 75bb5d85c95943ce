internal import KeychainServices

/// The `--` that is missing in a call of `lanyard exec`.
struct MissingTerminator {
    let error: KeychainError

    /// - Parameter arguments: What `lanyard` was called with, and could not understand.
    /// - Returns: nil if it would not be understood with a `--` before the program either.
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
