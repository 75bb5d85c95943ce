import LanyardSecrets
import Testing

@testable import LanyardCertificates

@Suite(.enabled(if: hasPeer("ssh-keygen"))) struct OpenSSHFormatTests {
    let peer: KeyPeer

    init() throws {
        peer = try KeyPeer()
    }

    @Test(arguments: SampleKey.ofSSH) func readsWhatSSHKeygenWrites(_ sample: SampleKey)
        async throws
    {
        try await peer.run(
            "ssh-keygen", "-q", "-t", sample.sshName, "-b", "\(sample.sizeInBits)", "-N", "", "-C",
            "ada@example.org", "-f", "a")
        let file = try KeyFile(peer.secret("a"))
        let key = try #require(file.privateKey)
        #expect(file.format == .openSSH && !file.isEncrypted)
        #expect(file.comment == "ada@example.org")
        #expect(key.type == sample.type && key.sizeInBits == sample.sizeInBits)

        let line = try KeyFile(peer.secret("a.pub"))
        #expect(line.format == .openSSHPublicKey && line.comment == "ada@example.org")
        #expect(line.publicKey == key.publicKey)
        #expect(
            try key.publicKey.file(.openSSHPublicKey, comment: "ada@example.org")
                == peer.bytes("a.pub"))
        let fingerprint = try await peer.run("ssh-keygen", "-l", "-f", "a.pub")
        #expect(fingerprint.contains(" \(try SSHPublicKey(key.publicKey).fingerprint) "))
    }

    @Test(arguments: [
        "aes256-ctr", "aes192-ctr", "aes128-ctr", "aes256-cbc", "aes128-cbc", "3des-cbc",
    ]) func readsEncryptedFiles(_ cipher: String) async throws {
        try await peer.run(
            "ssh-keygen", "-q", "-t", "ed25519", "-N", "sécret", "-C", "", "-a", "2", "-Z", cipher,
            "-f", "a")
        let file = try KeyFile(peer.secret("a"), password: Secret("sécret"))
        #expect(file.isEncrypted)
        #expect(try KeyFile(peer.secret("a.pub")).publicKey == file.privateKey?.publicKey)
        #expect(throws: KeychainError(.authFailed)) {
            try KeyFile(peer.secret("a"), password: Secret("wrong"))
        }
        #expect(throws: KeychainError(.passphraseRequired)) { try KeyFile(peer.secret("a")) }
    }

    @Test(arguments: ["aes256-gcm@openssh.com", "chacha20-poly1305@openssh.com"])
    func refusesOtherCiphers(_ cipher: String) async throws {
        try await peer.run(
            "ssh-keygen", "-q", "-t", "ed25519", "-N", "secret", "-a", "1", "-Z", cipher, "-f", "a")
        #expect(throws: KeychainError(.unsupportedKeyFormat)) {
            try KeyFile(peer.secret("a"), password: Secret("secret"))
        }
    }

    @Test(arguments: SampleKey.ofSSH) func writesWhatSSHKeygenReads(_ sample: SampleKey)
        async throws
    {
        let key = try sample.generate()
        let line = try key.publicKey.file(.openSSHPublicKey, comment: "ada")
        try peer.write("plain", try key.file(.openSSH, comment: "ada"))
        #expect(
            try await peer.run("ssh-keygen", "-y", "-f", "plain") + "\n"
                == String(decoding: line, as: UTF8.self))
        // The rounds of everyday take seconds without optimization.
        try peer.write(
            "encrypted", try key.openSSHFile(password: Secret("secret"), comment: "ada", rounds: 2))
        #expect(
            try await peer.run("ssh-keygen", "-y", "-P", "secret", "-f", "encrypted") + "\n"
                == String(decoding: line, as: UTF8.self))
        let again = try KeyFile(peer.secret("encrypted"), password: Secret("secret"))
        #expect(again.publicKey == key.publicKey && again.comment == "ada")
        // What ssh-keygen makes of it is another proof, with its own checks of the padding.
        try await peer.run("ssh-keygen", "-q", "-p", "-P", "secret", "-N", "", "-f", "encrypted")
        #expect(try KeyFile(peer.secret("encrypted")).publicKey == key.publicKey)
    }

    @Test func encryptsWithTheRoundsOfSSHKeygen() async throws {
        let key = try SampleKey.ed25519.generate()
        try peer.write("a", try key.file(.openSSH, password: Secret("sécret"), comment: "ada"))
        let line = try await peer.run("ssh-keygen", "-y", "-P", "sécret", "-f", "a")
        let expected = try key.publicKey.file(.openSSHPublicKey, comment: "ada")
        #expect(line + "\n" == String(decoding: expected, as: UTF8.self))
    }

    @Test func refusesTooManyRounds() async throws {
        try await peer.run(
            "ssh-keygen", "-q", "-t", "ed25519", "-N", "secret", "-a", "1", "-f", "a")
        var position = 0
        let text = try peer.bytes("a")
        guard let document = try PEMDocument.next(in: text.span, from: &position) else {
            Issue.record("there is no block")
            return
        }
        var bytes = document.contents.copy().publicBytes()
        let fields = try OpenSSHKeyFile(bytes.span)
        let place = fields.publicKey.lowerBound - 12
        #expect(bytes[place..<place + 4].elementsEqual([0, 0, 0, 1]))
        bytes[place] = 0x7F
        let damaged = PEMDocument.encode("OPENSSH PRIVATE KEY", Secret(bytes))
        #expect(throws: KeychainError(.dataTooLarge)) {
            try KeyFile(damaged, password: Secret("secret"))
        }
    }

    @Test func refusesOtherKeys() async throws {
        let line = "sk-ssh-ed25519@openssh.com AAAAGnNrLXNzaC1lZDI1NTE5QG9wZW5zc2guY29t ada"
        #expect(throws: KeychainError(.unsupportedKeyFormat)) { try KeyFile(Secret(line)) }
        #expect(throws: KeychainError(.unknownFormat)) { try KeyFile(Secret("hello")) }
        #expect(throws: KeychainError(.unknownFormat)) { try KeyFile(Secret("")) }
        let key = try SampleKey.x25519.generate()
        #expect(throws: KeychainError(.unsupportedKeyFormat)) { _ = try key.file(.openSSH) }
        #expect(throws: KeychainError(.unsupportedKeyFormat)) {
            try key.publicKey.file(.openSSHPublicKey)
        }
        #expect(throws: KeychainError(.unsupportedKeyFormat)) { _ = try key.file(.sec1) }
    }
}
