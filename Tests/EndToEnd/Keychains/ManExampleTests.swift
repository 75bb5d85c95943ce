import Foundation
import Testing
@testable import EndToEndRig
import TestSupport

/// What the man pages show under EXAMPLES is what a reader can type.
///
/// An example that works in an empty home needs nothing here. Any other one has its setting in
/// ``ManExampleSetting/all``.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ManExampleTests {
    private static let tests = "\(Repository.path)/Tests"

    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    @Test(arguments: ManExample.all)
    func isRight(_ example: ManExample) async throws {
        let settings = ManExampleSetting.all.filter { $0.isOf(example) }
        try #require(settings.count <= 1, "several settings are of this example")
        let setting = settings.first ?? ManExampleSetting(page: example.page, mark: "")
        for need in setting.needs {
            if let reason = await need.reasonToSkip {
                print("skipped: \(example.testDescription): \(reason)")
                return
            }
        }
        switch setting.way {
        case .elsewhere(let file, let text):
            let path = "\(ManExampleTests.tests)/\(file)"
            let source = try String(contentsOfFile: path, encoding: .utf8)
            #expect(source.contains(text))
        case .script, .terminal:
            try #require(!example.commands.isEmpty, "it has no command, and no setting")
            try await run(example.commands, of: example, setting)
        case .text(let script):
            let file = try home.write("\(example.text)\n", to: "text")
            try await run("set -- '\(file)'\n\(script)", of: example, setting)
        }
    }

    private func run(
        _ commands: String, of example: ManExample, _ setting: ManExampleSetting
    ) async throws {
        let prelude = """
            set -eu
            cd
            PATH=$HOME/bin:$PATH TESTS='\(ManExampleTests.tests)' OUTPUT='\(home.path)/output'
            """
        try await home.shell("\(prelude)\n\(setting.before)")
        var script = commands
        for (text, other) in setting.replacing {
            script = script.replacing(text, with: other)
        }
        let printed: String
        if case .terminal(let steps) = setting.way {
            let session = try await Dialogue(home: home, variables: ["TERM": "xterm"])
                .run("\(prelude)\n\(script)", arguments: [], steps: steps)
            #expect(session.status == 0, "\(session)")
            printed = session.shown.replacing("\r\n", with: "\n")
        } else {
            printed = try await home.shell("\(prelude)\n\(script)").outputText
        }
        if !example.output.isEmpty {
            #expect(printed == example.output)
        }
        _ = try home.write(printed, to: "output")
        try await home.shell("\(prelude)\n\(setting.after)")
    }

    /// What was left behind when a page changed.
    @Test func everySettingIsOfAnExample() {
        for setting in ManExampleSetting.all {
            #expect(
                ManExample.all.contains { setting.isOf($0) }, "\(setting.page): \(setting.mark)")
        }
    }

    /// Pages of commands have examples, and recipes are run by tests of their own.
    @Test func everyPageIsLookedAt() throws {
        let pages = try ManExample.pages()
        #expect(pages.count >= 30)
        for page in pages where page != "lanyard.7" {
            #expect(ManExample.all.contains { $0.page == page }, "\(page)")
        }
        for page in pages where page.hasSuffix(".1") {
            let examples = ManExample.all.filter { $0.page == page }
            #expect(examples.contains { !$0.commands.isEmpty }, "\(page) has nothing to run")
        }
        let concepts = try String(
            contentsOf: ManExample.folder.appending(path: "lanyard.7"), encoding: .utf8)
        let recipes = try #require(concepts.components(separatedBy: "\n.Sh RECIPES\n").last)
            .components(separatedBy: "\n.Sh ")[0]
        let folder = "\(ManExampleTests.tests)/EndToEnd/Tools/Recipes"
        let sources = try FileManager.default.contentsOfDirectory(atPath: folder)
            .filter { $0.hasSuffix("RecipeTests.swift") }
            .map { try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }.joined()
        let names = recipes.components(separatedBy: "\n.Ss ").dropFirst().map {
            $0.prefix { $0 != "\n" }
        }
        #expect(names.count >= 5)
        for name in names {
            #expect(sources.contains("Recipe(\"\(name)\")"), "\(name)")
        }
    }
}
