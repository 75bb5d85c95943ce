import Foundation
import KeychainServices
import Testing

@testable import LanyardCryptography
@testable import SQLiteFile
@testable import SealedStore

/// What an attacker can do with earlier states of the file and the machine key.
@Suite("Earlier states of the file") struct EarlierStateTests {
    /// Every class key that can be had out of a state.
    private func classKeys(
        _ state: ScratchKeychain, passphrase: String? = nil
    ) throws -> [ClassKey] {
        var sourceKeys = SourceKeys()
        sourceKeys.add(try state.machineKey())
        let keybag = try state.keybag()
        if let passphrase, let source = keybag.source(.passphrase) {
            var with = sourceKeys
            with.add(try ScratchKeychain.stretched(passphrase, source), of: source)
            sourceKeys = try keybag.opensAny(with: with, source) ? with : sourceKeys
        }
        let keys = try UnlockedKeys(
            file: "x", encodedKeybag: keybag.encoded, sourceKeys: sourceKeys)
        return try keybag.classKeys.compactMap { try keys.find($0) }
    }

    /// How many secrets of a keychain these keys open, whatever class they are of.
    private func opened(_ scratch: ScratchKeychain, by keys: [ClassKey]) throws -> Int {
        let store = try scratch.openStore()
        return try store.withoutUnlocking { state throws(KeychainError) in
            let statement = try store.file.database.prepare("SELECT \(ItemRow.columns) FROM item")
            var count = 0
            while try statement.step() {
                var row = try ItemRow(statement)
                row.secret = statement.blob(ItemRow.secretColumn)
                let attributes = try state.sealing.openAttributes(row)
                count += keys.contains { opens(row, attributes, $0, state.keys.keybag) } ? 1 : 0
            }
            return count
        }
    }

    /// lanyard-keychain(5), for the secret of a row.
    private func opens(
        _ row: ItemRow, _ attributes: ItemAttributes, _ key: ClassKey, _ keybag: Keybag
    ) -> Bool {
        var data = ByteWriter()
        data.number(UInt16(2))
        data.raw(keybag.keychainID)
        data.raw(row.id.bytes)
        data.number(row.itemClass.rawValue.rawValue)
        data.number(row.accessible.rawValue)
        data.number(row.secretGeneration)
        data.number(UInt8(2))
        data.raw(KeyedDigest.plain(ItemIdentity(row.itemClass, attributes).bytes.span))
        let secretKey = KeyDerivation.derive(
            key.key, label: "lanyard secret", context: keybag.keychainID.span)
        let secret = try? SealedBox.open(
            row.secret.span, under: secretKey, associatedData: data.bytes)
        return secret != nil
    }

    private func add(_ server: ByteString, to scratch: ScratchKeychain, _ given: String?) throws {
        let provider = given.map { ScriptedProvider(given: $0) }
        let store = try scratch.openStore(provider: provider)
        for accessible in Accessibility.allCases.dropLast() {
            var attributes = internetPassword(server, account: ByteString(accessible.code))
            attributes.accessible = accessible
            _ = try store.add(.internetPassword, attributes, secret: Secret("secret"))
        }
    }

    private func change(
        _ scratch: ScratchKeychain, from old: String, to new: String, renewsKeys: Bool
    ) throws {
        let store = try scratch.openStore(provider: ScriptedProvider(given: old))
        try PassphraseChange.change(to: { Secret(new) }, renewsKeys: renewsKeys, of: store).apply()
    }

