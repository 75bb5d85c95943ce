import Foundation
import Testing
@testable import EndToEndRig

/// A change of the security keys that is killed leaves a keychain that opens, and nothing that blocks another one.
@Suite(.needs(.securityKeys, .keyrings, .tracing), .timeLimit(.minutes(10)))
struct KilledPresenceTests {
    /// Some of the steps; ``PresenceTorture`` kills at every one.
    @Test(arguments: KilledPresence.allCases)
    func killed(change: KilledPresence) async throws {
        try await change.run(atMost: 2)
    }
}

/// The same at every step.
@Suite(.needs(.securityKeys, .keyrings, .tracing), .timeLimit(.minutes(60)))
struct PresenceTorture {
    @Test(arguments: KilledPresence.allCases)
    func killed(change: KilledPresence) async throws {
        try await change.run(atMost: .max)
    }
}

/// A change, and how it is killed.
enum KilledPresence: String, CaseIterable, Sendable, CustomTestStringConvertible {
    /// The first one, which makes the recovery key.
    case add
    case addAnother
    case remove

    var testDescription: String { rawValue }

    /// What changes something on the disk, in the kernel's keyring or at a program.
    private static let calls =
        "openat,write,pwrite64,sendto,fsync,fdatasync,ftruncate,linkat,link,rename,renameat,renameat2,unlink,unlinkat,mkdirat,add_key,keyctl"

    /// Without its programs: they end with it.
    private func traced(_ home: ScratchHome) -> TracedCalls {
        TracedCalls(names: Self.calls, file: "\(home.path)/trace", followsProcesses: false)
    }

    private var arguments: [String] {
        switch self {
        case .add: ["presence", "add", "--name", "one"]
        case .addAnother: ["presence", "add", "--name", "two"]
        case .remove: ["presence", "remove", "two"]
        }
    }

    func run(atMost limit: Int) async throws {
        let bench = try await SecurityKeyBench()
        let home = bench.home
        try await home.set("x", secret: "the secret")
        try await bench.plugIn("one")
        if self != .add {
            let added = try await bench.lanyard("presence", "add", "--name", "one")
            #expect(added.status == 0, "\(added)")
            try await bench.store("token", "publish")
            try await bench.plugIn("two")
        }
        if self == .remove {
            let added = try await bench.lanyard("presence", "add", "--name", "two")
            #expect(added.status == 0, "\(added)")
        }
        try await home.shell("mv \"$LANYARD_HOME\" \"$1\"", "\(home.path)/template")
        let whole = try await change(bench, killedAt: nil)
        #expect(whole.status == 0, "\(whole)")
        let steps = try traced(home).count(home)
        try #require(steps > 10, "only \(steps) system calls were seen")
        let all = Array(1...steps)
        for step in limit < steps ? Array(all.shuffled().prefix(limit)) : all {
            try await change(bench, killedAt: step)
            try await check(bench, "\(rawValue), killed at \(step) of \(steps)")
        }
    }

    /// Makes the change in a fresh copy of the keychain.
    @discardableResult
    private func change(_ bench: SecurityKeyBench, killedAt step: Int?) async throws -> Outcome {
        try await bench.home.shell(
            "rm -rf \"$LANYARD_HOME\"; cp -a \"$1\" \"$LANYARD_HOME\"",
            "\(bench.home.path)/template")
        return try await bench.run(
            "strace", traced(bench.home).arguments(killedAt: step) + ["lanyard"] + arguments)
    }

    private func check(_ bench: SecurityKeyBench, _ name: Comment) async throws {
        let plain = try await bench.lanyard("get", "x")
        #expect(plain.outputText == "the secret\n", "\(name): \(plain)")
        let list = try await bench.lanyard("presence", "list", "--json").outputText
        let isDone = list.contains(self == .add ? "\"one\"" : "\"two\"") == (self != .remove)
        let again = try await bench.run("lanyard", arguments)
        // It is there already, or not any more.
        let done: Int32 = self == .remove ? 44 : 45
        #expect(again.status == (isDone ? done : 0), "\(name): \(again)")
        if self == .add {
            try await bench.store("token", "publish")
        }
        #expect(try await bench.lanyard("lock").status == 0)
        let touched = try await bench.lanyard("get", "token")
        #expect(touched.outputText == "publish\n", "\(name): \(touched)")
        // Also where no one has seen the first recovery key.
        let replaced = try await bench.lanyard("recovery-key", "create", "--replace")
        #expect(replaced.status == 0, "\(name): \(replaced)")
        #expect(try await bench.lanyard("lock").status == 0)
        let file = try bench.home.write(replaced.outputText, to: "recovery-key")
        let recovered = try await bench.lanyard(
            "get", "token", variables: ["LANYARD_PASSPHRASE_FILE": file])
        #expect(recovered.outputText == "publish\n", "\(name): \(recovered)")
    }
}
