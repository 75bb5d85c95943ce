internal import KeychainServices

/// The wrapped class keys of a keychain, with everything needed to unwrap them and to detect
/// changes.
struct Keybag {
    /// The keychain's id: 16 random bytes.
    let keychainID: [UInt8]
    /// The number of changes of the keybag, from 1.
    var generation: UInt64
    /// Whether the passphrase alone, on any machine, opens what is not bound to machines.
    var isPortable: Bool
    var sources: [KeySource]
    /// Metadata first, then the accessibilities in the order of their numbers. A class that is
    /// bound to machines can have one key for each machine, told apart by generation.
    var classKeys: [WrappedClassKey]
    /// The authentication under the metadata key, 32 bytes.
    var tag: [UInt8] = []
    /// The authentication under the key of whenUnlocked, 32 bytes; empty without a passphrase.
    var unlockedTag: [UInt8] = []

    /// The most bytes that a stored keybag may have.
    static let sizeLimit = 65_536

    init(keychainID: [UInt8], sources: [KeySource]) {
        self.keychainID = keychainID
        self.sources = sources
        generation = 1
        isPortable = true
        classKeys = []
    }

    /// The authenticated part.
    ///
    /// It has version (2 bytes: 2, or 3 with a presence program's source), keychain id (16), generation (8) and flags (4, bit 0: not
    /// portable). Then follow the number of sources (2) and the sources, the number of class keys
    /// (2) and the class keys.
    var content: [UInt8] {
        var writer = ByteWriter()
        writer.number(version)
        writer.raw(keychainID)
        writer.number(generation)
        writer.number(UInt32(isPortable ? 0 : 1))
        writer.number(UInt16(sources.count))
        for source in sources {
            source.encode(to: &writer)
        }
        writer.number(UInt16(classKeys.count))
        for key in classKeys {
            key.encode(to: &writer)
        }
        return writer.bytes
    }

    /// The stored form: the authenticated part, then the tags, each preceded by its length.
    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.raw(content)
        writer.counted(tag)
        writer.counted(unlockedTag)
        return writer.bytes
    }

    /// Reads the stored form, which can't be trusted before ``authenticate(metadataKey:)``.
    ///
    /// - Throws: ``Status/decode`` if it is invalid.
    init(decoding bytes: [UInt8]) throws(KeychainError) {
        guard bytes.count <= Keybag.sizeLimit else {
            throw KeychainError(.decode)
        }
        var reader = ByteReader(bytes)
        let version = try reader.number(UInt16.self)
        guard [2, 3].contains(version) else {
            throw KeychainError(.wrongVersion, hint: "install a newer lanyard")
        }
        keychainID = try reader.raw(16)
        generation = try reader.number()
        let flags = try reader.number(UInt32.self)
        guard flags <= 1 else {
            throw KeychainError(.decode)
        }
        isPortable = flags == 0
        sources = []
        for _ in 0..<(try reader.number(UInt16.self)) {
            sources.append(try KeySource(from: &reader))
        }
        classKeys = []
        for _ in 0..<(try reader.number(UInt16.self)) {
            let key = try WrappedClassKey(from: &reader, sourceCount: sources.count)
            guard classKeys.last?.id.isBefore(key.id) ?? true else {
                throw KeychainError(.decode)
            }
            classKeys.append(key)
        }
        tag = try reader.counted()
        unlockedTag = try reader.counted()
        try reader.end()
        // Without a passphrase there is no second tag, because nothing vouches for it.
        guard version == self.version, tag.count == 32,
            unlockedTag.count == (hasPassphrase ? 32 : 0), isWellFormed
        else {
            throw KeychainError(.decode)
        }
    }

    var hasPassphrase: Bool { source(.passphrase) != nil }

    /// An older Lanyard says that it can't read version 3, instead of taking it for damage.
    private var version: UInt16 { enrollments.isEmpty ? 2 : 3 }

    /// The enrollments of presence programs.
    var enrollments: [PresenceEnrollment] {
        sources.compactMap { source in
            if case .presence(_, let enrollment) = source { enrollment } else { nil }
        }
    }

    /// Whether a passphrase or a recovery key can unlock it.
    var canBeUnlocked: Bool { hasPassphrase || source(.recoveryKey) != nil }

    /// Returns the first source of a kind, nil if there is none.
    func source(_ kind: KeySource.Kind) -> KeySource? {
        sources.first { $0.kind == kind }
    }

    /// Returns the one wrapped class key of a class that is not bound to machines, nil if there is
    /// none.
    func classKey(_ keyClass: ProtectionClass) -> WrappedClassKey? {
        classKeys.first { $0.id.keyClass == keyClass }
    }

    /// Returns whether answers of some kinds open the keychain, alone or with a machine key at hand.
    func opens(with kinds: Set<KeySource.Kind>, on sourceKeys: SourceKeys) -> Bool {
        let wrappings = classKey(.secrets(.whenUnlocked))?.wrappings ?? []
        return wrappings.contains { wrapping in
            wrapping.sources.allSatisfy { position in
                let source = sources[Int(position)]
                return source.kind == .machineKey
                    ? sourceKeys.contains(source) : kinds.contains(source.kind)
            }
        }
    }

    /// Returns whether a source, together with the other available ones, opens any class key: then
    /// its key is the right one.
    ///
    /// - Throws: ``Status/authFailed`` if the source works only together with one that is not
    ///   available.
    func opensAny(with sourceKeys: SourceKeys, _ source: KeySource) throws(KeychainError) -> Bool {
        var isPossible = false
        for key in classKeys {
            for wrapping in key.wrappings
            where wrapping.sources.contains(where: { sources[Int($0)] == source }) {
                var only = key
                only.wrappings = [wrapping]
                do throws(KeychainError) {
                    if try only.unwrap(with: sourceKeys, of: self) != nil {
                        return true
                    }
                } catch {
                    isPossible = true
                }
            }
        }
        guard isPossible else {
            throw KeychainError(
                .authFailed, "the passphrase opens the keychain only on the machine it was set on",
                hint: "unlock it with its recovery key")
        }
        return false
    }

    /// Whether there is at most one passphrase and one recovery key, and each class key is wrapped
    /// with exactly the methods of its class.
    private var isWellFormed: Bool {
        let hasPassphrase = hasPassphrase
        return hasDistinctSources && (isPortable || hasPassphrase)
            && sources.count { $0.kind == .passphrase } <= 1
            && sources.count { $0.kind == .recoveryKey } <= 1
            && sources.count { $0.kind == .presence } <= PresenceEnrollment.limit
            && classKeys.allSatisfy { key in
                key.id.generation > 0 && !key.wrappings.isEmpty
                    && key.wrappings.allSatisfy { wrapping in
                        guard let way = way(of: wrapping) else {
                            return false
                        }
                        return key.id.keyClass.hasWay(
                            way, hasPassphrase: hasPassphrase, isPortable: isPortable)
                    }
            }
    }

    private func way(of wrapping: WrappedClassKey.Wrapping) -> WrappingMethod? {
        let positions = wrapping.sources
        return WrappingMethod(
            sources[Int(positions[0])].kind,
            positions.count > 1 ? sources[Int(positions[1])].kind : nil)
    }

    /// Whether no source occurs twice. With only a few, comparing all pairs is faster than a set.
    private var hasDistinctSources: Bool {
        for index in sources.indices {
            for other in 0..<index where sources[other] == sources[index] {
                return false
            }
        }
        return true
    }
}
