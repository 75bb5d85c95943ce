import KeychainServices

@testable import SSHAgent

/// Signatures that everybody can make: the algorithm `fake`, the public key and the data.
struct FakeSigning: KeySigning {
    func check(_ key: borrowing WirePrivateKey) throws(KeychainError) {
        guard key.publicKey.bytes.last != 0xEE else {
            throw KeychainError(.param)
        }
    }

    func sign(
        _ request: SignRequest, with key: borrowing WirePrivateKey
    ) throws(KeychainError) -> ByteString {
        FakeSigning.signature(of: request.data, by: key.publicKey)
    }

    func isSignature(_ signature: ByteString, of data: ByteString, by publicKey: ByteString) -> Bool
    {
        signature == FakeSigning.signature(of: data, by: publicKey)
    }

    func fingerprint(of publicKey: ByteString) -> String { "SHA256:fake" }

    static func signature(of data: ByteString, by publicKey: ByteString) -> ByteString {
        ByteString(Message().string("fake").adding(publicKey.bytes).adding(data.bytes).bytes)
    }
}
