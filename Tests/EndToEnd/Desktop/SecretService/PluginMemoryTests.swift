#if SecretService
import Foundation
import TestSupport
import Testing
@testable import EndToEndRig

/// How many copies of a secret stand in the memory of the plugin for the Secret Service, and of what
/// speaks with it.
@Suite(
    .needs(.unsanitized, .root, .python, .debuggerStops, .gnomeKeyring), .timeLimit(.minutes(10)))
struct PluginMemoryTests {
    private static let secret = "marked-secret-quokka-0123456789abcdef"

    /// Runs a program in the session, and expects to find nothing but its answer.
    private func expectNoCopies(
        _ program: Executable, _ arguments: [String], input: String, answersSecret: Bool,
        in session: DesktopSession
    ) async throws {
        let scan = MemoryScan(words: ["secret": MemoryScan.forms(Self.secret)])
        let moments = try await scan.moments(of: [program.name] + arguments, in: session.home) {
            let outcome = try await session.home.command(
                $0[0], Array($0.dropFirst()), input: Array(input.utf8),
                variables: session.variables
            ).run()
            #expect(outcome.status == 0 && outcome.error.isEmpty, "\(outcome)")
            #expect(outcome.outputText.contains(Self.secret) == answersSecret, "\(outcome)")
        }
        for moment in moments {
            let copies = moment.copies["secret", default: []]
            let isAnswer = answersSecret && !moment.isEnd && moment.program == program.name
            #expect(copies.count == (isAnswer ? 1 : 0), "\(program) \(arguments): \(moment)")
            #expect(!copies.contains { !$0.isLocked }, "\(program) \(arguments): \(moment)")
        }
        let ends = moments.filter(\.isEnd).map(\.program)
        #expect(ends.contains(program.name) && ends.contains(Executable.plugin.name), "\(ends)")
        let scanned = moments.reduce(0) { $0 + $1.scanned }
        print("\(program) \(arguments): \(moments.count) moments, \(scanned >> 10) KiB")
    }

    @Test(arguments: [Executable.git, .docker, .lanyard])
    func noneButTheAnswer(_ program: Executable) async throws {
        let session = try DesktopSession()
        // Under a debugger all takes its time.
        try session.home.configure("[lanyard]\n\ttimeout = 2m")
        let name = ["--keychain", "secret-service"]
        func named(_ arguments: [String]) -> [String] {
            program == .lanyard ? arguments + name : name + arguments
        }
        try await expectNoCopies(
            program, named(program.storing), input: program.login(Self.secret),
            answersSecret: false, in: session)
        try await expectNoCopies(
            program, named(program.getting), input: program.question, answersSecret: true,
            in: session)
    }
}
#endif
