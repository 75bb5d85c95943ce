import Foundation
import Testing
@testable import EndToEndRig

/// Any number of processes at the same time, and nothing is lost.
@Suite(.needs(.flock, .sqlite), .serialized, .timeLimit(.minutes(10)))
struct ManyProcessesTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    /// One call of the helper among many.
    struct Call {
        let operation: String
        let request: String
        var answer = ""
    }

    private static func server(_ number: Int) -> String {
        "protocol=https\nhost=host-\(number).example\nusername=user-\(number)\n"
    }

    private static func login(_ number: Int) -> String {
        "\(server(number))password=secret-\(number)\n"
    }

    private static func answer(_ number: Int) -> String {
        "username=user-\(number)\npassword=secret-\(number)\n"
    }

    /// Starts all of them behind a barrier, lifts it, and expects that each succeeds.
    private func runTogether(
        _ calls: [Call], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let folder = "\(home.path)/calls"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (number, call) in calls.enumerated() {
            _ = try home.write(call.request, to: "calls/\(number).in")
            _ = try home.write(call.operation, to: "calls/\(number).operation")
        }
        try await home.shell(
            """
            cd "$1"
            exec 9>barrier
            flock 9
            number=0
            while [ "$number" -lt "$2" ]; do
                (
                    status=0
                    flock --shared --no-fork barrier \\
                        git-credential-lanyard "$(cat "$number.operation")" \\
                        <"$number.in" >"$number.out" 2>"$number.err" || status=$?
                    echo "$status" >"$number.status"
                ) 9>&- &
                number=$((number + 1))
            done
            sleep 0.5
            flock --unlock 9
            wait
            """, folder, "\(calls.count)", timeLimit: .seconds(240),
            sourceLocation: sourceLocation)
        for (number, call) in calls.enumerated() {
            func text(_ kind: String) throws -> String {
                try String(contentsOfFile: "\(folder)/\(number).\(kind)", encoding: .utf8)
            }
            let outcome = "\(call.operation): \(try text("status"))\(try text("err"))"
            #expect(outcome == "\(call.operation): 0\n", sourceLocation: sourceLocation)
            #expect(try text("out") == call.answer, sourceLocation: sourceLocation)
        }
    }

    private func expectInOrder(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let names = try Snapshot(home.lanyard).entries.keys.sorted()
        #expect(
            names == [
                "", "data", "data/login.keychain", "state", "state/login.anchor",
                "state/machine-key",
            ], sourceLocation: sourceLocation)
        let check = try await home.succeeds(
            "sqlite3", home.keychain, "PRAGMA integrity_check; SELECT count(*) FROM keychain")
        #expect(check.outputText == "ok\n1\n", sourceLocation: sourceLocation)
    }

    private var rows: Int {
        get async throws {
            let text = try await home.succeeds(
                "sqlite3", home.keychain, "SELECT count(*) FROM item"
            ).outputText
            return try #require(Int(text.dropLast()))
        }
    }

    @Test func ahundredStoresAtOnce() async throws {
        try await home.store(Self.login(1000))
        try await runTogether((0..<100).map { Call(operation: "store", request: Self.login($0)) })
        for number in Array(0..<100) + [1000] {
            try await home.expectGet(Self.server(number), Self.answer(number))
        }
        #expect(try await rows == 101)
        try await expectInOrder()
    }

    @Test func ahundredStoresOnTheVeryFirstUse() async throws {
        try await runTogether((0..<100).map { Call(operation: "store", request: Self.login($0)) })
        for number in 0..<100 {
            try await home.expectGet(Self.server(number), Self.answer(number))
        }
        #expect(try await rows == 100)
        try await expectInOrder()
    }

    /// A store that has found no keychain and is held up: it does not take one made meanwhile for one that has
    /// disappeared.
    @Test(.needs(.tracing)) func aSlowStoreOnTheVeryFirstUse() async throws {
        let slow = try home.command(
            "strace",
            [
                "-f", "-qq", "-o", "\(home.path)/trace", "-P", "\(home.lanyard)/state",
                "-e", "trace=openat2", "-e", "inject=openat2:delay_enter=3000000:when=1",
                "git-credential-lanyard", "store",
            ], input: Array(Self.login(0).utf8))
        async let outcome = slow.run()
        try await Task.sleep(for: .seconds(1))
        try await home.store(Self.login(1))
        expectAnswer(try await outcome, "")
        let trace = try String(contentsOfFile: "\(home.path)/trace", encoding: .utf8)
        #expect(trace.contains("DELAYED"), "it was not held up: \(trace)")
        for number in 0...1 {
            try await home.expectGet(Self.server(number), Self.answer(number))
        }
        try await expectInOrder()
    }

    @Test func theSameLoginAHundredTimesIsOneItem() async throws {
        try await runTogether(
            (0..<100).map { _ in Call(operation: "store", request: Self.login(1)) })
        #expect(try await rows == 1)
        try await home.expectGet(Self.server(1), Self.answer(1))
        try await expectInOrder()
    }

    @Test func ahundredOfAllKinds() async throws {
        try await runTogether((0..<66).map { Call(operation: "store", request: Self.login($0)) })
        let erased = 0..<33
        let looked = 33..<66
        let stored = 66..<100
        let calls =
            erased.map { Call(operation: "erase", request: Self.login($0)) }
            + looked.map {
                Call(operation: "get", request: Self.server($0), answer: Self.answer($0))
            }
            + stored.map { Call(operation: "store", request: Self.login($0)) }
        try await runTogether(calls.shuffled())
        for number in 0..<100 {
            try await home.expectGet(
                Self.server(number), erased.contains(number) ? "" : Self.answer(number))
        }
        #expect(try await rows == 67)
        try await expectInOrder()
    }
}
