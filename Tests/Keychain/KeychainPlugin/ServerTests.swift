import Foundation
import KeychainServices
@testable import KeychainPlugin
import LinuxSystem
import Synchronization
import Testing

@Suite("the plugin does not trust the helper")
struct ServerTests {
    private static let hello = #"{"id":1,"method":"hello","versions":[1],"keychain":"k"}"#

    private func answers(_ requests: String..., keychain: ServedStore = ServedStore()) -> [String] {
        var lines = Lines(keychain)
        lines.send(ServerTests.hello)
        requests.forEach { lines.send($0) }
        return Array(lines.answers().dropFirst())
    }

    @Test("the first answer") func greeting() {
        var lines = Lines()
        lines.send(#"{"method":"hello","versions":[7,1],"keychain":"k","id":9,"other":[{}]}"#)
        #expect(
            lines.answers() == [
                #"{"id":9,"result":{"version":1,"kind":"test","transactions":true,"dates":true,"accessGroups":true,"queryOptions":true}}"#
            ])
    }

    @Test("hello comes first, and once") func order() {
        var lines = Lines()
        lines.send(#"{"id":1,"method":"status"}"#)
        lines.send(#"{"id":2,"method":"hello","versions":[2],"keychain":"k"}"#)
        lines.send(#"{"id":3,"method":"hello","keychain":"k"}"#)
        lines.send(#"{"id":4,"method":"hello","versions":[1]}"#)
        lines.send(ServerTests.hello)
        lines.send(ServerTests.hello)
        let statuses = lines.answers().map { answer in
            ["-50", "-25310"].first { answer.contains(#""status":\#($0)"#) }
        }
        #expect(statuses == ["-50", "-25310", "-50", "-50", nil, "-50"])
    }

    @Test(
        "an invalid request is refused, and the next one answered",
        arguments: [
            "", "x", "[]", "{}", "null", #"{"method":"status"}"#, #"{"id":"1","method":"status"}"#,
            #"{"id":1.5,"method":"status"}"#, #"{"id":2,"id":2,"method":"status"}"#,
            #"{"id":2,"method":"status"} {}"#, "{\"id\":2,\"method\":\"\u{1}\"}",
        ])
    func noRequest(line: String) {
        let answers = answers(line, #"{"id":5,"method":"lock"}"#)
        #expect(answers.count == 2)
        #expect(answers.first?.hasPrefix(#"{"id":0,"error":{"status":-50,"#) == true)
        #expect(answers.last == #"{"id":5,"result":{}}"#)
    }

    @Test(
        "bad requests are refused with their number",
        arguments: [
            (#""method":"none""#, -4), (#""x":1"#, -4), (#""method":1"#, -50),
            (#""method":"status","timeout":0"#, -50), (#""method":"status","prompt":1"#, -50),
            (#""method":"add""#, -50), (#""method":"add","class":"genp""#, -50),
            (#""method":"add","class":"gen""#, -50),
            (#""method":"add","class":"apls","secret":"""#, -25306),
            (#""method":"add","class":"genp","secret":"","attributes":{"accessible":"ak"}"#, -50),
            (#""method":"add","class":"genp","secret":"","attributes":{"accessGroup":"g"}"#, -50),
            (
                #""method":"add","class":"genp","attributes":{"accessGroup":"g","accessible":"ak"}"#,
                -50
            ),
            (#""method":"add","class":"genp","secret":"a","attributes":{}"#, -50),
            (#""method":"add","class":"genp","secret":"","attributes":{"accessible":"zz"}"#, -50),
            (#""method":"add","class":"genp","secret":"","attributes":{"server":"s"}"#, -25303),
            (#""method":"match""#, -50), (#""method":"match","query":{}"#, -50),
            (#""method":"match","query":{"class":"genp","reference":"0"}"#, -50),
            (#""method":"match","query":{"class":"genp"},"count":0"#, -50),
            (#""method":"match","query":{"class":"inet","attributes":{"port":65536}}"#, -50),
            (#""method":"match","query":{"class":"inet","attributes":{"port":-1}}"#, -50),
            (#""method":"match","query":{"class":"genp","attributes":{"account":{}}}"#, -50),
            (#""method":"next","walk":1"#, -50), (#""method":"end","walk":1"#, -50),
            (#""method":"update","query":{"class":"genp","caseInsensitive":true}"#, -50),
            (#""method":"update","query":{"class":"genp"},"changes":{"port":1}"#, -25303),
            (#""method":"delete""#, -50), (#""method":"commit""#, -50),
            (#""method":"rollback""#, -50),
        ])
    func badRequest(members: String, status: Int) {
        let answers = answers("{\"id\":7,\(members)}", #"{"id":8,"method":"lock"}"#)
        #expect(answers.count == 2)
        #expect(answers.first?.hasPrefix("{\"id\":7,\"error\":{\"status\":\(status),") == true)
        #expect(answers.last == #"{"id":8,"result":{}}"#)
    }

    @Test("a secret or text that is too long is refused") func tooLong() {
        let secret = String(repeating: "AAAA", count: (2 << 20) / 3 + 1)
        let text = String(repeating: "a", count: 65_536)
        let group = #""accessGroup":"g","accessible":"ak""#
        let answers = answers(
            #"{"id":2,"method":"add","class":"genp","secret":"\#(secret)","attributes":{\#(group)}}"#,
            #"{"id":3,"method":"add","class":"genp","secret":"","attributes":{\#(group),"label":"\#(text)"}}"#
        )
        #expect(answers.first?.hasPrefix(#"{"id":2,"error":{"status":-50,"#) == true)
        #expect(answers.last?.hasPrefix(#"{"id":3,"error":{"status":-25302,"#) == true)
    }

    @Test("an unfinished or overlong line ends it") func endless() {
        var lines = Lines()
        lines.send(ServerTests.hello)
        lines.send(Array(#"{"id":2,"method":"lock"}"#.utf8))
        #expect(lines.answers().count == 1)
        lines = Lines()
        lines.send(ServerTests.hello)
        lines.send([UInt8](repeating: 0x20, count: 16 << 20 + 2))
        lines.send("")
        lines.send(#"{"id":2,"method":"lock"}"#)
        #expect(lines.answers().count == 1)
    }

    @Test("nesting of walks and transactions is limited") func deep() {
        let keychain = ServedStore()
        let add = #""method":"add","class":"genp","secret":"","#
        var lines = Lines(keychain)
        lines.send(ServerTests.hello)
        for account in ["a", "b"] {
            lines.send(
                #"{"id":2,\#(add)"attributes":{"account":"\#(account)","accessGroup":"g","accessible":"ak"}}"#
            )
        }
        for _ in 0..<40 {
            lines.send(#"{"id":3,"method":"begin"}"#)
        }
        for _ in 0..<40 {
            lines.send(#"{"id":4,"method":"match","query":{"class":"genp"},"count":1}"#)
        }
        // The number of a walk that another goes on in.
        lines.send(#"{"id":5,"method":"next","walk":1}"#)
        lines.send(#"{"id":5,"method":"commit"}"#)
        lines.send(#"{"id":6,"method":"end","walk":16}"#)
        let answers = lines.answers()
        func count(_ id: Int, _ what: String) -> Int {
            answers.count { $0.hasPrefix("{\"id\":\(id),\"\(what)\"") }
        }
        #expect(count(3, "result") == 16)
        #expect(count(3, "error") == 24)
        #expect(count(4, "result") == 16)
        #expect(count(4, "error") == 24)
        #expect(count(5, "error") == 2)
        #expect(count(6, "result") == 1)
    }

    @Test("it ends when its answers are no longer read") func noReader() throws {
        let ended = Mutex(false)
        let sockets = try SocketPair()
        let theirs = dup(sockets.theirs.number)
        let ours = sockets.keepingOurs()
        let request = Array((ServerTests.hello + "\n" + #"{"id":2,"method":"lock"}"# + "\n").utf8)
        #expect(try SystemCalls.writeSome(ours.number, request.span) == request.count)
        _ = consume ours
        Thread {
            PluginServer(
                kind: "test", input: theirs, output: theirs, transactions: true,
                open: { _, _ throws(KeychainError) in ServedStore() }
            ).run()
            close(theirs)
            ended.withLock { $0 = true }
        }.start()
        let deadline = Deadline(milliseconds: 30_000)
        while !ended.withLock({ $0 }), !deadline.hasPassed {
            usleep(1000)
        }
        #expect(ended.withLock { $0 })
    }

    @Test("it notices during a call that the helper has ended") func watch() throws {
        let seen = Mutex(false)
        let sockets = try SocketPair()
        let theirs = dup(sockets.theirs.number)
        defer { close(theirs) }
        let ours = sockets.keepingOurs()
        HangUpWatch.start(theirs) { seen.withLock { $0 = true } }
        // Something to read is not the end.
        #expect(try SystemCalls.writeSome(ours.number, [1, 2, 3].span) == 3)
        usleep(100_000)
        #expect(!seen.withLock { $0 })
        _ = consume ours
        let deadline = Deadline(milliseconds: 30_000)
        while !seen.withLock({ $0 }), !deadline.hasPassed {
            usleep(1000)
        }
        #expect(seen.withLock { $0 })
    }
}
