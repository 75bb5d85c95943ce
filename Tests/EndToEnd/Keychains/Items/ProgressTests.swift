import Testing
@testable import EndToEndRig

/// What takes long says at a terminal how far it has come, and leaves nothing of that behind.
@Suite(.needs(.python), .timeLimit(.minutes(10)))
struct ProgressTests {
    let home: ScratchHome

    /// How many logins take a second at least on two processors, however fast the machine is.
    private static let many = Task {
        let home = try ScratchHome()
        let some = 10_000
        try write(some, home)
        let script = """
            import resource, subprocess
            subprocess.run(["lanyard", "import", "git-credentials"], check=True, capture_output=True)
            used = resource.getrusage(resource.RUSAGE_CHILDREN)
            print(used.ru_utime + used.ru_stime)
            """
        let outcome = try await home.command("python3", ["-c", script]).run()
        let seconds = try #require(Double(outcome.outputText.dropLast()), "\(outcome)")
        return max(some, Int(Double(some) * 2.5 / max(seconds, 0.01)))
    }
    private let many: Int

    init() async throws {
        home = try ScratchHome()
        many = try await Self.many.value
    }

    private static func write(_ count: Int, _ home: ScratchHome) throws {
        let lines = (0..<count).map { "https://user\($0):pw\($0)@host\($0).example\n" }
        try home.writeAtHome(lines.joined(), to: ".git-credentials")
    }

    /// Imports with a script at a terminal of so many columns.
    private func session(
        _ script: String = "lanyard import git-credentials - <~/.git-credentials",
        columns: Int = 80,
        terminal: String? = "xterm"
    ) async throws -> Dialogue.Session {
        let session = try await Dialogue(
            home: home, variables: ["TERM": terminal]
        ).run("stty cols \(columns); \(script)")
        session.expect(status: 0)
        return session
    }

    /// The numbers that were shown, one after another.
    private func numbers(_ text: String) -> [Int] {
        text.matches(of: /(\d+) of (\d+)/).filter { Int($0.2) == many }.compactMap { Int($0.1) }
    }

    /// What an import says when it has ended.
    private var report: String { "import    \(many) new" }

    @Test func aLongImportSaysHowFarItHasCome() async throws {
        try Self.write(many, home)
        let session = try await session()
        let numbers = numbers(session.shown)
        #expect(numbers.count > 2, "\(session)")
        #expect(numbers == numbers.sorted() && numbers.last == many, "\(session)")
        #expect(session.shown.contains("\rimporting [#"), "\(session)")
        // Nothing is left of it: neither text nor a cursor that is hidden.
        #expect(TerminalScreen(session.shown, columns: 80).lines == [report, ""])
        #expect(session.shown.replacing("\u{1B}[K", with: "").contains("\u{1B}") == false)
    }

    /// A line that is too long would go on in the next one, and the beginning would stay.
    @Test(arguments: [40, 24, 12]) func itFitsNarrowTerminals(columns: Int) async throws {
        try Self.write(many, home)
        let session = try await session(columns: columns)
        let bars = session.shown.split(separator: "\r").filter { $0.hasSuffix("\u{1B}[K") }
        #expect(bars.count > 2 && bars.allSatisfy { $0.count > 3 }, "\(session)")
        let longest = bars.map { $0.count - 3 }.max() ?? 0
        #expect((1..<columns).contains(longest), "\(session)")
        // Nothing is left of it, and the report is broken between words.
        let screen = TerminalScreen(session.shown, columns: columns)
        let words = screen.lines.flatMap { $0.split(separator: " ") }
        #expect(words == report.split(separator: " ") && screen.wraps == 0, "\(session)")
    }

    @Test func nothingIsSaidThatIsNotForATerminal() async throws {
        try Self.write(many, home)
        // To the terminal goes what is no error, and the file is for errors.
        let errors = "\(home.path)/errors"
        let first = try await session(
            "lanyard import git-credentials - <~/.git-credentials 2>'\(errors)'")
        #expect(first.shown == "\(report)\r\n", "\(first)")
        #expect(try home.read(errors) == [])

        // And the other way around: a file gets nothing of the bar.
        let output = "\(home.path)/output"
        let second = try await session(
            "lanyard import git-credentials - <~/.git-credentials >'\(output)'")
        #expect(!numbers(second.shown).isEmpty, "\(second)")
        #expect(TerminalScreen(second.shown, columns: 80).lines == [""], "\(second)")
        #expect(
            String(decoding: try home.read(output), as: UTF8.self)
                == "import    \(many) unchanged\n")
    }

    /// An editor's shell, say, where it would be rubbish.
    @Test(arguments: ["dumb", nil]) func aTerminalThatCannotEraseIsSparedIt(
        terminal: String?
    ) async throws {
        try Self.write(many, home)
        let session = try await session(terminal: terminal)
        #expect(session.shown == "\(report)\r\n", "\(session)")
    }

    /// On a busy machine even that may take more than a moment.
    @Test func aShortImportSaysNothing() async throws {
        try Self.write(2, home)
        var shown: [String] = []
        for state in ["new"] + Array(repeating: "unchanged", count: 9) {
            shown.append(try await session().shown)
            if shown.last == "import    2 \(state)\r\n" {
                return
            }
        }
        Issue.record("\(shown)")
    }

    /// Reading back before plain text is removed takes as long.
    @Test func readingBackSaysHowFarItHasCome() async throws {
        try Self.write(many, home)
        let session = try await session("lanyard import git-credentials --remove-plain-text")
        #expect(session.shown.contains("\rreading back ["), "\(session)")
        let screen = TerminalScreen(session.shown, columns: 80)
        #expect(screen.lines.first == report, "\(session)")
        #expect(screen.lines.allSatisfy { !$0.contains("[") }, "\(session)")
        #expect(home.textAtHome(".git-credentials") == nil)
    }
}
