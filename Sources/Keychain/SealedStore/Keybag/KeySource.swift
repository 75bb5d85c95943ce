internal import LanyardCryptography
internal import KeychainServices
internal import LinuxSystem

/// A key, or the source of one, under which class keys can be wrapped.
enum KeySource: Hashable {
    /// A machine key, identified by 16 bytes.
    case machineKey(id: [UInt8])
    /// A stretched passphrase: its id of 16 bytes and the stretching.
    case passphrase(id: [UInt8], PassphraseStretching)
    /// A recovery key, identified by 16 bytes.
    case recoveryKey(id: [UInt8])
    /// A secret that a presence program gives: its id of 16 bytes and the enrollment.
    case presence(id: [UInt8], PresenceEnrollment)

    /// The kind of source alone.
    enum Kind {
        case machineKey
        case passphrase
        case recoveryKey
        case presence
    }

    var kind: Kind {
        switch self {
        case .machineKey: .machineKey
        case .passphrase: .passphrase
        case .recoveryKey: .recoveryKey
        case .presence: .presence
        }
    }

    /// Creates a source for a new passphrase.
    ///
    /// - Parameter stretching: How it is stretched.
    static func newPassphrase(
        _ stretching: PassphraseStretching
    ) throws(KeychainError) -> KeySource {
        .passphrase(id: try RandomBytes.make(16), stretching)
    }

    /// Appends kind (1 byte), id (16 bytes) and the parameters with their length.
    func encode(to writer: inout ByteWriter) {
        switch self {
        case .machineKey(let id):
            writer.number(UInt8(1))
            writer.raw(id)
            writer.counted([])
        case .passphrase(let id, let stretching):
            writer.number(UInt8(2))
            writer.raw(id)
            var parameters = ByteWriter()
            parameters.raw(stretching.salt)
            parameters.number(stretching.memory)
            parameters.number(stretching.passes)
            writer.counted(parameters.bytes)
        case .recoveryKey(let id):
            writer.number(UInt8(3))
            writer.raw(id)
            writer.counted([])
        case .presence(let id, let enrollment):
            writer.number(UInt8(4))
            writer.raw(id)
            var parameters = ByteWriter()
            enrollment.encode(to: &parameters)
            writer.counted(parameters.bytes)
        }
    }

    /// - Throws: ``Status/decode``, also for parameters out of the bounds of
    ///   ``PassphraseStretching``.
    init(from reader: inout ByteReader) throws(KeychainError) {
        let kind = try reader.number(UInt8.self)
        let id = try reader.raw(16)
        var parameters = ByteReader(try reader.counted())
        switch kind {
        case 1:
            self = .machineKey(id: id)
        case 2:
            self = .passphrase(
                id: id,
                try PassphraseStretching(
                    salt: parameters.raw(PassphraseStretching.saltSize),
                    memory: parameters.number(), passes: parameters.number()))
        case 3:
            self = .recoveryKey(id: id)
        case 4:
            self = .presence(id: id, try PresenceEnrollment(from: &parameters))
        default:
            throw KeychainError(.decode)
        }
        try parameters.end()
    }
}
