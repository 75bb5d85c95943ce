import CKeyutils
import Foundation
import KeychainServices
import Testing

@testable import LinuxSystem
@testable import SealedStore

@Suite("Unlocking at login", .serialized, .enabled(if: KernelKey.isPermitted, KernelKey.reason))
struct LoginUnlockingTests {
    private static let template = Result { try ScratchKeychain.locked() }

    private func withLocked(_ body: (ScratchKeychain) throws -> Void) throws {
        let scratch = try LoginUnlockingTests.template.get().copy()
        defer {
            scratch.lockAll()
            for name in ["login-unlocked", "login-first-unlock"] {
                try? KernelKeyring.revoke("lanyard:\(id(of: scratch)):\(name)")
            }
        }
        try body(scratch)
    }

    private func id(of scratch: ScratchKeychain) -> String {
        Hexadecimal.encode((try? scratch.keybag().keychainID) ?? [])
    }

    private func enter(_ scratch: ScratchKeychain, _ passphrase: String = "pass") throws -> Bool {
        try scratch.openStore(provider: ScriptedProvider(given: passphrase))
            .unlockForComingSession()
    }

    private func payload(_ scratch: ScratchKeychain, _ name: String) throws -> [UInt8]? {
        try KernelKeyring.read("lanyard:\(id(of: scratch)):\(name)")
    }

    /// The names of the keychain's keys in the kernel.
    private func names(_ scratch: ScratchKeychain) throws -> [String] {
        try ["unlocked", "first-unlock", "login-unlocked", "login-first-unlock"].filter {
            try payload(scratch, $0) != nil
        }
    }

    @Test func theSessionUnlocksIt() throws {
        try withLocked { scratch in
            #expect(try enter(scratch))
            #expect(scratch.reading()?.status == .interactionNotAllowed)
            #expect(try names(scratch) == ["login-unlocked", "login-first-unlock"])
            #expect(try scratch.openStore().unlockForSession(timeout: 100))
            #expect(scratch.reading() == nil)
            #expect(try names(scratch) == ["unlocked", "first-unlock"])
            guard case .unlocked(let seconds?) = try scratch.openStore().lockState() else {
                Issue.record("it has no end")
                return
            }
            #expect((90...100).contains(seconds))
            #expect(try scratch.openStore().isUnlockedCompletely())
        }
    }

    private func lineOfKernel(_ serial: Int32) throws -> Substring? {
        let number = String(format: "%08x", UInt32(bitPattern: serial))
        // String(contentsOfFile:) takes the first page of such a file for all of it.
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/keys"))
        let keys = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        return keys.split(separator: "\n").first { $0.hasPrefix(number) }
    }

    @Test func itsKeysEndAfterAMinute() throws {
        try withLocked { scratch in
            #expect(try enter(scratch))
            for name in ["login-unlocked", "login-first-unlock"] {
                let serial = try SystemCalls.searchKey(
                    "lanyard:\(id(of: scratch)):\(name)", in: KEY_SPEC_USER_KEYRING)
                let line = try lineOfKernel(serial)
                // Below a minute the kernel counts in seconds.
                let time = line?.split(separator: " ")[3] ?? ""
                #expect(time == "1m" || time.hasSuffix("s"), "\(line ?? "")")
            }
        }
    }

    /// They could have been copied at an earlier time.
    @Test func keysOfProgramsUnlockNoSession() throws {
        try withLocked { scratch in
            let store = try scratch.openStore(provider: ScriptedProvider(given: "pass"))
            try store.whileUnlocking { () throws(KeychainError) in
                _ = try store.openWithProvider()
            }
            try store.withoutUnlocking { state throws(KeychainError) in
                try state.keys.cache?.publish(state.keys, timeout: nil)
            }
            let blob = try #require(try payload(scratch, "unlocked"))
            let first = try #require(try payload(scratch, "first-unlock"))
            try scratch.openStore().withoutUnlocking { state throws(KeychainError) in
                try state.keys.cache?.revoke(firstUnlock: true)
            }
            for (name, bytes) in [("login-unlocked", blob), ("login-first-unlock", first)] {
                try KernelKeyring.publish(
                    bytes, as: "lanyard:\(id(of: scratch)):\(name)", timeout: 60)
            }
            #expect(try !scratch.openStore().unlockForSession(timeout: 100))
            #expect(scratch.reading()?.status == .interactionNotAllowed)
            #expect(try names(scratch) == [])
        }
    }

