internal import LanyardSecrets

extension EllipticCurve {
    /// Returns the two numbers of a signature in DER, each with as many bytes as the curve has.
    ///
    /// RFC 4754, section 3.
    func fixedLength(_ signature: Span<UInt8>) throws(KeychainError) -> [UInt8] {
        var reader = try DERReader.sequence(signature)
        var bytes: [UInt8] = []
        for _ in 0..<2 {
            let number = try reader.integer(in: signature)
            guard number.count <= byteCount else {
                throw .invalidKeyFormat
            }
            bytes += [UInt8](repeating: 0, count: byteCount - number.count)
            bytes += number.map { signature[$0] }
        }
        try reader.finish()
        return bytes
    }

    /// Returns a signature of two numbers of fixed length in DER, nil for another length.
    func encodedInDER(_ signature: Span<UInt8>) -> [UInt8]? {
        guard signature.count == 2 * byteCount else {
            return nil
        }
        var content = SecretBuilder()
        content.append(integer: signature.extracting(first: byteCount))
        content.append(integer: signature.extracting(droppingFirst: byteCount))
        var sequence = SecretBuilder()
        sequence.append(.sequence, content.finish())
        return sequence.finish().publicBytes()
    }
}
