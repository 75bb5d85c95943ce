import Foundation
import KeychainServices
import Testing

@testable import SealedStore
@testable import LinuxSystem

@Suite("Failing system calls") struct SystemCallTests {
    private func status(_ code: Int32) -> Status {
        switch code {
        case ENOSPC, EDQUOT, EFBIG: .diskFull
        case EROFS: .readOnly
        case EACCES, EPERM: .writePermissions
        case ENOMEM: .allocate
        default: .io
        }
    }

    /// There is no half file anywhere: what is there is whole.
    private func expectNothingHalf(_ scratch: ScratchKeychain, _ what: Comment) throws {
        let names = try scratch.names()
        #expect(!names.contains { $0.contains(".new-") }, what)
        if names.contains("data/login.keychain") {
            #expect(scratch.verified() == 0, what)
        }
        if names.contains("state/machine-key") {
            #expect(
                FileManager.default.contents(atPath: scratch.machineKeyFile)?.count == 32, what)
        }
        // The next try works.
        let error = keychainError { _ = try SealedStore.openOrMake(at: scratch.location) }
        #expect(error == nil, what)
        #expect(scratch.adding() == nil, what)
        #expect(scratch.verified() == 1, what)
        #expect(try scratch.names() == ScratchKeychain.namesAtRest, what)
    }

    @Test(
        arguments: [
            "open", "write", "fsync", "link", "rename", "mkdir", "getrandom", "fstat",
            "read",
        ], [ENOSPC, EDQUOT, EFBIG, EIO, EACCES, EPERM, EROFS, ENOMEM])
    func eachCallFailingOnce(_ call: String, _ code: Int32) throws {
        // The making does without the lock under which one program at a time makes a keychain, without both looks
        // at the machine key's form and at the tag that keeps a plain one from backups, and without the search for
        // what killed programs left, twice.
        var callsDoneWithout = ["open": 6, "fstat": 5, "read": 4][call] ?? 0
        for number in 1...100 {
            let scratch = try ScratchKeychain(make: false)
            let injection = Injection(call, number, code)
            let error = SystemCalls.$injectedError.withValue(injection.error) {
                keychainError { try SealedStore.make(at: scratch.location) }
            }
            let what: Comment = "\(call) number \(number)"
            // A folder that can't be written to the disk for one of these is set aside.
            let isFolderSync =
                call == "fsync" || call == "open" && error == nil
            // Where files have one name only, it is given in another way.
            let isWithoutLinks = call == "link" && code == EPERM
            if isWithoutLinks {
                #expect(error == nil, what)
            } else if injection.hasFailed, error == nil, callsDoneWithout > 0 {
                callsDoneWithout -= 1
            } else if injection.hasFailed, !(isFolderSync && [EACCES, EROFS].contains(code)) {
                #expect(error?.status == status(code), what)
            }
            try expectNothingHalf(scratch, what)
            guard injection.hasFailed else {
                #expect(number > 1, "there is no call of this name")
                return
            }
        }
        Issue.record("there is no end to the calls")
    }

    /// Some file systems can't write folders to the disk.
    @Test func aFolderThatCannotBeSyncedIsNoError() throws {
        for number in 1...20 {
            let scratch = try ScratchKeychain(make: false)
            let injection = Injection("fsync", number, EINVAL)
            let error = SystemCalls.$injectedError.withValue(injection.error) {
                keychainError { try SealedStore.make(at: scratch.location) }
            }
            // The fsyncs of files are the others.
            #expect(error == nil || error?.status == .io)
            try expectNothingHalf(scratch, "fsync \(number)")
        }
    }

    /// Every call is interrupted three times.
    @Test func interruptionsAreHarmless() throws {
        let scratch = try ScratchKeychain(make: false)
        let calls = Interruptions()
        try SystemCalls.$injectedError.withValue(calls.error) {
            try SealedStore.make(at: scratch.location)
            #expect(scratch.adding("a.example") == nil)
            #expect(scratch.adding("b.example") == nil)
            #expect(scratch.verified() == 2)
        }
        #expect(calls.names.isSuperset(of: ["open", "write", "fsync", "link", "mkdir", "read"]))
        #expect(try scratch.names() == ScratchKeychain.namesAtRest)
    }

    private final class Interruptions: @unchecked Sendable {
        private let lock = NSLock()
        private var left: [String: Int] = [:]

        var names: Set<String> { lock.withLock { Set(left.keys) } }

        func error(_ name: String) -> Int32? {
            lock.withLock {
                let count = left[name, default: 3]
                left[name] = count == 0 ? 3 : count - 1
                return count == 0 ? nil : EINTR
            }
        }
    }

    /// Reading: what fails is reported, nothing is written.
    @Test(arguments: ["lstat", "open", "fstat", "read"]) func eachCallOfALookupFailing(
        _ call: String
    ) throws {
        let scratch = try ScratchKeychain.withItem()
        let before = try scratch.files()
        for number in 1...50 {
            let injection = Injection(call, number, EIO)
            let error = SystemCalls.$injectedError.withValue(injection.error) { scratch.reading() }
            guard injection.hasFailed else {
                #expect(number > 1, "there is no call of this name")
                break
            }
            #expect(error?.status == .io, "\(call) number \(number)")
        }
        #expect(try scratch.files() == before)
    }

    /// A key is never made of what the system did not give.
    @Test func noRandomBytesNoKey() throws {
        let injection = Injection("getrandom", 1, EIO)
        SystemCalls.$injectedError.withValue(injection.error) {
            #expect(throws: KeychainError(.io)) { _ = try RandomBytes.makeKey() }
        }
        let again = Injection("getrandom", 1, EIO)
        SystemCalls.$injectedError.withValue(again.error) {
            #expect(throws: KeychainError(.io)) { _ = try RandomBytes.make(32) }
        }
        let values = try (0..<100).map { _ in try RandomBytes.make(32) }
        #expect(Set(values).count == 100)
    }
}
