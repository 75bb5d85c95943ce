/// The parts of a URL, or of a host with or without port and path, as ranges of bytes: RFC 3986, section 3.
///
/// It neither copies nor decodes anything: a password stays in the text. Every text has such parts; the caller
/// decides what they may be.
package struct URLParts {
    /// The text before `://`, nil if that can't be a scheme.
    package private(set) var scheme: Range<Int>?
    /// The text before the last `@` of the authority and before its first colon there, nil without an `@`.
    package private(set) var user: Range<Int>?
    /// The text between them, nil without such a colon.
    package private(set) var password: Range<Int>?
    /// IPv6 addresses keep their brackets.
    package private(set) var host: Range<Int>
    /// The text after the last colon outside of brackets, nil without one.
    package private(set) var port: Range<Int>?
    /// Everything from the `/`, `?` or `#` after host and port.
    package let rest: Range<Int>

    /// Finds the parts of a text.
    package init(_ text: Span<UInt8>) {
        var start = 0
        if let colon = text.firstIndex(of: UInt8(ascii: ":")),
            text.extracting(colon...).starts(with: "://"), text.extracting(..<colon).isScheme
        {
            scheme = 0..<colon
            start = colon + 3
        }
        let end = (start..<text.count).first { "/?#".utf8.contains(text[$0]) } ?? text.count
        rest = end..<text.count
        let authority = text.extracting(..<end)
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) {
            let before = authority.extracting(..<at)
            let colon = before.firstIndex(of: UInt8(ascii: ":"), from: start)
            user = start..<(colon ?? at)
            password = colon.map { $0 + 1..<at }
            start = at + 1
        }
        host = start..<end
        if let colon = authority.lastIndex(of: UInt8(ascii: ":")), colon >= start,
            !authority.extracting(colon...).contains(UInt8(ascii: "]"))
        {
            host = start..<colon
            port = colon + 1..<end
        }
    }
}

extension Span where Element == UInt8 {
    /// Whether it is a letter followed by letters, digits, `+`, `-` and `.`: RFC 3986, section 3.1.
    package var isScheme: Bool {
        guard count > 0, self[0].isLetter else {
            return false
        }
        return indices.allSatisfy { self[$0].isLetterOrDigit || "+-.".utf8.contains(self[$0]) }
    }

    /// The number from 1 to 65535 with these digits, without a leading zero; nil for other bytes.
    package var port: UInt16? {
        guard let number = decimalNumber, self[0] != UInt8(ascii: "0") else {
            return nil
        }
        return UInt16(exactly: number)
    }
}
