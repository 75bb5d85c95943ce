internal import Secrets

/// Writes elements of DER that are no secrets.
enum PublicDER {
    enum Tag: UInt8 {
        case utf8String = 0x0C
        case sequence = 0x30
        case set = 0x31
    }

    static func element(_ tag: Tag, _ content: [UInt8]) -> [UInt8] {
        guard content.count >= 0x80 else {
            return [tag.rawValue, UInt8(content.count)] + content
        }
        let count = content.count.bigEndianBytes.drop { $0 == 0 }
        return [tag.rawValue, 0x80 | UInt8(count.count)] + count + content
    }
}
