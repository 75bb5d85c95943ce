import CKeyutils
import Foundation
import Testing

@testable import SealedStore
@testable import LinuxSystem

/// A description that no other key in the kernel has; a key of it is removed at the end.
final class KernelKey: Sendable {
    let description = "lanyard-test:\(UUID().uuidString)"

    /// Whether the kernel keeps keys for this process; many containers forbid it.
    static let isPermitted: Bool = {
        let key = KernelKey()
        return (try? KernelKeyring.publish([1], as: key.description, timeout: 60)) != nil
    }()

    /// The reason that a test gives for being skipped.
    static let reason: Comment = "the kernel keeps no keys for this process"

    /// Whether there is keyctl(1), which some tests ask what the kernel has.
    static let hasTool = FileManager.default.isExecutableFile(atPath: "/usr/bin/keyctl")

    /// The reason that a test gives for being skipped.
    static let toolReason: Comment = "there is no keyctl"

    deinit {
        // A key that is over can't be found by its description, one in its place can.
        try? KernelKeyring.publish([0], as: description, timeout: 60)
        guard let serial = try? SystemCalls.searchKey(description, in: KEY_SPEC_USER_KEYRING) else {
            return
        }
        try? SystemCalls.revokeKey(serial)
        try? SystemCalls.unlinkKey(serial, from: KEY_SPEC_USER_KEYRING)
    }

    func publish(_ payload: [UInt8], timeout: UInt32? = 60) throws {
        try KernelKeyring.publish(payload, as: description, timeout: timeout)
    }

    func read() throws -> [UInt8]? {
        try KernelKeyring.read(description)
    }

    func revoke() throws {
        try KernelKeyring.revoke(description)
    }

    /// The number of the key in the user keyring.
    func serial() throws -> Int32 {
        try SystemCalls.searchKey(description, in: KEY_SPEC_USER_KEYRING)
    }

    /// Whether a key of the description hangs on this process.
    var isInProcessKeyring: Bool {
        (try? SystemCalls.searchKey(description, in: KEY_SPEC_PROCESS_KEYRING)) != nil
    }

    /// What a shell script says and how it ends, in a new session keyring; `$KEY` is the
    /// description.
    func inNewSession(
        _ script: String, as arguments: [String] = []
    ) throws -> (output: String, status: Int32) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments + ["KEY=\(description)", "keyctl", "session", "-"]
        process.arguments?.append(contentsOf: ["sh", "-c", script])
        let output = Foundation.Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (String(decoding: bytes, as: UTF8.self), process.terminationStatus)
    }
}
