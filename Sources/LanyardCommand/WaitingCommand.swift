internal import ArgumentParser
internal import Glibc

/// A command that waits for other programs.
///
/// It is none of the parser's asynchronous ones: to ask any command whether it is one of those takes a
/// look at everything that the program is made of.
protocol WaitingCommand: ParsableCommand, Sendable {
    /// What the command does.
    func runWaiting() async throws
}

extension WaitingCommand {
    /// Ends the process when the command has done its work.
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
