/// How the helper of a tool answers. All of these helpers are one program, `lanyard-helper`, under several names.
package struct ToolHelper: Sendable {
    /// What `--help` prints, without the final newline.
    package let help: String
    /// The groups whose items it uses.
    package let accessGroups: AccessGroups
    /// Returns the exit status for an error: 1 unless the protocol has another one.
    package let exitStatus: @Sendable (KeychainError) -> Int32
    /// Whether the protocol wants nothing but the exit status for an error.
    package let isSilent: @Sendable (KeychainError) -> Bool
    /// Whether the client reads standard error as a part of the answer: warnings are then left out.
    package let isErrorPartOfAnswer: Bool
    /// Answers one call.
    package let run: @Sendable (any HelperSession) throws(KeychainError) -> Void

    /// Creates a helper.
    package init(
        help: String, accessGroups: AccessGroups,
        exitStatus: @escaping @Sendable (KeychainError) -> Int32 = { _ in 1 },
        isSilent: @escaping @Sendable (KeychainError) -> Bool = { _ in false },
        isErrorPartOfAnswer: Bool = false,
        run: @escaping @Sendable (any HelperSession) throws(KeychainError) -> Void
    ) {
        self.help = help
        self.accessGroups = accessGroups
        self.exitStatus = exitStatus
        self.isSilent = isSilent
        self.isErrorPartOfAnswer = isErrorPartOfAnswer
        self.run = run
    }
}
