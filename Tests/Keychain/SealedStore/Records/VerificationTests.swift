import Foundation
import KeychainServices
import Testing

@testable import SealedStore

/// What ``SealedStore/verification(progress:)`` finds: everything, and without asking anybody.
@Suite("Verification") struct VerificationTests {
    /// The rows 1 to 5 are passwords of 1.example to 5.example.
    private func keychain() throws -> ScratchKeychain {
        let scratch = try ScratchKeychain()
        let keychain = try scratch.open()
        for number in 1...5 {
            try keychain.add(
                .internetPassword, internetPassword(ByteString("\(number).example")),
                secret: Secret("secret \(number)"))
        }
        return scratch
    }

    private func tamper(_ scratch: ScratchKeychain, _ sql: String) throws {
        try RawDatabase(scratch.location.file).run(sql)
    }

    /// What is found, which changes nothing in the file.
    private func verification(_ scratch: ScratchKeychain) throws -> Verification {
        let before = try scratch.files()
        let found = try scratch.openStore().verification()
        #expect(try scratch.files() == before)
        return found
    }

    /// What is found of rows, by their numbers.
    private func damage(_ found: Verification) -> [Int64: Verification.DamagedItem.Damage] {
        Dictionary(uniqueKeysWithValues: found.damaged.map { ($0.row, $0.damage) })
    }

    /// A check of a large keychain takes longer than they wait.
    @Test func writersDoNotWait() throws {
        let scratch = try ScratchKeychain.withItem()
        var error: KeychainError?
        let found = try scratch.openStore().verification { _, _ in
            error = keychainError {
                _ = try scratch.openStore(busyTimeout: 100).add(
                    .internetPassword, internetPassword("b.example"), secret: Secret("two"))
            }
        }
        #expect(error == nil)
        #expect(found.isSound && found.items == 1)
        #expect(scratch.verified() == 2)
        #expect(try scratch.names() == ScratchKeychain.namesAtRest)
    }

    @Test func nothingIsFoundInAKeychainThatIsSound() throws {
        let scratch = try keychain()
        let found = try verification(scratch)
        #expect(found.isSound)
        #expect(found.items == 5)
        #expect(found.damaged.isEmpty)
        #expect(found.rowSet == .complete)
        #expect(found.lockedSecrets == 0 && found.foreignSecrets == 0)
        var shown: [Int] = []
        _ = try scratch.openStore().verification { done, total in
            #expect(total == 5)
            shown.append(done)
        }
        #expect(shown == [1, 2, 3, 4, 5])
        let empty = try ScratchKeychain()
        #expect(try verification(empty).isSound)
    }

    /// All of it, not only the first.
    @Test func everyDamagedRowIsNamed() throws {
        let scratch = try keychain()
        try tamper(
            scratch,
            """
            UPDATE item SET secret = substr(secret, 1, 24) WHERE change = 1;
            UPDATE item SET attributes = x'00' WHERE change = 2;
            UPDATE item SET accessible = 9 WHERE change = 3;
            UPDATE item SET secret = zeroblob(50000000) WHERE change = 4;
            """)
        let found = try verification(scratch)
        #expect(damage(found) == [1: .secret, 2: .attributes, 3: .row, 4: .tooLarge])
        #expect(found.damaged.map(\.attributes?.server) == ["1.example", nil, nil, nil])
        #expect(found.damaged.map(\.itemClass) == [.internetPassword, nil, nil, nil])
        #expect(found.items == 5)
        #expect(found.rowSet == .unknown)
        #expect(!found.isSound)
    }

    /// Whatever is done to a row, it is found, or the keychain can't be opened at all.
    @Test(arguments: RowTampering.all) func nothingPasses(_ tampering: RowTampering) throws {
        guard !tampering.relaxesSchema else {
            return
        }
        let scratch = try keychain()
        try tamper(scratch, tampering.sql)
        var found: Verification?
        let error = keychainError { found = try verification(scratch) }
        if let error {
            #expect([.decode, .invalidKeychain, .dataTooLarge].contains(error.status))
        }
        #expect(found?.isSound != true)
    }

    @Test func missingRowsAreCounted() throws {
        let scratch = try keychain()
        try tamper(scratch, "DELETE FROM item WHERE change IN (2, 4)")
        let found = try verification(scratch)
        #expect(found.rowSet == .missing(2))
        #expect(found.damaged.isEmpty)
        #expect(!found.isSound)
        try tamper(scratch, "UPDATE item SET secret = substr(secret, 1, 24) WHERE change = 1")
        let more = try verification(scratch)
        #expect(more.rowSet == .missing(2))
        #expect(damage(more) == [1: .secret])
    }

    /// One row too much is known by what it adds to the sum.
    @Test func theOneRowThatWasPutBackIsNamed() throws {
        let scratch = try keychain()
        let old = try RawDatabase(scratch.location.file).row(3)
        let older = try RawDatabase(scratch.location.file).row(2)
        let query = Query(.internetPassword, internetPassword("3.example"))
        try scratch.open().delete(query)
        try RawDatabase(scratch.location.file).insert(old)
        let found = try verification(scratch)
        #expect(found.rowSet == .surplus(1))
        #expect(damage(found) == [3: .putBack])
        #expect(found.damaged.first?.attributes?.server == "3.example")
        // Of two, it is impossible to tell.
        try tamper(scratch, "DELETE FROM item WHERE change = 3")
        try scratch.open().delete(Query(.internetPassword, internetPassword("2.example")))
        try RawDatabase(scratch.location.file).insert(old)
        try RawDatabase(scratch.location.file).insert(older)
        let two = try verification(scratch)
        #expect(two.rowSet == .surplus(2))
        #expect(two.damaged.isEmpty)
    }

