internal import KeychainServices

/// What a file `machine-key` holds: the key, the sealed key, or the folder of the file with either.
///
/// The plain key is its 32 bytes. The other forms begin with a line of text, a version (2 bytes, 1)
/// and the name of their kind with its length. A sealed key has its id (16), the key that encrypts
/// it in the kernel's keyring (32) and the bytes that the service returned, with their length. A
/// moved one has the path of its folder, with its length.
enum MachineKeyContent {
    case plain(MachineKey)
    case sealed(SealedMachineKey)
    case moved(folder: String)

    static let plainSize = 32
    /// The most bytes of any form.
    static let limit = 20 << 10

    private static let beginning: StaticString = "lanyard machine key\n"
    private static let movedKind = Array("moved".utf8)

    /// Whether a file has one of these forms.
    static func isKnown(_ bytes: borrowing Secret) -> Bool {
        bytes.count == plainSize
            || bytes.withBytes { ByteString(copying: $0).bytes.starts(with: beginning.bytes) }
    }

    /// - Throws: ``Status/decode``, ``Status/wrongVersion``.
    init(decoding bytes: borrowing Secret) throws(KeychainError) {
        guard bytes.count != MachineKeyContent.plainSize else {
            self = .plain(MachineKey(bytes.copy()))
            return
        }
        var reader = ByteReader(bytes.withBytes { ByteString(copying: $0).bytes })
        _ = try reader.raw(MachineKeyContent.beginning.utf8CodeUnitCount)
        guard try reader.number(UInt16.self) == 1 else {
            throw KeychainError(.wrongVersion)
        }
        switch try reader.counted() {
        case SealedMachineKey.kind: self = .sealed(try SealedMachineKey(from: &reader))
        case MachineKeyContent.movedKind:
            let folder = try reader.counted()
            guard folder.first == UInt8(ascii: "/"),
                let path = String(validating: folder, as: UTF8.self)
            else {
                throw KeychainError(.decode)
            }
            self = .moved(folder: path)
        default: throw KeychainError(.wrongVersion)
        }
        try reader.end()
    }

    /// The stored form.
    var encoded: Secret {
        var writer = ByteWriter()
        writer.raw(MachineKeyContent.beginning)
        writer.number(UInt16(1))
        switch self {
        case .plain(let key): return key.key.copy()
        case .sealed(let key):
            writer.counted(SealedMachineKey.kind)
            key.encode(to: &writer)
        case .moved(let folder):
            writer.counted(MachineKeyContent.movedKind)
            writer.counted(Array(folder.utf8))
        }
        return Secret(copying: writer.bytes.span)
    }
}
