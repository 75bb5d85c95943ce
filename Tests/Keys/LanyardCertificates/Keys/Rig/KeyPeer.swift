import Foundation
import Glibc
import LanyardSecrets
import Subprocess
import Testing

/// A private folder in which openssl and ssh-keygen read what we write, and write what we read.
final class KeyPeer: Sendable {
    let folder: URL

    init() throws {
        folder = URL(filePath: NSTemporaryDirectory())
            .appending(path: "lanyard-keys-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// Runs a program in the folder, and expects that it succeeds.
    @discardableResult
    func run(_ program: String, _ arguments: String...) async throws -> String {
        let ended = try await Subprocess.run(
            .name("env"), arguments: Arguments(["-C", folder.path, program] + arguments),
            environment: .custom(["PATH": "/usr/bin:/bin", "HOME": folder.path]),
            output: .string(limit: 1 << 20), error: .string(limit: 1 << 20))
        #expect(
            ended.terminationStatus == .exited(0),
            "\(program) \(arguments): \(ended.standardError)")
        return ended.standardOutput.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    func write(_ name: String, _ bytes: [UInt8]) throws {
        let path = folder.appending(path: name)
        try Data(bytes).write(to: path)
        // ssh-keygen refuses keys that others can read.
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: path.path)
    }

    func write(_ name: String, _ secret: borrowing Secret) throws {
        try write(name, secret.withBytes { ByteString(copying: $0).bytes })
    }

    func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appending(path: name)))
    }

    func secret(_ name: String) throws -> Secret {
        let bytes = try bytes(name)
        return Secret(copying: bytes.span)
    }
}

/// Whether a program is there; if not, a line says so.
func hasPeer(_ program: String) -> Bool {
    let isThere = ["/usr/bin", "/bin"].contains { access("\($0)/\(program)", X_OK) == 0 }
    if !isThere {
        print("skipped: there is no \(program)")
    }
    return isThere
}
