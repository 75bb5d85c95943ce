import Foundation
import LinuxSystem
import TestSupport
import LanyardSecrets
import SyncConformance
import Testing

@testable import SyncEngine

@Suite("Folder as a team's server") struct FolderTransportTests {
    private let scratch: ScratchFolder
    private var path: String { "\(scratch.path)/team" }
    private static let team = TransportCase.id(99)
    private var file: String { "\(path)/\(Self.team.text).team" }

    init() throws {
        scratch = try ScratchFolder()
        try FolderTransport(path, team: Self.team).create()
    }

    private func connect(timeLimit: Int64 = 10_000) -> FolderTransport {
        FolderTransport(path, team: Self.team, timeLimit: timeLimit)
    }

    @Test(arguments: TransportCase.allCases) func conforms(_ rule: TransportCase) throws {
        try rule.run { connect() }
    }

    /// Two users of a machine can't share one.
    @Test func aFolderForOthersNamesTheWayForSeveralUsers() throws {
        #expect(chmod(path, 0o777) == 0)
        let several =
            "a folder is for the machines of one user: several users share a git repository or "
            + "a PostgreSQL server"
        for body in [{ _ = try connect().head() }, { try connect().create() }] {
            let error = #expect(throws: KeychainError.self) { try body() }
            #expect(error?.hint == "chmod 700 '\(path)'; \(several)")
        }
        guard getuid() == 0 else {
            return
        }
        #expect(chmod(path, 0o700) == 0 && chown(path, 65534, 65534) == 0)
        defer { chown(path, 0, 0) }
        let error = #expect(throws: KeychainError.self) { _ = try connect().head() }
        #expect(error?.reason.hasSuffix("belongs to another user") == true)
        #expect(error?.hint == several)
    }

    @Test func twoTeamsShareAFolder() throws {
        try TransportCase.begin(connect())
        let other = FolderTransport(path, team: TransportCase.id(98))
        #expect(try other.head() == TransportCase.start)
    }

