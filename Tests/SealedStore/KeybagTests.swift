import Foundation
import Keychain
import Testing

@testable import SealedStore

@Suite("Keybag") struct KeybagTests {
    /// A machine key in a file, as there is no other way to one.
    static func withMachineKey(
        _ body: (borrowing MachineKey) throws -> Void
    ) throws {
        let scratch = try ScratchKeychain(make: false)
        let key = try MachineKey.readOrMake(stateFolder: scratch.stateFolder)
        try body(key)
    }

    /// The stored form of a keybag with every kind of source, and wrappings by one and by two.
    private func fullKeybag(_ machineKey: borrowing MachineKey) throws -> [UInt8] {
        var keybag = Keybag(
            keychainID: Array(1...16),
            sources: [
                .machineKey(id: machineKey.id),
                .passphrase(
                    id: Array(17...32), salt: Array(33...48), log2N: 17, r: 8, p: 1),
                .recoveryKey(id: Array(49...64)),
            ])
        keybag.generation = 7
        keybag.isPortable = false
        let metadataKey = try RandomBytes.makeKey()
        let passphraseKey = secretOf(Array(repeating: 9, count: 32))
        let both = Keybag.wrappingKey(passphraseKey, machineKey.key.copy())
        for number in UInt8(0)...7 {
            let key = number == 0 ? metadataKey.copy() : try RandomBytes.makeKey()
            var wrapped = WrappedClassKey(
                key, try KeyClass(number: number), generation: 3, keychainID: keybag.keychainID)
            if number == 0 {
                try wrapped.wrap(
                    key, under: Keybag.wrappingKey(machineKey.key), sources: [0], of: keybag)
            }
            try wrapped.wrap(key, under: both, sources: [1, 0], of: keybag)
            keybag.classKeys.append(wrapped)
        }
        keybag.authenticate(metadataKey: metadataKey)
        // In the place of the empty second authentication.
        return Array(keybag.encoded.dropLast(4)) + [0, 0, 0, 32]
            + [UInt8](repeating: 0xAA, count: 32)
    }

    @Test func aNewKeybagRoundTripsAndOpens() throws {
        try KeybagTests.withMachineKey { machineKey in
            let new = try Keybag.make(machineKey: machineKey)
            let encoded = new.keybag.encoded
            #expect(try Keybag(decoding: encoded).encoded == encoded)
            let keys = try UnlockedKeys(encodedKeybag: encoded, machineKey: machineKey)
            #expect(keys.keybag.generation == 1)
            #expect(bytes(keys.metadataKey) == bytes(new.metadataKey))
            for accessible in Accessibility.allCases {
                if accessible == .whenPasscodeSetThisDeviceOnly {
                    #expect(throws: KeychainError(.authFailed)) {
                        _ = try keys.classKey(accessible)
                    }
                } else {
                    #expect(try keys.classKey(accessible).key.count == 32)
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
                seen.insert(bytes(keys.metadataKey))
                seen.insert(bytes(keys.indexKey))
                seen.insert(bytes(keys.rowSetKey))
                for accessible in Accessibility.allCases.dropLast() {
                    seen.insert(bytes(try keys.classKey(accessible).key))
                }
            }
            #expect(seen.count == 18)
        }
    }

    /// The keybag that later versions write: it is read today.
    @Test func aKeybagWithPassphraseAndRecoveryKeyRoundTrips() throws {
        try KeybagTests.withMachineKey { machineKey in
            let encoded = try fullKeybag(machineKey)
            let decoded = try Keybag(decoding: encoded)
            #expect(decoded.encoded == encoded)
            #expect(decoded.generation == 7)
            #expect(!decoded.isPortable)
            #expect(decoded.sources.count == 3)
            #expect(decoded.classKeys.map(\.generation) == Array(repeating: 3, count: 8))
            #expect(decoded.classKey(.secrets(.always))?.wrappings.map(\.sources) == [[1, 0]])
        }
    }

    /// What takes a passphrase is locked for who has the machine key alone.
    @Test func aClassThatTakesAPassphraseDoesNotOpenWithTheMachineKey() throws {
        try KeybagTests.withMachineKey { machineKey in
            let encoded = try fullKeybag(machineKey)
            let keys = try UnlockedKeys(encodedKeybag: encoded, machineKey: machineKey)
            #expect(throws: KeychainError.self) { _ = try keys.classKey(.whenUnlocked) }
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
            let bytes = [0, 1] + random.bytes(count)
            #expect(throws: KeychainError(.decode)) { _ = try Keybag(decoding: bytes) }
        }
    }

    @Test func aKeybagThatIsTooLargeIsRefused() {
        let bytes = [UInt8](repeating: 0, count: Keybag.sizeLimit + 1)
        #expect(throws: KeychainError(.decode)) { _ = try Keybag(decoding: bytes) }
    }

    /// No two pairs of keys make the same bytes.
    @Test func wrappingKeysHoldTheLengths() {
        let one = Keybag.wrappingKey(secretOf([1, 2]), secretOf([3]))
        let other = Keybag.wrappingKey(secretOf([1]), secretOf([2, 3]))
        let single = Keybag.wrappingKey(secretOf([1, 2, 3]))
        #expect(bytes(one) == [0, 0, 0, 2, 1, 2, 0, 0, 0, 1, 3])
        #expect(bytes(other) == [0, 0, 0, 1, 1, 0, 0, 0, 2, 2, 3])
        #expect(bytes(single) == [0, 0, 0, 3, 1, 2, 3])
    }
}
