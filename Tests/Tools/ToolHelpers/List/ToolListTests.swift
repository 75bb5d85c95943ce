import Foundation
import KeychainServices
import Testing

@testable import ToolCatalog
@testable import ToolHelpers
import TestSupport

/// That what the list says of a tool is true of its programs, and nothing of one tool is another's.
@Suite("the list of tools")
struct ToolListTests {
    /// git's and docker's helpers need more than a session, and are called by the program itself.
    @Test func everyHelperIsInTheProgram() throws {
        let text = try Repository.text("helpers/lanyard-helper/main.swift")
        let others = ToolFormat.all.filter { $0.protocolHelper == nil }
        #expect(!others.isEmpty)
        for tool in others {
            #expect(text.contains("case \"\(tool.helper)\":"), "\(tool.helper)")
        }
    }

    /// Each knows its own name alone.
    @Test func everyOtherHelperHasANameAndHelp() {
        let tools = ToolFormat.all.filter { $0.protocolHelper != nil }
        #expect(tools.count > 1 && Set(tools.map(\.helper)).count == tools.count)
        for tool in tools {
            let help = tool.protocolHelper?.help ?? ""
            #expect(help.hasPrefix("usage: \(tool.helper) "), "\(help)")
        }
    }

    @Test func namesAndGroupsAreEachOnesOwn() {
        let names = ToolFormat.all.map(\.name) + ["login"]
        #expect(Set(names).count == names.count)
        for tool in ToolFormat.all {
            #expect(ToolFormat(name: tool.name)?.helper == tool.helper)
            #expect(ToolFormat(group: tool.accessGroup)?.helper == tool.helper)
            #expect(ToolFormat(misspeltGroup: tool.accessGroup) == nil)
        }
        #expect(ToolFormat(group: nil) == nil && ToolFormat(group: "login") == nil)
    }

    @Test(arguments: ToolFormat.all.map(\.name))
    func aPasswordComesBackOutOfItsForm(name: String) throws {
        let tool = try #require(ToolFormat(name: name))
        // Not every tool's passwords can have such characters.
        let isPlain = (try? tool.check(Secret("p=w\u{e9} "))) == nil
        let word = Secret(isPlain ? "p=w" : "p=w\u{e9} ")
        try tool.check(word)
        let isSame = (tool.isSameLogin(word, word), tool.isSameLogin(Secret("other"), word))
        #expect(text(tool.password(word)) == text(word))
        #expect(isSame == (true, false))
        guard let expiry = tool.expiry else {
            return
        }
        let end = Timestamp(secondsSinceEpoch: 1_000)
        let stored = expiry.secret(word, end)
        let dates = (expiry.date(stored), expiry.date(word))
        #expect(dates == (end, nil))
        #expect(text(tool.password(stored)) == text(word))
        let isKept = tool.isSameLogin(word, stored)
        #expect(isKept)
        let later = Timestamp(secondsSinceEpoch: 1_001)
        let hasEnded = (
            expiry.hasEnded(stored, later), expiry.hasEnded(stored, end),
            expiry.hasEnded(word, later)
        )
        #expect(hasEnded == (true, false, false))
    }

    @Test func theGroupTellsWhereThePasswordLies() {
        let stored = Secret("pw\npassword_expiry_utc=5")
        #expect(text(password(of: stored, in: "git")) == "pw")
        for group in [nil, "docker", "login"] as [ByteString?] {
            #expect(text(password(of: stored, in: group)) == text(stored))
        }
    }

    private func text(_ secret: borrowing Secret) -> String {
        secret.withBytes { ByteString(copying: $0).description }
    }

    @Test(
        arguments: [
            ("git", "a\nb", false), ("git", "a\rb", false), ("git", "a\0b", false),
            ("git", "", true), ("docker", "a\nb", true),
        ])
    func whatAPasswordCanBe(name: String, password: String, isFit: Bool) throws {
        let tool = try #require(ToolFormat(name: name))
        var thrown: KeychainError?
        do throws(KeychainError) {
            try tool.check(Secret(password))
        } catch {
            thrown = error
        }
        #expect(thrown?.status == (isFit ? nil : .param))
    }
}
