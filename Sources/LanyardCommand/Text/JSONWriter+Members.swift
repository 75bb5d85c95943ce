internal import KeychainServices
internal import StrictJSON

extension JSONWriter {
    /// Writes a member whose value is a number, or null for nil.
    mutating func member(_ name: ByteString, _ value: Int?) throws(KeychainError) {
        try member(name) { writer throws(KeychainError) in
            if let value {
                try writer.write(Int64(value))
            } else {
                try writer.writeNull()
            }
        }
    }

    /// Writes a member whose value is true or false, or null for nil.
    mutating func member(_ name: ByteString, _ value: Bool?) throws(KeychainError) {
        try member(name) { writer throws(KeychainError) in
            if let value {
                try writer.write(value)
            } else {
                try writer.writeNull()
            }
        }
    }

    /// Writes a member whose value is a text, or null for nil.
    mutating func member(_ name: ByteString, _ value: String?) throws(KeychainError) {
        try member(name) { writer throws(KeychainError) in
            if let value {
                try writer.write(ByteString(value))
            } else {
                try writer.writeNull()
            }
        }
    }

    /// Writes a member whose value is an array of texts.
    mutating func member(_ name: ByteString, _ texts: [String]) throws(KeychainError) {
        try member(name, texts.map { ByteString($0) })
    }

    /// Writes a member whose value is an array of texts.
    mutating func member(_ name: ByteString, _ texts: [ByteString]) throws(KeychainError) {
        try member(name) { writer throws(KeychainError) in
            try writer.writeArray { writer throws(KeychainError) in
                for text in texts {
                    try writer.write(text)
                }
            }
        }
    }

    /// Writes a member whose value is an array of objects; a closure writes each one's members.
    mutating func member<Element>(
        _ name: ByteString, of elements: [Element],
        _ members: (inout JSONWriter, Element) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        try member(name) { writer throws(KeychainError) in
            try writer.writeArray(of: elements, members)
        }
    }

    /// Writes an array of objects; a closure writes each one's members.
    mutating func writeArray<Element>(
        of elements: [Element],
        _ members: (inout JSONWriter, Element) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        try writeArray { writer throws(KeychainError) in
            for element in elements {
                try writer.writeObject { writer throws(KeychainError) in
                    try members(&writer, element)
                }
            }
        }
    }
}