    /// The keys of no state before the passphrase open anything now, though all of them opened
    /// everything then.
    @Test func nothingFromBeforeThePassphraseOpensASecret() throws {
        let scratch = try ScratchKeychain()
        var states = [try scratch.copy()]
        try add("a.example", to: scratch, nil)
        states.append(try scratch.copy())
        let recoveryKey = try text(scratch.openStore().makeRecoveryKey())
        states.append(try scratch.copy())
        let stolen = try states.flatMap { try classKeys($0) }
        #expect(stolen.count == 3 * 7)
        #expect(try opened(scratch, by: stolen) == 6)
        let store = try scratch.openStore(provider: ScriptedProvider(given: recoveryKey))
        let setting = try PassphraseChange.set(Secret("pass"), of: store)
        #expect(
            setting.losses
                == PassphraseChange.Losses(
                    itemsForPassphrase: 0, itemsElsewhere: 0, recoveryKey: false))
        try setting.apply()
        #expect(try opened(scratch, by: stolen) == 0)
        try add("b.example", to: scratch, "pass")
        #expect(try opened(scratch, by: stolen) == 0)
        // What the machine key opens of today's file: the two classes that are never locked.
        #expect(try opened(scratch, by: classKeys(scratch)) == 4)
        #expect(try opened(scratch, by: classKeys(scratch, passphrase: "pass")) == 12)
    }

    @Test func nothingFromBeforeRenewedKeysOpensASecret() throws {
        let scratch = try ScratchKeychain()
        try scratch.setQuickPassphrase("one")
        try add("a.example", to: scratch, "one")
        let stolen = try classKeys(scratch, passphrase: "one")
        #expect(stolen.count == 8)
        // The passphrase alone changes the way to the keys, not the keys.
        try change(scratch, from: "one", to: "two", renewsKeys: false)
        #expect(try classKeys(scratch, passphrase: "one").count == 3)
        #expect(try opened(scratch, by: stolen) == 6)
        let later = try classKeys(scratch, passphrase: "two")
        try change(scratch, from: "two", to: "three", renewsKeys: true)
        try add("b.example", to: scratch, "three")
        #expect(try opened(scratch, by: stolen + later) == 0)
        #expect(try opened(scratch, by: classKeys(scratch, passphrase: "one")) == 4)
        #expect(try opened(scratch, by: classKeys(scratch, passphrase: "three")) == 12)
    }

    /// Who has the machine key and a file from before the passphrase knows keys that the recovery key
    /// opens still. With them a keybag can be made that vouches for itself; a new secret must not be
    /// sealed under them.
    @Test func keysFromBeforeDoNotComeBack() throws {
        let scratch = try ScratchKeychain.withItem()
        let recoveryKey = try text(scratch.openStore().makeRecoveryKey())
        let before = try scratch.keybag()
        let known = try classKeys(scratch)
        let store = try scratch.openStore(provider: ScriptedProvider(given: recoveryKey))
        try PassphraseChange.set(Secret("pass"), of: store).apply()
        var forged = try scratch.keybag()
        forged.generation += 10
        let machine = try #require(before.source(.machineKey))
        for index in forged.classKeys.indices {
            let id = forged.classKeys[index].id
            guard let old = before.classKeys.first(where: { $0.id.keyClass == id.keyClass }),
                !id.keyClass.isThisDeviceOnly, id.keyClass != .metadata
            else {
                continue
            }
            var key = old
            key.wrappings.removeAll { before.sources[Int($0.sources[0])] == machine }
            for number in key.wrappings.indices {
                let source = before.sources[Int(key.wrappings[number].sources[0])]
                key.wrappings[number].sources = [
                    UInt16(try #require(forged.sources.firstIndex(of: source)))
                ]
            }
            forged.classKeys[index] = key
        }
        let metadata = try #require(known.first { $0.id.keyClass == .metadata })
        let unlocked = try #require(known.first { $0.id.keyClass == .secrets(.whenUnlocked) })
        forged.authenticate(metadataKey: metadata.key, unlockedKey: unlocked.key)
        try scratch.replaceKeybag(forged.encoded)
        let bytes = try scratch.bytes()
        let adding = keychainError {
            _ = try scratch.openStore(provider: ScriptedProvider(given: recoveryKey)).add(
                .internetPassword, internetPassword("b.example"), secret: Secret("two"))
        }
        #expect(adding?.status == .decode)
        #expect(adding?.hint?.contains("accept-restore") == true)
        #expect(scratch.reading(ScriptedProvider(given: "pass")) != nil)
        #expect(try scratch.bytes() == bytes)
    }
}
