internal import LanyardSecrets

// Written as secrets throughout, because most of what is encoded has a private key in it.
extension SecretBuilder {
    /// Appends an element with this content.
    mutating func append(_ tag: DERTag, _ content: Span<UInt8>) {
        appendHeader(tag, contentCount: content.count)
        append(content)
    }

    /// Appends an element with this content.
    mutating func append(_ tag: DERTag, bytes content: [UInt8]) {
        append(tag, content.span)
    }

    /// Appends an element with this content.
    mutating func append(_ tag: DERTag, _ content: borrowing Secret) {
        content.withBytes { append(tag, $0) }
    }

    /// Appends an element whose content a closure builds.
    mutating func append<Failure: Error>(
        _ tag: DERTag, _ content: (inout SecretBuilder) throws(Failure) -> Void
    ) throws(Failure) {
        var builder = SecretBuilder()
        try content(&builder)
        append(tag, builder.finish())
    }

    mutating func append(_ identifier: ObjectIdentifier) {
        append(.objectIdentifier, identifier.bytes.span)
    }

    /// Appends an integer with these bytes, most significant first; leading zeros are allowed.
    mutating func append(integer bytes: Span<UInt8>) {
        var start = 0
        while start < bytes.count, bytes[start] == 0 {
            start += 1
        }
        let rest = bytes.extracting(droppingFirst: start)
        let zero = rest.isEmpty || rest[0] >= 0x80
        appendHeader(.integer, contentCount: rest.count + (zero ? 1 : 0))
        if zero {
            append(0)
        }
        append(rest)
    }

    /// Appends a number that is not negative.
    mutating func append(integer number: Int) {
        append(integer: number.bigEndianBytes.span)
    }

    /// Appends a bit string of whole bytes.
    mutating func append(bitString bytes: [UInt8]) {
        appendHeader(.bitString, contentCount: bytes.count + 1)
        append(0)
        append(bytes.span)
    }

    private mutating func appendHeader(_ tag: DERTag, contentCount: Int) {
        append(tag.rawValue)
        guard contentCount >= 0x80 else {
            append(UInt8(contentCount))
            return
        }
        let length = contentCount.bigEndianBytes.drop { $0 == 0 }
        append(0x80 | UInt8(length.count))
        for byte in length {
            append(byte)
        }
    }
}

extension Secret {
    /// Creates a sequence whose content a closure builds.
    static func sequence<Failure: Error>(
        _ content: (inout SecretBuilder) throws(Failure) -> Void
    ) throws(Failure) -> Secret {
        var builder = SecretBuilder()
        try builder.append(.sequence, content)
        return builder.finish()
    }

    /// Creates a secret with bytes that are public.
    init(_ publicBytes: [UInt8]) {
        self.init(copying: publicBytes.span)
    }

    /// The bytes, which are public.
    consuming func publicBytes() -> [UInt8] {
        withBytes { ByteString(copying: $0).bytes }
    }
}
