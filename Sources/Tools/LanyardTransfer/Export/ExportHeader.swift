internal import LanyardCryptography
internal import KeychainServices
internal import LinuxSystem

/// The start of an encrypted export, which tells how the key derives from the passphrase. Numbers are
/// big-endian: lanyard-export(5).
struct ExportHeader: Hashable {
    /// The first bytes of every encrypted export.
    static let magic: StaticString = "lanyard export"
    /// The version of the format.
    static let version: UInt16 = 2
    /// The size of a header in bytes.
    static let size = 40
    /// The size of the authentication after it in bytes.
    static let authenticationSize = 32

    /// How the key derives from the passphrase.
    let stretching: PassphraseStretching

    init(_ stretching: PassphraseStretching) {
        self.stretching = stretching
    }

    /// Creates a header with the parameters of a new keychain's passphrase: 128 MiB and about a third of a
    /// second.
    init() throws(KeychainError) {
        self.init(
            PassphraseStretching(salt: try RandomBytes.make(PassphraseStretching.saltSize)))
    }

    /// Reads the start of a file.
    ///
    /// - Throws: ``Status/decode`` unless it is an encrypted export with parameters in bounds,
    ///   ``Status/wrongVersion`` for another version.
    init(decoding file: Span<UInt8>) throws(KeychainError) {
        guard file.starts(with: ExportHeader.magic) else {
            throw KeychainError(.decode, "this is not a lanyard export")
        }
        guard file.count >= ExportHeader.size else {
            throw SealedExport.damaged
        }
        func number<Number: FixedWidthInteger>(at place: Int, _: Number.Type) -> Number {
            (place..<place + MemoryLayout<Number>.size).reduce(0) {
                $0 << 8 | Number(file[$1])
            }
        }
        let version = number(at: 14, UInt16.self)
        guard version <= ExportHeader.version else {
            throw KeychainError(.wrongVersion, "the export's format is newer than this program")
        }
        guard version != 1 else {
            throw KeychainError(
                .wrongVersion, "the export has format 1, which no release of lanyard reads")
        }
        guard version == ExportHeader.version else {
            throw SealedExport.damaged
        }
        do throws(KeychainError) {
            self.init(
                try PassphraseStretching(
                    salt: ByteString(copying: file.extracting(24..<40)).bytes,
                    memory: number(at: 16, UInt32.self), passes: number(at: 20, UInt32.self)))
        } catch {
            throw SealedExport.damaged
        }
    }

    var encoded: [UInt8] {
        ExportHeader.magic.bytes + ExportHeader.version.bigEndianBytes
            + stretching.memory.bigEndianBytes + stretching.passes.bigEndianBytes
            + stretching.salt
    }

    /// Derives the key that all others derive from, 32 bytes.
    ///
    /// - Throws: ``Status/allocate`` without enough memory.
    func key(_ passphrase: borrowing Secret) throws(KeychainError) -> Secret {
        try stretching.key(passphrase)
    }

    /// Returns the proof of key and header: 32 bytes, a digest of the header.
    func authentication(under key: borrowing Secret) -> Secret {
        let authenticationKey = KeyDerivation.derive(
            key, label: "lanyard export header", context: stretching.salt.span)
        return Secret(
            copying: KeyedDigest.make(under: authenticationKey, encoded.span).span)
    }

    /// Returns the key that encrypts the chunks.
    func chunkKey(_ key: borrowing Secret) -> Secret {
        KeyDerivation.derive(
            key, label: "lanyard export chunk", context: stretching.salt.span)
    }
}
