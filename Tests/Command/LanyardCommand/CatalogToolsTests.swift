import ArgumentParser
import KeychainServices
import LanyardTransfer
import TestSupport
import Testing
import ToolCatalog
import ToolHelpers

@testable import LanyardCommand

/// What a tool has elsewhere if the catalogue names it: a page, commands, a reader, rows in the tables of tests.
@Suite("the tools of the catalogue")
struct CatalogToolsTests {
    private static let names = CatalogTools.all.map { $0.name }

    private func tool(_ name: String) throws -> any CatalogTool.Type {
        let index = try #require(Self.names.firstIndex(of: name))
        return CatalogTools.all[index]
    }

    @Test func areSortedAndUnique() {
        #expect(Self.names == Set(Self.names).sorted())
        let programs = CatalogTools.all.filter { $0.settings != nil }.flatMap { $0.namesOfSetup }
        #expect(Set(programs).count == programs.count)
        #expect(Set(programs).isDisjoint(with: Self.names.filter { $0 != "uv" }))
    }

    /// git's and docker's setups have code of their own.
    @Test func everyHelperHasATool() {
        let own = ["git", "docker"]
        let tools = CatalogTools.all.compactMap { $0.format?.name }
        #expect(Set(tools) == Set(ToolFormat.all.map(\.name)).subtracting(own))
    }

    @Test(arguments: names)
    func hasPagesAndSources(name: String) throws {
        let tool = try tool(name)
        #expect(!tool.sources.isEmpty)
        if let helper = tool.format?.helper {
            let page = try Repository.text("man/\(helper).1")
            #expect(page.contains(".Nm \(helper)"))
            let calls = try Repository.text("Tests/EndToEnd/Tools/Helpers/HelperCall.swift")
            #expect(calls.contains("\"\(helper)\""))
        }
        if !tool.plainText.isEmpty {
            let page = try Repository.text("man/lanyard-import.1")
            #expect(page.contains("\n.It Cm \(name)\n"))
        }
        if tool.settings != nil {
            let page = try Repository.text("man/lanyard-setup.1")
            #expect(page.contains(".Cm setup \(name)") || page.contains(".It Cm \(name)"))
        }
    }

    @Test(arguments: names)
    func hasACommandIfItHasASetup(name: String) throws {
        let tool = try tool(name)
        let command = SetupCommand.configuration.subcommands.first { $0.isNamed(name) }
        guard let settings = tool.settings else {
            #expect((command == nil) == (tool != KubectlTool.self))
            return
        }
        let help = LanyardCommand.helpMessage(for: try #require(command), columns: 1_000)
        #expect(help.contains("Set \(settings.title) up, \(settings.place)."))
        #expect(help.contains("lanyard setup \(name) --undo"))
        if let argument = settings.argument {
            #expect(help.contains("<\(argument.valueName)>") && help.contains(argument.help))
        }
    }

    @Test(arguments: names)
    func hasAReaderIfItHasPlainText(name: String) throws {
        let tool = try tool(name)
        let reader = tool as? any ReadTool.Type
        // kubectl's is a part of its setup.
        #expect((reader != nil) == (!tool.plainText.isEmpty && tool != KubectlTool.self))
        #expect(ImportedTool.isOfHelper(name) == !tool.plainText.isEmpty)
        for file in tool.plainText {
            #expect(!file.path.hasPrefix("/") && file.keys.contains { $0.holds == .secret })
        }
        // A setup lets a program read the items, or the advice says what to do.
        let setup = try self.tool(tool.setupName)
        #expect(setup.settings != nil || setup == KubectlTool.self || tool.advice != nil)
    }
}
