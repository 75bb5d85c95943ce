internal import KeychainServices
internal import LinuxSystem

/// A new or changed keybag, before it is stored.
struct KeybagDraft {
    /// The keys of the available sources.
    private(set) var sourceKeys: SourceKeys
    private var keybag: Keybag
    private var classKeys: [ClassKeyID: ClassKey]
    private var isChanged: Bool
    /// The generation for new class keys: greater than any other.
    private let nextGeneration: UInt32
    /// Whether the present keybag has a recovery key.
    private let hadRecoveryKey: Bool

    /// Creates the keybag of a new keychain.
    init(newUnder machineKey: MachineKey) throws(KeychainError) {
        keybag = Keybag(keychainID: try RandomBytes.make(16), sources: [])
        keybag.generation = 0
        classKeys = [:]
        sourceKeys = SourceKeys()
        nextGeneration = 1
        hadRecoveryKey = false
        isChanged = true
        addMachine(machineKey)
    }

    /// Creates a draft from the keybag of an open keychain, with all class keys that are available.
    init(_ keys: UnlockedKeys, _ sourceKeys: SourceKeys) throws(KeychainError) {
        keybag = keys.keybag
        hadRecoveryKey = keybag.source(.recoveryKey) != nil
        self.sourceKeys = sourceKeys
        classKeys = [:]
        isChanged = false
        let last = keybag.classKeys.map { $0.id.generation }.max() ?? 0
        guard last < UInt32.max, keybag.generation < UInt64.max else {
            throw KeychainError(.decode)
        }
        nextGeneration = last + 1
        for wrapped in keybag.classKeys {
            let key = try keys.find(wrapped)
            // What a touch has left for a while opens items, but adds no other way to them.
            if wrapped.id.keyClass == .presence,
                try wrapped.unwrap(with: sourceKeys, of: keybag) == nil
            {
                continue
            }
            classKeys[wrapped.id] = key
        }
    }

    var hasPassphrase: Bool { keybag.hasPassphrase }
    var recoverySource: KeySource? { keybag.source(.recoveryKey) }

    /// Whether the passphrase alone opens what is not bound to machines. Takes effect with
    /// ``setPassphrase(_:_:)``.
    var isPortable: Bool {
        get { keybag.isPortable }
        set { keybag.isPortable = newValue }
    }

    /// Adds this machine's key as a source, unless it is one already.
    mutating func addMachine(_ machineKey: MachineKey) {
        sourceKeys.add(machineKey)
        addSource(machineKey.source)
    }

    /// Adds a passphrase as a source, replacing the present one.
    mutating func setPassphrase(_ source: KeySource, _ key: consuming Secret) {
        remove(.passphrase)
        sourceKeys.add(key, of: source)
        addSource(source)
    }

    /// Adds a recovery key as a source, replacing the present one.
    mutating func setRecoveryKey(_ recoveryKey: borrowing RecoveryKey) {
        remove(.recoveryKey)
        let source = KeySource.recoveryKey(id: recoveryKey.id)
        sourceKeys.add(recoveryKey.key.copy(), of: source)
        addSource(source)
    }

    /// Lets a presence program's secret open the items that ask at each use, and creates their key if there is
    /// none.
    ///
    /// - Throws: ``Status/authFailed`` if that key is not available; ``Status/param`` for a name that is taken,
    ///   and too many enrollments.
    mutating func addPresence(
        _ source: KeySource, _ key: consuming Secret, _ enrollment: PresenceEnrollment
    ) throws(KeychainError) {
        guard !keybag.enrollments.contains(where: { $0.name == enrollment.name }) else {
            throw KeychainError(
                .param, "a security key with the name '\(enrollment.name)' is enrolled already",
                hint: "lanyard presence list")
        }
        guard keybag.enrollments.count < PresenceEnrollment.limit else {
            throw KeychainError(
                .param, "a keychain has at most \(PresenceEnrollment.limit) security keys",
                hint: "lanyard presence remove")
        }
        sourceKeys.add(key, of: source)
        addSource(source)
        try makePresenceKey()
        guard self.key(.presence) != nil else {
            throw hasPassphrase ? KeybagDraft.takesPassphrase : UnlockedKeys.takesTouch
        }
    }

