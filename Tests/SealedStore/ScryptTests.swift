import Foundation
import KeychainServices
import Testing

@testable import Cryptography
@testable import SealedStore
@testable import LinuxSystem

@Suite("scrypt") struct ScryptTests {
    private func derived(
        _ passphrase: String, _ salt: [UInt8], log2N: UInt8, r: UInt32 = 8, p: UInt32 = 1
    ) throws -> String {
        Hexadecimal.encode(
            bytes(try Scrypt.derive(Secret(passphrase), salt: salt, log2N: log2N, r: r, p: p)))
    }

    /// RFC 7914, section 12: a key is the first 32 bytes of its 64.
    @Test func equalsThePublishedVectors() throws {
        #expect(
            try derived("", [], log2N: 4, r: 1)
                == "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442")
        #expect(
            try derived("password", Array("NaCl".utf8), log2N: 10, p: 16)
                == "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162")
        #expect(
            try derived("pleaseletmein", Array("SodiumChloride".utf8), log2N: 14)
                == "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2")
    }

    /// The least that a keychain takes.
    @Test func equalsAnotherImplementation() throws {
        let passphrase = "a pässphrase with blanks"
        let salt = [UInt8](0x80..<0x90)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "python3", "-c",
            """
            import hashlib, sys
            print(hashlib.scrypt(sys.argv[1].encode(), salt=bytes.fromhex(sys.argv[2]), n=1 << 15,
                                 r=8, p=1, maxmem=1 << 30, dklen=32).hex(), end="")
            """, passphrase, Hexadecimal.encode(salt),
        ]
        process.environment = ProcessInfo.processInfo.environment.merging(["PYTHONUTF8": "1"]) {
            $1
        }
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let expected = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(expected.count == 64)
        #expect(
            try derived(passphrase, salt, log2N: 15) == String(decoding: expected, as: UTF8.self))
    }

    @Test func everyInputCounts() throws {
        let reference = try derived("passphrase", [1], log2N: 4)
        #expect(try derived("passphrase", [1], log2N: 4) == reference)
        #expect(try derived("passphrasf", [1], log2N: 4) != reference)
        #expect(try derived("pass\0phrase", [1], log2N: 4) != derived("pass", [1], log2N: 4))
        #expect(try derived("passphrase", [1, 0], log2N: 4) != reference)
        #expect(try derived("passphrase", [2], log2N: 4) != reference)
        #expect(try derived("passphrase", [1], log2N: 5) != reference)
        #expect(try derived("passphrase", [1], log2N: 4, r: 4) != reference)
        #expect(try derived("passphrase", [1], log2N: 4, p: 2) != reference)
    }

    @Test(
        arguments: [
            (0, 8, 1), (4, 0, 1), (4, 8, 0), (63, 8, 1), (64, 8, 1), (255, 8, 1),
            (20, UInt32.max, 1), (4, 8, UInt32.max), (50, 8, 1),
        ] as [(UInt8, UInt32, UInt32)])
    func parametersThatCannotBeMetAreAnError(_ log2N: UInt8, _ r: UInt32, _ p: UInt32) throws {
        let error = keychainError { _ = try derived("passphrase", [1], log2N: log2N, r: r, p: p) }
        #expect(error?.status == .allocate)
        #expect(error?.reason.contains("passphrase") == true)
    }
}
