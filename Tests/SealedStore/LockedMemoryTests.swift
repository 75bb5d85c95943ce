import Foundation
import Keychain
import Testing

@testable import SealedStore
@testable import LinuxSystem

@Suite("Locked memory") struct LockedMemoryTests {
    private static let isPermitted: Bool = {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 16 * 1024, alignment: 4096)
        defer { memory.deallocate() }
        // The address sanitizer's mlock does nothing, with success.
        let before = try? lockedSize()
        guard let before, mlock(memory, 16 * 1024) == 0 else {
            return false
        }
        defer { munlock(memory, 16 * 1024) }
        return (try? lockedSize()).map { $0 > before } == true
    }()

    /// How much of this process's memory stays off the disk, in kB.
    private static func lockedSize() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmLck:") })
        return try #require(
            line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) })
    }

    @Test(.enabled(if: isPermitted, "no memory can be locked here"))
    func aSecretStaysOffTheDisk() throws {
        let before = try Self.lockedSize()
        // Of so many pages that not all of them were locked before.
        let secret = Secret(capacity: 16 * 1024) { _ in 16 * 1024 }.locked()
        #expect(try Self.lockedSize() > before)
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
