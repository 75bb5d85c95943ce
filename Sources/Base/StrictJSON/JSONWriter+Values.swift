public import LanyardSecrets

extension JSONWriter {
    /// Writes a string that may be confidential.
    public mutating func write(_ text: borrowing Secret) throws(KeychainError) {
        beginValue()
        try text.withBytes { text throws(KeychainError) in try appendString(text) }
        try endValue()
    }

    /// Writes a string that is not confidential.
    public mutating func write(_ text: ByteString) throws(KeychainError) {
        beginValue()
        try appendString(text.bytes.span)
        try endValue()
    }

    /// Writes an integer.
    public mutating func write(_ number: Int64) throws(KeychainError) {
        beginValue()
        piece.append(ByteString(String(number)))
        try endValue()
    }

    /// Writes `true` or `false`.
    public mutating func write(_ bool: Bool) throws(KeychainError) {
        beginValue()
        piece.append(bool ? "true" : "false" as StaticString)
        try endValue()
    }

    /// Writes `null`.
    public mutating func writeNull() throws(KeychainError) {
        beginValue()
        piece.append("null" as StaticString)
        try endValue()
    }
}
