internal import Glibc
internal import LinuxSystem

/// A request from a shell to complete the word that the user is typing.
enum CompletionRequest {
    /// The parser's mark that starts such a request among the arguments.
    private static let mark = "---completion"

    /// After how many seconds the user stops waiting, whatever a keychain is doing.
    private static let patience: UInt32 = 2

    /// Makes sure that a completion request prints no messages and does not wait.
    static func prepare() {
        guard CommandLine.arguments.dropFirst().first == mark else {
            return
        }
        // Safe: `open` only reads the path. The user's command line stays intact.
        let null = unsafe open("/dev/null", O_WRONLY)
        if null >= 0 {
            dup2(null, 2)
        }
        SystemCalls.endSilently(afterSeconds: patience)
    }
}