    /// Removes an enrollment of a presence program.
    ///
    /// - Throws: ``Status/itemNotFound``.
    mutating func removePresence(named name: String) throws(KeychainError) {
        let source = keybag.sources.first { source in
            if case .presence(_, let enrollment) = source { enrollment.name == name } else { false }
        }
        guard let source else {
            throw KeychainError(
                .itemNotFound, "no security key with the name '\(name)' is enrolled",
                hint: "lanyard presence list")
        }
        remove(source)
    }

    private mutating func addSource(_ source: KeySource) {
        if !keybag.sources.contains(source) {
            keybag.sources.append(source)
            isChanged = true
        }
    }

    /// Removes every wrapping that needs a source of a kind.
    mutating func remove(_ kind: KeySource.Kind) {
        if let source = keybag.source(kind) {
            remove(source)
        }
    }

    private mutating func remove(_ source: KeySource) {
        let position = UInt16(keybag.sources.firstIndex(of: source)!)
        for index in keybag.classKeys.indices {
            keybag.classKeys[index].wrappings.removeAll { $0.sources.contains(position) }
        }
        removeUnusedSources(and: position)
        isChanged = true
    }

    /// Creates the key for secrets that need the passphrase or a touch at each use, if there is none.
    ///
    /// - Throws: ``Status/authFailed`` if there is a passphrase and it is not available.
    mutating func makePresenceKey() throws(KeychainError) {
        try checkHasPassphraseKey()
        if keybag.classKey(.presence) == nil {
            try makeKey(.presence)
        }
    }

    private func checkHasPassphraseKey() throws(KeychainError) {
        if let source = keybag.source(.passphrase), !sourceKeys.contains(source) {
            throw KeybagDraft.takesPassphrase
        }
    }

    private static var takesPassphrase: KeychainError {
        KeychainError(
            .authFailed, "this takes the passphrase: the recovery key is not enough",
            hint: "lanyard passphrase change takes the recovery key, too, and sets a new one")
    }

    /// Gives every class of secrets a new key. A recovery key and enrollments that are not available do not open
    /// the new keys. The key for secrets that need the passphrase at each use is lost if it is not
    /// available.
    ///
    /// - Throws: ``Status/authFailed`` if the passphrase is not available.
    mutating func renewSecretKeys() throws(KeychainError) {
        try checkHasPassphraseKey()
        // Without the old key no secret moves to a new one.
        let hadPresenceKey = key(.presence) != nil
        if let source = recoverySource, !sourceKeys.contains(source) {
            remove(.recoveryKey)
        }
        for source in keybag.sources
        where source.kind == .presence && !sourceKeys.contains(source) {
            remove(source)
        }
        keybag.classKeys.removeAll { $0.id.keyClass != .metadata }
        classKeys = classKeys.filter { $0.key.keyClass == .metadata }
        isChanged = true
        if hadPresenceKey {
            try makePresenceKey()
        }
    }

    /// Adds every wrapping that the available sources allow, and creates missing class keys. Class
    /// keys without any wrapping are dropped.
    mutating func complete() throws(KeychainError) {
        if !hasPassphrase, keybag.enrollments.isEmpty {
            keybag.classKeys.removeAll { $0.id.keyClass == .presence }
        }
        let presence: [ProtectionClass] = keybag.classKey(.presence) == nil ? [] : [.presence]
        for keyClass in ProtectionClass.all(hasPassphrase: hasPassphrase) + presence {
            let ways = sourcesAtHand(keyClass)
            guard !ways.isEmpty else {
                continue
            }
            if !keybag.classKeys.contains(where: { isOurs($0.id, of: keyClass) }) {
                // Only the passphrase or an older recovery key opens it.
                guard keyClass != .presence else {
                    continue
                }
                guard keyClass.isThisDeviceOnly || keybag.classKey(keyClass) == nil else {
                    // Without the key no wrapping can be added.
                    throw UnlockedKeys.locked
                }
                try makeKey(keyClass)
            }
            for index in keybag.classKeys.indices
            where isOurs(keybag.classKeys[index].id, of: keyClass) {
                for way in ways {
                    try add(way, to: index)
                }
            }
        }
        keybag.classKeys.removeAll { $0.wrappings.isEmpty }
    }

    private func isOurs(_ id: ClassKeyID, of keyClass: ProtectionClass) -> Bool {
        id.keyClass == keyClass && classKeys[id] != nil
    }

