public import KeychainServices

/// The URL in a prompt of git's: `protocol://[username@]host[:port][/path]`.
///
/// Before version 2.48 git shows a username and a path as they are, so that `@` and `/` may be parts of them.
/// A URL that can be read in two ways is none: a repository's address must not name the host of another.
public struct PromptURL: Equatable, Sendable {
    /// For example `https`.
    public let `protocol`: ByteString
    /// Nil if none is shown.
    public let username: ByteString?
    /// With its port.
    public let host: ByteString
    /// Without the slash before it; nil if none is shown.
    public let path: ByteString?

    init?(_ text: ArraySlice<UInt8>) {
        let scheme = text.prefix { $0 != UInt8(ascii: ":") }
        guard !scheme.isEmpty, scheme.allSatisfy({ (0x61...0x7A).contains($0) }),
            text[scheme.endIndex...].starts(with: "://".utf8)
        else {
            return nil
        }
        let rest = text[(scheme.endIndex + 3)...]
        let authority = rest.prefix { $0 != UInt8(ascii: "/") }
        let parts = rest.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        let host: ArraySlice<UInt8>
        switch parts.count {
        case 1:
            username = nil
            host = authority
        case 2 where parts[0].endIndex < authority.endIndex:
            guard let decoded = parts[0].percentDecoded else {
                return nil
            }
            username = ByteString(decoded)
            host = authority[(parts[0].endIndex + 1)...]
        default: return nil
        }
        guard host.isHostName else {
            return nil
        }
        let path = rest[authority.endIndex...].dropFirst()
        `protocol` = ByteString(Array(scheme))
        self.host = ByteString(Array(host))
        self.path = path.isEmpty ? nil : ByteString(Array(path))
    }

    /// As git and `lanyard set` write it, less the path.
    var text: String {
        "\(`protocol`)://\(username.map { "\($0)@" } ?? "")\(host)"
    }
}

extension ArraySlice<UInt8> {
    /// With each percent sign and two digits as the byte that they stand for; nil where digits lack, and for
    /// control characters.
    fileprivate var percentDecoded: [UInt8]? {
        var decoded: [UInt8] = []
        var index = startIndex
        while index < endIndex {
            var byte = self[index]
            if byte == UInt8(ascii: "%") {
                guard index + 2 < endIndex, let high = Hexadecimal.value(of: self[index + 1]),
                    let low = Hexadecimal.value(of: self[index + 2])
                else {
                    return nil
                }
                byte = high << 4 | low
                index += 2
            }
            guard byte >= 0x20, byte != 0x7F else {
                return nil
            }
            decoded.append(byte)
            index += 1
        }
        return decoded
    }
}
