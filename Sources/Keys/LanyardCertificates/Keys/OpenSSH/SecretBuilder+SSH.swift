internal import LanyardSecrets

extension SecretBuilder {
    /// Appends a number of four bytes: RFC 4251, section 5.
    mutating func append(sshNumber number: Int) {
        append(UInt32(number).bigEndianBytes.span)
    }

    mutating func append(sshString bytes: Span<UInt8>) {
        append(sshNumber: bytes.count)
        append(bytes)
    }

    mutating func append(sshString bytes: [UInt8]) {
        append(sshString: bytes.span)
    }

    mutating func append(sshString text: StaticString) {
        append(sshNumber: text.utf8CodeUnitCount)
        append(text)
    }

    /// Appends an integer with these bytes, most significant first; leading zeros are allowed.
    mutating func append(sshInteger bytes: Span<UInt8>) {
        var start = 0
        while start < bytes.count, bytes[start] == 0 {
            start += 1
        }
        let rest = bytes.extracting(droppingFirst: start)
        let zero = !rest.isEmpty && rest[0] >= 0x80
        append(sshNumber: rest.count + (zero ? 1 : 0))
        if zero {
            append(0)
        }
        append(rest)
    }

    /// Appends an integer.
    mutating func append(sshInteger number: borrowing BigNumber) throws(KeychainError) {
        try number.bytes().withBytes { append(sshInteger: $0) }
    }
}
