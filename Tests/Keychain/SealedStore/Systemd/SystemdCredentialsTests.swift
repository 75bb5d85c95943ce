import Foundation
import LinuxSystem
import TestSupport
import LanyardSecrets
import Testing

@testable import SealedStore

/// The client against a scripted service; the real one is asked by the end-to-end tests.
@Suite("systemd's credential service", .timeLimit(.minutes(5)))
struct SystemdCredentialsTests {
    private let service: ScriptedCredentials
    private let client: SystemdCredentials
    private let secret = [UInt8](0..<32)

    init() throws {
        let path = "\(NSTemporaryDirectory())/lanyard-\(UUID().uuidString.prefix(8))"
        service = try ScriptedCredentials(at: path)
        client = SystemdCredentials(socket: path)
    }

    private func encrypt(_ milliseconds: Int64 = 5000) throws -> [UInt8] {
        try client.encrypt(
            Secret(copying: secret.span), name: "test", until: Deadline(milliseconds: milliseconds))
    }

    /// Why it is refused, nil if it is not.
    private func refusal(_ milliseconds: Int64 = 5000) -> SystemdRefusal? {
        do {
            _ = try encrypt(milliseconds)
            return nil
        } catch {
            return error as? SystemdRefusal
        }
    }

    @Test func decryptsWhatItEncrypted() throws {
        let blob = try encrypt()
        let decrypted = try client.decrypt(blob, name: "test")
        #expect(decrypted.withBytes { ByteString(copying: $0).bytes } == secret)
        #expect(service.count("Encrypt") == 1)
        #expect(service.count("Decrypt") == 1)
    }

    @Test func anotherMachineRefuses() throws {
        let blob = try encrypt()
        service.behaviour = .machine("theirs")
        #expect(throws: SystemdRefusal.refused("io.systemd.Credentials.BadFormat")) {
            _ = try client.decrypt(blob, name: "test")
        }
    }

    /// Every error of 257 and 259, by name and errno.
    @Test(
        arguments: [
            ("io.systemd.Credentials.BadFormat", nil, "another machine"),
            ("io.systemd.Credentials.NameMismatch", nil, "another purpose"),
            ("io.systemd.Credentials.TimeMismatch", nil, "expired"),
            ("io.systemd.Credentials.NoSuchUser", nil, "no name"),
            ("io.systemd.Credentials.BadScope", nil, "another user"),
            ("io.systemd.Credentials.KeyBelongsToOtherTPM", nil, "this is another TPM"),
            ("io.systemd.Credentials.UnexpectedPCRState", nil, "PCR 7"),
            ("io.systemd.Credentials.TPMInDictionaryLockout", nil, "failed attempts"),
            ("io.systemd.System", 2, "host key or machine id"),
            ("io.systemd.System", 131, "this is another TPM"),
            ("io.systemd.System", 1, "PCR 7"),
            ("io.systemd.System", 37, "failed attempts"),
            ("io.systemd.System", 5, "io.systemd.System (5)"),
            ("io.systemd.System", nil, "io.systemd.System"),
            ("io.systemd.InteractiveAuthenticationRequired", nil, "administrator"),
            ("org.varlink.service.InvalidParameter", nil, "InvalidParameter"),
            ("a\\u001b[31mb", nil, "answered with an error"),
        ] as [(String, Int?, String)])
    func namesTheError(_ name: String, _ number: Int?, _ words: String) {
        service.behaviour = .error(name, number)
        let refusal = refusal()
        #expect(refusal?.reason.contains(words) == true, "\(refusal?.reason ?? "none")")
        #expect(refusal?.reason.contains("\u{1b}") == false)
    }

    @Test(arguments: [
        "", "{", "[]", "{}", "{\"parameters\":{}}", "{\"parameters\":[]}",
        "{\"parameters\":{\"blob\":1}}",
        "{\"parameters\":{\"blob\":\"*\"}}", "{\"parameters\":{\"blob\":\"AAAA\"}}",
        "{\"error\":1}",
        "{\"parameters\":{\"blob\":null}}", "\u{1}",
    ])
    func refusesNonsense(_ text: String) {
        service.behaviour = .text(text)
        #expect(refusal() == .nonsense)
    }

    @Test func refusesHalfAnAnswer() {
        service.behaviour = .half("{\"parameters\":")
        #expect(refusal() == .nonsense)
    }

    @Test func refusesAnEndlessAnswer() {
        service.behaviour = .endless
        #expect(refusal() == .nonsense)
    }

    @Test func takesASlowAnswer() throws {
        service.behaviour = .drip
        #expect(refusal(60_000) == nil)
    }

    @Test(arguments: [ScriptedCredentials.Behaviour.silent, .drip, .closed])
    func endsAfterItsTime(_ behaviour: ScriptedCredentials.Behaviour) {
        service.behaviour = behaviour
        #expect(refusal(200) == .silent)
    }

    @Test func isMissingWithoutASocket() {
        service.end()
        #expect(!client.isInstalled)
        #expect(refusal() == .missing)
    }

    /// As with systemd's own socket: 16 at once, and the others are reset.
    @Test func triesAgainWhenItIsReset() async throws {
        service.connectionLimit = 16
        service.delay = 20
        let client = client
        let secret = secret
        let answered = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        Thread.detachNewThread {
                            let blob = try? client.encrypt(
                                Secret(copying: secret.span), name: "test",
                                until: Deadline(milliseconds: 60_000))
                            continuation.resume(returning: blob != nil)
                        }
                    }
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(answered == 100)
        #expect(service.count("ended") > 0)
    }
}
