internal import Glibc

/// What a shell asks for while a person types: how the word that has been begun can go on.
enum CompletionRequest {
    /// What stands before such a request among the arguments, as the parser has it.
    private static let mark = "---completion"

    /// After how many seconds a person no longer waits, whatever a keychain is doing.
    private static let patience: UInt32 = 2

    /// If the process is there for such a request, sees to it that nobody is told anything or kept waiting.
    static func prepare() {
        guard CommandLine.arguments.dropFirst().first == mark else {
            return
        }
        // Safe: the path is only read. What is on the line that the person edits stays as it is.
        let null = unsafe open("/dev/null", O_WRONLY)
        if null >= 0 {
            dup2(null, 2)
        }
        signal(SIGALRM) { _ in _exit(0) }
        alarm(patience)
    }
}
