import Foundation
import SyncPlugins
import TestSupport
import LanyardSecrets
import SyncConformance
import SyncEngine
import Testing

@Suite("Git repository as a team's server", .enabled(if: ScratchGitServer.isServable))
struct GitTransportTests {
    private let scratch: ScratchFolder
    private static let team = TransportCase.id(99)

    init() throws {
        scratch = try ScratchFolder()
        try #require(ScratchGitServer.knowsPassword)
    }

    private func connect(
        _ address: String, machine: String = "one"
    ) throws(KeychainError) -> GitTransport {
        try Self.connect(address, "\(scratch.path)/\(machine)")
    }

    private static func connect(
        _ address: String, _ folder: String
    ) throws(KeychainError) -> GitTransport {
        let transport = try GitTransport(
            SyncAddress(address, team: team, folder: folder, password: nil))
        // A busy machine takes long for what these tests let git do.
        transport.timeLimit = 120_000
        return transport
    }

    @Test(arguments: TransportCase.allCases) func conforms(_ rule: TransportCase) throws {
        let server = try ScratchGitServer(isRemote: false)
        var machines = 0
        try rule.run {
            machines += 1
            return try connect(server.address, machine: "\(machines)")
        }
    }

    @Test func conformsBehindAWebServerWithAPassword() throws {
        for rule in [TransportCase.aPutIsAllOrNothing, .anyBytesComeBack] {
            let server = try ScratchGitServer(isRemote: true)
            try rule.run { try connect(server.address, machine: "\(rule)") }
        }
    }

    @Test func aWrongPasswordIsALoginRefused() throws {
        let server = try ScratchGitServer(isRemote: true)
        let address = server.address.replacing("://", with: "://grace@")
        let error = #expect(throws: KeychainError.self) { try connect(address).head() }
        #expect(error?.status == .authFailed)
        let host = address.prefix(address.count - "/git/team.git".count)
        #expect(error?.hint == "lanyard set --group git \(host)")
    }

