import Foundation
import Glibc
import Testing
@testable import EndToEndRig

/// A small file system that LANYARD_HOME is in, in a mount namespace that ends with this value.
final class MountedPlace: Sendable {
    let home: ScratchHome
    private let holder: Process

    /// - Parameter size: As mount(8) takes it.
    init(_ home: ScratchHome, size: String) async throws {
        self.home = home
        try FileManager.default.createDirectory(
            atPath: home.lanyard, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        holder = Process()
        holder.executableURL = URL(filePath: "/usr/bin/unshare")
        holder.arguments = [
            "--mount", "--propagation", "private", "sh", "-euc",
            """
            mount -t tmpfs -o "size=$1,mode=700" lanyard-torture "$2"
            : >"$3"
            # Longer than any test, even without anything left to end it.
            exec sleep 36000
            """, "sh", size, home.lanyard, "\(home.path)/mounted",
        ]
        holder.standardInput = FileHandle.nullDevice
        try holder.run()
        for _ in 0..<1000 where access("\(home.path)/mounted", F_OK) != 0 {
            try await Task.sleep(for: .milliseconds(10))
        }
        try #require(access("\(home.path)/mounted", F_OK) == 0, "nothing was mounted")
    }

    deinit {
        // Waiting for it here, on a thread of Swift's tasks, would not end.
        kill(holder.processIdentifier, SIGKILL)
    }

    /// Before a program and its arguments, to run it there.
    var prefix: [String] {
        ["nsenter", "--mount=/proc/\(holder.processIdentifier)/ns/mnt", "--"]
    }

    /// Runs a script there, `$1` being LANYARD_HOME.
    func shell(_ script: String) async throws -> Outcome {
        let words = prefix + ["sh", "-c", script, "sh", home.lanyard]
        return try await home.command(words[0], Array(words.dropFirst())).run()
    }
}
