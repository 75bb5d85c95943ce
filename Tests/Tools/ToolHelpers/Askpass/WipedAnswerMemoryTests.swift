import KeychainServices
import TestSupport
import StoreConformance
import Testing

@testable import ToolHelpers

/// That an answer leaves no copy of a passphrase in memory.
@Suite struct WipedAnswerMemoryTests {
    @Test func passphrase() throws {
        let word = OwnMemory.Pattern.randomWord()
        do {
            let keychain = Keychain(
                InMemoryStore { Timestamp(secondsSinceEpoch: 0) },
                accessGroups: AskpassHelper.accessGroups)
            var secret = SecretBuilder()
            word.forEachByte(of: "SECRET") { secret.append($0) }
            var name = ItemAttributes()
            name.service = "/home/ada/.ssh/id_ed25519"
            try keychain.add(
                .genericPassword, try ToolFormat.askpass.attributes(name),
                secret: secret.finish())
            let session = ScriptedSession(
                "askpass-lanyard", ["Enter passphrase for key '/home/ada/.ssh/id_ed25519': "],
                in: keychain)
            try ToolHelper.askpass.run(session)
            #expect(session.questions.isEmpty)
            #expect(OwnMemory.count(word) > 0)
            withExtendedLifetime(session) {}
        }
        #expect(OwnMemory.count(word) == 0)
    }
}
