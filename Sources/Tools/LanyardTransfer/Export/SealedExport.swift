internal import LanyardCryptography
package import KeychainServices

/// A document encrypted under a passphrase: lanyard-export(5).
///
/// It consists of chunks. Each is a ``SealedBox`` whose associated data is the header's authentication, the
/// chunk's number and whether it is the last one. It reveals any changed, missing, moved or added chunk.
package enum SealedExport {
    /// The bytes of the document per chunk; the last one may have fewer, at least 1.
    static let chunkSize = 65_536

    /// Whether a file starts like an encrypted export.
    package static func isSealed(_ file: borrowing Secret) -> Bool {
        file.withBytes { $0.starts(with: ExportHeader.magic) }
    }

    /// Decrypts the document in a whole file.
    ///
    /// - Throws: ``Status/authFailed`` for a wrong passphrase, ``Status/decode`` if the file is not an
    ///   encrypted export, damaged, or incomplete, ``Status/wrongVersion`` for a newer version,
    ///   ``Status/allocate``.
    package static func unseal(
        _ file: borrowing Secret, passphrase: borrowing Secret
    ) throws(KeychainError) -> Secret {
        let header = try file.withBytes { bytes throws(KeychainError) in
            let header = try ExportHeader(decoding: bytes)
            guard bytes.count >= ExportHeader.size + ExportHeader.authenticationSize else {
                throw damaged
            }
            return header
        }
        let key = try header.key(passphrase)
        return try file.withBytes { bytes throws(KeychainError) in
            try open(bytes, header, under: key)
        }
    }

    /// Decrypts the document with a given key.
    static func open(
        _ file: Span<UInt8>, _ header: ExportHeader, under key: borrowing Secret
    ) throws(KeychainError) -> Secret {
        let start = ExportHeader.size + ExportHeader.authenticationSize
        guard file.count >= start else {
            throw damaged
        }
        let authentication = header.authentication(under: key)
        let found = Secret(copying: file.extracting(ExportHeader.size..<start))
        guard authentication.isEqual(to: found) else {
            throw KeychainError(
                .authFailed,
                "wrong passphrase, or the start of the export is damaged")
        }
        let chunkKey = header.chunkKey(key)
        var document = SecretBuilder(capacity: file.count - start)
        var position = start
        var number: UInt64 = 0
        repeat {
            let count = min(chunkSize + SealedBox.overhead, file.count - position)
            let isLast = position + count == file.count
            let chunk = file.extracting(position..<position + count)
            do throws(KeychainError) {
                document.append(
                    try SealedBox.open(
                        chunk, under: chunkKey,
                        associatedData: associatedData(authentication, number, isLast: isLast)))
            } catch {
                throw error.status == .decode ? damaged : error
            }
            position += count
            number += 1
        } while position < file.count
        return document.finish()
    }

    static func associatedData(
        _ authentication: borrowing Secret, _ number: UInt64, isLast: Bool
    ) -> [UInt8] {
        authentication.withBytes { ByteString(copying: $0).bytes } + number.bigEndianBytes
            + [isLast ? 1 : 0]
    }

    static var damaged: KeychainError {
        KeychainError(.decode, "the export is damaged, incomplete or was tampered with")
    }
}
