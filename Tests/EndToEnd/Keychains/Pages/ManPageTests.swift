import Testing
@testable import EndToEndRig

/// The man page and the program say the same about how it is called.
@Suite(.timeLimit(.minutes(10)))
struct ManPageTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    private func usage(
        _ helper: Helper
    ) async throws -> (options: Set<String>, operations: Set<String>) {
        let help = try await home.run(helper, ["--help"]).outputText
        let usage = help.split(separator: "\n\n")[0]
        let words = usage.split { " |[]\n".contains($0) }.map(String.init)
        let operations = words.filter { $0.wholeMatch(of: /[a-z]+/) != nil }
        return (Set(words.filter { $0.hasPrefix("-") }), Set(operations))
    }

    @Test(arguments: Helper.allCases)
    func nameTheSameOptionsAndOperations(_ helper: Helper) async throws {
        let page = try ManPage(helper)
        let usage = try await usage(helper)
        #expect(usage.options.count >= 3)
        #expect(usage.operations.count >= 4)
        #expect(usage.options == (try page.options(in: "SYNOPSIS")))
        #expect(usage.options.isSubset(of: try page.options(in: "OPTIONS")))
        #expect(try page.options(in: "OPTIONS") == page.options)
        #expect(usage.operations == (try page.namedOperations()))
        #expect(usage.operations == (try page.describedOperations()))
    }

    /// The help of lanyard itself is looked at in HelpExampleTests.
    @Test(arguments: Helper.allCases)
    func theHelpHasExamplesThatNameTheProgram(_ helper: Helper) async throws {
        let help = try await home.run(helper, ["--help"]).outputText
        let examples = help.split(separator: "\nexamples:\n").dropFirst().first ?? ""
        #expect(
            examples.split(separator: "\n").contains { $0.contains("\(helper.name) ") }, "\(help)")
        #expect(help.split(separator: "\n").allSatisfy { $0.count < 80 })
    }

    /// Each option does something: it prints, or takes the login from where it says.
    @Test(arguments: Helper.allCases)
    func describeOptionsThatThereAre(_ helper: Helper) async throws {
        expectAnswer(try await home.run(helper, ["store"], input: helper.login), "")
        for option in try ManPage(helper).options(in: "OPTIONS") {
            let value = option == "--keychain" ? ["login"] : []
            let outcome = try await home.run(
                helper, [option] + value + ["get"], input: helper.question)
            #expect(!outcome.output.isEmpty, "\(outcome)")
            expectAnswer(outcome, outcome.outputText)
        }
    }

    /// Every operation does something with a request that is none; git's unknown ones are ignored.
    @Test(arguments: Helper.allCases)
    func describeOperationsThatThereAre(_ helper: Helper) async throws {
        for operation in try ManPage(helper).describedOperations() {
            let outcome = try await home.run(helper, [operation], input: helper.nonsense)
            #expect(outcome.status == 1 || !outcome.output.isEmpty, "\(outcome)")
            #expect(!outcome.outputText.contains("unknown action"), "\(outcome)")
        }
    }

    /// Short options included, none is kept from the reader.
    @Test(arguments: Helper.allCases)
    func knowNoOptionThatIsNotDescribed(_ helper: Helper) async throws {
        let described = try ManPage(helper).options(in: "OPTIONS")
        let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789?"
        let options = letters.map { "-\($0)" } + Helper.likelyOptions
        for option in options where !described.contains(option) {
            let outcome = try await home.run(helper, [option, "get"], input: helper.question)
            helper.expectRefusal(outcome, "unknown option '\(option)'")
        }
    }

    @Test(arguments: Helper.allCases)
    func nameTheSameEnvironment(_ helper: Helper) async throws {
        let named = try ManPage(helper).variables()
        #expect(named.contains("LANYARD_HOME"))
        // Each of them is read: a wrong value is an error, or moves the files.
        for variable in named {
            let other = try ScratchHome()
            let value = variable == "LANYARD_KEYCHAIN" ? "../x" : "\(other.path)/moved"
            var variables: [String: String?] = [variable: value]
            if variable != "LANYARD_HOME" {
                variables["LANYARD_HOME"] = .some(nil)
            }
            let outcome = try await other.run(
                helper, ["store"], input: helper.login, variables: variables)
            let moved = try Snapshot("\(other.path)/moved").entries
            #expect(outcome.status == 1 || !moved.isEmpty, "\(variable): \(outcome)")
        }
    }

    @Test(.needs(.mandoc), arguments: Helper.allCases)
    func pageHasNoMistakes(_ helper: Helper) async throws {
        let file = try home.write(try helper.manPage(), to: "\(helper.name).1")
        let outcome = try await home.command("mandoc", ["-T", "lint", "-W", "style", file]).run()
        let complaints = outcome.outputText.split(separator: "\n").filter {
            !$0.contains("outdated mandoc.db") && !$0.contains("referenced manual not found")
        }
        #expect(complaints.isEmpty)
    }
}
