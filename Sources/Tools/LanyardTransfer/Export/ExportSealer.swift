internal import LanyardCryptography
package import KeychainServices

/// Encrypts a document under a passphrase piece by piece, in the format of ``SealedExport``.
package final class ExportSealer {
    private let key: Secret
    private let authentication: Secret
    private let output: (borrowing Secret) throws(KeychainError) -> Void
    private var chunk = SecretBuilder(capacity: SealedExport.chunkSize)
    private var number: UInt64 = 0

    /// Starts an encrypted export.
    ///
    /// - Parameters:
    ///   - passphrase: Decrypts it.
    ///   - output: Takes a piece of the export.
    /// - Throws: ``Status/allocate`` without enough memory for the passphrase's key, what the closure
    ///   throws.
    package convenience init(
        passphrase: borrowing Secret,
        to output: @escaping (borrowing Secret) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        let header = try ExportHeader()
        try self.init(header, key: try header.key(passphrase), to: output)
    }

    /// Starts an encrypted export with a given key.
    init(
        _ header: ExportHeader, key: consuming Secret,
        to output: @escaping (borrowing Secret) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        let authentication = header.authentication(under: key)
        self.output = output
        self.key = header.chunkKey(key)
        var start = SecretBuilder(capacity: ExportHeader.size + ExportHeader.authenticationSize)
        start.append(header.encoded.span)
        start.append(authentication)
        self.authentication = authentication
        try output(start.finish())
    }

    /// Appends the next bytes of the document.
    ///
    /// - Throws: What the closure throws.
    package func append(_ piece: borrowing Secret) throws(KeychainError) {
        try piece.withBytes { bytes throws(KeychainError) in
            var position = 0
            while position < bytes.count {
                // Only now is it certain that this chunk is not the last one.
                if chunk.count == SealedExport.chunkSize {
                    try sealChunk(isLast: false)
                }
                let count = min(SealedExport.chunkSize - chunk.count, bytes.count - position)
                chunk.append(bytes.extracting(position..<position + count))
                position += count
            }
        }
    }

    /// Ends the export; nothing may be appended afterwards.
    ///
    /// - Throws: What the closure throws.
    package func finish() throws(KeychainError) {
        try sealChunk(isLast: true)
    }

    private func sealChunk(isLast: Bool) throws(KeychainError) {
        var full = SecretBuilder(capacity: isLast ? 16 : SealedExport.chunkSize)
        swap(&full, &chunk)
        let plaintext = full.finish()
        let box = try plaintext.withBytes { bytes throws(KeychainError) in
            try SealedBox.seal(
                bytes, under: key,
                associatedData: SealedExport.associatedData(
                    authentication, number, isLast: isLast))
        }
        number += 1
        try output(Secret(copying: box.span))
    }
}
