package import StrictJSON

extension JSONWriter {
    /// Writes confidential bytes as Base64.
    package mutating func member(base64 name: ByteString, _ secret: borrowing Secret)
        throws(KeychainError)
    {
        try member(name, secret.withBytes { Base64.encode($0) })
    }

    /// Writes a text, or an object with its bytes if JSON or programs in C can't represent it.
    package mutating func write(bytes text: ByteString) throws(KeychainError) {
        guard text.bytes.contains(0) || !text.bytes.span.isUTF8 else {
            try write(text)
            return
        }
        try writeObject { writer throws(KeychainError) in
            try writer.member("base64", Base64.encode(text.bytes.span))
        }
    }

    /// Writes a text as ``write(bytes:)`` does.
    package mutating func member(bytes name: ByteString, _ text: ByteString) throws(KeychainError) {
        try member(name) { writer throws(KeychainError) in try writer.write(bytes: text) }
    }
}
