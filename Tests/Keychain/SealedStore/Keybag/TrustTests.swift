import Foundation
import KeychainServices
import TestSupport
import Testing

@testable import SealedStore

@Suite("Items that trust some programs", .serialized) struct TrustTests {
    private let scratch: ScratchKeychain
    private static let other = TrustedApplication(path: "/usr/bin/true", owner: 0)!

    init() throws {
        scratch = try ScratchKeychain()
        let keychain = try scratch.open()
        for account in ["ada", "bob"] as [ByteString] {
            var attributes = genericPassword("service", account: account)
            attributes.trustedApplications = [TrustTests.other]
            try keychain.add(.genericPassword, attributes, secret: Secret("of \(account)"))
        }
    }

    private func secrets(_ provider: ScriptedProvider?) throws -> [String?] {
        let keychain = Keychain(
            try scratch.openStore(provider: provider), accessGroups: .all(addingTo: "test"))
        var query = Query(.genericPassword, returns: .data)
        query.match.limit = .all
        query.match.prompt = "to test"
        var secrets: [String?] = []
        try keychain.forEachMatch(query) { item in
            secrets.append(secretText(item))
            return .next
        }
        return secrets
    }

    @Test func onlyThoseReadWithoutAsking() throws {
        #expect(throws: KeychainError(.interactionNotAllowed)) { try secrets(nil) }
        let keychain = try scratch.open()
        let this = try #require(TrustedApplication.ofThisProgram)
        let changes = ItemAttributes { $0.trustedApplications = [TrustTests.other, this] }
        try keychain.update(Query(.genericPassword), changes)
        #expect(try secrets(nil) == ["of bob", "of ada"])
        try keychain.update(
            Query(.genericPassword), ItemAttributes { $0.trustedApplications = [] })
        #expect(try secrets(nil) == ["of bob", "of ada"])
    }

    @Test func theUserAllowsEachItemOnce() throws {
        let provider = ScriptedProvider()
        provider.trustAnswers = [.once, .once]
        #expect(try secrets(provider) == ["of bob", "of ada"])
        #expect(provider.trustQuestions.map(\.item) == ["service (bob)", "service (ada)"])
        #expect(provider.trustQuestions.allSatisfy { $0.reason == "to test" })
        #expect(throws: KeychainError(.interactionNotAllowed)) { try secrets(provider) }
    }

    @Test func theAnswerAlwaysIsRemembered() throws {
        let provider = ScriptedProvider()
        provider.trustAnswers = [.always, .always]
        #expect(try secrets(provider) == ["of bob", "of ada"])
        #expect(try Set(secrets(nil)) == ["of bob", "of ada"])
        #expect(scratch.verified() == 2)
    }

    @Test func theUserRefuses() throws {
        let provider = ScriptedProvider()
        provider.trustAnswers = [.never]
        #expect(throws: KeychainError(.userCanceled)) { try secrets(provider) }
    }

    /// A program may change and delete what it may not read.
    @Test func changesTakeNoQuestion() throws {
        let keychain = try scratch.open()
        let query = Query(.genericPassword, genericPassword("service", account: "ada"))
        try keychain.update(query, ItemAttributes { $0.service = "other" })
        try keychain.delete(Query(.genericPassword))
    }

    @Test func anExecutableIsKnownByItsPathAndOwner() throws {
        let folder = scratch.folder
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder)/link", withDestinationPath: "/usr/bin/env")
        let application = try TrustedApplication(executable: "\(folder)/link")
        #expect(application.path == "/usr/bin/env" && application.owner == 0)
        try ScratchFolder.writeScript("#!/bin/sh\n", to: "\(folder)/script")
        try ScratchFolder.writeScript("true\n", to: "\(folder)/lines")
        #expect((try? TrustedApplication(executable: "\(folder)/lines")) != nil)
        for path in ["\(folder)/missing", folder, "/etc/passwd", "\(folder)/script"] {
            #expect(throws: KeychainError(.param)) { try TrustedApplication(executable: path) }
        }
    }
}
