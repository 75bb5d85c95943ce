import Foundation
import KeychainServices
import Testing

@testable import SealedStore

@Suite("Full disk") struct FullDiskTests {
    /// Adds items of 3 kB until it fails, and returns how many there are and why.
    private static func fill(
        _ scratch: ScratchKeychain
    ) throws -> (count: Int, error: KeychainError?) {
        for number in 0..<100 {
            let error = keychainError {
                try scratch.open().add(
                    .internetPassword, internetPassword(ByteString("\(number).full.example")),
                    secret: Secret(String(repeating: "\(number % 10)", count: 3000)))
            }
            if let error {
                return (number, error)
            }
        }
        return (100, nil)
    }

    /// Everything that was added is there, and nothing else.
    private static func check(_ scratch: ScratchKeychain, _ count: Int) throws {
        for number in 0..<count {
            #expect(
                try secret(
                    try scratch.open(), internetPassword(ByteString("\(number).full.example")))
                    == String(repeating: "\(number % 10)", count: 3000))
        }
        #expect(scratch.verified() == count)
        #expect(try scratch.names() == ScratchKeychain.namesAtRest)
    }

    @Test(.enabled(if: MountNamespace.isPermitted, MountNamespace.reason))
    func addingOnAFullDisk() async throws {
        let scratch = try ScratchKeychain(make: false)
        await #expect(processExitsWith: .success) { [folder = scratch.folder as String] in
            let scratch = ScratchKeychain(adopting: folder)
            MountNamespace.enter()
            MountNamespace.mountSmall(scratch.dataFolder, "size=192k")
            try SealedStore.make(at: scratch.location)
            let (count, error) = try FullDiskTests.fill(scratch)
            #expect(count > 3)
            #expect(error?.status == .diskFull)
            try FullDiskTests.check(scratch, count)
            // What is there can be read and deleted on the full disk, which makes room again.
            let first = internetPassword("0.full.example")
            let deleting = keychainError {
                try scratch.open().delete(Query(.internetPassword, first))
            }
            #expect(deleting == nil || deleting?.status == .diskFull)
            #expect(scratch.verified() == (deleting == nil ? count - 1 : count))
        }
    }

    /// No room for the journal's name.
    @Test(.enabled(if: MountNamespace.isPermitted, MountNamespace.reason))
    func addingWhereThereCanBeNoMoreFiles() async throws {
        let scratch = try ScratchKeychain(make: false)
        await #expect(processExitsWith: .success) { [folder = scratch.folder as String] in
            let scratch = ScratchKeychain(adopting: folder)
            MountNamespace.enter()
            // The folder itself, the keychain, and one for making it.
            MountNamespace.mountSmall(scratch.dataFolder, "size=1m,nr_inodes=3")
            try SealedStore.make(at: scratch.location)
            #expect(scratch.adding("a.example") == nil)
            makeFile("\(scratch.dataFolder)/other", Data())
            #expect(scratch.adding("b.example")?.status == .diskFull)
            try FileManager.default.removeItem(atPath: "\(scratch.dataFolder)/other")
            #expect(scratch.adding("b.example") == nil)
            #expect(scratch.verified() == 2)
        }
    }

    @Test(.enabled(if: MountNamespace.isPermitted, MountNamespace.reason))
    func makingOnAFullDisk() async throws {
        let scratch = try ScratchKeychain(make: false)
        await #expect(processExitsWith: .success) { [folder = scratch.folder as String] () throws in
            let scratch = ScratchKeychain(adopting: folder)
            MountNamespace.enter()
            MountNamespace.mountSmall(scratch.dataFolder, "size=8k")
            #expect(throws: KeychainError(.diskFull)) {
                try SealedStore.make(at: scratch.location)
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.dataFolder) == [])
            MountNamespace.mountSmall(scratch.stateFolder, "size=1m,nr_inodes=1")
            #expect(throws: KeychainError(.diskFull)) {
                try SealedStore.make(at: scratch.location)
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.stateFolder) == [])
        }
    }

    /// The limit on a file's size (RLIMIT_FSIZE), with its signal ignored as every helper does.
    @Test func addingBeyondTheLimitOnAFilesSize() async throws {
        let scratch = try ScratchKeychain()
        await #expect(processExitsWith: .success) { [folder = scratch.folder as String] in
            let scratch = ScratchKeychain(adopting: folder)
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 100_000, rlim_max: rlim_t.max)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            let (count, error) = try FullDiskTests.fill(scratch)
            #expect(count > 3)
            #expect(error?.status == .diskFull)
            try FullDiskTests.check(scratch, count)
        }
    }

    /// With its signal as the system has it, the process dies in the middle.
    @Test func dyingOfTheLimitOnAFilesSize() async throws {
        let scratch = try ScratchKeychain.withItem()
        await #expect(processExitsWith: .signal(SIGXFSZ)) {
            [folder = scratch.folder as String] in
            var limit = rlimit(rlim_cur: 60_000, rlim_max: rlim_t.max)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            limit = rlimit(rlim_cur: 0, rlim_max: 0)
            setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
            signal(SIGXFSZ, SIG_DFL)
            var signals = sigset_t()
            sigfillset(&signals)
            pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            _ = try FullDiskTests.fill(ScratchKeychain(adopting: folder))
        }
        #expect(scratch.reading() == nil)
        #expect((scratch.verified() ?? 0) > 0)
        #expect(scratch.adding() == nil)
    }
}