    @Test func theCommitsNameNoUser() throws {
        let server = try ScratchGitServer(isRemote: false)
        let transport = try connect(server.address)
        try TransportCase.begin(transport)
        #expect(
            try transport.put(
                [TransportCase.put(1, 0, [1]), TransportCase.put(2, 0, [2])], rosterCount: 1)
                == .stored)
        let log = try server.git("log", "--format=%an %ae %cn %ce", "lanyard")
        let line = "Lanyard lanyard@localhost Lanyard lanyard@localhost"
        #expect(log == "\(line)\n\(line)")
        for message in try server.git("log", "--format=%s", "lanyard").split(separator: "\n") {
            #expect(message.wholeMatch(of: /Change [0-9a-f]{32}/) != nil)
        }
        let files = try server.git("ls-tree", "-r", "--name-only", "lanyard")
        let team = Self.team.text
        #expect(
            files.split(separator: "\n") == [
                "\(team)/records/00/\(TransportCase.id(1).text).1.1",
                "\(team)/records/00/\(TransportCase.id(2).text).1.1", "\(team)/roster/0",
            ])
    }

    @Test func aForcedPushShowsASmallerSequence() throws {
        let server = try ScratchGitServer(isRemote: false)
        let transport = try connect(server.address)
        try TransportCase.begin(transport)
        let old = try server.git("rev-parse", "lanyard")
        #expect(try transport.put([TransportCase.put(1, 0, [1])], rosterCount: 1) == .stored)
        let head = try transport.head()
        try server.git("update-ref", "refs/heads/lanyard", old)
        #expect(try transport.head().sequence < head.sequence)
        #expect(try transport.record(TransportCase.id(1)) == nil)
        #expect(try transport.put([TransportCase.put(1, 0, [2])], rosterCount: 1) == .stored)
        try server.git("update-ref", "-d", "refs/heads/lanyard")
        #expect(try transport.head() == TransportCase.start)
    }

    @Test func otherBranchesAndFilesAreLeftAlone() throws {
        let server = try ScratchGitServer(isRemote: false)
        let transport = try connect(server.address)
        try TransportCase.begin(transport)
        let other = try GitTransport(
            SyncAddress(
                server.address, team: TransportCase.id(98), folder: "\(scratch.path)/other",
                password: nil))
        #expect(try other.head() == TransportCase.start)
        try TransportCase.begin(other)
        #expect(try transport.head().rosterCount == 1)
        #expect(try transport.put([TransportCase.put(1, 0, [1])], rosterCount: 1) == .stored)
        #expect(try other.head().sequence == 0)
    }

    @Test func processesLoseNothing() async throws {
        let server = try ScratchGitServer(isRemote: false)
        try TransportCase.begin(connect(server.address))
        await withTaskGroup { group in
            for machine in 0..<4 {
                group.addTask { [address = server.address, path = scratch.path] in
                    await #expect(processExitsWith: .success) {
                        [address = address as String, folder = "\(path)/racer\(machine)" as String]
                        in
                        var writer = RacingWriter(try Self.connect(address, folder))
                        for _ in 0..<2 {
                            try writer.add()
                        }
                    }
                }
            }
        }
        #expect(try RacingWriter.sum(connect(server.address)) == 8)
    }

    @Test func aKilledProcessHindersNoOther() async throws {
        let server = try ScratchGitServer(isRemote: false)
        try TransportCase.begin(connect(server.address))
        for _ in 0..<3 {
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [address = server.address as String, folder = "\(scratch.path)/one" as String] in
                let moment = UInt32.random(in: 20_000...200_000)
                Thread.detachNewThread {
                    usleep(moment)
                    kill(getpid(), SIGKILL)
                }
                var writer = RacingWriter(try Self.connect(address, folder))
                while true {
                    try writer.add()
                }
            }
            let before = try #require(try RacingWriter.sum(connect(server.address)))
            var writer = RacingWriter(try connect(server.address))
            try writer.add()
            #expect(try #require(try RacingWriter.sum(connect(server.address))) > before)
        }
    }

    @Test func aServerThatIsAwayIsNotAvailable() throws {
        let transport = try connect("http://127.0.0.1:1/team.git")
        #expect(throws: KeychainError(.notAvailable)) { try transport.head() }
        #expect(throws: KeychainError(.notAvailable)) {
            try connect("\(scratch.path)/nowhere.git").head()
        }
    }

    @Test func aSilentServerIsLeftInTime() throws {
        let silent = WrongServer()
        let transport = try connect("http://127.0.0.1:\(silent.port)/team.git")
        transport.timeLimit = 300
        let error = #expect(throws: KeychainError.self) { try transport.head() }
        #expect(error?.reason == "git did not finish in time")
    }

    /// Branches without an end.
    @Test func anEndlessAnswerEnds() async throws {
        let type = "application/x-git-upload-pack-advertisement"
        let branch = String(repeating: "1", count: 40) + " refs/heads/x\n"
        let endless = WrongServer(
            sending: """
                HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\n\r\n001e# service=git-upload-pack\n0000
                """, then: String(repeating: "003a\(branch)", count: 1000))
        let arguments = ("http://127.0.0.1:\(endless.port)/team.git", "\(scratch.path)/one")
        await #expect(processExitsWith: .success) {
            [address = arguments.0 as String, folder = arguments.1 as String] in
            let transport = try Self.connect(address, folder)
            #expect(throws: KeychainError(.notAvailable)) { try transport.head() }
            #expect(PeakMemory.ofChildren < 300 << 20, "\(PeakMemory.ofChildren)")
        }
    }

    /// A git that was killed while it wrote what it got, object by object.
    @Test func whatIsHereInPartIsFetchedAgain() throws {
        let server = try ScratchGitServer(isRemote: false)
        let other = try connect(server.address, machine: "two")
        #expect(try other.head() == TransportCase.start)
        let transport = try connect(server.address)
        try TransportCase.begin(transport)
        #expect(try transport.put([TransportCase.put(1, 0, [1])], rosterCount: 1) == .stored)
        var objects = try server.git("rev-parse", "lanyard")
        objects += "\n" + (try server.git("rev-parse", "lanyard^{tree}"))
        let pack = "\(scratch.path)/part"
        try ScratchGitServer.run(
            "sh",
            [
                "-ec",
                """
                printf '%s\\n' "$1" | git --git-dir="$2" pack-objects -q "$3"
                for pack in "$3"-*.pack; do
                    git --git-dir="$4" unpack-objects -q <"$pack"
                done
                """, "sh", objects, server.repository, pack, "\(scratch.path)/two/git",
            ])
        #expect(try other.changes(since: TransportCase.start).records.count == 1)
    }

    /// How a copy gets damaged, by a command in its folder.
    private static let damages = [
        "rm -r objects", "rm HEAD; echo x >config", "echo x >HEAD", "echo [ >config",
        "echo x >refs/lanyard/seen", "rm -r refs", "touch shallow.lock",
        "for f in objects/pack/*.pack objects/??/*; do [ ! -f $f ] || { chmod +w $f; echo x >$f; }; done",
    ]

    @Test(arguments: damages) func aDamagedCopyIsMadeAnew(_ damage: String) throws {
        let server = try ScratchGitServer(isRemote: false)
        let other = try connect(server.address, machine: "two")
        try TransportCase.begin(other)
        #expect(try other.put([TransportCase.put(1, 0, [1])], rosterCount: 1) == .stored)
        // While it is in use, before a read and a change, and afterwards.
        let transport = try connect(server.address)
        #expect(try transport.head().sequence == 1)
        func spoil() throws {
            let folder = "\(scratch.path)/one/git"
            try ScratchGitServer.run("sh", ["-c", "cd \"$1\"; \(damage)", "sh", folder])
        }
        try spoil()
        #expect(try transport.put([TransportCase.put(2, 0, [2])], rosterCount: 1) == .stored)
        try spoil()
        #expect(try transport.changes(since: TransportCase.start).records.count == 2)
        #expect(try other.put([TransportCase.put(1, 1, [3])], rosterCount: 1) == .stored)
        try spoil()
        #expect(try transport.record(TransportCase.id(1))?.content == [3])
        try spoil()
        #expect(
            try connect(server.address).put([TransportCase.put(3, 0, [4])], rosterCount: 1)
                == .stored)
    }

    @Test(
        arguments: [
            (
                "printf '#!/bin/sh\nexit 1\n' >hooks/pre-receive; chmod +x hooks/pre-receive",
                Status.writePermissions, "allow pushes to the branch lanyard"
            ),
            (
                "git --git-dir=. config receive.maxInputSize 1", .notAvailable,
                "see on the server what is wrong with the repository: git fsck"
            ),
            (
                "printf '#!/bin/sh\necho No space left on device >&2\nexit 1\n' "
                    + ">hooks/pre-receive; chmod +x hooks/pre-receive",
                .diskFull, "make room on the server"
            ),
        ]) func thePushesOfAServerThatRefusesAreToldApart(
            _ command: String, _ status: Status, _ hint: String
        ) throws
    {
        let server = try ScratchGitServer(isRemote: false)
        let transport = try connect(server.address)
        try TransportCase.begin(transport)
        try ScratchGitServer.run(
            "sh", ["-c", "cd \"$1\"; mkdir -p hooks; \(command)", "sh", server.repository])
        let error = #expect(throws: KeychainError.self) {
            try transport.put([TransportCase.put(1, 0, [1])], rosterCount: 1)
        }
        #expect(error?.status == status)
        #expect(error?.hint == hint)
    }

    @Test func aServerThatLostItemsIsNoLostConnection() throws {
        let server = try ScratchGitServer(isRemote: false)
        let transport = try connect(server.address)
        try TransportCase.begin(transport)
        #expect(try transport.put([TransportCase.put(1, 0, [1])], rosterCount: 1) == .stored)
        let blob = try server.git("rev-parse", "lanyard:\(Self.team.text)/roster/0")
        try ScratchGitServer.run(
            "rm", ["-f", "\(server.repository)/objects/\(blob.prefix(2))/\(blob.dropFirst(2))"])
        let error = #expect(throws: KeychainError.self) {
            try connect(server.address, machine: "two").head()
        }
        #expect(error?.status == .notAvailable)
        #expect(error?.reason.hasPrefix("the git server can't send the team's items: ") == true)
    }

    @Test func theFirstExchangeTakesNoHistory() throws {
        let server = try ScratchGitServer(isRemote: true)
        let transport = try connect(server.address)
        try TransportCase.begin(transport)
        for version in 0..<5 {
            #expect(
                try transport.put([TransportCase.put(1, UInt64(version), [1])], rosterCount: 1)
                    == .stored)
        }
        let other = try connect(server.address, machine: "two")
        #expect(try other.put([TransportCase.put(1, 5, [2])], rosterCount: 1) == .stored)
        let repository = "\(scratch.path)/two/git"
        func commits() throws -> String {
            try ScratchGitServer.run(
                "git", ["--git-dir=\(repository)", "rev-list", "--count", "refs/lanyard/seen"])
        }
        #expect(try commits() == "2")
        #expect(try transport.put([TransportCase.put(1, 6, [3])], rosterCount: 1) == .stored)
        #expect(try other.record(TransportCase.id(1))?.version == 7)
        #expect(try commits() == "3")
    }

    /// What a few bytes of the server unpack to: 400 MB of zeros, as a record and as an entry.
    @Test func fewBytesThatUnpackToManyCostNothing() async throws {
        let server = try ScratchGitServer(isRemote: true)
        let transport = try connect(server.address)
        try TransportCase.begin(transport)
        #expect(try transport.put([TransportCase.put(1, 0, [1])], rosterCount: 1) == .stored)
        let record = "\(Self.team.text)/records/00/\(TransportCase.id(2).text).1.2"
        try server.push(zeros: 400_000_000, to: record)
        let arguments = (server.address, "\(scratch.path)/one")
        await #expect(processExitsWith: .success) {
            [address = arguments.0 as String, folder = arguments.1 as String] in
            try #require(ScratchGitServer.knowsPassword)
            for _ in 0..<3 {
                let transport = try Self.connect(address, folder)
                let records = try transport.changes(since: .start).records
                #expect(records.map(\.content) == [[1], []])
                #expect(try transport.record(TransportCase.id(2))?.content == [])
            }
            // What the device lacks replaces it.
            let transport = try Self.connect(address, folder)
            #expect(
                try transport.put([TransportCase.put(2, 1, [2])], rosterCount: 1) == .stored)
            #expect(try transport.record(TransportCase.id(2))?.content == [2])
            let peak = try PeakMemory.ofProcess
            #expect(peak < 160 << 20, "\(peak)")
            #expect(PeakMemory.ofChildren < 160 << 20, "\(PeakMemory.ofChildren)")
        }
        try server.push(zeros: 400_000_000, to: "\(Self.team.text)/roster/1")
        #expect(try transport.changes(since: .start).roster.last == [])
    }

    @Test func hostileNamesAreRefusedOrPassedOver() throws {
        let server = try ScratchGitServer(isRemote: false)
        let transport = try connect(server.address)
        try TransportCase.begin(transport)
        #expect(try transport.put([TransportCase.put(1, 0, [1])], rosterCount: 1) == .stored)
        let blob = try server.git("rev-parse", "lanyard:\(Self.team.text)/roster/0")
        let records = "\(Self.team.text)/records/00"
        func push(_ paths: [String]) throws {
            let index = "\(scratch.path)/index"
            try? FileManager.default.removeItem(atPath: index)
            var script = "export GIT_INDEX_FILE=\(index); git read-tree lanyard\n"
            for path in paths {
                script += "git update-index --add --cacheinfo 100644,\(blob),'\(path)'\n"
            }
            script += """
                git update-ref refs/heads/lanyard "$(git -c user.name=m -c user.email=m@x \
                commit-tree -m x -p lanyard "$(git write-tree)")"
                """
            try ScratchGitServer.run(
                "sh", ["-ec", "export GIT_DIR=\(server.repository)\n\(script)"])
        }
        let most = String(UInt64.max)
        let id = TransportCase.id(2).text
        try push([
            "\(records)/x", "\(records)/\(id).0.1", "\(records)/\(id).1.\(most)",
            "\(records)/\(id).1", "README", "\(Self.team.text)/roster/x",
            "\(Self.team.text)/records/01/\(id).1.1", "\(records)/\(id).01.1",
            "\(Self.team.text)/records/00\nM 100644 inline x\ndata 0\n/\(id).1.1",
        ])
        // The one with a number that is too far ahead counts as the last one.
        let changes = try transport.changes(since: TransportCase.start)
        #expect(changes.records.map(\.id) == [TransportCase.id(1), TransportCase.id(2)])
        #expect(changes.head.sequence == 2)
        // A second file, and an entry after a missing one.
        let last = TransportCase.id(1).text
        try push(["\(records)/\(last).2.\(most.dropLast())", "\(Self.team.text)/roster/1000000"])
        #expect(try transport.record(TransportCase.id(1))?.version == 2)
        #expect(try transport.putRoster([2], at: transport.head()) == .stored)
        let puts = [TransportCase.put(1, 2, [7]), TransportCase.put(3, 0, [8])]
        #expect(try transport.put(puts, rosterCount: 2) == .stored)
        let other = try connect(server.address, machine: "two")
        let head = try other.head()
        #expect(head == ServerHead(sequence: 2, rosterCount: 2))
        #expect(
            try Set(other.changes(since: .start).records) == [
                TransportCase.put(1, 3, [7]), TransportCase.put(2, 1, [1]),
                TransportCase.put(3, 1, [8]),
            ])
        #expect(try other.put([TransportCase.put(2, 1, [9])], rosterCount: 2) == .stored)
        #expect(try transport.changes(since: head).records == [TransportCase.put(2, 2, [9])])
        let files = try server.git("ls-tree", "-r", "--name-only", "lanyard")
        for (number, count) in [(1, 1), (2, 3), (3, 1)] {
            let text = TransportCase.id(number).text + "."
            let paths = files.split(separator: "\n").filter {
                $0.hasPrefix("\(Self.team.text)/records/00/\(text)")
            }
            #expect(paths.count == count, "\(paths)")
        }
    }

    @Test(arguments: [
        "", "-oProxyCommand=x", "--upload-pack=x", "ext::sh -c x", "ext::sh", "fd::17",
        "http://example.com/team.git", "http://127.0.0.1.example.com/team.git",
        "ftp://example.com/x", "team", "a b:c", "https://a\nb",
        "./team.git", "git://example.com/x",
    ]) func anAddressThatGitShouldNotGetIsRefused(_ address: String) {
        #expect(throws: KeychainError(.param)) { try connect(address) }
    }

    @Test(arguments: [
        "ada@example.com:team.git", "example.com:team.git", "https://example.com/team.git",
        "ssh://ada@example.com/team.git", "/srv/team.git", "file:///srv/team.git",
    ]) func anAddressForGitIsTaken(_ address: String) throws {
        _ = try connect(address)
    }
}
