import KeychainServices
import Testing

@testable import SealedStore

/// A service that reads for other programs has no more rights than they have.
@Suite("Items that trust some programs, read by a service", .serialized) struct RequesterTests {
    private let scratch: ScratchKeychain
    private static let trusted = TrustedApplication(path: "/usr/bin/true", owner: 0)!
    private static let other = TrustedApplication(path: "/usr/bin/false", owner: 0)!

    init() throws {
        scratch = try ScratchKeychain()
        var attributes = genericPassword("service", account: "ada")
        attributes.trustedApplications = [RequesterTests.trusted]
        try scratch.open().add(.genericPassword, attributes, secret: Secret("s"))
    }

    private func query(_ context: AuthenticationContext?) -> Query {
        var query = Query(.genericPassword, returns: .data)
        query.context = context
        return query
    }

    private func secret(
        for context: AuthenticationContext?, _ provider: ScriptedProvider? = nil
    ) throws -> String? {
        let keychain = Keychain(
            try scratch.openStore(provider: provider), accessGroups: .all(addingTo: "test"))
        var text: String?
        try keychain.forEachMatch(query(context)) { item in
            text = secretText(item)
            return .next
        }
        return text
    }

    @Test func aTrustedRequesterReads() throws {
        #expect(try secret(for: AuthenticationContext(requester: RequesterTests.trusted)) == "s")
        let described = RequestingProgram(RequesterTests.trusted, process: 7, unit: "a.service")
        #expect(try secret(for: AuthenticationContext(requester: described)) == "s")
    }

    /// What the item allows to the service itself, others don't get through it.
    @Test func theServiceItselfIsNotAsked() throws {
        let this = try #require(TrustedApplication.ofThisProgram)
        try scratch.open().update(
            Query(.genericPassword), ItemAttributes { $0.trustedApplications = [this] })
        #expect(try secret(for: nil) == "s")
        let contexts = [
            AuthenticationContext(requester: RequesterTests.other),
            AuthenticationContext(requester: RequestingProgram(nil, process: 7)),
            AuthenticationContext(
                applicationPassword: Secret("p"),
                requester: RequestingProgram(RequesterTests.other)),
        ]
        for context in contexts {
            #expect(throws: KeychainError(.interactionNotAllowed)) { try secret(for: context) }
        }
    }

    @Test func errorsNameTheRequester() throws {
        let error = keychainError {
            _ = try secret(for: AuthenticationContext(requester: RequesterTests.other))
        }
        #expect(error?.description.contains("does not trust '/usr/bin/false'") == true)
        #expect(error?.hint == "lanyard edit --trust '/usr/bin/false' service ada lets it")
        let unknown = keychainError {
            _ = try secret(for: AuthenticationContext(requester: RequestingProgram(nil)))
        }
        #expect(unknown?.description.contains("does not trust an unknown program") == true)
        #expect(unknown?.hint == nil)
    }

    @Test func theQuestionIsAboutTheRequester() throws {
        let provider = ScriptedProvider()
        provider.trustAnswers = [.once]
        let context = AuthenticationContext(requester: RequesterTests.other)
        #expect(try secret(for: context, provider) == "s")
        #expect(provider.trustQuestions.map(\.program) == [RequesterTests.other])
        provider.trustAnswers = [.never]
        #expect(throws: KeychainError(.userCanceled)) { try secret(for: context, provider) }
    }

    /// An unknown program can't be shown in a question, nor remembered.
    @Test func anUnknownRequesterIsRefusedUnasked() throws {
        let provider = ScriptedProvider()
        provider.trustAnswers = [.always]
        let context = AuthenticationContext(requester: RequestingProgram(nil))
        #expect(throws: KeychainError(.interactionNotAllowed)) {
            try secret(for: context, provider)
        }
        #expect(provider.trustQuestions.isEmpty)
    }

    @Test func theAnswerAlwaysIsRememberedForTheRequester() throws {
        let provider = ScriptedProvider()
        provider.trustAnswers = [.always]
        let context = AuthenticationContext(requester: RequesterTests.other)
        #expect(try secret(for: context, provider) == "s")
        #expect(try secret(for: context) == "s")
        #expect(throws: KeychainError(.interactionNotAllowed)) { try secret(for: nil) }
        guard
            case .item(let item) = try scratch.open().copyMatching(
                Query(.genericPassword, returns: .attributes))
        else {
            Issue.record("the item is missing")
            return
        }
        let expected = [RequesterTests.trusted, RequesterTests.other]
        #expect(item.attributes?.trustedApplications == expected)
    }

    /// One transaction may serve several programs.
    @Test func anAnswerServesOneProgram() throws {
        let provider = ScriptedProvider()
        provider.trustAnswers = [.once]
        let keychain = Keychain(
            try scratch.openStore(provider: provider), accessGroups: .all(addingTo: "test"))
        let another = TrustedApplication(path: "/usr/bin/env", owner: 0)!
        let read = { (program: TrustedApplication) throws(KeychainError) in
            try keychain.forEachMatch(query(AuthenticationContext(requester: program))) {
                _ throws(KeychainError) in .next
            }
        }
        try keychain.transaction { () throws(KeychainError) in try read(RequesterTests.other) }
        #expect(provider.trustQuestions.count == 1)
        provider.trustAnswers = [.once]
        #expect(throws: KeychainError(.interactionNotAllowed)) {
            try keychain.transaction { () throws(KeychainError) in
                try read(RequesterTests.other)
                try read(another)
            }
        }
        let asked = [RequesterTests.other, RequesterTests.other, another].map(\.path)
        #expect(provider.trustQuestions.map(\.program.path) == Array(asked.prefix(2)))
    }

    /// The password's key is the same, whichever program it is for.
    @Test func aContextCanHaveBoth() throws {
        var attributes = genericPassword("service", account: "bob")
        attributes.accessControl = AccessControl(flags: .applicationPassword)
        attributes.trustedApplications = [RequesterTests.trusted]
        let keychain = try scratch.open()
        try keychain.delete(Query(.genericPassword))
        try keychain.add(
            .genericPassword, attributes, secret: Secret("s"),
            context: AuthenticationContext(applicationPassword: Secret("p")))
        let both = AuthenticationContext(
            applicationPassword: Secret("p"), requester: RequestingProgram(RequesterTests.trusted))
        #expect(try secret(for: both) == "s")
        let program = AuthenticationContext(requester: RequesterTests.trusted)
        #expect(throws: KeychainError(.authFailed)) { try secret(for: program) }
        let password = AuthenticationContext(applicationPassword: Secret("p"))
        #expect(throws: KeychainError(.interactionNotAllowed)) { try secret(for: password) }
    }
}
