import TestSupport
import Foundation
import KeychainServices
import Testing

@testable import LanyardCryptography
@testable import SealedStore

@Suite("Keybag") struct KeybagTests {
    /// A machine key in a file, as there is no other way to one.
    static func withMachineKey(
        _ body: (MachineKey) throws -> Void
    ) throws {
        let scratch = try ScratchKeychain(make: false)
        let key = try MachineKey.readOrMake(stateFolder: scratch.stateFolder)
        try body(key)
    }

    /// The stored form of a keybag with every kind of source, and wrappings by one and by two.
    private func fullKeybag(_ machineKey: MachineKey) throws -> [UInt8] {
        var draft = try KeybagDraft(newUnder: machineKey)
        draft.isPortable = false
        draft.setPassphrase(
            .passphrase(id: Array(17...32), PassphraseStretching(salt: Array(33...48))),
            secretOf(Array(repeating: 9, count: 32)))
        draft.setRecoveryKey(try RecoveryKey.make())
        try draft.complete()
        return try #require(try draft.finish()).encoded
    }

    private func key(
        _ keys: UnlockedKeys, _ accessible: Accessibility
    ) throws(KeychainError) -> ClassKey {
        try ItemSealing(keys, ConditionKeys()).key(keys.classKey(accessible))
    }

