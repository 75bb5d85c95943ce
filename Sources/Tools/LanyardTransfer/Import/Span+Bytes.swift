internal import KeychainServices

/// Helps parsers read a span of bytes without copying.
extension Span where Element == UInt8 {
    /// Whether it contains only white space.
    var isBlank: Bool {
        for index in indices where !self[index].isWhitespace {
            return false
        }
        return true
    }

    /// Whether it has the same bytes as another one.
    func isSame(as other: Span<UInt8>) -> Bool {
        count == other.count && indices.allSatisfy { self[$0] == other[$0] }
    }

    /// The bytes of a byte order mark at the start, which editors on Windows write; 0 without one.
    var markCount: Int { starts(with: "\u{FEFF}") ? 3 : 0 }
}

extension UInt8 {
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20
    static let quotationMark = UInt8(ascii: "\"")
    static let percentSign = UInt8(ascii: "%")
    static let tab: UInt8 = 0x09
    static let semicolon = UInt8(ascii: ";")
    static let comma = UInt8(ascii: ",")
    static let slash = UInt8(ascii: "/")
    static let colon = UInt8(ascii: ":")
    static let atSign = UInt8(ascii: "@")
    static let backslash = UInt8(ascii: "\\")
}
