import Testing

/// Many programs need an unlocked keychain at once: the user is asked once.
@Suite(.needs(.keyrings), .timeLimit(.minutes(10)))
struct AskOnceEndToEndTests {
    private static let count = 8
    private static let request = "protocol=https\nhost=a.example\n"

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
                // Who waited for long says so.
                #expect(
                    outcome.status == 0 && outcome.outputText == "username=ada\npassword=pw\n",
                    "\(outcome)")
            }
            #expect(try askpass.questions().count == 1)
        }
    }

    /// Who refused once is not asked seven times more, but when the next program is started.
    @Test func oneRefusalIsForAll() async throws {
        try await home.forgettingKeys {
            // All have begun by then.
            let askpass = try AskpassProgram(home, answers: [nil], before: "sleep 4")
            for outcome in try await getAtOnce(askpass) {
                #expect(outcome.status == 1 && outcome.output.isEmpty, "\(outcome)")
                #expect(outcome.errorText.contains("lanyard: error: "), "\(outcome)")
            }
            #expect(try askpass.questions().count == 1)
            let next = try await home.command(
                "setsid", ["-w", "git-credential-lanyard", "get"],
                input: Array(AskOnceEndToEndTests.request.utf8),
                variables: ["LANYARD_ASKPASS": askpass.path]
            ).run()
            #expect(next.status == 1, "\(next)")
            #expect(try askpass.questions().count == 2)
        }
    }
}
