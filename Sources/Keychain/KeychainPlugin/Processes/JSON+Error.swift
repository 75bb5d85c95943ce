package import LanyardSecrets
package import StrictJSON

extension JSONWriter {
    /// Writes the member `error`.
    package mutating func member(_ error: KeychainError) throws(KeychainError) {
        try member(object: "error") { writer throws(KeychainError) in
            try writer.member("status", Int64(error.status.rawValue))
            try writer.member("reason", ByteString(error.reason))
            if let hint = error.hint {
                try writer.member("hint", ByteString(hint))
            }
        }
    }
}

extension JSONReader {
    /// Reads the content of the member `error`. An empty text counts as none.
    ///
    /// - Throws: ``Status/decode``, also without a status.
    package mutating func readError() throws(KeychainError) -> KeychainError {
        var status: Int64 = 0
        var reason: String?
        var hint: String?
        try readObject { name, reader throws(KeychainError) in
            switch name {
            case "status": status = try reader.readInteger()
            case "reason": reason = try reader.readWords()
            case "hint": hint = try reader.readWords()
            default: break
            }
        }
        guard status != 0, let status = Int32(exactly: status) else {
            throw KeychainError(.decode, "an error has no status")
        }
        return KeychainError(
            Status(rawValue: status), reason == "" ? nil : reason, hint: hint == "" ? nil : hint)
    }

    /// Reads a text for the user: its first 1,000 bytes.
    package mutating func readWords() throws(KeychainError) -> String {
        let text = try readText()
        var words = String.UnicodeScalarView()
        var count = 0
        for scalar in text.description.unicodeScalars {
            count += UTF8.width(scalar)
            guard count <= 1000 else {
                break
            }
            words.append(scalar)
        }
        return String(words)
    }
}
