import Foundation
import Glibc
import Subprocess
import Testing

/// What a running `lanyard watch --json` has printed so far.
struct WatchedOutput: Sendable {
    let file: String
    let process: pid_t

    /// The lines that are complete.
    func lines() throws -> [JSONText] {
        let bytes = Array(try Data(contentsOf: URL(filePath: file)))
        let whole = bytes.prefix((bytes.lastIndex(of: 10) ?? -1) + 1)
        return try whole.split(separator: 10).map { try JSONText(Array($0)) }
    }

    /// The events as `EVENT NAME`, without the first line.
    func events() throws -> [String] {
        try lines().dropFirst().map(\.event)
    }

    /// Waits until the events are as wanted, or for a minute.
    @discardableResult
    func wait(
        sourceLocation: SourceLocation = #_sourceLocation, until areWanted: ([String]) -> Bool
    ) async throws -> [String] {
        for _ in 0..<6000 {
            let events = try events()
            if areWanted(events) {
                return events
            }
            try await Task.sleep(for: .milliseconds(10))
        }
        Issue.record("only these came: \(try events().suffix(20))", sourceLocation: sourceLocation)
        return try events()
    }

    /// Stops the process, at a moment when it has no lock that writers wait for.
    func stop() async throws {
        for _ in 0..<1000 {
            kill(process, SIGSTOP)
            try await Task.sleep(for: .milliseconds(50))
            let locks = try String(contentsOfFile: "/proc/locks", encoding: .utf8)
            guard locks.contains(" \(process) ") else {
                return
            }
            kill(process, SIGCONT)
            try await Task.sleep(for: .milliseconds(20))
        }
        Issue.record("it always has a lock")
    }

    /// Waits until there are that many events.
    @discardableResult
    func wait(
        for count: Int, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> [String] {
        try await wait(sourceLocation: sourceLocation) { $0.count >= count }
    }
}

extension JSONText {
    var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// An event as `EVENT NAME`, or as `EVENT KEYCHAIN` without an item.
    var event: String {
        [members["event"], members["name"] ?? members["keychain"]].compactMap { $0?.text }
            .joined(separator: " ")
    }
}

extension ScratchHome {
    /// Runs `lanyard watch --json` while `body` runs, and ends it with a signal. It has to say nothing on
    /// standard error.
    func watching(
        _ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation,
        _ body: @escaping @Sendable (WatchedOutput) async throws -> Void
    ) async throws {
        let file = try write("", to: "watched-\(UUID().uuidString)")
        let script = "file=$1; shift; exec lanyard watch --json \"$@\" >>\"$file\""
        var command = try command("sh", ["-euc", script, "sh", file] + arguments)
        command.timeLimit = .seconds(500)
        let (outcome, _) = try await command.run { process in
            let output = WatchedOutput(file: file, process: process)
            for _ in 0..<3000 where try output.lines().isEmpty {
                try await Task.sleep(for: .milliseconds(10))
            }
            do {
                try await body(output)
            } catch {
                kill(process, SIGKILL)
                throw error
            }
            kill(process, SIGINT)
        }
        #expect(
            outcome.termination == .signaled(SIGINT) && outcome.error.isEmpty, "\(outcome)",
            sourceLocation: sourceLocation)
    }
}
