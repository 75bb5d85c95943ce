import Foundation

/// lighttpd on a loopback port of its own, with what it needs in a folder.
struct WebServer {
    let home: ScratchHome
    /// Holds its configuration and its log.
    let folder: String
    /// Added to its environment.
    var variables: [String: String?] = [:]

    /// Runs it while `body` runs.
    ///
    /// - Parameters:
    ///   - configuration: Its configuration for a port, without its log.
    ///   - body: Is given the port.
    func serve<Result: Sendable>(
        _ configuration: (Int) throws -> String,
        _ body: @escaping @Sendable (Int) async throws -> Result
    ) async throws -> Result {
        while true {
            let port = Int.random(in: 20000..<30000)
            let text = "server.errorlog = \"\(folder)/log\"\n\(try configuration(port))\n"
            try Data(text.utf8).write(to: URL(filePath: "\(folder)/lighttpd.conf"))
            try? FileManager.default.removeItem(atPath: "\(folder)/log")
            // The server ends with its standard input, so it can't outlive the tests.
            var command = try home.command(
                "sh",
                [
                    "-c", "lighttpd -D -f \"$1\" & read -r _; kill $!; wait", "sh",
                    "\(folder)/lighttpd.conf",
                ],
                variables: variables)
            command.timeLimit = .seconds(300)
            let (_, result) = try await command.run { _ -> Result? in
                guard try await isListening() else {
                    return nil
                }
                return try await body(port)
            }
            if let result {
                return result
            }
        }
    }

    /// Whether it is our own server that listens, not another program at the port.
    private func isListening() async throws -> Bool {
        func log() -> String {
            (try? String(contentsOfFile: "\(folder)/log", encoding: .utf8)) ?? ""
        }
        for _ in 0..<1200 {
            if log().contains("server started") {
                return true
            }
            if log().contains("Address already in use") {
                return false
            }
            try await Task.sleep(for: .milliseconds(25))
        }
        throw DoesNotStart(log: log())
    }

    struct DoesNotStart: Error {
        let log: String
    }
}
