import KeychainServices
import Testing

@testable import SQLiteFile
@testable import SealedStore

/// A scratch keychain with the passphrase "pass", unlocked for all programs if the kernel permits.
private func unlockedKeychain() throws -> ScratchKeychain {
    let scratch = try ScratchKeychain()
    try scratch.setQuickPassphrase("pass")
    try scratch.unlock()
    return scratch
}

private func keychain(
    _ scratch: ScratchKeychain, _ provider: ScriptedProvider = ScriptedProvider(given: "pass")
) throws -> Keychain {
    Keychain(try scratch.openStore(provider: provider), accessGroup: "test")
}

@Suite("Corners of access control", .serialized)
struct AccessControlCornerTests {
    /// A closure that starts again makes its context anew each time.
    @Test func aTransactionMayMakeTheContext() throws {
        let scratch = try ScratchKeychain()
        let keychain = try keychain(scratch, ScriptedProvider())
        var attributes = genericPassword("service", account: "ada")
        attributes.accessControl = AccessControl(flags: .applicationPassword)
        var runs = 0
        try keychain.transaction { () throws(KeychainError) in
            runs += 1
            guard runs < 5 else {
                throw KeychainError(.param, "it never ends")
            }
            try keychain.add(
                .genericPassword, attributes, secret: Secret("s"),
                context: AuthenticationContext(applicationPassword: Secret("swordfish")))
        }
        #expect(runs == 2)
    }

    /// Who has the keys of an unlocked keychain can write attributes that are not in the identity.
    @Test func aQuestionNamesTheItemByItsIdentity() throws {
        let scratch = try unlockedKeychain()
        defer { scratch.lockAll() }
        var attributes = ItemAttributes()
        attributes.server = "bank.example"
        attributes.account = "ada"
        attributes.accessControl = AccessControl(flags: .userPresence)
        try keychain(scratch).add(.internetPassword, attributes, secret: Secret("s"))
        try scratch.openStore().changeItems { records throws(KeychainError) in
            let row = try records.row(after: 0)!
            var attributes = try records.sealing.openAttributes(row)
            attributes.service = "wifi"
            attributes.label = "wifi"
            var forged = row
            try records.sealing.sealAttributes(
                attributes, ItemIdentity(row.itemClass, attributes), into: &forged)
            try records.delete(row)
            records.rowSet.insert(forged, records.keys)
            let statement = try records.database.prepare(ItemRow.insertion)
            try forged.bind(to: statement)
            try statement.changeOneRow()
        }
        let provider = ScriptedProvider(answers: ["pass"])
        let found = try secret(
            keychain(scratch, provider), ItemAttributes { $0.server = "bank.example" },
            of: .internetPassword)
        #expect(found == "s")
        #expect(
            provider.questions.map(\.purpose)
                == [.use(item: "bank.example (ada)", others: false)])
    }

    /// The user has forgotten the passphrase.
    @Test func newKeysWithARecoveryKeyThatDoesNotOpenAll() throws {
        let scratch = try unlockedKeychain()
        defer { scratch.lockAll() }
        let recoveryKey = try scratch.makeRecoveryKey()
        var attributes = genericPassword("service", account: "ada")
        attributes.accessControl = AccessControl(flags: .userPresence)
        try keychain(scratch).add(.genericPassword, attributes, secret: Secret("lost"))
        try keychain(scratch).add(
            .genericPassword, genericPassword("service", account: "bob"), secret: Secret("s"))
        let change = try PassphraseChange.change(
            to: { Secret("other") }, renewsKeys: true,
            of: scratch.openStore(provider: ScriptedProvider(given: recoveryKey)))
        #expect(change.losses.items == 1)
        try change.apply()
        let provider = ScriptedProvider(given: "other")
        #expect(try scratch.openStore(provider: provider).verify() == 1)
        #expect(
            try secret(
                keychain(scratch, provider), genericPassword("service", account: "bob"),
                of: .genericPassword) == "s")
        #expect(try scratch.keybag().classKey(.presence) == nil)
    }
}