    @Test func programsDoNotTakeTheKeysOfASession() throws {
        try withLocked { scratch in
            #expect(try enter(scratch))
            for name in ["unlocked", "first-unlock"] {
                let blob = try #require(try payload(scratch, "login-\(name)"))
                try KernelKeyring.publish(
                    blob, as: "lanyard:\(id(of: scratch)):\(name)", timeout: 60)
            }
            #expect(scratch.reading()?.status == .interactionNotAllowed)
        }
    }

    @Test func aWrongPasswordLeavesNothing() throws {
        try withLocked { scratch in
            let error = keychainError { _ = try enter(scratch, "other") }
            #expect(error?.status == .authFailed)
            let isUnlocked = try scratch.openStore().unlockForSession(timeout: 100)
            #expect(!isUnlocked)
            let names = try names(scratch)
            #expect(names == [])
            #expect(scratch.reading()?.status == .interactionNotAllowed)
        }
    }

    @Test(arguments: [false, true]) func lockingMakesTheKeysUseless(_ firstUnlock: Bool) throws {
        try withLocked { scratch in
            #expect(try enter(scratch))
            let blob = try #require(try payload(scratch, "login-unlocked"))
            try scratch.openStore().lock(firstUnlock: firstUnlock)
            #expect(try names(scratch) == (firstUnlock ? [] : ["login-first-unlock"]))
            try KernelKeyring.publish(
                blob, as: "lanyard:\(id(of: scratch)):login-unlocked", timeout: 60)
            #expect(try !scratch.openStore().unlockForSession(timeout: 100))
            #expect(scratch.reading()?.status == .interactionNotAllowed)
        }
    }

    @Test func lockingAllRevokesThem() throws {
        try withLocked { scratch in
            #expect(try enter(scratch))
            try SealedStore.lockAll(stateFolder: scratch.stateFolder)
            #expect(try names(scratch) == [])
        }
    }

    /// The user may have chosen another time meanwhile.
    @Test func theSessionLeavesAnUnlockedKeychain() throws {
        try withLocked { scratch in
            #expect(try enter(scratch))
            try scratch.unlock(timeout: 1000)
            #expect(try !scratch.openStore().unlockForSession(timeout: 10))
            guard case .unlocked(let seconds?) = try scratch.openStore().lockState() else {
                Issue.record("it is not unlocked")
                return
            }
            #expect(seconds > 900)
            #expect(try names(scratch) == ["unlocked", "first-unlock"])
            #expect(try !enter(scratch))
        }
    }

    @Test func withoutAPassphraseThereIsNothingToDo() throws {
        let scratch = try ScratchKeychain.withItem()
        let before = try scratch.files()
        #expect(try !enter(scratch))
        #expect(try !scratch.openStore().unlockForSession(timeout: 10))
        #expect(try scratch.files() == before)
    }

    /// It binds no keychain to this machine: only the user does.
    @Test func aKeychainFromElsewhereStaysLocked() throws {
        let scratch = try ScratchKeychain.withItem()
        try scratch.setPassphrase("pass", isPortable: true)
        let moved = try scratch.moved()
        let before = try moved.files()
        #expect(try !enter(moved))
        let error = keychainError { _ = try moved.openStore().unlockForSession(timeout: 10) }
        #expect(error != nil)
        #expect(try moved.files() == before)
    }

    @Test func theFilesStayAsTheyAre() throws {
        try withLocked { scratch in
            let before = try scratch.files()
            #expect(try enter(scratch))
            #expect(try scratch.openStore().unlockForSession(timeout: 100))
            #expect(try scratch.files() == before)
        }
    }
}
