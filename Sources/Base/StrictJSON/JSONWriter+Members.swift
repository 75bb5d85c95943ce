public import LanyardSecrets

extension JSONWriter {
    /// Writes a member whose value is a string that may be confidential.
    public mutating func member(
        _ name: ByteString, _ text: borrowing Secret
    ) throws(KeychainError) {
        try member(name) { writer throws(KeychainError) in try writer.write(text) }
    }

    /// Writes a member whose value is a string that is not confidential.
    public mutating func member(
        _ name: ByteString, _ text: ByteString
    ) throws(KeychainError) {
        try member(name) { writer throws(KeychainError) in try writer.write(text) }
    }

    /// Writes a member whose value is an integer.
    public mutating func member(_ name: ByteString, _ number: Int64) throws(KeychainError) {
        try member(name) { writer throws(KeychainError) in try writer.write(number) }
    }

    /// Writes a member whose value is `true` or `false`.
    public mutating func member(_ name: ByteString, _ bool: Bool) throws(KeychainError) {
        try member(name) { writer throws(KeychainError) in try writer.write(bool) }
    }

    /// Writes a member whose value is an array of strings that are not confidential.
    public mutating func member(_ name: ByteString, _ texts: [ByteString]) throws(KeychainError) {
        try member(array: name, of: texts) { writer, text throws(KeychainError) in
            try writer.write(text)
        }
    }

    /// Writes a member whose value is an object; a closure writes its members.
    public mutating func member(
        object name: ByteString, _ members: (inout JSONWriter) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        try member(name) { writer throws(KeychainError) in try writer.writeObject(members) }
    }

    /// Writes a member whose value is an array; a closure writes each element.
    public mutating func member<Element>(
        array name: ByteString, of elements: [Element],
        _ write: (inout JSONWriter, Element) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        try member(name) { writer throws(KeychainError) in
            try writer.writeArray(of: elements, write)
        }
    }

    /// Writes an array; a closure writes each element.
    public mutating func writeArray<Element>(
        of elements: [Element],
        _ write: (inout JSONWriter, Element) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        try writeArray { writer throws(KeychainError) in
            for element in elements {
                try write(&writer, element)
            }
        }
    }
}
