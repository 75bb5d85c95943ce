internal import LanyardCryptography
internal import KeychainServices
internal import LinuxSystem

/// A key that a client added, in locked memory; encrypted while the agent is locked.
final class AddedKey {
    private enum Content: ~Copyable {
        case open(Secret)
        case sealed([UInt8])
    }

    let identity: Identity
    let isConfirmed: Bool
    /// When it ends, in seconds since the machine started; nil for never.
    let end: UInt64?
    private var content: Content

    init(_ new: borrowing NewKey, now: UInt64) {
        identity = Identity(publicKey: new.key.publicKey, comment: new.comment)
        isConfirmed = new.constraints.isConfirmed
        end = new.constraints.lifetime.map { now + UInt64($0) }
        content = .open(new.key.fields.copy().locked())
    }

    /// Returns the key.
    ///
    /// - Throws: ``Status/interactionNotAllowed`` while it is encrypted.
    func privateKey() throws(KeychainError) -> WirePrivateKey {
        switch content {
        case .open(let fields): return try WirePrivateKey.parse(fields)
        case .sealed: throw KeychainError(.interactionNotAllowed)
        }
    }

    /// Encrypts the key.
    func seal(under lockKey: borrowing Secret) throws(KeychainError) {
        let box: [UInt8]
        switch content {
        case .open(let fields):
            box = try fields.withBytes { bytes throws(KeychainError) in
                try SealedBox.seal(
                    bytes, under: lockKey, associatedData: identity.publicKey.bytes)
            }
        case .sealed: return
        }
        content = .sealed(box)
    }

    /// Decrypts the key.
    func open(under lockKey: borrowing Secret) throws(KeychainError) {
        let fields: Secret
        switch content {
        case .open: return
        case .sealed(let box):
            fields = try SealedBox.open(
                box.span, under: lockKey, associatedData: identity.publicKey.bytes)
        }
        content = .open(fields.locked())
    }
}
