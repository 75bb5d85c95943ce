internal import ArgumentParser
internal import KeychainServices
internal import LinuxSystem

/// Clears the clipboard after a while if it still has the secret on standard input: `lanyard get --clipboard` starts it.
struct ClearClipboardCommand: ParsableCommand {
    /// The arguments with which it is started.
    static let words = ["keychain", "clear-clipboard"]

    static let configuration = CommandConfiguration(
        commandName: "clear-clipboard",
        abstract: "Clear the clipboard if it has what is on standard input.", shouldDisplay: false
    ).examples("lanyard get backup | lanyard keychain clear-clipboard x11")

    @Argument(help: "The kind of clipboard.") var kind: String
    @Option(help: "After how many seconds.") var after = Clipboard.seconds

    func run() throws {
        guard let clipboard = Clipboard(rawValue: kind), clipboard != .terminal,
            (0...3_600).contains(after)
        else {
            throw KeychainError(.param, "invalid clipboard")
        }
        guard let read = try? SystemCalls.readToEnd(0, limit: 64 << 10) else {
            throw KeychainError(.io, "standard input can't be read")
        }
        let secret = read.locked()
        SystemCalls.sleep(milliseconds: UInt32(after) * 1_000)
        try clipboard.clear(secret)
    }
}
