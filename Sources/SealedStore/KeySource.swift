internal import Cryptography
internal import KeychainServices
internal import LinuxSystem

/// What class keys can be wrapped by.
enum KeySource: Hashable {
    /// A machine key, by its id of 16 bytes.
    case machineKey(id: [UInt8])
    /// A passphrase that scrypt stretches: an id and a salt of 16 bytes each, and the parameters.
    case passphrase(id: [UInt8], salt: [UInt8], log2N: UInt8, r: UInt32, p: UInt32)
    /// A recovery key, by an id of 16 bytes.
    case recoveryKey(id: [UInt8])

    /// What it is, whichever of that.
    enum Kind {
        case machineKey
        case passphrase
        case recoveryKey
    }

    var kind: Kind {
        switch self {
        case .machineKey: .machineKey
        case .passphrase: .passphrase
        case .recoveryKey: .recoveryKey
        }
    }

    /// A new passphrase, with scrypt's parameters of today: 128 MiB and about a third of a second.
    static func newPassphrase() throws(KeychainError) -> KeySource {
        .passphrase(
            id: try RandomBytes.make(16), salt: try RandomBytes.make(16), log2N: 17, r: 8, p: 1)
    }

    /// Kind (1 byte), id (16 bytes) and, counted, the parameters.
    func encode(to writer: inout ByteWriter) {
        switch self {
        case .machineKey(let id):
            writer.number(UInt8(1))
            writer.raw(id)
            writer.counted([])
        case .passphrase(let id, let salt, let log2N, let r, let p):
            writer.number(UInt8(2))
            writer.raw(id)
            var parameters = ByteWriter()
            parameters.raw(salt)
            parameters.number(log2N)
            parameters.number(r)
            parameters.number(p)
            writer.counted(parameters.bytes)
        case .recoveryKey(let id):
            writer.number(UInt8(3))
            writer.raw(id)
            writer.counted([])
        }
    }

    /// - Throws: ``Status/decode`` also for scrypt parameters out of bounds, see
    ///   ``Scrypt/isWithinBounds(log2N:r:p:)``: no file makes a program compute for hours.
    init(from reader: inout ByteReader) throws(KeychainError) {
        let kind = try reader.number(UInt8.self)
        let id = try reader.raw(16)
        var parameters = ByteReader(try reader.counted())
        switch kind {
        case 1:
            self = .machineKey(id: id)
        case 2:
            let salt = try parameters.raw(16)
            let log2N = try parameters.number(UInt8.self)
            let r = try parameters.number(UInt32.self)
            let p = try parameters.number(UInt32.self)
            guard Scrypt.isWithinBounds(log2N: log2N, r: r, p: p) else {
                throw KeychainError(.decode)
            }
            self = .passphrase(id: id, salt: salt, log2N: log2N, r: r, p: p)
        case 3:
            self = .recoveryKey(id: id)
        default:
            throw KeychainError(.decode)
        }
        try parameters.end()
    }
}
