import KeychainServices
import TestSupport
import Testing

@testable import SSHAgent

/// That the agent leaves no copy of what it was given in memory.
@Suite struct WipedAgentMemoryTests {
    private let word = OwnMemory.Pattern.randomWord()

    private func secret(_ text: String) -> Secret {
        var bytes = SecretBuilder()
        word.forEachByte(of: text) { bytes.append($0) }
        return bytes.finish()
    }

    /// Returns a request as a client's connection delivers it.
    private func request(_ message: borrowing Secret) throws -> AgentRequest {
        var frames = FrameReader()
        var rest = FrameReader.frame(message)
        while rest.count > 0 {
            let part = rest.prefix(frames.wanted)
            rest = rest.dropping(part.count)
            if let whole = try part.withBytes({ try frames.add($0) }) {
                return try AgentRequest(parsing: whole)
            }
        }
        throw WireReader.malformed
    }

    /// The numbers don't fit together, which only signing notices.
    @Test func key() throws {
        do {
            var message = WireWriter()
            message.append(MessageNumber.addIdentity)
            for text in ["ssh-rsa", "modulus", "e"] as [ByteString] {
                message.append(string: text)
            }
            for text in ["SECRET", "i", "pSECRET", "qSECRET"] {
                message.append(string: secret(text))
            }
            message.append(string: "comment" as ByteString)
            guard case .add(let new) = try request(message.finish()) else {
                Issue.record("it is a request to add a key")
                return
            }
            let key = AddedKey(new, now: 0)
            #expect(OwnMemory.count(word) > 0)
            let lockKey = Secret(copying: [UInt8](repeating: 1, count: 32).span)
            try key.seal(under: lockKey)
            try key.open(under: lockKey)
            #expect(try key.privateKey().fields.count > 3 * word.count)
        }
        #expect(OwnMemory.count(word) == 0)
    }

    @Test func lock() throws {
        do {
            var message = WireWriter()
            message.append(MessageNumber.lock)
            message.append(string: secret("SECRET"))
            guard case .lock(let password) = try request(message.finish()) else {
                Issue.record("it is a request to lock")
                return
            }
            #expect(OwnMemory.count(word) > 0)
            let opened = try AgentLock.make(password: password)
            let count = opened.key.count
            #expect(count == 32)
        }
        #expect(OwnMemory.count(word) == 0)
    }
}

extension WireWriter {
    fileprivate mutating func append(string secret: borrowing Secret) {
        append(UInt32(secret.count))
        for index in 0..<secret.count {
            append(secret.withBytes { $0[index] })
        }
    }
}
