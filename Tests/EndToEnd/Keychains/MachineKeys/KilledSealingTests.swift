import Foundation
import TestSupport
import Testing
@testable import EndToEndRig

/// A change of the machine key's file that is killed leaves a keychain that opens.
@Suite(.needs(.root, .mounts, .keyrings, .tracing), .timeLimit(.minutes(20)))
struct KilledSealingTests {
    /// Some of the steps; ``SealingTorture`` kills at every one.
    @Test(arguments: KilledSealing.allCases)
    func killed(change: KilledSealing) async throws {
        try await change.run(atMost: 5)
    }
}

/// The same at every step.
@Suite(.needs(.root, .mounts, .keyrings, .tracing), .timeLimit(.minutes(60)))
struct SealingTorture {
    @Test(arguments: KilledSealing.allCases)
    func killed(change: KilledSealing) async throws {
        try await change.run(atMost: .max)
    }
}

/// A change, and how it is killed.
enum KilledSealing: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case seal
    case reseal
    case unseal
    case renew
    case move
    case moveBack

    var testDescription: String { rawValue }

    /// What changes something on the disk or speaks with the service.
    private static let calls =
        "openat,write,sendto,fsync,linkat,link,rename,renameat,renameat2,unlink,unlinkat,mkdirat,add_key,keyctl"

    private func traced(_ home: ScratchHome) -> TracedCalls {
        TracedCalls(names: Self.calls, file: "\(home.path)/trace")
    }

    private var arguments: [String] {
        switch self {
        case .seal: ["machine-key", "seal"]
        case .reseal, .renew: ["machine-key", "renew"]
        case .unseal: ["machine-key", "unseal"]
        case .move: ["machine-key", "move", "FOLDER"]
        case .moveBack: ["machine-key", "move", "--undo"]
        }
    }

    func run(atMost limit: Int) async throws {
        let machine = try SealingHome()
        let home = machine.home
        try await machine.prepare()
        if [.reseal, .unseal, .renew].contains(self) {
            #expect(try await machine.lanyard("machine-key", "seal").status == 0)
        }
        if self == .moveBack {
            #expect(
                try await machine.lanyard("machine-key", "move", "\(home.lanyard)/folder").status
                    == 0)
        }
        try await machine.restart()
        if self == .renew {
            machine.service.behaviour = .machine("theirs")
        }
        try await home.shell("mv \"$LANYARD_HOME\" \"$1\"", "\(home.path)/template")
        try await change(machine, killedAt: nil)
        let steps = try traced(home).count(home)
        try #require(steps > 10, "only \(steps) system calls were seen")
        let all = Array(1...steps)
        for step in limit < steps ? Array(all.shuffled().prefix(limit)) : all {
            try await change(machine, killedAt: step)
            let name: Comment = "\(rawValue), killed at \(step) of \(steps)"
            let outcome = try await machine.lanyard("get", "x")
            // Before its end, renewing leaves what the recovery key opens.
            if self != .renew || outcome.status == 0 {
                #expect(outcome.outputText == "the secret\n", "\(name): \(outcome)")
            }
            let recovered = try await machine.recovering("get", "x")
            #expect(recovered.outputText == "the secret\n", "\(name): \(recovered)")
            if self == .renew {
                let again = try await change(machine, killedAt: nil, onFreshCopy: false)
                let healed = try await machine.lanyard("get", "x")
                #expect(healed.outputText == "the secret\n", "\(name): \(again) \(healed)")
            }
            try await machine.restart()
        }
    }

    @discardableResult
    private func change(
        _ machine: SealingHome, killedAt step: Int?, onFreshCopy: Bool = true
    ) async throws -> Outcome {
        let home = machine.home
        if onFreshCopy {
            try await home.shell(
                "rm -rf \"$LANYARD_HOME\"; cp -a \"$1\" \"$LANYARD_HOME\"", "\(home.path)/template")
        }
        let words =
            traced(home).arguments(killedAt: step) + ["lanyard"]
            + arguments.map { $0 == "FOLDER" ? "\(home.lanyard)/folder" : $0 }
        let outcome = try await machine.command(
            "strace", words, variables: ["LANYARD_PASSPHRASE_FILE": machine.recoveryKeyFile]
        ).run()
        if step == nil, onFreshCopy {
            #expect(outcome.status == 0, "\(outcome)")
            try await machine.restart()
        }
        return outcome
    }
}
