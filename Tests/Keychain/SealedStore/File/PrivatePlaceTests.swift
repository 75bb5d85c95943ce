import Foundation
import KeychainServices
import Testing

@testable import SealedStore
@testable import LinuxSystem

/// Whether this process may give files to other users.
let isRoot = geteuid() == 0

@Suite("Private places") struct PrivatePlaceTests {
    /// One of the four places of a keychain.
    enum Place: String, CaseIterable {
        case dataFolder = "data"
        case file = "data/login.keychain"
        case stateFolder = "state"
        case machineKey = "state/machine-key"

        var isFolder: Bool { self == .dataFolder || self == .stateFolder }
    }

    /// What opening says, which opening or making must say as well.
    private func refusal(_ scratch: ScratchKeychain) -> KeychainError? {
        let error = scratch.reading()
        #expect(error == keychainError { _ = try SealedStore.openOrMake(at: scratch.location) })
        return error
    }

    private func mode(_ path: String) -> mode_t {
        var status = stat()
        lstat(path, &status)
        return status.st_mode & 0o7777
    }

    private func shell(_ command: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", command]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    @Test(arguments: Place.allCases, [0o040, 0o020, 0o010, 0o004, 0o002, 0o001, 0o077])
    func bitsForOthersAreRefusedAndTheHintMendsThem(_ place: Place, _ bits: Int) throws {
        let scratch = try ScratchKeychain.withItem()
        let path = "\(scratch.folder)/\(place.rawValue)"
        chmod(path, mode_t((place.isFolder ? 0o700 : 0o600) | bits))
        let error = refusal(scratch)
        #expect(error?.status == .writePermissions)
        #expect(error?.reason.contains(path) == true)
        try shell(try #require(error?.hint))
        #expect(mode(path) == (place.isFolder ? 0o700 : 0o600))
        #expect(scratch.reading() == nil)
    }

    @Test(.enabled(if: isRoot, "only root can give files away"), arguments: Place.allCases)
    func anotherOwnerIsRefusedAndTheHintMendsIt(_ place: Place) throws {
        let scratch = try ScratchKeychain.withItem()
        let path = "\(scratch.folder)/\(place.rawValue)"
        chown(path, 12_345, 0)
        let error = refusal(scratch)
        #expect(error?.status == .writePermissions)
        #expect(error?.reason.contains(path) == true)
        try shell(try #require(error?.hint))
        #expect(scratch.reading() == nil)
    }

    @Test(arguments: Place.allCases) func aSymbolicLinkIsRefused(_ place: Place) throws {
        let scratch = try ScratchKeychain.withItem()
        let path = "\(scratch.folder)/\(place.rawValue)"
        let real = "\(scratch.folder)/real"
        try FileManager.default.moveItem(atPath: path, toPath: real)
        symlink(real, path)
        let error = refusal(scratch)
        #expect(error?.status == .writePermissions)
        #expect(error?.reason.contains(path) == true)
        // The link is in a folder that is not one of Lanyard's: it can be the user's own.
        #expect(error?.hint == nil)
    }

    /// Where it leads to nothing, too: nothing is made at its other end.
    @Test(arguments: Place.allCases) func aDanglingLinkIsRefused(_ place: Place) throws {
        let scratch = try ScratchKeychain(make: false)
        let target = "\(scratch.folder)/elsewhere"
        if place == .file {
            mkdir(scratch.dataFolder, 0o700)
        } else if place == .machineKey {
            mkdir(scratch.stateFolder, 0o700)
        }
        symlink(target, "\(scratch.folder)/\(place.rawValue)")
        let error = keychainError { _ = try SealedStore.openOrMake(at: scratch.location) }
        #expect(error?.status == .writePermissions)
        #expect(!FileManager.default.fileExists(atPath: target))
    }

    @Test(.timeLimit(.minutes(10)), arguments: Place.allCases)
    func somethingElseInItsPlaceIsRefused(_ place: Place) throws {
        let scratch = try ScratchKeychain.withItem()
        let path = "\(scratch.folder)/\(place.rawValue)"
        try FileManager.default.removeItem(atPath: path)
        mkfifo(path, 0o600)
        #expect(refusal(scratch)?.status == .writePermissions)
        try FileManager.default.removeItem(atPath: path)
        if place.isFolder {
            makeFile(path, Data())
        } else {
            mkdir(path, 0o700)
        }
        #expect(refusal(scratch)?.status == .writePermissions)
    }

    /// A place that is a file in the middle of the path.
    @Test func aFileWhereAFolderShouldBeIsAClearError() throws {
        let scratch = try ScratchKeychain(make: false)
        makeFile("\(scratch.folder)/file")
        let location = KeychainLocation(
            file: "\(scratch.folder)/file/data/login.keychain", stateFolder: scratch.stateFolder)
        #expect(throws: KeychainError(.noSuchKeychain)) { _ = try SealedStore(at: location) }
        #expect(throws: KeychainError.self) { _ = try SealedStore.openOrMake(at: location) }
    }

    @Test func missingFoldersAreMadeForTheirOwnerAlone() throws {
        let scratch = try ScratchKeychain(make: false)
        let location = KeychainLocation(
            file: "\(scratch.folder)/a/b/c/login.keychain",
            stateFolder: "\(scratch.folder)/d/e/state")
        try SealedStore.make(at: location)
        for path in ["a", "a/b", "a/b/c", "d", "d/e", "d/e/state"] {
            #expect(mode("\(scratch.folder)/\(path)") == 0o700)
        }
        #expect(mode(location.file) == 0o600)
    }

    /// The folders above are their owner's business.
    @Test func theFoldersAboveMayBeOpen() throws {
        let scratch = try ScratchKeychain.withItem()
        chmod(scratch.folder, 0o777)
        #expect(scratch.reading() == nil)
    }

    /// A hint is run by a shell, whatever the path holds: also an apostrophe with an accent on it,
    /// which to Swift is one character and to a shell is not.
    @Test(arguments: [
        "plain", "with space", "it's", "'; touch injected; '", "'\u{301}; touch injected; '\u{301}",
        "$(touch injected)", "`touch injected`", "-rf", "\"", "\\", "a\u{301}", "*",
    ])
    func hintsQuotePaths(_ name: String) throws {
        let scratch = try ScratchKeychain(make: false)
        let state = "\(scratch.folder)/\(name)"
        mkdir(state, 0o755)
        let error = keychainError { try PrivatePlace.checkFolder(state) }
        let hint = try #require(error?.hint)
        try shell("cd '\(scratch.folder)' && \(hint)")
        #expect(mode(state) == 0o700)
        #expect(!FileManager.default.fileExists(atPath: "\(scratch.folder)/injected"))
    }

    /// A watcher that looks as fast as it can sees nothing that is open to others at any moment,
    /// whatever the umask.
    @Test(arguments: [0o000, 0o077, 0o022])
    func everythingIsPrivateFromTheFirstInstant(_ mask: Int) async throws {
        let scratch = try ScratchKeychain(make: false)
        await #expect(processExitsWith: .success) {
            [folder = scratch.folder as String, mask = mask as Int] in
            umask(mode_t(mask))
            let watcher = ModeWatcher(folder)
            var number = 0
            // On a busy machine the watcher has its turn less often.
            while number < 40 || watcher.looks <= 40, number < 5_000 {
                number += 1
                let location = KeychainLocation(
                    file: "\(folder)/\(number)/data/login.keychain",
                    stateFolder: "\(folder)/\(number)/state")
                let keychain = Keychain(
                    try SealedStore.openOrMake(at: location), accessGroups: .all())
                try keychain.add(
                    .internetPassword, internetPassword("a.example"), secret: Secret("one"))
            }
            #expect(watcher.looks > 40)
            #expect(watcher.finish() == [])
        }
        for path in try FileManager.default.subpathsOfDirectory(atPath: scratch.folder) {
            #expect(mode("\(scratch.folder)/\(path)") & 0o077 == 0, "\(path)")
        }
    }

    /// Another user than root, for whom modes count.
    @Test(.enabled(if: isRoot, "only root can become another user"))
    func anotherUserMakesAndUsesAKeychain() async throws {
        let scratch = try ScratchKeychain(make: false)
        chown(scratch.folder, 65_534, 65_534)
        await #expect(processExitsWith: .success) { [folder = scratch.folder as String] in
            #expect(setgid(65_534) == 0 && setuid(65_534) == 0)
            let scratch = ScratchKeychain(adopting: folder)
            try SealedStore.make(at: scratch.location)
            try scratch.open().add(
                .internetPassword, internetPassword("a.example"), secret: Secret("one"))
            #expect(try secret(try scratch.open(), internetPassword("a.example")) == "one")

            func adding() -> KeychainError? {
                keychainError {
                    try scratch.open().add(
                        .internetPassword, internetPassword("b.example"), secret: Secret("two"))
                }
            }
            // A folder without write permission: reading works.
            chmod(scratch.dataFolder, 0o500)
            #expect(try secret(try scratch.open(), internetPassword("a.example")) == "one")
            #expect(adding()?.status == .readOnly)
            chmod(scratch.dataFolder, 0o700)
            chmod(scratch.location.file, 0o400)
            #expect(try secret(try scratch.open(), internetPassword("a.example")) == "one")
            #expect(adding()?.status == .readOnly)
            // A file without read permission.
            chmod(scratch.location.file, 0o200)
            #expect(adding()?.status == .writePermissions)
            chmod(scratch.location.file, 0o600)
            chmod(scratch.machineKeyFile, 0)
            #expect(adding()?.status == .writePermissions)
            chmod(scratch.machineKeyFile, 0o600)
            chmod(scratch.stateFolder, 0)
            #expect(adding()?.status == .writePermissions)
            chmod(scratch.stateFolder, 0o700)
            #expect(adding() == nil)
        }
        // Root is another user, too: what belongs to others is refused.
        #expect(scratch.reading()?.status == .writePermissions)
    }

    @Test(.enabled(if: isRoot, "only root can become another user"), arguments: [0o377, 0o777])
    func aUmaskTakesNoRightsFromTheOwner(_ mask: Int) async throws {
        let scratch = try ScratchKeychain(make: false)
        chown(scratch.folder, 65_534, 65_534)
        await #expect(processExitsWith: .success) {
            [folder = scratch.folder as String, mask = mask as Int] in
            #expect(setgid(65_534) == 0 && setuid(65_534) == 0)
            umask(mode_t(mask))
            let location = KeychainLocation(
                file: "\(folder)/new/data/login.keychain", stateFolder: "\(folder)/new/state")
            for name: ByteString in ["a.example", "b.example"] {
                let keychain = Keychain(
                    try SealedStore.openOrMake(at: location), accessGroups: .all())
                try keychain.add(.internetPassword, internetPassword(name), secret: Secret("one"))
                #expect(try secret(keychain, internetPassword(name)) == "one")
            }
        }
    }

