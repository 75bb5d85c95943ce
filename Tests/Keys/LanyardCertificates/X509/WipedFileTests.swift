import Foundation
import Glibc
import TestSupport
import LanyardSecrets
import Testing

@testable import LanyardCertificates

/// A file that was read leaves nothing of its key in memory.
@Suite(.enabled(if: hasPeer("openssl") && hasPeer("perl")), .serialized) struct WipedFileTests {
    let peer: KeyPeer

    init() throws {
        peer = try KeyPeer()
    }

    /// The key is made and changed to its complement by other processes, because it may never be in memory here.
    private func make(_ command: String) async throws -> OwnMemory.Pattern {
        try await peer.run(
            "sh", "-c",
            """
            openssl genpkey -algorithm ED25519 -out a.key
            openssl req -x509 -key a.key -out a.pem -subj /CN=a
            \(command)
            openssl pkey -in a.key -outform DER | tail -c 32 | perl -pe '$_ = ~$_' >other
            """)
        var pattern = OwnMemory.Pattern()
        for byte in try peer.bytes("other") {
            pattern.append(~byte)
        }
        return pattern
    }

    @Test(arguments: [
        "openssl pkcs12 -export -inkey a.key -in a.pem -out file -passout pass:secret",
        "openssl pkcs12 -export -inkey a.key -in a.pem -out file -passout pass:secret -keypbe NONE "
            + "-certpbe AES-256-CBC",
        "cat a.pem a.key >file", "openssl pkey -in a.key -aes256 -passout pass:secret -out file",
    ]) func nothingIsLeftOfAFile(_ command: String) async throws {
        let pattern = try await make(command)
        #expect(pattern.count == 32)
        let found = try read()
        #expect(found.while > 0, "the search finds nothing")
        #expect(OwnMemory.count(pattern) == 0)
        #expect(OwnMemory.count(pattern.reversed) == 0)

        func read() throws -> (while: Int, keys: Int) {
            let contents = try CertificatesAndKeys(secret("file")) { Secret("secret") }
            let count = OwnMemory.count(pattern)
            let key = try #require(contents.privateKeys.first?.key)
            if let certificate = contents.certificates.first?.certificate {
                _ = try PKCS12.make(
                    key, certificates: [certificate], name: "a", password: Secret("secret"))
            }
            return (count, contents.privateKeys.count)
        }
    }

    /// Reads a file without copies in Foundation's memory.
    private func secret(_ name: String) throws -> Secret {
        let file = open(peer.folder.appending(path: name).path, O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        return Secret(capacity: 1 << 16) { memory in
            max(0, Glibc.read(file, memory.baseAddress, memory.count))
        }
    }
}
