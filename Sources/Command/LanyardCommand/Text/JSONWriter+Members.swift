internal import KeychainServices
internal import StrictJSON

extension JSONWriter {
    /// Writes a member whose value is a number, or null for nil.
    mutating func member(_ name: ByteString, _ value: Int?) throws(KeychainError) {
        try member(name, value) { writer, value throws(KeychainError) in
            try writer.write(Int64(value))
        }
    }

    /// Writes a member whose value is true or false, or null for nil.
    mutating func member(_ name: ByteString, _ value: Bool?) throws(KeychainError) {
        try member(name, value) { writer, value throws(KeychainError) in try writer.write(value) }
    }

    /// Writes a member whose value is a text, or null for nil.
    mutating func member(_ name: ByteString, _ value: String?) throws(KeychainError) {
        try member(name, value) { writer, value throws(KeychainError) in
            try writer.write(ByteString(value))
        }
    }

    /// Writes a member with a value that a closure writes, or null for nil.
    mutating func member<Value>(
        _ name: ByteString, _ value: Value?,
        _ write: (inout JSONWriter, Value) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        try member(name) { writer throws(KeychainError) in
            if let value {
                try write(&writer, value)
            } else {
                try writer.writeNull()
            }
        }
    }

    /// Writes a member whose value is an array of texts.
    mutating func member(_ name: ByteString, _ texts: [String]) throws(KeychainError) {
        try member(name, texts.map { ByteString($0) })
    }

    /// Writes a member whose value is an array of objects; a closure writes each one's members.
    mutating func member<Element>(
        objects name: ByteString, of elements: [Element],
        _ members: (inout JSONWriter, Element) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        try member(name) { writer throws(KeychainError) in
            try writer.writeObjects(of: elements, members)
        }
    }

    /// Writes an array of objects; a closure writes each one's members.
    mutating func writeObjects<Element>(
        of elements: [Element],
        _ members: (inout JSONWriter, Element) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        try writeArray(of: elements) { writer, element throws(KeychainError) in
            try writer.writeObject { writer throws(KeychainError) in
                try members(&writer, element)
            }
        }
    }
}
