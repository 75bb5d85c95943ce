import Foundation
import Testing

/// The man page and the program say the same about how it is called.
@Suite(.timeLimit(.minutes(1)))
struct ManPageTests {
    let home: ScratchHome
    let page: String
    let request = "protocol=https\nhost=example.com\n"

    init() throws {
        home = try ScratchHome()
        let tests = URL(filePath: #filePath).deletingLastPathComponent()
        page = try String(
            contentsOf: tests.appending(path: "../../man/git-credential-lanyard.1"),
            encoding: .utf8)
    }

    /// The page's lines from one section's heading to the next.
    private func section(_ name: String) throws -> [Substring] {
        let lines = page.split(separator: "\n")
        let start = try #require(lines.firstIndex(of: ".Sh \(name)"))
        return Array(lines[(start + 1)...].prefix { !$0.hasPrefix(".Sh ") })
    }

    private func options(in lines: [Substring]) -> Set<String> {
        Set(lines.flatMap { $0.matches(of: /\bFl (-?[\w-]+)/).map { "-\($0.1)" } })
    }

    private func operations(in lines: [Substring]) -> Set<String> {
        Set(
            lines.filter { $0.hasPrefix(".Cm ") }
                .flatMap { $0.dropFirst(4).split(separator: "|") }
                .map { $0.trimmingCharacters(in: .whitespaces) })
    }

    /// The items of the list of operations: the first list of the description.
    private func describedOperations() throws -> Set<String> {
        let list = try section("DESCRIPTION").drop { !$0.hasPrefix(".Bl ") }
            .prefix { !$0.hasPrefix(".El") }
        return Set(list.filter { $0.hasPrefix(".It Cm ") }.map { String($0.dropFirst(7)) })
    }

    private func usage() async throws -> (options: Set<String>, operations: Set<String>) {
        let help = try await home.helper("--help").outputText
        let usage = help.split(separator: "\n\n")[0]
        let words = usage.split { " |[]\n".contains($0) }.map(String.init)
        let operations = words.filter { $0.wholeMatch(of: /[a-z]+/) != nil }
        return (Set(words.filter { $0.hasPrefix("-") }), Set(operations))
    }

    @Test func nameTheSameOptionsAndOperations() async throws {
        let usage = try await usage()
        #expect(usage.options.count >= 3)
        #expect(usage.operations.count >= 4)
        #expect(usage.options == options(in: try section("SYNOPSIS")))
        #expect(usage.options.isSubset(of: options(in: try section("OPTIONS"))))
        #expect(options(in: try section("OPTIONS")) == options(in: page.split(separator: "\n")))
        #expect(usage.operations == operations(in: try section("SYNOPSIS")))
        #expect(usage.operations == (try describedOperations()))
    }

    /// Each option does something: it prints, or takes the login from where it says.
    @Test func describeOptionsThatThereAre() async throws {
        try await home.store("\(request)username=ada\npassword=pw\n")
        for option in options(in: try section("OPTIONS")) {
            let value = option == "--keychain" ? ["login"] : []
            let outcome = try await home.command(
                "git-credential-lanyard", [option] + value + ["get"], input: Array(request.utf8)
            ).run()
            #expect(!outcome.output.isEmpty, "\(outcome)")
            expectAnswer(outcome, outcome.outputText)
        }
    }

    /// Every operation does something with a request that is none; what is unknown is ignored.
    @Test func describeOperationsThatThereAre() async throws {
        for operation in try describedOperations() {
            let outcome = try await home.helper(operation, input: "no request\n")
            #expect(outcome.status == 1 || !outcome.output.isEmpty, "\(outcome)")
        }
    }

    /// Short options included, none is kept from the reader.
    @Test func knowNoOptionThatIsNotDescribed() async throws {
        let described = options(in: try section("OPTIONS"))
        let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789?"
        let likely = [
            "--group", "--config", "--file", "--verbose", "--quiet", "--force", "--debug",
        ]
        for option in letters.map({ "-\($0)" }) + likely where !described.contains(option) {
            let outcome = try await home.helper(option, "get", input: request)
            expectRefusal(outcome, "there is no option '\(option)'")
        }
    }

    @Test func nameTheSameEnvironment() async throws {
        let named = try section("ENVIRONMENT").filter { $0.hasPrefix(".It Ev ") }
        #expect(Set(named.map { $0.dropFirst(7) }).contains("LANYARD_HOME"))
        // Each of them is read: a wrong value is an error, or moves the files.
        for variable in named.map({ String($0.dropFirst(7)) }) {
            let other = try ScratchHome()
            let value = variable == "LANYARD_KEYCHAIN" ? "../x" : "\(other.path)/moved"
            var variables: [String: String?] = [variable: value]
            if variable != "LANYARD_HOME" {
                variables["LANYARD_HOME"] = .some(nil)
            }
            let outcome = try await other.helper(
                "store", input: "\(request)password=pw\n", variables: variables)
            let moved = try Snapshot("\(other.path)/moved").entries
            #expect(outcome.status == 1 || !moved.isEmpty, "\(variable): \(outcome)")
        }
    }

    @Test(.needs(.mandoc)) func pageHasNoMistakes() async throws {
        let file = try home.write(page, to: "git-credential-lanyard.1")
        let outcome = try await home.command("mandoc", ["-T", "lint", "-W", "style", file]).run()
        let complaints = outcome.outputText.split(separator: "\n").filter {
            !$0.contains("outdated mandoc.db") && !$0.contains("referenced manual not found")
        }
        #expect(complaints.isEmpty)
    }
}
