public import LanyardSecrets

/// A line with a public key, as in `id_ed25519.pub`: the type, the bytes in Base64, a comment.
public struct SSHPublicKeyLine: Hashable, Sendable {
    /// The key.
    public let key: PublicKey
    /// The rest of the line, with spaces for tabs; may be empty.
    public let comment: ByteString

    /// Creates the line of a key.
    ///
    /// - Throws: ``Status/param`` for a comment with a line end or another control character.
    public init(_ key: PublicKey, comment: ByteString = "") throws(KeychainError) {
        guard !comment.bytes.contains(where: Self.isControl) else {
            throw KeychainError(.param, "invalid comment of a key")
        }
        self.key = key
        self.comment = comment
    }

    /// Reads a line, with its end or without.
    ///
    /// - Throws: ``Status/unknownFormat`` for other lines, also for those of `authorized_keys` with
    ///   options; what ``SSHPublicKey/init(blob:)`` throws.
    public init(_ line: Span<UInt8>) throws(KeychainError) {
        guard let read = try SSHPublicKeyLine(firstOf: line) else {
            throw KeychainError(.unknownFormat, "unknown format")
        }
        self = read
    }

    /// Reads the first line of a text that is neither empty nor a comment; nil if it doesn't begin with
    /// a type of keys.
    init?(firstOf text: Span<UInt8>) throws(KeychainError) {
        var position = 0
        while position < text.count {
            let end = text.firstIndex(of: UInt8(ascii: "\n"), from: position) ?? text.count
            while position < end, Self.isSpace(text[position]) {
                position += 1
            }
            guard position < end, text[position] != UInt8(ascii: "#") else {
                position = end + 1
                continue
            }
            let line = text.extracting(position..<end)
            guard Self.hasType(line) else {
                return nil
            }
            // Only now, because another text may be a private key.
            try self.init(parsing: ByteString(copying: line).bytes)
            return
        }
        return nil
    }

    private static func isControl(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x7F
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0D
    }

    /// Whether a line begins with a type of keys, supported or not.
    private static func hasType(_ line: Span<UInt8>) -> Bool {
        line.starts(with: "ssh-") || line.starts(with: "ecdsa-sha2-")
            || line.starts(with: "sk-ssh-") || line.starts(with: "sk-ecdsa-")
    }

    private init(parsing line: [UInt8]) throws(KeychainError) {
        let words = line.split(maxSplits: 2, whereSeparator: Self.isSpace)
        guard words.count >= 2 else {
            throw .invalidKeyFormat
        }
        let type = Array(words[0])
        guard SSHKeyType(name: type.span) != nil else {
            throw .unsupportedKeyType
        }
        guard let blob = Base64.decode(Array(words[1]).span)?.publicBytes() else {
            throw .invalidKeyFormat
        }
        let read = try SSHPublicKey(blob: blob.span)
        guard type == read.type.name.bytes else {
            throw .invalidKeyFormat
        }
        var comment = words.count > 2 ? words[2] : []
        while let last = comment.last, Self.isSpace(last) {
            comment.removeLast()
        }
        guard !comment.contains(where: { Self.isControl($0) && $0 != 0x09 }) else {
            throw .invalidKeyFormat
        }
        key = read.key
        self.comment = ByteString(comment.map { $0 == 0x09 ? 0x20 : $0 })
    }

    /// The line with its end.
    ///
    /// - Throws: ``Status/unsupportedKeyFormat`` for an X25519 key.
    public var bytes: [UInt8] {
        get throws(KeychainError) {
            let form = try SSHPublicKey(key)
            var line = SecretBuilder()
            line.append(form.type.name)
            line.append(" ")
            line.append(Base64.encode(form.blob.span))
            if !comment.isEmpty {
                line.append(" ")
                line.append(comment)
            }
            line.append("\n")
            return line.finish().publicBytes()
        }
    }
}
