import TestSupport
import CKeyutils
import Foundation
import KeychainServices
import Testing

@testable import LinuxSystem

@Suite("Kernel keyring", .enabled(if: KernelKey.isPermitted, KernelKey.reason))
struct KernelKeyringTests {
    @Test(arguments: [1, 2, 200, 4095]) func whatIsPublishedIsRead(_ count: Int) throws {
        let key = KernelKey()
        var random = SeededRandom()
        let payload = random.bytes(count)
        #expect(try key.read() == nil)
        try key.publish(payload)
        #expect(try key.read() == payload)
        #expect(!key.isInProcessKeyring)
    }

    @Test func keysOfOtherDescriptionsAreOthers() throws {
        let (one, two) = (KernelKey(), KernelKey())
        try one.publish([1])
        #expect(try two.read() == nil)
        try two.publish([2])
        try two.revoke()
        #expect(try one.read() == [1])
    }

    @Test func aSecondTakesThePlaceAtOnce() throws {
        let key = KernelKey()
        try key.publish([1])
        let serial = try key.serial()
        try key.publish([2], timeout: nil)
        #expect(try key.read() == [2])
        #expect(try key.serial() != serial)
        try key.publish([3])
        #expect(try key.read() == [3])
    }

    @Test func revokedIsGoneAndCanBePublishedAgain() throws {
        let key = KernelKey()
        try key.publish([1])
        try key.revoke()
        #expect(try key.read() == nil)
        try key.revoke()
        try key.publish([2])
        #expect(try key.read() == [2])
    }

    /// An ordinary user has a share of 200 keys, and the kernel keeps a revoked one for minutes.
    @Test(.enabled(if: KernelKey.hasTool, KernelKey.toolReason)) func revokedTakesNoRoom()
        async throws
    {
        let key = KernelKey()
        try key.publish([1])
        let find = "grep -F \"$KEY\" /proc/keys"
        #expect(try key.inNewSession(find).status == 0)
        try key.revoke()
        let start = SystemCalls.monotonicMilliseconds()
        while try key.inNewSession(find).status == 0 {
            try #require(SystemCalls.monotonicMilliseconds() - start < 10_000)
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    @Test func revokingWhatIsNotThereIsNoError() throws {
        try KernelKey().revoke()
    }

    @Test(.timeLimit(.minutes(10))) func itEndsAfterItsTimeoutAndCanBePublishedAgain() throws {
        let key = KernelKey()
        try key.publish([1], timeout: 1)
        let start = SystemCalls.monotonicMilliseconds()
        while try key.read() != nil, SystemCalls.monotonicMilliseconds() - start < 5000 {
            SystemCalls.sleep(milliseconds: 20)
        }
        #expect(try key.read() == nil)
        try key.revoke()
        try key.publish([2], timeout: nil)
        #expect(try key.read() == [2])
    }

    /// The kernel's list says how long a key has to go.
    @Test(
        .enabled(if: KernelKey.hasTool, KernelKey.toolReason),
        arguments: [(nil, "perm"), (3 * 86_400 + 3600, "3d"), (UInt32(Int32.max), "3550w")])
    func theKernelHasItsTimeout(_ timeout: UInt32?, _ text: String) throws {
        let key = KernelKey()
        try key.publish([1], timeout: timeout)
        let line = try key.inNewSession("grep -F \"$KEY\" /proc/keys").output
        #expect(line.split(separator: " ").dropFirst(3).first ?? "" == text)
    }

    @Test(arguments: [0, UInt32(Int32.max) + 1, UInt32.max])
    func aTimeoutThatIsNoneIsRefused(_ timeout: UInt32) throws {
        let key = KernelKey()
        #expect(throws: KeychainError(.param)) { try key.publish([1], timeout: timeout) }
        #expect(try key.read() == nil)
        #expect(!key.isInProcessKeyring)
    }

    @Test(arguments: [0, 4096, 40_000]) func aLengthThatCannotBeReadIsRefused(
        _ count: Int
    ) throws {
        let key = KernelKey()
        #expect(throws: KeychainError(.param)) {
            try key.publish([UInt8](repeating: 1, count: count))
        }
        #expect(try key.read() == nil)
    }

    @Test(.enabled(if: KernelKey.hasTool, KernelKey.toolReason))
    func anotherProgramsLargerKeyIsNotOurs() throws {
        let key = KernelKey()
        let made = try key.inNewSession(
            "head -c 4096 /dev/zero | keyctl padd user \"$KEY\" @u")
        #expect(made.status == 0)
        #expect(throws: Never.self) { _ = try key.serial() }
        #expect(try key.read() == nil)
    }

    /// As after `su -l` or in tmux: neither a session in common nor the process.
    @Test(.enabled(if: KernelKey.hasTool, KernelKey.toolReason))
    func anotherSessionReadsAndRevokes() throws {
        let key = KernelKey()
        try key.publish(Array("from here".utf8))
        let find = "key=$(keyctl search @u user \"$KEY\") && "
        #expect(try key.inNewSession(find + "keyctl pipe $key") == ("from here", 0))
        let described = try key.inNewSession(find + "keyctl rdescribe $key")
        #expect(described.output.contains(";1f0f0000;\(key.description)"))
        #expect(try key.inNewSession(find + "keyctl timeout $key 1000").status != 0)
        #expect(try key.inNewSession(find + "keyctl revoke $key").status == 0)
        #expect(try key.read() == nil)
    }

    @Test(
        .enabled(if: KernelKey.hasTool, KernelKey.toolReason),
        .enabled(if: isRoot, "only root can become another user"))
    func anotherUserNeitherReadsNorRevokes() throws {
        let key = KernelKey()
        try key.publish([1, 2, 3])
        let other = ["setpriv", "--reuid=12345", "--regid=12345", "--clear-groups", "env"]
        let serial = try key.serial()
        #expect(try key.inNewSession("id -u", as: other) == ("12345\n", 0))
        for action in ["pipe", "describe", "revoke", "invalidate"] {
            let tried = try key.inNewSession("keyctl \(action) \(serial)", as: other)
            #expect(tried.status != 0, "\(action)")
            #expect(tried.output == "", "\(action)")
        }
        #expect(try key.inNewSession("keyctl search @u user \"$KEY\"", as: other).status != 0)
        #expect(try key.read() == [1, 2, 3])
    }

    /// A reader sees the old one or the new one.
    @Test func thereIsNoMomentWithoutAKey() async throws {
        let key = KernelKey()
        try key.publish([0])
        // A user's share is 200 keys, and those replaced count for a moment more.
        let rounds = isRoot ? 2000 : 50
        async let publishing: Void = Task.detached {
            for number in 1...rounds {
                try key.publish([UInt8(truncatingIfNeeded: number)])
            }
        }.value
        for _ in 1...rounds {
            #expect(try key.read() != nil)
        }
        try await publishing
        #expect(try key.read() == [UInt8(truncatingIfNeeded: rounds)])
    }
}
