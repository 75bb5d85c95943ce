import Testing
@testable import EndToEndRig

/// Many programs need an unlocked keychain at once: the user is asked once.
@Suite(.needs(.keyrings), .timeLimit(.minutes(10)))
struct AskOnceEndToEndTests {
    private static let count = 8
    private static let request = "protocol=https\nhost=a.example\n"

    /// What a program says that waits for more than two seconds.
    private static let waits =
        "lanyard: hint: git-credential-lanyard (process N) is asking for the passphrase: "
        + "answer it there, or run lanyard unlock\n"

    /// What a program said, with N for the process that it names.
    private static func said(_ outcome: Outcome) -> String {
        outcome.errorText.replacing(/\(process \d+\)/, with: "(process N)")
    }

    private static let refused = "lanyard: error: cancelled: nothing was changed\n"
    private static let unasked =
        "lanyard: error: another program asked for the passphrase and got none\n"

    let home: ScratchHome

    init() async throws {
        home = try ScratchHome()
        try await home.store("\(AskOnceEndToEndTests.request)username=ada\npassword=pw\n")
        try await home.setPassphrase()
    }

    private func getAtOnce(_ askpass: AskpassProgram) async throws -> [Outcome] {
        try await withThrowingTaskGroup(of: Outcome.self) { [home] group in
            for _ in 1...AskOnceEndToEndTests.count {
                group.addTask {
                    try await home.command(
                        "setsid", ["-w", "git-credential-lanyard", "get"],
                        input: Array(AskOnceEndToEndTests.request.utf8),
                        variables: ["LANYARD_ASKPASS": askpass.path]
                    ).run()
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test func oneAnswerIsForAll() async throws {
        try await home.forgettingKeys {
            let askpass = try AskpassProgram(
                home, answers: ["the passphrase"], before: "sleep 0.5")
            let outcomes = try await getAtOnce(askpass)
            #expect(outcomes.count == AskOnceEndToEndTests.count)
            for outcome in outcomes {
                #expect(
                    outcome.status == 0 && outcome.outputText == "username=ada\npassword=pw\n"
                        && ["", Self.waits].contains(Self.said(outcome)),
                    "\(outcome)")
            }
            // At least the one that asked.
            #expect(outcomes.contains { $0.errorText.isEmpty })
            #expect(try askpass.questions().count == 1)
        }
    }

    /// Who refused once is not asked seven times more, but when the next program is started.
    @Test func oneRefusalIsForAll() async throws {
        try await home.forgettingKeys {
            // All have begun by then.
            let askpass = try AskpassProgram(home, answers: [nil], before: "sleep 4")
            let outcomes = try await getAtOnce(askpass)
            for outcome in outcomes {
                #expect(outcome.status == 1 && outcome.output.isEmpty, "\(outcome)")
                #expect(
                    [Self.refused, Self.unasked, Self.waits + Self.unasked]
                        .contains(Self.said(outcome)), "\(outcome)")
            }
            #expect(outcomes.count { $0.errorText == Self.refused } == 1)
            #expect(try askpass.questions().count == 1)
            let next = try await home.command(
                "setsid", ["-w", "git-credential-lanyard", "get"],
                input: Array(AskOnceEndToEndTests.request.utf8),
                variables: ["LANYARD_ASKPASS": askpass.path]
            ).run()
            #expect(next.status == 1 && next.errorText == Self.refused, "\(next)")
            #expect(try askpass.questions().count == 2)
        }
    }
}
