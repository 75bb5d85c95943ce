internal import Cryptography
public import KeychainServices

/// A document encrypted under a passphrase: lanyard-export(5).
///
/// The document stands in it in chunks. Each is a ``SealedBox`` whose associated data is the header's
/// authentication, the chunk's number and whether it is the last one, so that none can be changed,
/// taken out, put elsewhere or added.
public enum SealedExport {
    /// How many bytes of the document a chunk has; the last one has 1 to as many.
    static let chunkSize = 65_536

    /// Whether a file begins as every sealed export does.
    public static func isSealed(_ file: borrowing Secret) -> Bool {
        file.begins(with: ExportHeader.magic)
    }

    /// Takes the document out of a whole file.
    ///
    /// - Throws: ``Status/authFailed`` if the passphrase is not right, ``Status/decode`` if the file is
    ///   none of these, damaged, or not whole, ``Status/wrongVersion`` for a newer version of them,
    ///   ``Status/allocate``.
    public static func unseal(
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

    /// Takes the document out of a file whose key is known.
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
                "the passphrase is not right, or the start of the export is damaged")
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
        KeychainError(.decode, "the export is damaged, not whole, or was tampered with")
    }
}
