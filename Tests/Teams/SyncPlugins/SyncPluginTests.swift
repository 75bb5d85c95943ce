import Foundation
import LinuxSystem
import TestSupport
import LanyardSecrets
import SyncConformance
import SyncEngine
import Testing

@testable import SyncPlugins

@Suite("Transports as programs") struct SyncPluginTests {
    /// The milliseconds for what has to succeed, also on a busy machine.
    private static let timeLimit: Int64 = 60_000

    private let scratch: ScratchFolder

    init() throws {
        scratch = try ScratchFolder()
    }

    private func connect(
        _ address: String? = nil, timeLimit: Int64 = SyncPluginTests.timeLimit,
        _ serve: @escaping @Sendable (Int32) -> Void = { socket in
            SyncPluginServer<ServedFolder>(LineChannel(input: socket, output: socket)).run()
        }
    ) throws(KeychainError) -> SyncPluginTransport {
        try SyncPluginTransport(
            executable: "/nowhere", address: address ?? scratch.path, team: TransportCase.id(99),
            folder: scratch.path, timeLimit: timeLimit,
            password: { () throws(KeychainError) in nil },
            start: { _ throws(KeychainError) in try startInThread(serve) })
    }

    /// Answers each line with the next of these texts, then ends.
    private func answering(_ answers: [String]) throws(KeychainError) -> SyncPluginTransport {
        try connect(timeLimit: 100) { socket in
            let channel = LineChannel(input: socket, output: socket)
            for answer in answers {
                guard (try? channel.readLine(until: nil)) != nil else {
                    return
                }
                try? channel.write(Secret(answer + "\n"), until: nil)
            }
        }
    }

    @Test(arguments: TransportCase.allCases) func conforms(_ rule: TransportCase) throws {
        try rule.run { try connect() }
    }

