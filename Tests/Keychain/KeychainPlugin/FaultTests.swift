import Foundation
import KeychainServices
import Testing

@testable import KeychainPlugin

@Suite("a misbehaving plugin: a clear status in time, and no process left")
struct FaultTests {
    /// Beyond the time limit, for a machine that has other things to do.
    private static let patience: Duration = .seconds(60)

    /// Uses a faulty plugin, and looks at what comes of it.
    ///
    /// - Returns: The reason that the caller gets.
    @discardableResult
    private func check(
        _ plugin: FaultyPlugin, _ method: String, within time: Duration = patience
    ) throws -> String {
        let start = ContinuousClock.now
        let error = #expect(throws: KeychainError.self) { try use(plugin.store, for: method) }
        #expect(start.duration(to: .now) < time)
        #expect(error?.status == .notAvailable)
        #expect(plugin.isGone)
        let reason = error?.reason ?? ""
        #expect(reason.hasPrefix("the plugin 'faulty' of the keychain 'work' "))
        // It is not started again, and says the same.
        let again = ContinuousClock.now
        let second = #expect(throws: KeychainError.self) { try plugin.store.unlock() }
        #expect(second?.reason == reason)
        #expect(again.duration(to: .now) < .seconds(30))
        return reason
    }

    @Test("it hangs", arguments: allMethods)
    func hangs(method: String) throws {
        let reason = try check(FaultyPlugin(method, "hangs"), method)
        #expect(reason.hasSuffix("did not answer within 400 ms"))
    }

    @Test("it dies", arguments: allMethods)
    func dies(method: String) throws {
        let reason = try check(FaultyPlugin(method, "dies", timeLimit: 60_000), method)
        #expect(reason.hasSuffix("exited without an answer"))
    }

    @Test("it dies in the middle of a line", arguments: allMethods)
    func diesInALine(method: String) throws {
        let plugin = try FaultyPlugin(method, "dies in a line", timeLimit: 60_000)
        let reason = try check(plugin, method)
        #expect(reason.hasSuffix("exited in the middle of an answer"))
    }

    @Test("it answers nonsense", arguments: allMethods)
    func nonsense(method: String) throws {
        let plugin = try FaultyPlugin(method, "no JSON", timeLimit: 60_000)
        let reason = try check(plugin, method)
        #expect(reason.contains("broke the protocol: invalid JSON"))
    }

    @Test(
        "it answers JSON outside the protocol",
        arguments: [
            "empty line", "no object", "other id", "no id", "neither", "both", "array", "null",
            "success as error", "error is a text", "too deep", "huge line", "prompts",
        ])
    func otherJSON(fault: String) throws {
        let plugin = try FaultyPlugin("unlock", fault, timeLimit: 60_000)
        let reason = try check(plugin, "unlock", within: .seconds(60))
        #expect(reason.contains("broke the protocol"))
    }

    @Test(
        "it answers with the wrong members",
        arguments: [
            ("hello", "nothing in it"), ("status", "nothing in it"), ("add", "nothing in it"),
            ("add", "bad reference"), ("add", "wrong types"), ("match", "nothing in it"),
            ("match", "no secret"), ("match", "other item"), ("match", "too many items"),
            ("match", "empty walk"), ("match", "bad secret"), ("match", "wrong types"),
            ("next", "nothing in it"), ("update", "nothing in it"), ("update", "wrong types"),
            ("update", "negative count"), ("delete", "negative count"),
        ])
    func wrongShape(method: String, fault: String) throws {
        let plugin = try FaultyPlugin(method, fault, timeLimit: 60_000)
        let reason = try check(plugin, method)
        #expect(reason.contains("broke the protocol"))
    }

    @Test("it speaks another version", arguments: ["other version", "refuses version"])
    func otherVersion(fault: String) throws {
        let plugin = try FaultyPlugin("hello", fault, timeLimit: 60_000)
        let reason = try check(plugin, "hello")
        #expect(reason.hasSuffix("does not speak version 1 of the protocol"))
    }

    @Test(
        "it keeps busy without answering",
        arguments: ["ignores signals", "stops", "trickles", "closes its output"])
    func busy(fault: String) throws {
        try check(FaultyPlugin("match", fault), "match")
    }

    @Test("it announces one prompt after another")
    func endlessPrompts() throws {
        for fault in ["prompts twice", "never stops talking"] {
            let plugin = try FaultyPlugin(
                "unlock", fault, timeLimit: 60_000, isPromptAllowed: true)
            let reason = try check(plugin, "unlock")
            #expect(reason.hasSuffix("it announced two prompts"))
        }
    }

    @Test("it prompts where it must not")
    func promptsForStatus() throws {
        let plugin = try FaultyPlugin(
            "status", "prompts", timeLimit: 60_000, isPromptAllowed: true)
        let reason = try check(plugin, "status")
        #expect(reason.hasSuffix("this request must not prompt"))
    }

    @Test("it does not read while a long secret is written")
    func deaf() throws {
        let plugin = try FaultyPlugin("none", "deaf")
        let start = ContinuousClock.now
        let error = #expect(throws: KeychainError.self) {
            let secret = Secret(capacity: 2 << 20) { $0.count }
            _ = try plugin.store.add(.genericPassword, ItemAttributes(), secret: secret)
        }
        #expect(start.duration(to: .now) < .seconds(30))
        #expect(error?.reason.hasSuffix("did not answer within 400 ms") == true)
        #expect(plugin.isGone)
    }

    @Test("it dies and leaves a child that holds the socket")
    func leavesChild() throws {
        let plugin = try FaultyPlugin("status", "leaves a child", timeLimit: 60_000)
        let reason = try check(plugin, "status")
        kill(try plugin.process("child"), SIGKILL)
        #expect(reason.hasSuffix("exited without an answer"))
    }

    @Test("it fails inside a transaction, and the closure's error is kept")
    func inTransaction() throws {
        let plugin = try FaultyPlugin("add", "dies", timeLimit: 60_000)
        #expect(throws: KeychainError(.userCanceled)) {
            try plugin.store.transaction { () throws(KeychainError) in
                do throws(KeychainError) {
                    try use(plugin.store, for: "add")
                } catch {
                    throw KeychainError(.userCanceled)
                }
            }
        }
        #expect(plugin.isGone)
    }

    @Test("a healthy plugin ends with its store, or when closed")
    func ends() throws {
        var plugin: FaultyPlugin? = try FaultyPlugin("none", "none", timeLimit: 60_000)
        let process = try plugin!.process()
        _ = try plugin!.store.status()
        plugin!.store.close()
        #expect(plugin!.isGone)
        // It can be started again.
        _ = try plugin!.store.status()
        let second = try plugin!.process()
        #expect(second != process)
        #expect(kill(second, 0) == 0)
        plugin = nil
        #expect(kill(second, 0) == -1)
    }
}