    @Test func aNewKeybagRoundTripsAndOpens() throws {
        try KeybagTests.withMachineKey { machineKey in
            let new = try Keybag.make(machineKey: machineKey)
            let encoded = new.keybag.encoded
            #expect(try Keybag(decoding: encoded).encoded == encoded)
            let keys = try UnlockedKeys(encodedKeybag: encoded, machineKey: machineKey)
            #expect(keys.keybag.generation == 1)
            #expect(bytes(keys.metadata.key) == bytes(new.metadata.key))
            for accessible in Accessibility.allCases {
                if accessible == .whenPasscodeSetThisDeviceOnly {
                    #expect(throws: KeychainError(.authFailed)) {
                        _ = try key(keys, accessible)
                    }
                } else {
                    #expect(try key(keys, accessible).key.count == 32)
                }
            }
        }
    }

    @Test func everyKeyOfAKeybagIsAnother() throws {
        try KeybagTests.withMachineKey { machineKey in
            let first = try Keybag.make(machineKey: machineKey)
            let second = try Keybag.make(machineKey: machineKey)
            var seen: Set<[UInt8]> = []
            for encoded in [first.keybag.encoded, second.keybag.encoded] {
                let keys = try UnlockedKeys(encodedKeybag: encoded, machineKey: machineKey)
                seen.insert(bytes(keys.metadata.key))
                seen.insert(bytes(keys.attributesKey))
                seen.insert(bytes(keys.indexKey))
                seen.insert(bytes(keys.rowSetKey))
                seen.insert(bytes(keys.rowSetSumKey))
                for accessible in Accessibility.allCases.dropLast() {
                    seen.insert(bytes(try key(keys, accessible).key))
                }
            }
            #expect(seen.count == 22)
        }
    }

    @Test func aKeybagHasOnePassphraseAndOneRecoveryKey() throws {
        try KeybagTests.withMachineKey { machineKey in
            let keybag = try Keybag(decoding: fullKeybag(machineKey))
            for source in [
                try KeySource.newPassphrase(PassphraseStretching(salt: Array(1...16))),
                .recoveryKey(id: Array(1...16)),
            ] {
                var changed = keybag
                changed.sources.append(source)
                #expect(throws: KeychainError(.decode)) {
                    _ = try Keybag(decoding: changed.encoded)
                }
            }
        }
    }

    @Test func aKeybagWithPassphraseAndRecoveryKeyRoundTrips() throws {
        try KeybagTests.withMachineKey { machineKey in
            let encoded = try fullKeybag(machineKey)
            let decoded = try Keybag(decoding: encoded)
            #expect(decoded.encoded == encoded)
            #expect(!decoded.isPortable)
            #expect(decoded.sources.map(\.kind) == [.machineKey, .passphrase, .recoveryKey])
            let ways = decoded.classKeys.map { $0.wrappings.map(\.sources) }
            #expect(
                ways == [
                    [[0], [2]], [[1, 0], [2]], [[1, 0], [2]], [[0], [2]], [[1, 0]], [[1, 0]],
                    [[0]], [[1, 0]],
                ])
        }
    }

    /// What takes a passphrase is locked for who has the machine key alone.
    @Test func aClassThatTakesAPassphraseDoesNotOpenWithTheMachineKey() throws {
        try KeybagTests.withMachineKey { machineKey in
            let encoded = try fullKeybag(machineKey)
            let keys = try UnlockedKeys(encodedKeybag: encoded, machineKey: machineKey)
            #expect(throws: KeychainError.self) { _ = try key(keys, .whenUnlocked) }
        }
    }

    /// Whatever decodes has that one stored form.
    @Test func mutatedBytesAreRefusedOrReencodeToThemselves() throws {
        try KeybagTests.withMachineKey { machineKey in
            let keybags = [
                try Keybag.make(machineKey: machineKey).keybag.encoded,
                try fullKeybag(machineKey),
            ]
            var random = SeededRandom()
            for round in 0..<6000 {
                var bytes = keybags[round % 2]
                for _ in 0...random.number(below: 3) {
                    bytes = random.mutated(bytes)
                }
                let error = keychainError {
                    let reencoded = try Keybag(decoding: bytes).encoded
                    #expect(reencoded == bytes, "seed \(SeededRandom.seed)")
                }
                #expect([nil, .decode, .wrongVersion].contains(error?.status))
            }
        }
    }

    @Test func randomBytesAreRefused() {
        var random = SeededRandom()
        for _ in 0..<5000 {
            let count = random.number(below: 200)
            let bytes = [0, 2] + random.bytes(count)
            #expect(throws: KeychainError(.decode)) { _ = try Keybag(decoding: bytes) }
        }
    }

    @Test func aKeybagThatIsTooLargeIsRefused() {
        let bytes = [UInt8](repeating: 0, count: Keybag.sizeLimit + 1)
        #expect(throws: KeychainError(.decode)) { _ = try Keybag(decoding: bytes) }
    }

    /// No two pairs of keys make the same key.
    @Test func wrappingKeysHoldTheLengths() {
        let id = [UInt8](0xA0..<0xB0)
        func wrappingKey(_ keys: [[UInt8]]) -> [UInt8]? {
            var sourceKeys = SourceKeys()
            var sources: [KeySource] = []
            for (number, key) in keys.enumerated() {
                let source = KeySource.recoveryKey(id: [UInt8](repeating: UInt8(number), count: 16))
                sourceKeys.add(secretOf(key), of: source)
                sources.append(source)
            }
            return bytes(sourceKeys.wrappingKey(sources, keychainID: id)!)
        }
        func made(of keys: [UInt8]) -> [UInt8] {
            bytes(KeyDerivation.combine(secretOf(keys), label: "lanyard wrapping", id: id))
        }
        #expect(wrappingKey([[1, 2], [3]]) == made(of: [0, 0, 0, 2, 1, 2, 0, 0, 0, 1, 3]))
        #expect(wrappingKey([[1], [2, 3]]) == made(of: [0, 0, 0, 1, 1, 0, 0, 0, 2, 2, 3]))
        #expect(wrappingKey([[1, 2, 3]]) == made(of: [0, 0, 0, 3, 1, 2, 3]))
        #expect(wrappingKey([[1, 2], [3]]) != wrappingKey([[1], [2, 3]]))
        let nothing = SourceKeys().wrappingKey([.recoveryKey(id: [])], keychainID: id)
        let isNothing =
            switch nothing {
            case .some: false;
            case .none: true
            }
        #expect(isNothing)
    }
}
