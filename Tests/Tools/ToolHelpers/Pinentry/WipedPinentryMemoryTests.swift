import KeychainServices
import TestSupport
import StoreConformance
import Testing

@testable import ToolHelpers

/// That an answer leaves no copy of a passphrase in memory.
@Suite struct WipedPinentryMemoryTests {
    @Test func passphrase() throws {
        let word = OwnMemory.Pattern.randomWord()
        do {
            let keychain = Keychain(
                InMemoryStore { Timestamp(secondsSinceEpoch: 0) },
                accessGroups: AccessGroups(PinentryServer.accessGroup))
            var secret = SecretBuilder()
            word.forEachByte(of: "SECRET") { secret.append($0) }
            var name = ItemAttributes()
            name.service = "0123456789abcdef0123456789abcdef01234567"
            try keychain.add(
                .genericPassword, try ToolFormat.gpg.attributes(name), secret: secret.finish())
            let session = ScriptedSession("pinentry-lanyard", [], in: keychain)
            session.input = Array(
                "SETKEYINFO n/0123456789ABCDEF0123456789ABCDEF01234567\nGETPIN\nBYE\n".utf8)
            try ToolHelper.gpg.run(session)
            #expect(session.pinentryCommands.isEmpty)
            #expect(OwnMemory.count(word) > 0)
            withExtendedLifetime(session) {}
        }
        #expect(OwnMemory.count(word) == 0)
    }
}
