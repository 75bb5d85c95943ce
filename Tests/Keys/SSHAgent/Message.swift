import KeychainServices

/// A message in the making, with the data types of RFC 4251.
struct Message {
    var bytes: [UInt8] = []

    init(_ number: UInt8) {
        bytes = [number]
    }

    init() {}

    func byte(_ value: UInt8) -> Message {
        adding([value])
    }

    func number(_ value: UInt32) -> Message {
        adding((0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - $0 * 8)) })
    }

    func string(_ value: [UInt8]) -> Message {
        number(UInt32(value.count)).adding(value)
    }

    func string(_ text: String) -> Message {
        string(Array(text.utf8))
    }

    func adding(_ more: [UInt8]) -> Message {
        var message = self
        message.bytes += more
        return message
    }

    var secret: Secret { Secret(copying: bytes.span) }
}

extension Secret {
    /// The bytes, to be compared.
    borrowing func array() -> [UInt8] {
        withBytes { ByteString(copying: $0).bytes }
    }
}

/// Keys that look like keys, and are made of one repeated byte.
enum SampleAgentKey {
    static func ed25519(_ byte: UInt8) -> Message {
        let point = [UInt8](repeating: byte, count: 32)
        return Message().string("ssh-ed25519").string(point)
            .string([UInt8](repeating: byte ^ 0xFF, count: 32) + point)
    }

    static func ed25519Public(_ byte: UInt8) -> [UInt8] {
        Message().string("ssh-ed25519").string([UInt8](repeating: byte, count: 32)).bytes
    }

    static let rsa = Message().string("ssh-rsa").string([0, 0xC1, 2, 3]).string([1, 0, 1])
        .string([5]).string([6]).string([7]).string([0, 0x81])

    static let ecdsa = Message().string("ecdsa-sha2-nistp256").string("nistp256")
        .string([4] + [UInt8](repeating: 9, count: 64)).string([0, 0x80, 1])
}
