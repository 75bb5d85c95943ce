import CKeyutils
import Foundation
import KeychainServices
import Testing

@testable import LinuxSystem

@Suite("Kernel keyring that refuses") struct KernelKeyringRefusalTests {
    private static let refusals = [ENOSYS, EPERM, EACCES, EDQUOT]

    /// What a call says if one of its calls into the kernel fails.
    private func failing(
        _ call: String, _ code: Int32, _ body: () throws -> Void
    ) -> KeychainError? {
        let injection = Injection(call, 1, code)
        let error = SystemCalls.$injectedError.withValue(injection.error) {
            keychainError { try body() }
        }
        #expect(injection.hasFailed, "there is no call of this name")
        return error
    }

    private func expectRefusal(_ error: KeychainError?) {
        #expect(error?.status == .notAvailable)
        let start = "the kernel stores no keys for this user here ("
        #expect(error?.reason.hasPrefix(start) == true)
        #expect(error?.hint == nil)
    }

    /// As in a container without keyrings: nothing else is tried.
    @Test(arguments: refusals) func everyCallRefused(_ code: Int32) {
        let key = KernelKey()
        SystemCalls.$injectedError.withValue({ _ in code }) {
            expectRefusal(keychainError { try key.publish([1]) })
            expectRefusal(keychainError { _ = try key.read() })
            expectRefusal(keychainError { try key.revoke() })
        }
    }

    @Test(
        .enabled(if: KernelKey.isPermitted, KernelKey.reason),
        arguments: [
            "add_key", "keyctl_set_timeout", "keyctl_setperm", "keyctl_link", "keyctl_unlink",
        ], refusals + [ENOMEM, EINVAL])
    func publishingLeavesNoKeyBehind(_ call: String, _ code: Int32) throws {
        let key = KernelKey()
        let error = failing(call, code) { try key.publish([1]) }
        if Self.refusals.contains(code) {
            expectRefusal(error)
        } else {
            #expect(error?.status == (code == ENOMEM ? .allocate : .io))
        }
        #expect(try key.read() == nil)
        #expect(!key.isInProcessKeyring)
        try key.publish([2])
        #expect(try key.read() == [2])
    }

    @Test(
        .enabled(if: KernelKey.isPermitted, KernelKey.reason),
        arguments: ["add_key", "keyctl_set_timeout", "keyctl_setperm", "keyctl_link"])
    func whatWasPublishedBeforeStays(_ call: String) throws {
        let key = KernelKey()
        try key.publish([1])
        expectRefusal(failing(call, EDQUOT) { try key.publish([2]) })
        #expect(try key.read() == [1])
    }

    @Test(
        .enabled(if: KernelKey.isPermitted, KernelKey.reason),
        arguments: ["keyctl_search", "keyctl_read"], refusals)
    func readingIsNotNothingFound(_ call: String, _ code: Int32) throws {
        let key = KernelKey()
        try key.publish([1])
        expectRefusal(failing(call, code) { _ = try key.read() })
        #expect(try key.read() == [1])
    }

    @Test(
        .enabled(if: KernelKey.isPermitted, KernelKey.reason),
        arguments: ["keyctl_search", "keyctl_revoke"], refusals)
    func revokingThatFailsIsTold(_ call: String, _ code: Int32) throws {
        let key = KernelKey()
        try key.publish([1])
        expectRefusal(failing(call, code) { try key.revoke() })
        #expect(try key.read() == [1])
    }

    /// Between finding a key and using it, another process can revoke or replace it.
    @Test(
        .enabled(if: KernelKey.isPermitted, KernelKey.reason),
        arguments: [ENOKEY, EKEYEXPIRED, EKEYREVOKED])
    func aKeyThatGoesWhileItIsUsedIsLookedForAgain(_ code: Int32) throws {
        let key = KernelKey()
        try key.publish([1])
        var found: [UInt8]?
        #expect(failing("keyctl_read", code) { found = try key.read() } == nil)
        #expect(found == [1])
        // Neither in the user's keyring nor in the session's.
        try SystemCalls.$injectedError.withValue({ $0 == "keyctl_search" ? code : nil }) {
            #expect(try key.read() == nil)
            try key.revoke()
        }
        #expect(try key.read() == [1])
        #expect(failing("keyctl_revoke", code) { try key.revoke() } == nil)
        #expect(try key.read() == nil)
    }

    /// Something else has the description, and may not be read.
    @Test(
        .enabled(if: KernelKey.hasTool, KernelKey.toolReason),
        .enabled(if: KernelKey.isPermitted, KernelKey.reason))
    func aKeyThatMayNotBeReadIsARefusalUntilItIsReplaced() throws {
        let key = KernelKey()
        let made = try key.inNewSession(
            """
            key=$(keyctl add user "$KEY" theirs @s) && keyctl link $key @u &&
            keyctl setperm $key 0
            """)
        #expect(made.status == 0)
        expectRefusal(keychainError { _ = try key.read() })
        expectRefusal(keychainError { try key.revoke() })
        try key.publish([1])
        #expect(try key.read() == [1])
    }
}
