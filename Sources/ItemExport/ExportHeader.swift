internal import Cryptography
internal import KeychainServices
internal import LinuxSystem

/// The start of a sealed export: how the key is made from the passphrase. Numbers have their most
/// significant byte first: lanyard-export(5).
struct ExportHeader: Hashable {
    /// What every sealed export begins with.
    static let magic: StaticString = "lanyard export"
    /// The version of the format.
    static let version: UInt16 = 1
    /// How many bytes a header has.
    static let size = 41
    /// How many bytes of authentication follow it.
    static let authenticationSize = 32

    /// 16 random bytes.
    let salt: [UInt8]
    /// The binary logarithm of scrypt's N.
    let log2N: UInt8
    /// scrypt's block size.
    let r: UInt32
    /// scrypt's parallelization.
    let p: UInt32

    init(salt: [UInt8], log2N: UInt8, r: UInt32 = 8, p: UInt32 = 1) {
        self.salt = salt
        self.log2N = log2N
        self.r = r
        self.p = p
    }

    /// A new one, with the parameters of a new keychain's passphrase: 128 MiB and about a third of a second.
    init() throws(KeychainError) {
        self.init(salt: try RandomBytes.make(16), log2N: 17)
    }

    /// Reads what a file begins with.
    ///
    /// - Throws: ``Status/decode`` for what is no sealed export and for parameters out of bounds,
    ///   ``Status/wrongVersion`` for a newer version.
    init(decoding file: Span<UInt8>) throws(KeychainError) {
        let magic = ExportHeader.magic
        guard file.count >= magic.utf8CodeUnitCount,
            (0..<magic.utf8CodeUnitCount).allSatisfy({ file[$0] == magic.byte(at: $0) })
        else {
            throw KeychainError(.decode, "this is not an export of lanyard")
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
        let log2N = file[16]
        let r = number(at: 17, UInt32.self)
        let p = number(at: 21, UInt32.self)
        guard version > 0, Scrypt.isWithinBounds(log2N: log2N, r: r, p: p) else {
            throw SealedExport.damaged
        }
        self.init(
            salt: ByteString(copying: file.extracting(25..<41)).bytes, log2N: log2N, r: r, p: p)
    }

    /// Its bytes.
    var encoded: [UInt8] {
        ExportHeader.magic.bytes + ExportHeader.version.bigEndianBytes + [log2N]
            + r.bigEndianBytes + p.bigEndianBytes + salt
    }

    /// The key that everything else is made from, 32 bytes.
    ///
    /// - Throws: ``Status/allocate`` if there is not so much memory.
    func key(_ passphrase: borrowing Secret) throws(KeychainError) -> Secret {
        try Scrypt.derive(passphrase, salt: salt, log2N: log2N, r: r, p: p)
    }

    /// What proves a key and the header: 32 bytes, a digest of the header's.
    func authentication(under key: borrowing Secret) -> Secret {
        let authenticationKey = KeyDerivation.derive(
            key, salt: salt, use: "lanyard export header")
        let digest = authenticationKey.withBytes { HMACSHA256(key: $0) }
        digest.update(encoded)
        return digest.finishKey()
    }
}
