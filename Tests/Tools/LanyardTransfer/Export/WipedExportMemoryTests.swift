@testable import LanyardTransfer
import KeychainServices
import TestSupport
import Testing

/// That an export, and the import of one, leave no copy of a secret in memory.
@Suite struct WipedExportMemoryTests {
    private final class Output {
        var bytes = SecretBuilder()
    }

    /// The second secret is no text.
    @Test(arguments: [false, true], [0x61...0x7A, 0x80...0xFF] as [ClosedRange<UInt8>])
    func document(isSealed: Bool, bytes: ClosedRange<UInt8>) throws {
        let word = OwnMemory.Pattern.random(count: 513, of: bytes)
        do {
            let document = try isSealed ? sealed(word) : export(word)
            #expect(isSealed || OwnMemory.count(base64(word)) + OwnMemory.count(word) > 0)
            var items: [NewItem] = []
            try ExportDocument().read(document) { record throws(KeychainError) in
                if case .item(let item) = record.content {
                    items.append(item)
                }
            }
            #expect(items.count == 1)
            #expect(OwnMemory.count(word) > 0)
        }
        #expect(OwnMemory.count(word) == 0)
        #expect(OwnMemory.count(base64(word)) == 0)
    }

    /// Exports an item, whose secret is the word.
    private func export(_ word: OwnMemory.Pattern) throws -> Secret {
        let output = Output()
        try write(word) { output.bytes.append($0) }
        return output.bytes.finishing()
    }

    /// Exports it, encrypted, and decrypts it again.
    private func sealed(_ word: OwnMemory.Pattern) throws -> Secret {
        let output = Output()
        let header = try ExportHeader()
        let key = Secret(copying: [UInt8](repeating: 1, count: 32).span)
        let sealer = try ExportSealer(header, key: key.copy()) { output.bytes.append($0) }
        try write(word, to: sealer.append)
        try sealer.finish()
        let file = output.bytes.finishing()
        return try file.withBytes { file throws(KeychainError) in
            try SealedExport.open(file, header, under: key)
        }
    }

    private func write(
        _ word: OwnMemory.Pattern,
        to output: @escaping (borrowing Secret) throws(KeychainError) -> Void
    ) throws {
        let keychain = Keychain(
            InMemoryStore { Timestamp(secondsSinceEpoch: 0) }, accessGroups: .all())
        var secret = SecretBuilder()
        word.forEachByte(of: "SECRET") { secret.append($0) }
        try keychain.add(.genericPassword, ItemAttributes(), secret: secret.finish())
        let counts = try ItemExport(of: keychain).write(
            created: Timestamp(secondsSinceEpoch: 0), to: output)
        #expect(counts.exported == 1)
    }

    /// The digits of bytes in Base64.
    private func base64(_ word: OwnMemory.Pattern) -> OwnMemory.Pattern {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text = OwnMemory.Pattern()
        for group in stride(from: 0, to: word.count, by: 3) {
            let bits = (0..<3).reduce(0) { $0 << 8 | Int(word[group + $1]) }
            for shift in [18, 12, 6, 0] {
                text.append(digits[bits >> shift & 63])
            }
        }
        return text
    }
}

extension SecretBuilder {
    /// Takes what was appended.
    fileprivate mutating func finishing() -> Secret {
        var whole = SecretBuilder()
        swap(&whole, &self)
        return whole.finish()
    }
}
