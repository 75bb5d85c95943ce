internal import ArgumentParser
internal import Glibc

/// A command that waits for other programs.
///
/// It is not one of the parser's asynchronous commands: checking for those inspects the whole program.
protocol WaitingCommand: ParsableCommand, Sendable {
    /// Performs the command.
    func runWaiting() async throws
}

extension WaitingCommand {
    /// Exits when the command has finished.
    func run() throws {
        Task {
            do {
                try await runWaiting()
                endLanyard()
            } catch {
                endLanyard(error)
            }
        }
        while true {
            pause()
        }
    }
}
