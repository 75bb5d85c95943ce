import Foundation
import KeychainServices
import Testing

@testable import LinuxSystem

@Suite("Locked memory") struct LockedMemoryTests {
    private static let isPermitted: Bool = {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 16 * 1024, alignment: 4096)
        defer { memory.deallocate() }
        guard mlock(memory, 16 * 1024) == 0 else {
            return false
        }
        defer { munlock(memory, 16 * 1024) }
        // The address sanitizer's mlock does nothing, with success.
        return (try? isLocked(memory)) == true
    }()

    /// Whether an address of this process stays off the disk. The process's total would say what other
    /// tests lock and unlock meanwhile. proc(5), /proc/PID/smaps
    private static func isLocked(_ address: UnsafeRawPointer) throws -> Bool {
        // Foundation reads a whole file by its size, which the kernel gives as 0 here.
        let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/self/smaps"))
        let maps = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        var isWithin = false
        for line in maps.split(separator: "\n") {
            let ends = line.prefix { $0 != " " }.split(separator: "-")
                .compactMap { UInt($0, radix: 16) }
            if ends.count == 2 {
                isWithin = (ends[0]..<ends[1]).contains(UInt(bitPattern: address))
            } else if isWithin, line.hasPrefix("VmFlags:") {
                return line.split(separator: " ").contains("lo")
            }
        }
        throw POSIXError(.EFAULT)
    }

    @Test(.enabled(if: isPermitted, "no memory can be locked here"))
    func aSecretStaysOffTheDisk() async {
        // In a process of its own: other tests may have locked all that one may lock, RLIMIT_MEMLOCK.
        await #expect(processExitsWith: .success) {
            let secret = Secret(capacity: 16 * 1024) { _ in 16 * 1024 }.locked()
            // In the middle: what is on the same page as its ends may be anybody's.
            let isLocked = try secret.withBytes { bytes in
                try bytes.withUnsafeBytes {
                    try LockedMemoryTests.isLocked($0.baseAddress! + 8 * 1024)
                }
            }
            #expect(isLocked)
            #expect(secret.count == 16 * 1024)
        }
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
