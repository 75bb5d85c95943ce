internal import GitCredential
internal import KeychainServices

/// A line of git-credential-store's file, parsed byte by byte as git does.
///
/// The corresponding functions of git are `credential_from_url_gently` and `url_decode_mem`.
struct GitCredentialURL: ~Copyable {
    private let `protocol`: ByteString
    private let host: ByteString
    private let path: ByteString?
    private let username: ByteString
    private let password: Secret

    /// Fails for a line without a protocol, a user or a password.
    init?(_ line: Span<UInt8>) {
        // git treats the line as a C string.
        let line = line.extracting(..<(line.firstIndex(of: 0) ?? line.count))
        let parts = URLParts(line)
        guard let scheme = parts.scheme, let user = parts.user, parts.password != nil,
            // git looks for the first one, not for the last.
            let at = line.firstIndex(of: .atSign), at > user.upperBound
        else {
            return nil
        }
        self.protocol = ByteString(copying: line.extracting(scheme))
        username = ByteString(decoding: line.extracting(user))
        password = Secret(decoding: line.extracting(user.upperBound + 1..<at))
        host = ByteString(decoding: line.extracting(at + 1..<parts.rest.lowerBound))
        path = GitCredentialURL.path(line.extracting(parts.rest))
    }

    /// Returns the request that git would send to a helper for this login; nil if git rejects the line.
    consuming func request() -> GitCredentialRequest? {
        GitCredentialRequest(
            protocol: self.protocol, host: host, path: path, username: username,
            password: password)
    }

    /// Returns the path without leading slashes, and then without trailing ones.
    private static func path(_ text: Span<UInt8>) -> ByteString? {
        var start = 0
        while start < text.count, text[start] == .slash {
            start += 1
        }
        guard start < text.count else {
            return nil
        }
        var path = ByteString(decoding: text.extracting(start...)).bytes
        while path.count > 1, path.last == .slash {
            path.removeLast()
        }
        return path.isEmpty ? nil : ByteString(path)
    }
}

extension Secret {
    /// Decodes percent codes as git does: not before a colon and not to NUL. Anything else remains
    /// unchanged.
    fileprivate init(decoding text: Span<UInt8>) {
        guard text.contains(.percentSign) else {
            self.init(copying: text)
            return
        }
        var bytes = SecretBuilder(capacity: text.count)
        // git takes the text before a colon for a protocol.
        let start = text.firstIndex(of: .colon) ?? 0
        bytes.append(text.extracting(..<start))
        bytes.append(percentDecoding: text.extracting(start...), decodesNUL: false)
        self = bytes.finish()
    }
}

extension ByteString {
    fileprivate init(decoding text: Span<UInt8>) {
        guard text.contains(.percentSign) else {
            self.init(copying: text)
            return
        }
        self = Secret(decoding: text).withBytes { ByteString(copying: $0) }
    }
}