    @Test func eightProcessesLoseNothing() async throws {
        try TransportCase.begin(connect())
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { [path] in
                    await #expect(processExitsWith: .success) { [path = path as String] in
                        var writer = RacingWriter(FolderTransport(path, team: Self.team))
                        for _ in 0..<10 {
                            try writer.add()
                        }
                    }
                }
            }
        }
        #expect(try RacingWriter.sum(connect()) == 80)
    }

    /// A process that is killed at any moment loses nothing that it was told is stored, and leaves nothing
    /// that hinders the next one.
    @Test func aKilledProcessLeavesTheOldStateOrTheNewOne() async throws {
        try TransportCase.begin(connect())
        for _ in 0..<6 {
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
                let moment = UInt32.random(in: 500...40_000)
                Thread.detachNewThread {
                    usleep(moment)
                    kill(getpid(), SIGKILL)
                }
                var writer = RacingWriter(FolderTransport(path, team: Self.team))
                while true {
                    try writer.add()
                    try Data("\(writer.acknowledged)".utf8).write(
                        to: URL(filePath: "\(path)/../acknowledged"), options: .atomic)
                }
            }
            let before = try #require(try RacingWriter.sum(connect()))
            let acknowledged = "\(scratch.path)/acknowledged"
            let count = (try? String(contentsOfFile: acknowledged, encoding: .utf8)) ?? "0"
            #expect(before >= Int(count)!)
            try? FileManager.default.removeItem(atPath: acknowledged)
            var writer = RacingWriter(connect(timeLimit: 2000))
            try writer.add()
            #expect(try RacingWriter.sum(connect()) == before + 1)
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: path)
        #expect(Set(names) == ["\(Self.team.text).team", "\(Self.team.text).team.lock"])
    }

    @Test func aLockEndsWaiting() throws {
        try TransportCase.begin(connect())
        let lock = open("\(file).lock", O_RDWR | O_CLOEXEC)
        var region = flock()
        region.l_type = Int16(F_WRLCK)
        region.l_len = 1
        #expect(fcntl(lock, 37 /* F_OFD_SETLK */, &region) == 0)
        let error = #expect(throws: KeychainError.self) {
            try connect(timeLimit: 50).put([TransportCase.put(1, 0, [1])], rosterCount: 1)
        }
        #expect(error?.status == .notAvailable)
        // Who only reads does not wait.
        #expect(try connect().head().rosterCount == 1)
        close(lock)
        #expect(try connect().put([TransportCase.put(1, 0, [1])], rosterCount: 1) == .stored)
    }

    @Test func aFailedCallChangesNothing() throws {
        try TransportCase.begin(connect())
        #expect(try connect().put([TransportCase.put(1, 0, [1])], rosterCount: 1) == .stored)
        for (call, code, status) in [
            ("write", ENOSPC, Status.diskFull), ("fsync", EIO, .io), ("rename", EIO, .io),
        ] {
            let error = #expect(throws: KeychainError.self) {
                try SystemCalls.$injectedError.withValue({ $0 == call ? code : nil }) {
                    try connect().put([TransportCase.put(1, 1, [2])], rosterCount: 1)
                }
            }
            #expect(error?.status == status)
            #expect(try connect().record(TransportCase.id(1))?.content == [1])
        }
        #expect(try connect().put([TransportCase.put(1, 1, [2])], rosterCount: 1) == .stored)
    }

    @Test func hostileContentsAreRefused() throws {
        try TransportCase.begin(connect())
        #expect(try connect().put([TransportCase.put(1, 0, [1, 2, 3])], rosterCount: 1) == .stored)
        let valid = try [UInt8](Data(contentsOf: URL(filePath: file)))
        var numbers = SeededRandom(seed: 29)
        for round in 0..<300 {
            var bytes = valid
            switch round % 3 {
            case 0: bytes.removeLast(Int.random(in: 1...bytes.count, using: &numbers))
            case 1: bytes[Int.random(in: 0..<bytes.count, using: &numbers)] ^= 1
            default: bytes += [UInt8](repeating: 0, count: Int.random(in: 1...99, using: &numbers))
            }
            try write(bytes)
            let error = #expect(throws: KeychainError.self) {
                try connect().changes(since: TransportCase.start)
            }
            #expect(error?.status == .decode)
            #expect(throws: KeychainError.self) {
                try connect().put([TransportCase.put(2, 0, [])], rosterCount: 1)
            }
            _ = try? connect().head()
        }
        try write(valid)
        #expect(try connect().record(TransportCase.id(1))?.content == [1, 2, 3])
    }

    /// Numbers that promise more than there is, under a right digest.
    @Test func impossibleNumbersAreRefused() throws {
        let start = Array("lanyard team 1\n".utf8)
        let most = [UInt8](repeating: 0xFF, count: 8)
        let none = [UInt8](repeating: 0, count: 8)
        let one: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1]
        let id = [UInt8](repeating: 1, count: 16)
        let bodies: [[[UInt8]]] = [
            [none, most, none], [none, none, most],
            [none, none, one, id, one, one, [0, 0, 0, 0]],
            [one, none, one, id, one, one, [0xFF, 0xFF, 0xFF, 0xFF]],
        ]
        for body in bodies {
            try write(ServerStateTests.sealed(start + body.flatMap { $0 }))
            #expect(throws: KeychainError(.decode)) {
                try connect().changes(since: TransportCase.start)
            }
        }
    }

    /// Whoever can write the file can make up any number.
    @Test(arguments: [1 << 62, UInt64(Int64.max) - 2, .max], [0, 1 << 62, .max])
    func theLastNumbersEndNothing(_ sequence: UInt64, _ version: UInt64) throws {
        try connect().create()
        var body = Array("lanyard team 1\n".utf8)
        for number in [sequence, 0, 2] {
            body += number.bigEndianBytes
        }
        for (id, version) in [(1, version), (2, 7)] {
            body += TransportCase.id(id).bytes + version.bigEndianBytes + sequence.bigEndianBytes
            body += [0, 0, 0, 1, UInt8(id)]
        }
        try write(ServerStateTests.sealed(body))
        let transport = connect()
        for round: UInt64 in 0..<3 {
            let puts = [TransportCase.put(1, round, [9]), TransportCase.put(3, round, [3])]
            #expect(try transport.put(puts, rosterCount: 0) == .stored)
        }
        let changes = try connect().changes(since: .start)
        #expect(changes.head.sequence == 8)
        #expect(
            changes.records == [
                TransportCase.put(2, 7, [2]), TransportCase.put(1, 3, [9]),
                TransportCase.put(3, 3, [3]),
            ])
    }

    @Test func onlyPrivateFilesAreRead() throws {
        try TransportCase.begin(connect())
        chmod(file, 0o644)
        #expect(throws: KeychainError(.writePermissions)) { try connect().head() }
        try FileManager.default.removeItem(atPath: file)
        symlink("/etc/passwd", file)
        #expect(throws: KeychainError(.writePermissions)) { try connect().head() }
        unlink(file)
        mkfifo(file, 0o600)
        #expect(throws: KeychainError(.writePermissions)) { try connect().head() }
        unlink(file)
        mkdir(file, 0o700)
        #expect(throws: KeychainError(.writePermissions)) { try connect().head() }
        rmdir(file)
        chmod(path, 0o755)
        #expect(throws: KeychainError(.writePermissions)) { try connect().head() }
    }

    /// It is not read into memory, and not called damaged.
    @Test func aFileThatIsTooLargeIsRefused() throws {
        try TransportCase.begin(connect())
        truncate(file, (256 << 20) + 1)
        let error = #expect(throws: KeychainError(.dataTooLarge)) {
            try connect().changes(since: TransportCase.start)
        }
        #expect(error?.reason == "the team's file '\(file)' is larger than 256 MiB")
    }

    @Test func aPutThatMakesTheFileTooLargeIsRefused() throws {
        try TransportCase.begin(connect())
        let folder = FolderTransport(path, team: Self.team, sizeLimit: 4 << 20)
        let content = [UInt8](repeating: 1, count: (2 << 20) - 200)
        #expect(try folder.put([TransportCase.put(1, 0, content)], rosterCount: 1) == .stored)
        let error = #expect(throws: KeychainError(.dataTooLarge)) {
            try folder.put(
                [TransportCase.put(2, 0, content), TransportCase.put(3, 0, content)], rosterCount: 1
            )
        }
        #expect(error?.reason == "the team's file '\(file)' can't become larger than 4 MiB")
        #expect(try folder.put([TransportCase.put(2, 0, content)], rosterCount: 1) == .stored)
        #expect(try folder.record(TransportCase.id(2))?.content == content)
        let names = try FileManager.default.contentsOfDirectory(atPath: path)
        #expect(names.count == 2)
    }

    /// Where records are is in memory, whatever they are.
    @Test func tooManyRecordsAreRefused() throws {
        let count = UInt64(1_000_001).bigEndianBytes
        let none = [UInt8](repeating: 0, count: 8)
        for (entries, records, size) in [(count, none, 4), (none, count, 36)] {
            let start = Array("lanyard team 1\n".utf8) + none + entries + records
            let body = [UInt8](repeating: 0, count: size * 1_000_001)
            try write(ServerStateTests.sealed(start + body))
            let error = #expect(throws: KeychainError(.dataTooLarge)) {
                try connect().record(TransportCase.id(1))
            }
            #expect(error?.reason == "the team's file '\(file)' has more than a million records")
        }
    }

    /// As on every other way to a server.
    @Test func aRecordThatNoDeviceGivesIsNotRead() throws {
        try TransportCase.begin(connect())
        let content = [UInt8](repeating: 1, count: SyncLimits.givenSize + 1)
        #expect(
            try connect().put(
                [TransportCase.put(1, 0, content), TransportCase.put(2, 0, [2])], rosterCount: 1)
                == .stored)
        #expect(try connect().record(TransportCase.id(1))?.content == [])
        let records = try connect().changes(since: TransportCase.start).records
        #expect(records.map(\.content.count) == [0, 1] || records.map(\.content.count) == [0])
    }

    /// Contents stay in the file.
    @Test func aLargeFileTakesLittleMemory() async throws {
        try TransportCase.begin(connect())
        await #expect(processExitsWith: .success) { [path = path as String] in
            let content = [UInt8](repeating: 1, count: 5 << 20)
            let before = try PeakMemory.ofProcess
            let puts = (0..<24).map { TransportCase.put($0, 0, content) }
            let folder = FolderTransport(path, team: Self.team)
            #expect(try folder.put(puts, rosterCount: 1) == .stored)
            #expect(try folder.changes(since: TransportCase.start).hasMore)
            #expect(try folder.record(TransportCase.id(23))?.content == content)
            #expect(try folder.put([TransportCase.put(3, 1, [3])], rosterCount: 1) == .stored)
            #expect(try folder.record(TransportCase.id(3))?.content == [3])
            #expect(try folder.record(TransportCase.id(23))?.content == content)
            let more = try PeakMemory.ofProcess - before
            #expect(more < 40 << 20, "\(more >> 20) MiB more")
        }
    }

    /// What one device knows of the file is not what another one made of it meanwhile.
    @Test func aFileThatIsReplacedIsReadAgain() throws {
        let (one, other) = (connect(), connect())
        try TransportCase.begin(one)
        for number in 0..<UInt64(50) {
            let content = [UInt8(number)]
            #expect(try one.put([TransportCase.put(1, number, content)], rosterCount: 1) == .stored)
            #expect(try other.record(TransportCase.id(1))?.content == content)
            #expect(
                try other.changes(since: TransportCase.start).records.map(\.content) == [content])
        }
        let bytes = try [UInt8](Data(contentsOf: URL(filePath: file)))
        try write(Array(bytes.dropLast()))
        #expect(throws: KeychainError(.decode)) { try other.record(TransportCase.id(1)) }
        try write(bytes)
        #expect(try other.record(TransportCase.id(1))?.content == [49])
        chmod(file, 0o644)
        #expect(throws: KeychainError(.writePermissions)) { try other.record(TransportCase.id(1)) }
    }

    @Test func aMissingFolderIsNoEmptyServer() throws {
        try FileManager.default.removeItem(atPath: path)
        #expect(throws: KeychainError(.notAvailable)) { try connect().head() }
        #expect(throws: KeychainError(.notAvailable)) { try TransportCase.begin(connect()) }
    }

    private func write(_ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(filePath: file))
        chmod(file, 0o600)
    }
}
