internal import LanyardCryptography
internal import KeychainServices
internal import LinuxSystem

/// The record of the keychain with a name, in a file of that name next to the machine key: what
/// this machine last saw of it.
///
/// An attacker who can only write the keychain can't reach this file. The record reveals a keychain
/// that another one or an older copy has replaced, that has lost its passphrase elsewhere, or that
/// has disappeared.
struct KeychainAnchor {
    /// The file's path.
    let path: String
    private let stateFolder: String
    /// The keychain's name.
    private let name: String

    private static let ending = ".anchor"

    init(_ location: KeychainLocation) {
        stateFolder = location.stateFolder
        name = location.name
        path = "\(stateFolder)/\(KeychainAnchor.fileName(location.name))"
    }

    private init(path: String, stateFolder: String) {
        self.path = path
        self.stateFolder = stateFolder
        name = String(PrivatePlace.name(of: path).dropLast(KeychainAnchor.ending.count))
    }

    /// Returns the file's name; a keychain name unsuitable for a file becomes its digest.
    static func fileName(_ name: String) -> String {
        let isPlain =
            (1...64).contains(name.utf8.count)
            && name.utf8.allSatisfy { $0.isLetterOrDigit || "._-".utf8.contains($0) }
        guard isPlain, !name.hasPrefix(".") else {
            return Hexadecimal.encode(Array(KeyedDigest.plain(Array(name.utf8).span).prefix(16)))
                + ending
        }
        return name + ending
    }

    /// Returns the anchors of all keychains that were used with a folder's machine key.
    static func all(stateFolder: String) throws(KeychainError) -> [KeychainAnchor] {
        try PrivatePlace.files(in: stateFolder).filter { $0.hasSuffix(ending) }
            .map { KeychainAnchor(path: "\(stateFolder)/\($0)", stateFolder: stateFolder) }
    }

    /// Returns the epochs of the keychain with an id, whatever its name; nil if no anchor has the
    /// id.
    static func epochs(
        ofKeychain id: [UInt8], stateFolder: String
    ) throws(KeychainError) -> UnlockEpochs? {
        for anchor in try all(stateFolder: stateFolder) {
            if let content = try? anchor.read(), content.keychainID == id {
                return content.epochs
            }
        }
        return nil
    }

    /// Returns the file's content, nil if it is missing.
    ///
    /// - Throws: ``Status/decode`` if it is damaged, ``Status/writePermissions`` if other users can
    ///   access it.
    func read() throws(KeychainError) -> AnchorContent? {
        guard let content = try PrivatePlace.readIfThere(path, limit: AnchorContent.size) else {
            return nil
        }
        do throws(KeychainError) {
            return try AnchorContent(
                decoding: content.withBytes { ByteString(copying: $0).bytes })
        } catch {
            throw KeychainError(
                .decode, "the file '\(path)' is damaged",
                hint: "if you trust the keychain file: \(accepting)")
        }
    }

    /// - Parameter isUrgent: Whether it must be on the disk before anything else happens.
    private func write(
        _ content: AnchorContent, isUrgent: Bool = true
    ) throws(KeychainError) {
        let epochs: UnlockEpochs
        if let present = content.epochs {
            epochs = present
        } else {
            epochs = try UnlockEpochs()
        }
        try PrivatePlace.replaceFile(
            path, content.encoded(epochs).span, syncsFolder: isUrgent)
    }

    /// Deletes the record, when the keychain is deleted.
    func remove() {
        try? SystemCalls.unlink(path)
    }

    /// Tells watchers that the kernel's keyring has changed, which nothing else does: they watch the
    /// record's folder.
    func touch() {
        try? SystemCalls.touch(path)
    }

    /// Throws if a keybag belongs to another keychain, is older than the last one seen, or has lost
    /// its passphrase. Also throws if it was used here before, but its record is missing.
    ///
    /// - Parameter machineKey: The key of this machine, nil if there is none.
    /// - Returns: What was last seen of the keychain, nil if it was never used here.
    func check(
        _ keybag: Keybag, encoded: [UInt8], machineKey: MachineKey?
    ) throws(KeychainError) -> AnchorContent? {
        guard let seen = try read() else {
            guard let machineKey, keybag.sources.contains(machineKey.source) else {
                return nil
            }
            throw KeychainError(
                .decode, "lanyard has no record of the keychain any more: '\(path)' is missing",
                hint: hint)
        }
        try check(keybag.keychainID, seen)
        guard keybag.generation >= seen.generation else {
            throw older
        }
        guard
            keybag.hasPassphrase || seen.vouching == nil
                || seen.next == KeychainAnchor.digest(encoded)
        else {
            throw KeychainError(
                .decode,
                "the keychain had a passphrase when it was last used here, and now has none",
                hint: hint)
        }
        let vouching = AnchorContent(keybag, change: 0, epochs: nil).vouching ?? seen.vouching ?? 0
        guard vouching >= seen.vouching ?? 0 else {
            throw KeychainError(
                .decode, "the keychain has older keys than when it was last used here",
                hint: hint)
        }
        return seen
    }

