internal import KeychainServices

/// Logins in the format of netrc(5), as curl and wget read it: values with a space, a quotation mark or
/// another special character are quoted.
struct Netrc: ~Copyable {
    private struct Login: Hashable {
        let machine: ByteString
        let account: ByteString
    }

    private var text = SecretBuilder()
    private var logins: Set<Login> = []

    /// Adds a login unless one exists for the server and the account: programs use the first one.
    ///
    /// - Throws: ``Status/param`` for a line break or a NUL, which the format can't express.
    mutating func add(
        _ attributes: ItemAttributes, _ password: borrowing Secret
    ) throws(KeychainError) {
        let login = Login(
            machine: Netrc.machine(attributes.server ?? ""), account: attributes.account ?? "")
        guard logins.insert(login).inserted else {
            return
        }
        text.append("machine " as StaticString)
        try append(login.machine.bytes.span)
        if !login.account.isEmpty {
            text.append("login " as StaticString)
            try append(login.account.bytes.span)
        }
        text.append("password " as StaticString)
        try password.withBytes { bytes throws(KeychainError) in try append(bytes) }
    }

    consuming func finish() -> Secret {
        text.finish()
    }

    /// Returns a server's name in netrc's format: an address without its brackets.
    private static func machine(_ server: ByteString) -> ByteString {
        let bytes = server.bytes
        guard bytes.count > 1, bytes.first == UInt8(ascii: "["), bytes.last == UInt8(ascii: "]")
        else {
            return server
        }
        return ByteString(Array(bytes.dropFirst().dropLast()))
    }

    /// Appends a word and a line feed.
    private mutating func append(_ word: Span<UInt8>) throws(KeychainError) {
        guard !word.indices.contains(where: { [0, 0x0A, 0x0D].contains(word[$0]) }) else {
            throw KeychainError(
                .param, "a login contains a line break or a NUL, which netrc can't express")
        }
        let isPlain =
            !word.isEmpty
            && word.indices.allSatisfy { index in
                word[index] > 0x20 && word[index] != 0x7F
                    && !"\"\\#".utf8.contains(word[index])
            }
        if isPlain {
            text.append(word)
        } else {
            text.append(UInt8(ascii: "\""))
            for index in word.indices {
                if "\"\\".utf8.contains(word[index]) {
                    text.append(UInt8(ascii: "\\"))
                }
                text.append(word[index])
            }
            text.append(UInt8(ascii: "\""))
        }
        text.append(UInt8(ascii: "\n"))
    }
}
