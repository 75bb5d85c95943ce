import Foundation
import Keychain
import Testing

@testable import SealedStore
@testable import LinuxSystem

@Suite("Locked memory") struct LockedMemoryTests {
    private static let isPermitted: Bool = {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 16 * 1024, alignment: 4096)
        defer { memory.deallocate() }
        return mlock(memory, 16 * 1024) == 0 && munlock(memory, 16 * 1024) == 0
    }()

    /// How much of this process's memory stays off the disk, in kB.
    private func lockedSize() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmLck:") })
        return try #require(
            line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) })
    }

    @Test(.enabled(if: isPermitted, "RLIMIT_MEMLOCK is too low"))
    func aSecretStaysOffTheDisk() throws {
        let before = try lockedSize()
        // Of so many pages that not all of them were locked before.
        let secret = Secret(capacity: 16 * 1024) { _ in 16 * 1024 }.locked()
        #expect(try lockedSize() > before)
        #expect(secret.count == 16 * 1024)
    }

    @Test func aSecretIsTheSameAfterwards() {
        for text in ["", "a", "a longer one"] {
            let secret = Secret(text).locked()
            #expect(bytes(secret) == Array(text.utf8))
        }
    }

    @Test(arguments: [ENOMEM, EPERM, EAGAIN, ENOSYS]) func aFailureDoesNotMatter(_ code: Int32) {
        let injection = Injection("mlock", 1, code)
        SystemCalls.$injectedError.withValue(injection.error) {
            let secret = Secret("one").locked()
            #expect(text(secret) == "one")
        }
        #expect(injection.hasFailed)
    }
}
