internal import Keychain

/// References as the protocol writes them: the item's id in 32 hexadecimal digits.
enum Hexadecimal {
    static func encode(_ id: ItemID) -> ByteString {
        ByteString(id.bytes.flatMap { [digit($0 >> 4), digit($0 & 0x0F)] })
    }

    /// The id that is written so, nil if it is none.
    static func decode(_ text: ByteString) -> ItemID? {
        guard text.bytes.count == 32 else {
            return nil
        }
        let values = text.bytes.compactMap(value)
        guard values.count == 32 else {
            return nil
        }
        return ItemID(stride(from: 0, to: 32, by: 2).map { values[$0] << 4 | values[$0 + 1] })
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
