#if SecretService
import KeychainServices
import TestSupport
import Testing

@testable import SecretServiceProvider

/// That a secret that goes through a session leaves no copy of itself in memory.
@Suite struct WipedMemoryTests {
    private let word = OwnMemory.Pattern.randomWord()

    @Test(arguments: ["plain", "dh-ietf1024-sha256-aes128-cbc-pkcs7"])
    func session(algorithm: String) throws {
        do {
            let publicKey: [UInt8] = [5]
            let (session, _) = try Session.open(
                algorithm: algorithm,
                input: algorithm == "plain" ? .text("") : .bytes(publicKey.span), number: 1,
                owner: ":1.1")
            var secret = SecretBuilder()
            word.forEachByte(of: "SECRET") { secret.append($0) }
            let stored = try session.decode(
                session.encode(secret.finish(), contentType: "text/plain"))
            let collection = Collection(name: "test", MemorySource())
            let id = try collection.store(
                ["a": "b"], label: "", contentType: "text/plain", secret: stored, replaces: false,
                nil)
            _ = collection.refresh()
            #expect(try collection.secret(id, nil).count == word.count)
            #expect(OwnMemory.count(word) > 0)
        }
        #expect(OwnMemory.count(word) == 0)
    }
}
#endif
