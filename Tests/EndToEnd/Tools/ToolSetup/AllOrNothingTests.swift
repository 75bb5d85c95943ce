import Foundation
import KeychainServices
import Synchronization
import Testing

@testable import ToolSetup
import LinuxSystem

@Suite("several files change together or not at all")
struct AllOrNothingTests {
    private let home: SetupHome

    init() throws {
        home = try SetupHome()
        try AllOrNothingTests.prepare(home)
    }

    /// A home where a setup of docker changes one file and makes another.
    private static func prepare(_ home: SetupHome) throws {
        try home.script("podman", "exit 1")
        try home.write(".docker/config.json", "{\"a\":1}")
    }

    @Test(
        "whichever call fails, all is as it was",
        arguments: [
            "open", "read", "write", "fsync", "rename", "mkdir", "fchmod", "getrandom", "link",
            "lstat",
        ])
    func anyCallFails(call: String) throws {
        let before = try home.tree()
        let plan = try home.setup(.docker).plan()
        var failed = 0
        for number in 0..<200 {
            let countdown = Countdown(number)
            do {
                try SystemCalls.$injectedError.withValue({ name in
                    name == call && countdown.isOver ? EIO : nil
                }) {
                    try home.setup(.docker).apply(plan)
                }
            } catch {
                failed += 1
                #expect(try home.tree() == before, "\(call) \(number)")
                continue
            }
            // A call that is made after all is done may fail without harm.
            if !countdown.wasReached {
                #expect(try home.tree() != before)
                try home.undo(.docker)
                #expect(try home.tree() == before)
                #expect(failed > 0 || call == "link", "\(call) is never called")
                return
            }
            try home.undo(.docker)
            #expect(try home.tree() == before)
        }
        Issue.record("it fails without end")
    }

    @Test(
        "whichever call fails in an undo, another undo completes it",
        arguments: ["open", "read", "write", "fsync", "rename", "unlink", "fchmod"])
    func undoFails(call: String) throws {
        let before = try home.tree()
        for number in 0..<100 {
            try home.setUp(.docker)
            let countdown = Countdown(number)
            _ = try? SystemCalls.$injectedError.withValue({ name in
                name == call && countdown.isOver ? EIO : nil
            }) {
                try home.undo(.docker)
            }
            _ = try? home.undo(.docker)
            #expect(try home.tree() == before, "\(call) \(number)")
            #expect(failure { try home.undo(.docker) }?.status == .itemNotFound)
            if !countdown.wasReached {
                return
            }
        }
        Issue.record("it fails without end")
    }

    @Test("an undo that fails at its second file leaves both set up")
    func undoPutsBack() throws {
        let before = try home.tree()
        try home.setUp(.docker)
        let during = try home.tree()
        // The drop-in is removed, then config.json is replaced.
        let countdown = Countdown(0)
        #expect(throws: KeychainError(.io)) {
            try SystemCalls.$injectedError.withValue({ name in
                name == "rename" && countdown.isOver ? EIO : nil
            }) {
                try home.undo(.docker)
            }
        }
        #expect(try home.tree() == during)
        // If the first one can't be restored either, the record remains.
        #expect(throws: KeychainError(.io)) {
            try SystemCalls.$injectedError.withValue({ $0 == "rename" ? EIO : nil }) {
                try home.undo(.docker)
            }
        }
        try home.undo(.docker)
        #expect(try home.tree() == before)
    }

    @Test(
        "undo or another setup repairs a kill between two files",
        arguments: [true, false])
    func killed(isUndone: Bool) async throws {
        let before = try home.tree()
        let folder = home.folder
        let variables = home.variables
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [folder = folder as String, variables = variables as [String: String]] in
            let environment = SetupEnvironment(variables: variables, stateFolder: "\(folder)/state")
            let setup = ToolSetup(.docker, environment)
            let plan = try setup.plan()
            // The record, config.json, then the drop-in; the copy is the first of all.
            let countdown = Countdown(3)
            try SystemCalls.$injectedError.withValue({ name in
                if name == "rename", countdown.isOver {
                    kill(getpid(), SIGKILL)
                }
                return nil
            }) {
                try setup.apply(plan)
            }
        }
        #expect(try home.read(".docker/config.json") == "{\"a\":1,\"credsStore\":\"lanyard\"}")
        #expect(!home.exists(".config/containers/registries.conf.d/zz-lanyard.conf"))
        if !isUndone {
            let plan = try home.setUp(.docker)
            #expect(plan.changes.count == 1)
        }
        try home.undo(.docker)
        var after = try home.tree()
        // What had no name yet when the process ended.
        for name in after.keys where name.contains("zz-lanyard.conf.new-") {
            after[name] = nil
        }
        for name in [".config", ".config/containers", ".config/containers/registries.conf.d"] {
            after[name] = nil
        }
        #expect(after == before)
    }

    @Test("the next change removes what a killed setup left of a file, after an hour")
    func leftover() throws {
        let (old, fresh) = (
            ".docker/config.json.new-0123456789abcdef", ".docker/config.json.new-00112233445566ff"
        )
        try home.write(old, "{}")
        try FileManager.default.setAttributes(
            [.modificationDate: Date.now - 7200], ofItemAtPath: home.path(old))
        try home.write(fresh, "{}")
        try home.setUp(.docker)
        #expect(!home.exists(old))
        #expect(home.exists(fresh))
    }

    @Test("of two setups from the same state, the later one changes nothing")
    func twoSetups() throws {
        let before = try home.tree()
        let plans = [try home.setup(.docker).plan(), try home.setup(.docker).plan()]
        try home.setup(.docker).apply(plans[0])
        let during = try home.tree()
        try home.setup(.docker).apply(plans[1])
        #expect(try home.tree() == during)
        let undos = [try home.setup(.docker).undoPlan(), try home.setup(.docker).undoPlan()]
        try home.setup(.docker).apply(undos[0])
        #expect(try home.tree() == before)
        try home.setup(.docker).apply(undos[1])
        #expect(try home.tree() == before)
    }

    @Test("a file that another program has changed meanwhile is not replaced")
    func changedMeanwhile() throws {
        let plan = try home.setup(.docker).plan()
        try home.write(".docker/config.json", "{\"b\":2}")
        let before = try home.tree()
        let error = failure { try home.setup(.docker).apply(plan) }
        #expect(error?.status == .databaseLocked)
        #expect(error?.reason.hasPrefix("another program has just changed '") == true)
        #expect(try home.tree() == before)
    }

    @Test("a setup waits for another one, ten seconds at most")
    func waits() throws {
        let plan = try home.setup(.docker).plan()
        let lock = try home.setup(.docker).records.lock()
        let error = failure { try home.setup(.docker).apply(plan) }
        #expect(error?.reason == "another lanyard setup is running")
        _ = consume lock
        try home.setup(.docker).apply(plan)
    }

    @Test("a read-only second file keeps the first one from being changed")
    func secondIsReadOnly() throws {
        try home.write(".config/containers/registries.conf.d/zz-lanyard.conf", [], mode: 0o444)
        let before = try home.tree()
        #expect(failure { try home.setUp(.docker) }?.status == .writePermissions)
        #expect(try home.tree() == before)
    }
}

/// Says when a number of calls has been made.
final class Countdown: Sendable {
    private let left: Mutex<Int>

    init(_ count: Int) {
        left = Mutex(count)
    }

    /// Whether this call is the one; counts it.
    var isOver: Bool {
        left.withLock { left in
            left -= 1
            return left == -1
        }
    }

    /// Whether there was such a call.
    var wasReached: Bool { left.withLock { $0 < 0 } }
}
