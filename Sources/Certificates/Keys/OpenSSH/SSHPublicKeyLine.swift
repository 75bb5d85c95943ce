public import Secrets
internal import StrictJSON

/// A line with a public key, as in `id_ed25519.pub`: the type, the bytes in Base64, a comment.
public struct SSHPublicKeyLine: Hashable, Sendable {
    /// The key.
    public let key: PublicKey
    /// The rest of the line; may be empty.
    public let comment: ByteString

    /// Creates the line of a key.
    ///
    /// - Throws: ``Status/param`` for a comment with a line end or another control character.
    public init(_ key: PublicKey, comment: ByteString = "") throws(KeychainError) {
        guard !comment.bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
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
            throw KeychainError(.unknownFormat)
        }
        self = read
    }

    /// Reads the first line of a text that is neither empty nor a comment; nil if it doesn't begin with
    /// a type of keys.
    init?(firstOf text: Span<UInt8>) throws(KeychainError) {
        var position = 0
        while position < text.count {
            let end = text.firstIndex(of: UInt8(ascii: "\n"), from: position) ?? text.count
            let line = ByteString(copying: text.extracting(position..<end)).bytes
                .drop { $0 == 0x20 || $0 == 0x09 }
            position = end + 1
            guard let first = line.first, first != UInt8(ascii: "#"), first != 0x0D else {
                continue
            }
            guard Self.hasType(line) else {
                return nil
            }
            try self.init(parsing: line)
            return
        }
        return nil
    }

    /// Whether a line begins with a type of keys, supported or not.
    private static func hasType(_ line: ArraySlice<UInt8>) -> Bool {
        ["ssh-", "ecdsa-sha2-", "sk-ssh-", "sk-ecdsa-"].contains { line.starts(with: $0.utf8) }
    }

    private init(parsing line: ArraySlice<UInt8>) throws(KeychainError) {
        let words = line.split(maxSplits: 2) { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
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
        while let last = comment.last, last == 0x20 || last == 0x09 || last == 0x0D {
            comment.removeLast()
        }
        try self.init(read.key, comment: ByteString(Array(comment)))
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