    /// Throws if the items are older than at the keychain's last use here.
    ///
    /// - Parameter seen: What was last seen of the keychain.
    func check(_ rowSet: RowSet, _ seen: AnchorContent) throws(KeychainError) {
        guard rowSet.change >= seen.change else {
            throw older
        }
    }

    private var older: KeychainError {
        KeychainError(
            .decode, "the keychain is older than the one last used here", hint: hint)
    }

    /// Throws if a keychain that can't be opened yet is a different one: the user must not enter
    /// their passphrase for a keychain that an attacker has put there.
    func checkID(_ keychainID: [UInt8]) throws(KeychainError) {
        if let seen = try read() {
            try check(keychainID, seen)
        }
    }

    private func check(_ keychainID: [UInt8], _ seen: AnchorContent) throws(KeychainError) {
        guard keychainID == seen.keychainID else {
            throw KeychainError(
                .decode, "this is not the keychain last used here",
                hint: hint)
        }
    }

    private var hint: String { "if you restored it yourself: \(accepting)" }

    private var accepting: String { "lanyard keychain accept-restore \(name)" }

    /// Records a keychain that is being created.
    func announce(_ keybag: Keybag) throws(KeychainError) {
        var content = AnchorContent(keybag, change: 0, epochs: nil)
        content.isNew = true
        try write(content)
    }

    /// Makes the record accept a changed keybag as the next one. Called before the keybag is stored
    /// for good: after a crash in between, both the old and the new one are accepted.
    ///
    /// - Parameter change: The number of the last change of the items.
    func prepare(
        for next: Keybag, after present: Keybag, change: Int64
    ) throws(KeychainError) {
        let seen = try known(present)
        var content = seen ?? AnchorContent(present, change: change, epochs: nil)
        if content.vouching != nil, !next.hasPassphrase {
            content.next = KeychainAnchor.digest(next.encoded)
        }
        if content != seen || content.epochs == nil {
            try write(content)
        }
    }

    /// Returns the record of a keybag's keychain; nil if it is of another one, which was accepted.
    private func known(_ keybag: Keybag) throws(KeychainError) -> AnchorContent? {
        let seen = try? read()
        return seen?.keychainID == keybag.keychainID ? seen : nil
    }

    /// Returns whether the keychain was deleted, or another one or an older copy accepted, since the
    /// record had this content.
    ///
    /// - Parameter seen: What a transaction saw of the keychain; nil for nothing.
    func wasReset(since seen: AnchorContent?) throws(KeychainError) -> Bool {
        guard let seen else {
            return false
        }
        guard let present = try read() else {
            return true
        }
        return present.keychainID != seen.keychainID || present.generation < seen.generation
            || present.change < seen.change
    }

    /// Records a keybag and a change of the items, unless later ones are known already.
    ///
    /// Called after they are stored for good: a crash in between leaves the anchor behind, never
    /// ahead. The same happens if only the change is new, because it is not flushed to the disk.
    func advance(to keybag: Keybag, change: Int64) throws(KeychainError) {
        let seen = try known(keybag)
        if let seen, seen.generation > keybag.generation {
            return
        }
        let content = AnchorContent(
            keybag, change: max(change, seen?.change ?? 0), epochs: seen?.epochs)
        if content != seen || content.epochs == nil {
            let isUrgent =
                seen?.generation != content.generation || seen?.next != nil || seen?.isNew == true
            try write(content, isUrgent: isUrgent)
        }
    }

    /// Records a keybag and a change, whatever was known before.
    func accept(_ keybag: Keybag, change: Int64) throws(KeychainError) {
        try write(AnchorContent(keybag, change: change, epochs: try known(keybag)?.epochs))
    }

    /// Makes the unlocked keys in the kernel's keyring useless, with every copy of them. Then calls
    /// a closure that removes them there, which happens in any case.
    ///
    /// - Parameter firstUnlock: Whether this includes the keys for secrets readable after the first
    ///   unlock.
    func renewEpochs(
        firstUnlock: Bool, revoking revoke: () throws(KeychainError) -> Void
    ) throws(KeychainError) {
        let renewal = Result { () throws(KeychainError) in
            try renewEpochs(firstUnlock: firstUnlock)
        }
        try revoke()
        try renewal.get()
    }

    private func renewEpochs(firstUnlock: Bool) throws(KeychainError) {
        // Locking is urgent and does not wait for a long change of the keybag.
        let turn = try? UnlockLock(
            .work, at: KeychainLocation(file: path, stateFolder: stateFolder), timeout: 2000)
        // A keychain without a passphrase may have a touch to end.
        if var content = try read() {
            try content.epochs?.renew(firstUnlock: firstUnlock)
            try write(content)
        }
        _ = consume turn
    }

    private static func digest(_ encodedKeybag: [UInt8]) -> [UInt8] {
        KeyedDigest.plain(encodedKeybag.span)
    }
}
