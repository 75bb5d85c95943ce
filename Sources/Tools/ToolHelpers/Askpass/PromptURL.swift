public import KeychainServices

/// The URL in one of git's prompts: `protocol://[username@]host[:port][/path]`.
///
/// git before version 2.48 does not encode a username or a path, which may therefore contain `@` and `/`.
/// Ambiguous URLs are rejected: a repository's address must not name the host of another.
public struct PromptURL: Equatable, Sendable {
    /// For example `https`.
    public let `protocol`: ByteString
    /// Nil if the prompt shows none.
    public let username: ByteString?
    /// With its port.
    public let host: ByteString
    /// Without its leading slash; nil if the prompt shows none.
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
            let encoded = parts[0]
            guard let decoded = encoded.span.percentDecoded,
                decoded.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
            else {
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

    /// The URL in the form of git and `lanyard set`, without the path.
    var text: String {
        "\(`protocol`)://\(username.map { "\($0.percentEncodedUser)@" } ?? "")\(host)"
    }
}
