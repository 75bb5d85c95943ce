import Foundation
import KeychainServices
import Testing

@testable import SealedStore

@Suite("Attacks on the keybag") struct KeybagAttackTests {
    /// How many bytes stand before the class keys of a new keybag: version, keychain id,
    /// generation, flags, one source and the two counts.
    private static let prefixSize = 2 + 16 + 8 + 4 + 2 + (1 + 16 + 4) + 2
    /// How many bytes one of its class keys has, and where its box begins.
    private static let classKeySize = 1 + 4 + 32 + 2 + 1 + 2 + WrappedClassKey.boxSize
    private static let boxOffset = classKeySize - WrappedClassKey.boxSize

    private func opening(
        _ bytes: [UInt8], _ machineKey: MachineKey
    ) -> Status? {
        do throws(KeychainError) {
            _ = try UnlockedKeys(encodedKeybag: bytes, machineKey: machineKey)
            return nil
        } catch {
            return error.status
        }
    }

    @Test func everyByteFlippedIsRefused() throws {
        try KeybagTests.withMachineKey { machineKey in
            let keybag = try Keybag.make(machineKey: machineKey).keybag.encoded
            #expect(opening(keybag, machineKey) == nil)
            for position in keybag.indices {
                for flip in [0x01, 0x10, 0x80, 0xFF] as [UInt8] {
                    var changed = keybag
                    changed[position] ^= flip
                    let status = opening(changed, machineKey)
                    #expect(
                        [.decode, .wrongVersion, .authFailed].contains(status),
                        "byte \(position) by \(flip)")
                }
            }
        }
    }

    @Test func everyTruncationAndEveryAdditionIsRefused() throws {
        try KeybagTests.withMachineKey { machineKey in
            let keybag = try Keybag.make(machineKey: machineKey).keybag.encoded
            for count in keybag.indices {
                #expect(opening(Array(keybag[..<count]), machineKey) == .decode)
            }
            #expect(opening(keybag + [0], machineKey) == .decode)
        }
    }

    /// Without a passphrase there is no second authentication: one that was put in is refused, as
    /// nothing vouches for it.
    @Test func aSecondAuthenticationWithoutAPassphraseIsRefused() throws {
        try KeybagTests.withMachineKey { machineKey in
            let keybag = try Keybag.make(machineKey: machineKey).keybag.encoded
            for count in [1, 32] as [UInt8] {
                let forged =
                    keybag.dropLast(4) + [0, 0, 0, count]
                    + [UInt8](repeating: 0xAA, count: Int(count))
                #expect(opening(Array(forged), machineKey) == .decode)
            }
        }
    }

    @Test func boxesSwappedBetweenClassesAreRefused() throws {
        try KeybagTests.withMachineKey { machineKey in
            let keybag = try Keybag.make(machineKey: machineKey).keybag.encoded
            let starts = (0..<7).map {
                KeybagAttackTests.prefixSize + $0 * KeybagAttackTests.classKeySize
                    + KeybagAttackTests.boxOffset
            }
            #expect(
                starts[6] + WrappedClassKey.boxSize + 4 + 32 + 4 == keybag.count,
                "the layout is not what this test takes it for")
            for first in starts {
                for second in starts where second > first {
                    var changed = keybag
                    for offset in 0..<WrappedClassKey.boxSize {
                        changed.swapAt(first + offset, second + offset)
                    }
                    #expect(opening(changed, machineKey) == .decode)
                }
            }
        }
    }

    /// Also who can compute the authentication anew, having the metadata key, can't give a class
    /// another's key: the box is bound to its class.
    @Test func boxesSwappedAndAuthenticatedAnewDoNotOpen() throws {
        try KeybagTests.withMachineKey { machineKey in
            let new = try Keybag.make(machineKey: machineKey)
            var keybag = new.keybag
            let first = keybag.classKeys[1].wrappings
            keybag.classKeys[1].wrappings = keybag.classKeys[2].wrappings
            keybag.classKeys[2].wrappings = first
            keybag.authenticate(metadataKey: new.metadata.key)
            let keys = try UnlockedKeys(encodedKeybag: keybag.encoded, machineKey: machineKey)
            #expect(throws: KeychainError(.decode)) { _ = try keys.classKey(.whenUnlocked) }
            #expect(throws: KeychainError(.decode)) { _ = try keys.classKey(.afterFirstUnlock) }
            #expect(throws: Never.self) { _ = try keys.classKey(.always) }
        }
    }

    /// Nor another key than the one whose digest the keybag has, in a box that is bound to its class: items would be under a
    /// key to which no other way leads. Only who has the wrapping key can make such a box.
    @Test func aBoxWithAnotherKeyDoesNotOpen() throws {
        try KeybagTests.withMachineKey { machineKey in
            let new = try Keybag.make(machineKey: machineKey)
            var keybag = new.keybag
            var sourceKeys = SourceKeys()
            sourceKeys.add(machineKey)
            let wrappingKey = sourceKeys.wrappingKey(
                keybag.sources, keychainID: keybag.keychainID)!
            let index = keybag.classKeys.firstIndex { $0.id.keyClass == .secrets(.always) }!
            for isOwn in [true, false] {
                var wrapped = keybag.classKeys[index]
                let own = try #require(try wrapped.unwrap(with: sourceKeys, of: keybag))
                let key = try isOwn ? own : ClassKey.make(wrapped.id)
                wrapped.wrappings = []
                try wrapped.wrap(key.key, under: wrappingKey, sources: [0], of: keybag)
                keybag.classKeys[index] = wrapped
                keybag.authenticate(metadataKey: new.metadata.key)
                let keys = try UnlockedKeys(
                    encodedKeybag: keybag.encoded, machineKey: machineKey)
                if isOwn {
                    #expect(throws: Never.self) { _ = try keys.classKey(.always) }
                } else {
                    #expect(throws: KeychainError(.decode)) { _ = try keys.classKey(.always) }
                }
            }
        }
    }

    @Test func anotherMachinesKeybagIsRefused() throws {
        try KeybagTests.withMachineKey { machineKey in
            let keybag = try Keybag.make(machineKey: machineKey).keybag.encoded
            try KeybagTests.withMachineKey { other in
                #expect(opening(keybag, other) == .authFailed)
            }
        }
    }

    /// With the source's id changed to the other machine's, nothing unwraps.
    @Test func aMachineKeyIdThatWasChangedIsRefused() throws {
        try KeybagTests.withMachineKey { machineKey in
            var keybag = try Keybag.make(machineKey: machineKey).keybag
            try KeybagTests.withMachineKey { other in
                keybag.sources = [.machineKey(id: other.id)]
                #expect(opening(keybag.encoded, other) == .decode)
            }
        }
    }

    private func replaceKeybag(_ scratch: ScratchKeychain, _ keybag: [UInt8]) throws {
        let database = try RawDatabase(scratch.location.file)
        try database.execute("UPDATE keychain SET keybag = ?1", .blob(keybag))
    }

    private func keybag(_ scratch: ScratchKeychain) throws -> [UInt8] {
        try RawDatabase(scratch.location.file).blob("SELECT keybag FROM keychain")
    }

    /// Two keychains of one machine: the keybag of the one does not fit the items of the other.
    @Test func theKeybagOfAnotherKeychainIsRefused() throws {
        let scratch = try ScratchKeychain()
        try scratch.open().add(
            .internetPassword, internetPassword("a.example"), secret: Secret("one"))
        let otherLocation = KeychainLocation(
            file: "\(scratch.dataFolder)/other.keychain", stateFolder: scratch.stateFolder)
        try SealedStore.make(at: otherLocation)
        let other = try RawDatabase(otherLocation.file).blob("SELECT keybag FROM keychain")
        try replaceKeybag(scratch, other)
        let before = try scratch.bytes()
        #expect(throws: KeychainError(.decode)) {
            _ = try secret(try scratch.open(), internetPassword("a.example"))
        }
        #expect(throws: KeychainError(.decode)) {
            try scratch.open().add(
                .internetPassword, internetPassword("b.example"), secret: Secret("two"))
        }
        #expect(throws: KeychainError(.decode)) { try scratch.openStore().verify() }
        #expect(try scratch.bytes() == before)
    }

    @Test func bytesFlippedInTheFileAreRefused() throws {
        let scratch = try ScratchKeychain()
        try scratch.open().add(
            .internetPassword, internetPassword("a.example"), secret: Secret("one"))
        let keybag = try keybag(scratch)
        for position in stride(from: 0, to: keybag.count, by: 17) {
            var changed = keybag
            changed[position] ^= 0x40
            try replaceKeybag(scratch, changed)
            let before = try scratch.bytes()
            let error = keychainError {
                _ = try secret(try scratch.open(), internetPassword("a.example"))
            }
            #expect(
                [.decode, .wrongVersion, .authFailed].contains(error?.status), "\(position)")
            #expect(error?.hint != nil)
            #expect(try scratch.bytes() == before)
        }
        try replaceKeybag(scratch, keybag)
        #expect(try secret(try scratch.open(), internetPassword("a.example")) == "one")
    }

    /// A store that is open sees that the keybag under it was changed.
    @Test func anOpenStoreSeesTheKeybagChange() throws {
        let scratch = try ScratchKeychain()
        let keychain = try scratch.open()
        try keychain.add(.internetPassword, internetPassword("a.example"), secret: Secret("one"))
        var keybag = try keybag(scratch)
        keybag[20] ^= 1
        try replaceKeybag(scratch, keybag)
        #expect(throws: KeychainError(.decode)) {
            _ = try secret(keychain, internetPassword("a.example"))
        }
    }

    /// A keychain whose keybag has the generation 2, and its older keybag.
    private func withOlderKeybag(
        _ body: (ScratchKeychain, _ older: [UInt8]) throws -> Void
    ) throws {
        let scratch = try ScratchKeychain()
        try scratch.open().add(
            .internetPassword, internetPassword("a.example"), secret: Secret("one"))
        let older = try keybag(scratch)
        var keybag = try Keybag(decoding: older)
        let machineKey = try MachineKey.readOrMake(stateFolder: scratch.stateFolder)
        let keys = try UnlockedKeys(encodedKeybag: older, machineKey: machineKey)
        keybag.generation = 2
        keybag.authenticate(metadataKey: keys.metadata.key)
        try replaceKeybag(scratch, keybag.encoded)
        // A change lets the anchor follow.
        try scratch.open().add(
            .internetPassword, internetPassword("b.example"), secret: Secret("two"))
        try body(scratch, older)
    }

    @Test func aGenerationOlderThanTheAnchorIsRefusedWithAHint() throws {
        try withOlderKeybag { scratch, older in
            #expect(try scratch.anchorGeneration() == 2)
            try replaceKeybag(scratch, older)
            let before = try scratch.bytes()
            let error = keychainError {
                _ = try secret(try scratch.open(), internetPassword("a.example"))
            }
            #expect(error?.status == .decode)
            #expect(error?.hint?.contains("lanyard keychain accept-restore") == true)
            #expect(throws: KeychainError(.decode)) {
                try scratch.open().add(
                    .internetPassword, internetPassword("c.example"), secret: Secret("three"))
            }
            #expect(try scratch.bytes() == before)
            // What the hint says lets a backup be used that was put back on purpose.
            try SealedStore.acceptRestored(at: scratch.location)
            #expect(try secret(try scratch.open(), internetPassword("a.example")) == "one")
        }
    }

    /// A crash between commit and anchor leaves the anchor behind: the keybag is taken.
    @Test func aGenerationNewerThanTheAnchorIsTaken() throws {
        try withOlderKeybag { scratch, _ in
            try scratch.setAnchor(generation: 1)
            #expect(try secret(try scratch.open(), internetPassword("a.example")) == "one")
            try scratch.open().delete(Query(.internetPassword, internetPassword("b.example")))
            #expect(try scratch.anchorGeneration() == 2)
        }
    }
}
