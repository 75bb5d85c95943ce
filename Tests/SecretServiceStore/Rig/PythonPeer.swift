#if SecretService
import Foundation
import KeychainServices

@testable import SecretServiceStore

/// The other side of a session, in Python: a second opinion on the agreement and the cipher.
enum PythonPeer {
    struct Answer {
        let publicKey: [UInt8]
        let vector: [UInt8]
        let ciphertext: [UInt8]
        /// Of the session.
        let key: [UInt8]
    }

    /// What the other side computes, and tells.
    ///
    /// - Parameter shortShared: Whether it tries exponents until the number that both sides share
    ///   begins with a zero byte.
    static func answer(
        to publicKey: [UInt8], encrypting text: String, shortShared: Bool = false
    ) throws -> Answer {
        let lines = try run(
            "answer", hexadecimal(publicKey), hexadecimal(Array(text.utf8)), shortShared ? "01" : ""
        )
        guard lines.count == 4 else {
            throw Failure()
        }
        return Answer(
            publicKey: lines[0], vector: lines[1], ciphertext: lines[2], key: lines[3])
    }

    static func decrypt(
        _ ciphertext: [UInt8], vector: [UInt8], key: [UInt8]
    ) throws -> String {
        let lines = try run(
            "decrypt", hexadecimal(ciphertext), hexadecimal(vector), hexadecimal(key))
        return String(decoding: lines.first ?? [], as: UTF8.self)
    }

    /// Whether there is such a Python; if not, a line says that tests are skipped.
    static let isThere: Bool = {
        guard (try? run("nothing")) == nil else {
            return true
        }
        print("skipped: there is no python3 with the package cryptography")
        return false
    }()

    struct Failure: Error {}

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        ByteString(bytes).hexadecimal.description
    }

    /// - Returns: The bytes that each line stands for.
    private static func run(_ arguments: String...) throws -> [[UInt8]] {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-c", script] + arguments
        let printed = Pipe()
        process.standardOutput = printed
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let output = printed.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure()
        }
        return String(decoding: output, as: UTF8.self).split(separator: "\n").map {
            ByteString(hexadecimal: ByteString(String($0)))?.bytes ?? []
        }
    }

    private static let script = """
        import os, sys
        from cryptography.hazmat.primitives import hashes, padding
        from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
        from cryptography.hazmat.primitives.kdf.hkdf import HKDF
        P = int("FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74"
                "020BBEA63B139B22514A08798E3404DDEF9519B3CD3A431B302B0A6DF25F1437"
                "4FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7ED"
                "EE386BFB5A899FA5AE9F24117C4B1FE649286651ECE65381FFFFFFFFFFFFFFFF", 16)
        given = [bytes.fromhex(text) for text in sys.argv[2:5]]
        if sys.argv[1] == "answer":
            public, text, short = int.from_bytes(given[0], "big"), given[1], sys.argv[4]
            while True:
                exponent = int.from_bytes(os.urandom(32), "big") + 2
                shared = pow(public, exponent, P).to_bytes(128, "big")
                if not short or shared[0] == 0:
                    break
            key = HKDF(hashes.SHA256(), 16, None, b"").derive(shared)
            padder = padding.PKCS7(128).padder()
            vector = os.urandom(16)
            encryptor = Cipher(algorithms.AES(key), modes.CBC(vector)).encryptor()
            sealed = encryptor.update(padder.update(text) + padder.finalize())
            for part in pow(2, exponent, P).to_bytes(128, "big"), vector, sealed, key:
                print(part.hex())
        elif sys.argv[1] == "decrypt":
            decryptor = Cipher(algorithms.AES(given[2]), modes.CBC(given[1])).decryptor()
            unpadder = padding.PKCS7(128).unpadder()
            print((unpadder.update(decryptor.update(given[0])) + unpadder.finalize()).hex())
        """
}
#endif
