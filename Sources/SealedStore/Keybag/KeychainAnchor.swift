internal import Cryptography
internal import KeychainServices
internal import LinuxSystem

/// What was last seen of the keychain that has a name, kept beside the machine key in a file of this
/// name, out of reach for somebody who can write the keychain alone. By it another keychain or an older
/// copy in the file's place shows, one that has lost its passphrase elsewhere, and a keychain that has
/// disappeared.
struct KeychainAnchor {
    /// The file's path.
    let path: String
    private let stateFolder: String

    private static let ending = ".anchor"

    init(_ location: KeychainLocation) {
        stateFolder = location.stateFolder
        path = "\(stateFolder)/\(KeychainAnchor.fileName(location.name))"
    }

    private init(path: String, stateFolder: String) {
        self.path = path
        self.stateFolder = stateFolder
    }

    /// The file's name; for a name that no file should have, one made of its digest.
    static func fileName(_ name: String) -> String {
        let isPlain =
            (1...64).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
                    UInt8(ascii: "-"):
                    true
                default: false
                }
            }
        guard isPlain, !name.hasPrefix(".") else {
            return Hexadecimal.encode(Array(KeyedDigest.plain(Array(name.utf8).span).prefix(16)))
                + ending
        }
        return name + ending
    }

    /// Those of all keychains that were used under the machine key in a folder.
    static func all(stateFolder: String) throws(KeychainError) -> [KeychainAnchor] {
        try PrivatePlace.files(in: stateFolder).filter { $0.hasSuffix(ending) }
            .map { KeychainAnchor(path: "\(stateFolder)/\($0)", stateFolder: stateFolder) }
    }

    /// What unlocks the keychain with an id, whatever its name; nil if no anchor has the id.
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

    /// What the file holds, nil if there is none.
    ///
    /// - Throws: ``Status/decode`` if it is damaged, ``Status/writePermissions`` if others can get at it.
    func read() throws(KeychainError) -> AnchorContent? {
        guard let content = try PrivatePlace.readIfThere(path, limit: AnchorContent.size) else {
            return nil
        }
        do throws(KeychainError) {
            return try AnchorContent(
                decoding: content.withBytes { ByteString(copying: $0).bytes })
        } catch {
            throw KeychainAnchor.damaged(path)
        }
    }

    private static func damaged(_ path: String) -> KeychainError {
        KeychainError(
            .decode, "the file '\(path)' is damaged",
            hint: "if nobody tampered with the keychain: lanyard keychain accept-restore")
    }

    /// - Parameter isUrgent: Whether it has to be on the disk before anything else is done.
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

    /// Forgets the keychain, when it is deleted.
    func remove() {
        try? SystemCalls.unlink(path)
    }

    /// Throws if a keybag is another keychain's or older than the last one that was seen, has lost its
    /// passphrase, or was used here before and nothing is known of it.
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
                .decode, "nothing is known of the keychain any more: '\(path)' is missing",
                hint: KeychainAnchor.hint)
        }
        try check(keybag.keychainID, seen)
        guard keybag.generation >= seen.generation else {
            throw KeychainAnchor.older
        }
        guard
            keybag.hasPassphrase || seen.vouching == nil
                || seen.next == KeychainAnchor.digest(encoded)
        else {
            throw KeychainError(
                .decode, "the keychain had a passphrase when it was last used here, and has none",
                hint: KeychainAnchor.hint)
        }
        let vouching = AnchorContent(keybag, change: 0, epochs: nil).vouching ?? seen.vouching ?? 0
        guard vouching >= seen.vouching ?? 0 else {
            throw KeychainError(
                .decode, "the keychain has older keys than when it was last used here",
                hint: KeychainAnchor.hint)
        }
        return seen
    }

    /// Throws if the items are older than when the keychain was last used here.
    ///
    /// - Parameter seen: What was last seen of the keychain.
    static func check(_ rowSet: RowSet, _ seen: AnchorContent) throws(KeychainError) {
        guard rowSet.change >= seen.change else {
            throw older
        }
    }

    private static var older: KeychainError {
        KeychainError(
            .decode, "the keychain is an older copy than the one last used here", hint: hint)
    }

    /// Throws if a keychain that can't be opened yet is another one: nobody is to be asked for the
    /// passphrase of a keychain that somebody put in the place of theirs.
    func checkID(_ keychainID: [UInt8]) throws(KeychainError) {
        if let seen = try read() {
            try check(keychainID, seen)
        }
    }

    private func check(_ keychainID: [UInt8], _ seen: AnchorContent) throws(KeychainError) {
        guard keychainID == seen.keychainID else {
            throw KeychainError(
                .decode, "the keychain is another one than the one last used here",
                hint: KeychainAnchor.hint)
        }
    }

    private static let hint = "if you put it there yourself: lanyard keychain accept-restore"

    /// Announces a keychain that is being made.
    func announce(_ keybag: Keybag) throws(KeychainError) {
        var content = AnchorContent(keybag, change: 0, epochs: nil)
        content.isNew = true
        try write(content)
    }

    /// Lets a changed keybag follow. Called before it is in the keychain for good: a crash in between
    /// leaves both it and the one before it welcome.
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

    /// What is kept of a keybag's keychain; nil if that is another one, which was accepted.
    private func known(_ keybag: Keybag) throws(KeychainError) -> AnchorContent? {
        let seen = try? read()
        return seen?.keychainID == keybag.keychainID ? seen : nil
    }

    /// Keeps what there is to know of a keybag and of a change of the items, unless later ones are known
    /// already. Called after they are in the keychain for good: a crash in between leaves the anchor behind,
    /// never ahead. So it does where only the change is new, which is not waited for to be on the disk.
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

    /// Keeps what there is to know of a keybag and of a change, whatever was known before.
    func accept(_ keybag: Keybag, change: Int64) throws(KeychainError) {
        try write(AnchorContent(keybag, change: change, epochs: try known(keybag)?.epochs))
    }

    /// Makes useless what is unlocked in the kernel's keyring, with every copy of it, and then has it
    /// removed there, which is done in any case.
    ///
    /// - Parameter firstUnlock: Also what stays readable after the first unlock.
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
        // A long change of the keybag is not waited for: locking is urgent.
        let turn = try? UnlockLock(
            .work, at: KeychainLocation(file: path, stateFolder: stateFolder), timeout: 2000)
        // Without a passphrase there is nothing to lock.
        if var content = try read(), content.vouching != nil {
            try content.epochs?.renew(firstUnlock: firstUnlock)
            try write(content)
        }
        _ = consume turn
    }

    private static func digest(_ encodedKeybag: [UInt8]) -> [UInt8] {
        KeyedDigest.plain(encodedKeybag.span)
    }
}
