import Foundation
import KeychainServices

@testable import LanyardCryptography
@testable import SealedStore
@testable import LinuxSystem

/// The ways to forge a locked keychain's keybag.
enum KeybagForgery: CaseIterable {
    case graftedWrapping
    case removedWrapping
    case removedMetadataWrapping
    case removedClass
    case raisedPrice
    case raisedPriceWithinBounds
    case loweredPrice
    case changedSalt
    case swappedKeys
    case removedPassphrase
    case machineWrapping
    case anotherRecoveryKey
    case anotherPassphrase
    case secondPassphrase
    case knownAfterFirstUnlock
    case knownForMachine
    case flippedPortable
    case notPortable
    case onlyNewer

    func make(_ forger: KeybagForger) throws {
        var keybag = try forger.scratch.keybag()
        try change(&keybag, forger)
        try forger.write(keybag, ownUnlockedTag: self == .anotherPassphrase)
    }

    private func change(_ keybag: inout Keybag, _ forger: KeybagForger) throws {
        let whenUnlocked = index(.whenUnlocked, keybag)
        switch self {
        case .graftedWrapping:
            let other = try ScratchKeychain.locked().keybag()
            keybag.classKeys[whenUnlocked].wrappings[0].box =
                other.classKeys[index(.whenUnlocked, other)].wrappings[0].box
        case .removedWrapping:
            keybag.classKeys[index(.afterFirstUnlock, keybag)].wrappings.removeFirst()
        case .removedMetadataWrapping:
            keybag.classKeys[0].wrappings.removeAll { $0.sources != [0] }
        case .removedClass:
            keybag.classKeys.remove(at: whenUnlocked)
        case .raisedPrice: price(&keybag) { $0 = 1 << 30 }
        case .raisedPriceWithinBounds: price(&keybag) { $0 = 64 << 10 }
        case .loweredPrice: price(&keybag) { $0 = 1 << 10 }
        case .changedSalt: price(&keybag) { _ in }
        case .swappedKeys:
            let other = index(.afterFirstUnlock, keybag)
            let wrappings = keybag.classKeys[whenUnlocked].wrappings
            keybag.classKeys[whenUnlocked].wrappings = keybag.classKeys[other].wrappings
            keybag.classKeys[other].wrappings = wrappings
        case .removedPassphrase: try removePassphrase(&keybag, forger)
        case .machineWrapping:
            let machine = try machineSource(forger)
            try forger.wrap(
                .secrets(.whenUnlocked), under: machine.keys, [machine.source], in: &keybag)
        case .anotherRecoveryKey:
            try addRecoveryKey(&keybag, forger, [.metadata, .secrets(.always)])
        case .anotherPassphrase: try anotherPassphrase(&keybag, forger)
        case .secondPassphrase: keybag.sources.append(try newPassphrase())
        case .knownAfterFirstUnlock:
            try addRecoveryKey(&keybag, forger, [.secrets(.afterFirstUnlock)])
        case .knownForMachine:
            let machine = try machineSource(forger)
            for keyClass in [Accessibility.always, .alwaysThisDeviceOnly] {
                forger.replace(.secrets(keyClass), in: &keybag)
                try forger.wrap(
                    .secrets(keyClass), under: machine.keys, [machine.source], in: &keybag)
            }
        case .flippedPortable: keybag.isPortable.toggle()
        case .notPortable:
            keybag.isPortable = false
            let passphrase = position(.passphrase, keybag)
            for number in keybag.classKeys.indices {
                keybag.classKeys[number].wrappings.removeAll { $0.sources == [passphrase] }
            }
        case .onlyNewer: break
        }
    }

    private func index(_ accessible: Accessibility, _ keybag: Keybag) -> Int {
        keybag.classKeys.firstIndex { $0.id.keyClass == .secrets(accessible) }!
    }

    private func position(_ kind: KeySource.Kind, _ keybag: Keybag) -> UInt16 {
        UInt16(keybag.sources.firstIndex { $0.kind == kind }!)
    }

    private func machineSource(
        _ forger: KeybagForger
    ) throws -> (source: KeySource, keys: SourceKeys) {
        let machineKey = try forger.scratch.machineKey()
        var keys = SourceKeys()
        keys.add(machineKey)
        return (.machineKey(id: machineKey.id), keys)
    }

    private func price(_ keybag: inout Keybag, _ change: (inout UInt32) -> Void) {
        let position = Int(position(.passphrase, keybag))
        guard case .passphrase(let id, let stretching) = keybag.sources[position] else {
            return
        }
        var salt = stretching.salt
        var memory = stretching.memory
        change(&memory)
        if memory == stretching.memory {
            salt[0] ^= 1
        }
        keybag.sources[position] = .passphrase(
            id: id,
            PassphraseStretching(unchecked: salt, memory: memory, passes: stretching.passes))
    }

    private func removePassphrase(_ keybag: inout Keybag, _ forger: KeybagForger) throws {
        let machine = try machineSource(forger)
        keybag.sources = [machine.source]
        keybag.classKeys = []
        for keyClass in ProtectionClass.all(hasPassphrase: false) {
            keybag.classKeys.append(
                WrappedClassKey(forger.ownKey(keyClass), keychainID: keybag.keychainID))
            try forger.wrap(keyClass, under: machine.keys, [machine.source], in: &keybag)
        }
        keybag.unlockedTag = []
    }

    private func addRecoveryKey(
        _ keybag: inout Keybag, _ forger: KeybagForger, _ classes: [ProtectionClass]
    ) throws {
        let old = position(.recoveryKey, keybag)
        for number in keybag.classKeys.indices {
            keybag.classKeys[number].wrappings.removeAll { $0.sources == [old] }
        }
        let source = KeySource.recoveryKey(id: forger.ownRecoveryKey.id)
        keybag.sources[Int(old)] = source
        var keys = SourceKeys()
        keys.add(forger.ownRecoveryKey.key.copy(), of: source)
        for keyClass in classes {
            if keyClass != .metadata {
                forger.replace(keyClass, in: &keybag)
            }
            try forger.wrap(keyClass, under: keys, [source], in: &keybag)
        }
    }

    private func newPassphrase() throws -> KeySource {
        try .newPassphrase(PassphraseStretching(salt: RandomBytes.make(16)))
    }

    private func anotherPassphrase(_ keybag: inout Keybag, _ forger: KeybagForger) throws {
        let machine = try machineSource(forger)
        let source = try newPassphrase()
        var keys = machine.keys
        keys.add(try RandomBytes.makeKey(), of: source)
        keybag.sources = [machine.source, source]
        keybag.classKeys = []
        for keyClass in ProtectionClass.all(hasPassphrase: true) {
            keybag.classKeys.append(
                WrappedClassKey(forger.ownKey(keyClass), keychainID: keybag.keychainID))
            for way in keyClass.ways(hasPassphrase: true, isPortable: true)
            where way != .recoveryKey {
                let sources = way.kinds.map { $0 == .passphrase ? source : machine.source }
                try forger.wrap(keyClass, under: keys, sources, in: &keybag)
            }
        }
    }
}
