import LanyardCertificates
import Foundation
import Glibc
import KeychainServices
import SealedStore

extension ScratchHome {
    /// Stores a private key's file in the keychain `login`, with its comment as label.
    ///
    /// - Parameters:
    ///   - group: The access group.
    ///   - withPublicKey: Whether the public key is stored, too, which makes the key known while the keychain
    ///     is locked.
    ///   - applicationLabel: Instead of the digest of the public key.
    func storeKey(
        _ file: String, group: ByteString = "ssh", withPublicKey: Bool = true,
        canSign: Bool = true, applicationLabel: ByteString? = nil
    ) throws {
        let text = try read(file)
        let key = try PrivateKey(file: Secret(copying: text.span))
        let store = try SealedStore.openOrMake(
            at: KeychainLocation(file: keychain, stateFolder: state), provider: nil)
        let keychain = Keychain(store, accessGroup: group)
        var attributes = ItemAttributes()
        attributes.label = try publicComment(file)
        attributes.canSign = canSign
        if let applicationLabel {
            attributes.applicationLabel = applicationLabel
        }
        if withPublicKey {
            try keychain.add(key, attributes)
        } else {
            try keychain.add(
                .key, key.attributes.merging(attributes), secret: key.externalRepresentation())
        }
    }

    /// The comment in a key's public file.
    private func publicComment(_ file: String) throws -> ByteString {
        let words = try publicLine(file).split(separator: " ", maxSplits: 2)
        return ByteString(String(words[2]))
    }

    /// The last half of an Ed25519 key's seed. The first half an allocator may have written over.
    func endOfSeed(_ file: String) throws -> [UInt8] {
        let text = try read(file)
        let key = try PrivateKey(file: Secret(copying: text.span))
        let seed = key.externalRepresentation().withBytes { ByteString(copying: $0).bytes }
        return Array(seed.suffix(16))
    }
}

/// Returns whether a process's writable memory has some bytes.
func memory(of process: pid_t, contains bytes: [UInt8]) throws -> Bool {
    let wanted = Data(bytes)
    let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/\(process)/mem"))
    let maps = try String(contentsOfFile: "/proc/\(process)/maps", encoding: .utf8)
    for line in maps.split(separator: "\n") {
        let fields = line.split(separator: " ")
        let ends = fields[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
        guard fields[1].hasPrefix("rw"), ends.count == 2 else {
            continue
        }
        try file.seek(toOffset: ends[0])
        if let memory = try? file.read(upToCount: Int(ends[1] - ends[0])),
            memory.range(of: wanted) != nil
        {
            return true
        }
    }
    return false
}
