import TestSupport
import LanyardSecrets
import Testing

@testable import LanyardCertificates

/// ssh-keygen signs and verifies files: OpenSSH's PROTOCOL.sshsig.
@Suite(.enabled(if: hasPeer("ssh-keygen"))) struct SSHSignatureTests {
    let peer: KeyPeer
    let message = Array("a message\n".utf8)

    init() throws {
        peer = try KeyPeer()
        try peer.write("message", message)
    }

    @Test(arguments: SampleKey.ofSSH) func signaturesGoBothWays(_ sample: SampleKey) async throws {
        let key = try sample.generate()
        let publicKey = try SSHPublicKey(key.publicKey)
        for kind in SSHSignatureAlgorithm.all(of: key.publicKey) {
            let signature = try key.sshSignature(of: signed.span, kind)
            #expect(publicKey.accepts(signature, of: signed))
            #expect(!publicKey.accepts(signature, of: message))
            var file = SecretBuilder()
            file.append("SSHSIG")
            file.append(sshNumber: 1)
            file.append(sshString: publicKey.blob)
            appendFields(to: &file)
            file.append(sshString: signature)
            try peer.write("signature", PEMDocument.encode("SSH SIGNATURE", file.finish()))
            try await peer.run(
                "sh", "-c", "ssh-keygen -Y check-novalidate -n file -s signature <message")
        }
        try peer.write("key", try key.file(.openSSH))
        try await peer.run("ssh-keygen", "-q", "-Y", "sign", "-n", "file", "-f", "key", "message")
        var position = 0
        let text = try peer.bytes("message.sig")
        guard let document = try PEMDocument.next(in: text.span, from: &position) else {
            Issue.record("there is no signature")
            return
        }
        let bytes = document.contents.copy().publicBytes()
        var reader = SSHReader()
        let body = Array(bytes.dropFirst(10))
        let blob = try reader.string(in: body.span)
        #expect(Array(body[blob]) == publicKey.blob)
        for _ in 0..<3 {
            _ = try reader.string(in: body.span)
        }
        let signature = Array(body[try reader.string(in: body.span)])
        #expect(publicKey.accepts(signature, of: signed))
        var random = SeededRandom()
        for _ in 0..<100 {
            var damaged = signature
            damaged[random.number(below: damaged.count)] ^= 1 << UInt8(random.number(below: 8))
            #expect(!publicKey.accepts(damaged, of: signed))
        }
    }

    /// What is signed: not the message itself.
    private var signed: [UInt8] {
        var data = SecretBuilder()
        data.append("SSHSIG")
        appendFields(to: &data)
        data.append(sshString: Libcrypto.digest(message.span, .sha512))
        return data.finish().publicBytes()
    }

    private func appendFields(to builder: inout SecretBuilder) {
        builder.append(sshString: "file")
        builder.append(sshString: "")
        builder.append(sshString: "sha512")
    }
}
