import KeychainServices

@testable import SealedStore

/// The forms of the file of the machine key: what is accepted is what would be written, and a blob is
/// never larger than systemd takes.
enum MachineKeyTarget: FuzzTarget {
    static let name = "machine-key"

    static func run(_ input: [UInt8]) {
        let bytes = Secret(copying: input.span)
        guard MachineKeyContent.isKnown(bytes),
            let content = attempt({ () throws(KeychainError) in
                try MachineKeyContent(decoding: bytes)
            })
        else {
            return
        }
        check(content.encoded.isEqual(to: bytes), "what is accepted is not what would be written")
        switch content {
        case .plain: check(input.count == 32, "a plain key is not 32 bytes long")
        case .sealed(let sealed):
            check(sealed.id.count == 16 && sealed.keyringKey.count == 32, "a key has another size")
            check(sealed.blob.count > 16, "a blob is too short")
            _ = sealed.sealedTo
        case .moved(let folder): check(folder.hasPrefix("/"), "a folder is no absolute path")
        }
    }
}
