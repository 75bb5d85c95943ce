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
}