    @Test func manyRecordsTakeSeveralLines() throws {
        let transport = try connect()
        try TransportCase.begin(transport)
        let content = [UInt8](repeating: 7, count: 100_000)
        let puts = (0..<12).map { TransportCase.put($0, 0, content) }
        #expect(try transport.put(puts, rosterCount: 1) == .stored)
        #expect(try transport.changes(since: TransportCase.start).records.count == 12)
        let large = TransportCase.put(41, 0, [UInt8](repeating: 1, count: 1 << 20))
        #expect(try transport.put([large], rosterCount: 1) == .stored)
        #expect(try transport.record(TransportCase.id(41))?.content.count == 1 << 20)
        let larger = TransportCase.put(42, 0, [UInt8](repeating: 1, count: 6 << 20 + 1))
        #expect(throws: KeychainError(.dataTooLarge)) {
            try transport.put([larger], rosterCount: 1)
        }
    }

    @Test func anErrorOfTheServerKeepsItsWords() throws {
        let transport = try connect("/nowhere/at/all")
        let error = #expect(throws: KeychainError.self) { try transport.head() }
        #expect(error?.status == .notAvailable)
        #expect(error?.reason.contains("/nowhere/at/all") == true)
        #expect(error?.hint != nil)
    }

    @Test func nonsenseEndsTheProgram() throws {
        let hello = #"{"id":1,"version":1}"#
        for answers in [
            ["nonsense"], [#"{"id":2,"version":1}"#], [#"{"id":1,"version":2}"#], [],
            [hello], [hello, #"{"id":2}"#], [hello, #"{"id":2,"sequence":-1,"rosterCount":0}"#],
            [hello, #"{"id":2,"sequence":1e9,"rosterCount":0}"#],
            [hello, #"{"id":2,"sequence":0,"rosterCount":0,"roster":["!"]}"#],
            [hello, #"{"id":2,"more":true,"records":[]}"#],
            [hello, #"{"id":2,"error":{}}"#],
        ] {
            let transport = try answering(answers)
            #expect(throws: KeychainError(.notAvailable)) {
                try transport.changes(since: TransportCase.start)
            }
        }
        let wrong = try answering([
            hello,
            #"{"id":2,"records":[{"id":"00000000000000000000000000000002","version":1,"content":""}]}"#,
        ])
        #expect(throws: KeychainError(.notAvailable)) { try wrong.record(TransportCase.id(1)) }
    }

    @Test func anEndlessAnswerEnds() throws {
        let transport = try connect { socket in
            let channel = LineChannel(input: socket, output: socket)
            _ = try? channel.readLine(until: nil)
            try? channel.write(Secret(#"{"id":1,"version":1}"# + "\n"), until: nil)
            _ = try? channel.readLine(until: nil)
            let content = String(repeating: "AAAA", count: 1 << 10)
            let line = Secret(#"{"id":2,"more":true,"roster":["\#(content)"]}"# + "\n")
            while (try? channel.write(line.copy(), until: nil)) != nil {}
        }
        transport.answerLimit = 1 << 20
        let error = #expect(throws: KeychainError.self) {
            try transport.changes(since: TransportCase.start)
        }
        #expect(error?.status == .notAvailable)
        #expect(error?.reason.contains("more than any team") == true)
    }

    @Test func aSilentProgramIsEnded() throws {
        let transport = try connect(timeLimit: -1900) { socket in
            let channel = LineChannel(input: socket, output: socket)
            while (try? channel.readLine(until: nil)) != nil {}
        }
        #expect(throws: KeychainError(.notAvailable)) { try transport.head() }
    }

    @Test func theServerTrustsNoRequest() throws {
        let socket = try SocketPair()
        let theirs = dup(socket.theirs.number)
        Thread.detachNewThread {
            SyncPluginServer<ServedFolder>(LineChannel(input: theirs, output: theirs)).run()
        }
        let channel = LineChannel(input: socket.ours.number, output: socket.ours.number)
        let team = TransportCase.id(99).text
        let path = scratch.path
        for (request, answer) in [
            ("x", "-50"), (#"{"id":1,"method":"head"}"#, "-50"),
            (#"{"id":1,"method":"hello","versions":[2]}"#, "-25310"),
            (#"{"id":1,"method":"hello","versions":[1]}"#, "-50"),
            (
                #"{"id":1,"method":"hello","versions":[1],"address":"a://b:c@d","team":"\#(team)","folder":"/"}"#,
                "-50"
            ),
            (
                #"{"id":1,"method":"hello","versions":[1],"address":"\#(path)","team":"\#(team)","folder":"/"}"#,
                #""version":1"#
            ),
            (#"{"id":2,"method":"hello","versions":[1]}"#, "-50"),
            (#"{"id":2,"method":"dance"}"#, "-4"),
            (#"{"id":2,"method":"changes"}"#, "-50"),
            (#"{"id":2,"method":"put","rosterCount":-1}"#, "-50"),
            (#"{"id":2,"method":"putRoster","sequence":0,"rosterCount":0}"#, "-50"),
            (#"{"id":2,"method":"put","records":[{}]}"#, "-26275"),
            (#"{"id":2,"method":"head"}"#, #""sequence":0"#),
        ] {
            let deadline = Deadline(milliseconds: SyncPluginTests.timeLimit)
            try channel.write(Secret(request + "\n"), until: deadline)
            let line = try #require(
                try channel.readLine(until: deadline)?.withBytes {
                    String(decoding: ByteString(copying: $0).bytes, as: UTF8.self)
                })
            #expect(line.contains(answer), "\(request)")
        }
    }

    @Test func theLastLineHasTheMembers() throws {
        let socket = try SocketPair()
        let theirs = dup(socket.theirs.number)
        Thread.detachNewThread {
            SyncPluginServer<ServedFolder>(LineChannel(input: theirs, output: theirs)).run()
        }
        let channel = LineChannel(input: socket.ours.number, output: socket.ours.number)
        let deadline = Deadline(milliseconds: SyncPluginTests.timeLimit)
        let ids = [TransportCase.id(1).text, TransportCase.id(2).text]
        for request in [
            #"{"id":1,"method":"hello","versions":[1],"address":"\#(scratch.path)","team":"\#(ids[0])","folder":"/"}"#,
            #"{"id":2,"more":true,"records":[{"id":"\#(ids[0])","version":0,"content":""}]}"#,
            #"{"id":2,"method":"put","rosterCount":0,"records":[{"id":"\#(ids[1])","version":0,"content":""}]}"#,
        ] {
            try channel.write(Secret(request + "\n"), until: deadline)
        }
        _ = try channel.readLine(until: deadline)
        let answer = try channel.readLine(until: deadline)?.withBytes { ByteString(copying: $0) }
        #expect(answer == #"{"id":2,"stored":true}"#)
        let folder = FolderTransport(scratch.path, team: TransportCase.id(1))
        #expect(try folder.changes(since: TransportCase.start).records.count == 2)
    }

    @Test(arguments: [
        "postgres://ada:secret@example.com/team", "https://ada:secret@example.com/team.git",
        "postgres://ada@example.com/team?password=secret", "ssh://ada:@example.com",
        "postgres://ada:se#cret@example.com/team", "postgres://ada:sec?ret@example.com/team",
    ]) func anAddressWithAPasswordIsRefused(_ address: String) {
        let error = #expect(throws: KeychainError.self) { try connect(address) }
        #expect(error?.status == .param)
        #expect(error?.reason.contains("secret") == false)
        #expect(error?.hint?.contains("secret") == false)
    }
}