    private func sourcesAtHand(_ keyClass: ProtectionClass) -> [[KeySource]] {
        keyClass.ways(hasPassphrase: hasPassphrase, isPortable: isPortable).flatMap { way in
            let kinds = way.kinds
            guard way != .presence else {
                return keybag.sources.filter { $0.kind == .presence && sourceKeys.contains($0) }
                    .map { [$0] }
            }
            let sources = kinds.compactMap { kind in
                keybag.sources.first { $0.kind == kind && sourceKeys.contains($0) }
            }
            return sources.count == kinds.count ? [sources] : []
        }
    }

    private mutating func makeKey(_ keyClass: ProtectionClass) throws(KeychainError) {
        let key = try ClassKey.make(
            ClassKeyID(keyClass: keyClass, generation: nextGeneration))
        classKeys[key.id] = key
        let place = keybag.classKeys.firstIndex { key.id.isBefore($0.id) }
        keybag.classKeys.insert(
            WrappedClassKey(key, keychainID: keybag.keychainID),
            at: place ?? keybag.classKeys.endIndex)
    }

    private mutating func add(_ way: [KeySource], to index: Int) throws(KeychainError) {
        let positions = way.map { UInt16(keybag.sources.firstIndex(of: $0)!) }
        var wrapped = keybag.classKeys[index]
        guard !wrapped.wrappings.contains(where: { $0.sources == positions }),
            let key = classKeys[wrapped.id],
            let wrappingKey = sourceKeys.wrappingKey(way, keychainID: keybag.keychainID)
        else {
            return
        }
        try wrapped.wrap(key.key, under: wrappingKey, sources: positions, of: keybag)
        keybag.classKeys[index] = wrapped
        isChanged = true
    }

    /// Returns the changed and authenticated keybag, nil if nothing has changed.
    ///
    /// - Throws: ``Status/interactionNotAllowed`` if the key that vouches for it is not available.
    mutating func finish() throws(KeychainError) -> Keybag? {
        guard isChanged else {
            return nil
        }
        removeUnusedSources()
        try checkIsNotTheOnlyWay()
        try checkOpensHere()
        keybag.generation += 1
        guard let metadataKey = key(.metadata), let unlockedKey = key(.secrets(.whenUnlocked))
        else {
            throw UnlockedKeys.locked
        }
        keybag.authenticate(metadataKey: metadataKey.key, unlockedKey: unlockedKey.key)
        return keybag
    }

    /// Throws if only one security key would open the items that ask: losing it must lose nothing.
    private func checkIsNotTheOnlyWay() throws(KeychainError) {
        guard let wrapped = keybag.classKey(.presence), wrapped.wrappings.count == 1,
            case .presence(_, let enrollment) = keybag.sources[Int(wrapped.wrappings[0].sources[0])]
        else {
            return
        }
        throw KeychainError(
            .param,
            "then only the security key '\(enrollment.name)' would open the items that ask: losing it would lose them",
            hint: "add a second security key first, or run lanyard recovery-key create"
                + (hadRecoveryKey ? " --replace" : ""))
    }

    /// Throws if nothing would open the keychain on this machine any more, as without the recovery key where the
    /// passphrase was never set.
    private func checkOpensHere() throws(KeychainError) {
        guard keybag.opens(with: [.passphrase, .recoveryKey], on: sourceKeys) else {
            throw KeychainError(
                .param, "then nothing would open the keychain on this machine any more",
                hint: hasPassphrase
                    ? "first lanyard passphrase change, with the recovery key: the new passphrase opens it here, too"
                    : nil)
        }
    }

    private func key(_ keyClass: ProtectionClass) -> ClassKey? {
        keybag.classKey(keyClass).flatMap { classKeys[$0.id] }
    }

    /// - Parameter removed: A source to remove in any case.
    private mutating func removeUnusedSources(and removed: UInt16? = nil) {
        let used = Set(keybag.classKeys.flatMap { $0.wrappings.flatMap { $0.sources } })
        let kept = keybag.sources.indices.map { UInt16($0) }.filter {
            removed == nil ? used.contains($0) : $0 != removed
        }
        keybag.sources = kept.map { keybag.sources[Int($0)] }
        for index in keybag.classKeys.indices {
            for number in keybag.classKeys[index].wrappings.indices {
                keybag.classKeys[index].wrappings[number].sources =
                    keybag.classKeys[index].wrappings[number].sources
                    .map { UInt16(kept.firstIndex(of: $0)!) }
            }
        }
    }
}
