import Foundation
import Glibc
import Testing

extension ScratchHome {
    /// What a file of /proc says of a process.
    func proc(_ process: pid_t, _ name: String) throws -> String {
        String(decoding: try read("/proc/\(process)/\(name)"), as: UTF8.self)
    }

    /// Waits until a program is the one that is meant, and sleeps.
    func waitUntilBlocked(
        _ process: pid_t, in name: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        var quiet = 0
        for _ in 0..<400 {
            let command = try proc(process, "comm")
            let stat = try proc(process, "stat")
            let state = stat.split(separator: ")").last?.split(separator: " ").first
            quiet = command == "\(name.prefix(15))\n" && state == "S" ? quiet + 1 : 0
            if quiet == 5 {
                return
            }
            try await Task.sleep(for: .milliseconds(20))
        }
        Issue.record(
            "the program does not wait: \(try proc(process, "status"))",
            sourceLocation: sourceLocation)
    }
}