    @Test func anOlderRowOfTheSameItemIsFound() throws {
        let scratch = try keychain()
        let old = try RawDatabase(scratch.location.file).row(1)
        let query = Query(.internetPassword, internetPassword("1.example"))
        try scratch.open().update(query, secret: Secret("new"))
        try tamper(scratch, "DELETE FROM item WHERE change = 6")
        try RawDatabase(scratch.location.file).insert(old)
        // A lookup can't tell.
        #expect(try secret(try scratch.open(), internetPassword("1.example")) == "secret 1")
        let found = try verification(scratch)
        #expect(found.rowSet == .exchanged)
        #expect(found.damaged.isEmpty)
        #expect(!found.isSound)
    }

    @Test func anOlderSumIsFound() throws {
        let scratch = try keychain()
        let old = try RawDatabase(scratch.location.file).blob("SELECT row_set FROM keychain")
        let query = Query(.internetPassword, internetPassword("1.example"))
        try scratch.open().update(query, secret: Secret("new"))
        try RawDatabase(scratch.location.file).execute(
            "UPDATE keychain SET row_set = ?1", .blob(old))
        // Where the later one was seen, it is refused at once.
        #expect(scratch.verification()?.hint?.contains("accept-restore") == true)
        try SealedStore.acceptRestored(at: scratch.location)
        #expect(try verification(scratch).rowSet == .exchanged)
        // Also where a damaged row would explain a sum that does not fit.
        try tamper(scratch, "UPDATE item SET secret = substr(secret, 1, 24) WHERE change = 2")
        let found = try verification(scratch)
        #expect(found.rowSet == .exchanged)
        #expect(damage(found) == [2: .secret])
    }

    @Test func anIndexThatDoesNotFitItsTableIsFound() throws {
        let scratch = try keychain()
        let tag = Data(
            try RawDatabase(scratch.location.file).blob("SELECT server FROM item WHERE change = 1"))
        var file = try scratch.bytes()
        // In the index the row's number follows the tag; the number 1 takes no byte.
        let last = try #require(file.range(of: tag, options: .backwards))
        file[last.lowerBound] ^= 1
        try scratch.write(file)
        let found = try verification(scratch)
        #expect(found.isStructureDamaged)
        #expect(found.items == 5)
    }

    @Test func aKeybagThatWasChangedIsAnError() throws {
        let scratch = try keychain()
        var keybag = try scratch.keybag()
        keybag.generation += 1
        try scratch.replaceKeybag(keybag.encoded)
        #expect(keychainError { _ = try scratch.openStore().verification() }?.status == .decode)
    }

    /// A locked keychain is checked as far as the machine key reaches, without prompts.
    @Test func aLockedKeychainIsCheckedWithoutAsking() throws {
        let scratch = try ScratchKeychain.locked()
        defer { scratch.lockAll() }
        var always = internetPassword("b.example")
        always.accessible = .always
        try scratch.open().add(.internetPassword, always, secret: Secret("two"))
        let provider = ScriptedProvider(answers: ["pass"])
        let found = try scratch.openStore(provider: provider).verification()
        #expect(provider.questions.isEmpty)
        #expect(found.isSound)
        #expect(found.items == 2)
        #expect(found.lockedSecrets == 1)
        try tamper(scratch, "UPDATE item SET secret = substr(secret, 1, 24) WHERE accessible = 3")
        let damaged = try scratch.openStore().verification()
        #expect(damaged.damaged.map(\.attributes?.server) == ["b.example"])
        // What can't be opened can't be checked.
        try tamper(scratch, "UPDATE item SET secret = substr(secret, 1, 24) WHERE accessible = 1")
        #expect(try scratch.openStore().verification().lockedSecrets == 1)
        let unlocked = try scratch.openStore(provider: ScriptedProvider(given: "pass"))
            .verification()
        #expect(unlocked.lockedSecrets == 0)
        #expect(unlocked.damaged.count == 2)
        #expect(
            keychainError {
                _ = try scratch.openStore(provider: ScriptedProvider(given: "wrong"))
                    .verification()
            }?.status == .authFailed)
    }

    @Test func anotherMachinesSecretsAreCounted() throws {
        let scratch = try ScratchKeychain()
        var attributes = internetPassword("a.example")
        attributes.accessible = .whenUnlockedThisDeviceOnly
        try scratch.open().add(.internetPassword, attributes, secret: Secret("one"))
        let recoveryKey = try text(scratch.openStore().makeRecoveryKey())
        let moved = try scratch.moved()
        #expect(
            keychainError { _ = try moved.openStore().verification() }?.status
                == .interactionNotAllowed)
        let found = try moved.openStore(provider: ScriptedProvider(given: recoveryKey))
            .verification()
        #expect(found.isSound)
        #expect(found.foreignSecrets == 1)
    }
}