    @Test(arguments: [0, 1, 9, 10, 11, 5_000])
    func aFileIsReadWholeAndOneTooLongShowsIt(_ size: Int) throws {
        let scratch = try ScratchKeychain()
        let path = "\(scratch.folder)/data/some"
        let content = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
        #expect(try PrivatePlace.createFile(path, content.span))
        #expect(bytes(try PrivatePlace.read(path, limit: 10)) == Array(content.prefix(11)))
    }
}

/// Looks at the modes of everything under a folder again and again, in a thread of its own.
private final class ModeWatcher: @unchecked Sendable {
    private let lock = NSLock()
    private var open: Set<String> = []
    private var isFinished = false
    private let thread = DispatchSemaphore(value: 0)
    private var count = 0

    /// How often it has looked.
    var looks: Int { lock.withLock { count } }

    init(_ folder: String) {
        Thread.detachNewThread { [self] in
            while !lock.withLock({ isFinished }) {
                for path in FileManager.default.subpaths(atPath: folder) ?? [] {
                    var status = stat()
                    if lstat("\(folder)/\(path)", &status) == 0, status.st_mode & 0o077 != 0 {
                        _ = lock.withLock { open.insert(path) }
                    }
                }
                lock.withLock { count += 1 }
            }
            thread.signal()
        }
    }

    /// What was seen open to others.
    func finish() -> Set<String> {
        lock.withLock { isFinished = true }
        thread.wait()
        return open
    }
}
