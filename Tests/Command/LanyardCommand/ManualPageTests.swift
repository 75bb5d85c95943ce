import ArgumentParser
import Foundation
import KeychainServices
import Testing

@testable import LanyardCommand
import TestSupport

@Suite("the man pages of commands")
struct ManualPageTests {
    @Test(
        "a command has one, by any of its names, and commands below it share it",
        arguments: [
            (["import"], "lanyard-import"), (["import", "csv"], "lanyard-import"),
            (["ls"], "lanyard-list"), (["recovery-key", "create"], "lanyard-recovery-key"),
        ])
    func name(words: [String], page: String) {
        #expect(ManualPage(ofCommand: words)?.name == page)
    }

    @Test("nothing else has one", arguments: [[], [""], ["frob"], ["help"], ["csv"], ["--help"]])
    func noPage(words: [String]) {
        #expect(ManualPage(ofCommand: words) == nil)
    }

    @Test("each command's page is in the manual")
    func pages() {
        let manual = "\(Repository.path)/man"
        for command in LanyardCommand.configuration.subcommands {
            let name = command.configuration.commandName ?? ""
            let page = ManualPage(ofCommand: [name])?.name ?? ""
            #expect(FileManager.default.fileExists(atPath: "\(manual)/\(page).1"), "\(name)")
        }
    }

    @Test("lanyard-list(1) names each member of an item as JSON")
    func members() throws {
        let page = try Repository.text("man/lanyard-list.1")
        let rows = Attribute.table.filter { !$0.classes.isDisjoint(with: .passwords) }
        for name in rows.compactMap(\.jsonName) {
            let isNamed = page.contains("\n.It Li \(name)\n")
            #expect(isNamed, "\(name)")
        }
    }

    @Test("the help of each command names its page at the end")
    func line() {
        for command in LanyardCommand.configuration.subcommands {
            let name = command.configuration.commandName ?? ""
            let help = LanyardCommand.helpMessage(for: command, columns: 80)
            #expect(
                ManualPage.line(forHelp: help)
                    == "\nMANUAL: lanyard-\(name)(1), or lanyard help \(name)\n")
        }
        #expect(
            ManualPage.line(forHelp: LanyardCommand.helpMessage()) == "\nMANUAL: lanyard(1)\n")
        #expect(ManualPage.line(forHelp: "lanyard 0.1.0") == "")
    }
}
