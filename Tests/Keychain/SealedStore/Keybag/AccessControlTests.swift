import KeychainServices
import Testing

@testable import SQLiteFile
@testable import SealedStore

/// A scratch keychain with the passphrase "pass", unlocked for all programs if the kernel permits.
private struct Rig {
    let scratch: ScratchKeychain
    let provider: ScriptedProvider

    init(answers: [String] = [], unlocked: Bool = true) throws {
        scratch = try ScratchKeychain()
        try scratch.setQuickPassphrase("pass")
        if unlocked {
            try scratch.unlock()
        }
        provider = ScriptedProvider(answers: answers)
    }

    func keychain(_ provider: ScriptedProvider? = nil) throws -> Keychain {
        Keychain(
            try scratch.openStore(provider: provider ?? self.provider), accessGroup: "test")
    }

    /// Adds items that take the passphrase, one question for each.
    func add(_ accounts: ByteString...) throws {
        let keychain = try keychain(ScriptedProvider(given: "pass"))
        for account in accounts {
            try keychain.add(
                .genericPassword, controlled(account), secret: Secret("secret of \(account)"))
        }
    }

    func secret(_ account: ByteString, _ provider: ScriptedProvider? = nil) throws -> String {
        try KeychainTests.secret(
            keychain(provider), genericPassword("service", account: account),
            of: .genericPassword)
    }
}

private func controlled(
    _ account: ByteString, _ flags: AccessControl.Flags = .userPresence
) -> ItemAttributes {
    var attributes = genericPassword("service", account: account)
    attributes.accessControl = AccessControl(flags: flags)
    return attributes
}

@Suite("An access control that takes the passphrase", .serialized)
struct AccessControlTests {
    @Test(.enabled(if: KernelKey.isPermitted, KernelKey.reason))
    func asksAtEachUseOfAnUnlockedKeychain() throws {
        let rig = try Rig(answers: ["pass", "pass", "pass"])
        defer { rig.scratch.lockAll() }
        let keychain = try rig.keychain()
        try keychain.add(.genericPassword, controlled("ada"), secret: Secret("one"))
        for _ in 0..<2 {
            #expect(try secret(keychain, controlled("ada"), of: .genericPassword) == "one")
        }
        #expect(
            rig.provider.questions.map(\.purpose)
                == Array(repeating: .use(item: "service (ada)", others: false), count: 3))
        #expect(throws: KeychainError(.interactionNotAllowed)) {
            try secret(keychain, controlled("ada"), of: .genericPassword)
        }
    }

    @Test(
        "a question about a key has its name",
        arguments: [
            ("com.example", "label", "com.example"), ("", "label", "label"),
            (nil, ByteString([0xFF, 0]), "ff00"), ("a\nb", nil, "610a62"), (nil, nil, "a key"),
        ] as [(ByteString?, ByteString?, String)])
    func namesAKey(tag: ByteString?, label: ByteString?, name: String) throws {
        let rig = try Rig(answers: ["pass", "pass"])
        defer { rig.scratch.lockAll() }
        var attributes = ItemAttributes()
        attributes.applicationTag = tag
        attributes.applicationLabel = label
        attributes.keyClass = .private
        attributes.accessControl = AccessControl(flags: [.userPresence, .privateKeyUsage])
        let keychain = try rig.keychain()
        try keychain.add(.key, attributes, secret: Secret("one"))
        #expect(try secret(keychain, attributes, of: .key) == "one")
        #expect(
            rig.provider.questions.map(\.purpose).last == .use(item: name, others: false))
    }

    @Test func listsWithoutAsking() throws {
        let rig = try Rig()
        defer { rig.scratch.lockAll() }
        try rig.add("ada")
        let query = Query(.genericPassword, returns: [.attributes, .readableData])
        var flags: [AccessControl.Flags?] = []
        try rig.keychain().forEachMatch(query) { item in
            #expect(secretText(item) == nil)
            flags.append(item.attributes?.accessControl?.flags)
            return .next
        }
        #expect(flags == [.userPresence])
        #expect(rig.provider.questions.isEmpty)
        #expect(rig.scratch.verified() == 1)
    }

    @Test func oneQuestionServesOneCall() throws {
        let rig = try Rig(answers: ["pass"])
        defer { rig.scratch.lockAll() }
        try rig.add("ada", "bob", "eve")
        var query = Query(.genericPassword, returns: .data)
        query.match.limit = .all
        var secrets: [String?] = []
        try rig.keychain().forEachMatch(query) { item in
            secrets.append(secretText(item))
            return .next
        }
        #expect(secrets == ["secret of eve", "secret of bob", "secret of ada"])
        #expect(
            rig.provider.questions.map(\.purpose) == [.use(item: "service (eve)", others: true)])
    }

    @Test(.enabled(if: KernelKey.isPermitted, KernelKey.reason))
    func theAnswerUnlocksALockedKeychain() throws {
        let rig = try Rig(answers: ["pass"], unlocked: false)
        defer { rig.scratch.lockAll() }
        try rig.add("ada")
        #expect(try rig.secret("ada") == "secret of ada")
        #expect(rig.provider.questions.count == 1)
        #expect(try rig.scratch.openStore().lockState() != .locked)
    }

    @Test(.enabled(if: KernelKey.isPermitted, KernelKey.reason))
    func oneQuestionServesAChangeOfALockedItem() throws {
        let rig = try Rig(answers: ["pass"])
        defer { rig.scratch.lockAll() }
        try rig.keychain().add(
            .genericPassword, genericPassword("service", account: "ada"), secret: Secret("s"))
        try rig.scratch.openStore().lock(firstUnlock: true)
        try rig.keychain().update(Query(.genericPassword), controlled("ada"))
        #expect(
            rig.provider.questions.map(\.purpose)
                == [.use(item: "service (ada)", others: false)])
        #expect(try rig.secret("ada", ScriptedProvider(given: "pass")) == "s")
    }

    @Test(arguments: [AuthenticationUI.fail, .skip])
    func obeysTheAuthenticationUI(_ authenticationUI: AuthenticationUI) throws {
        let rig = try Rig(answers: ["pass"])
        defer { rig.scratch.lockAll() }
        try rig.add("ada")
        var query = Query(.genericPassword, returns: .data)
        query.match.authenticationUI = authenticationUI
        #expect(
            throws: KeychainError(
                authenticationUI == .skip ? .itemNotFound : .interactionNotAllowed)
        ) {
            _ = try rig.keychain().copyMatching(query)
        }
        #expect(rig.provider.questions.isEmpty)
    }

    @Test func aWrongPassphraseOpensNothing() throws {
        let rig = try Rig(answers: ["one", "two", "three"])
        defer { rig.scratch.lockAll() }
        try rig.add("ada")
        #expect(throws: KeychainError(.authFailed)) { try rig.secret("ada") }
        #expect(rig.provider.questions.count == 3)
    }

    @Test func takesAKeychainWithAPassphrase() throws {
        let scratch = try ScratchKeychain()
        let keychain = try scratch.open()
        #expect(throws: KeychainError(.authFailed)) {
            try keychain.add(.genericPassword, controlled("ada"), secret: Secret("s"))
        }
        try keychain.add(.genericPassword, controlled("ada", []), secret: Secret("s"))
        #expect(throws: KeychainError(.authFailed)) {
            try keychain.update(Query(.genericPassword), controlled("ada"))
        }
        #expect(try scratch.keybag().classKey(.presence) == nil)
    }

    @Test func changesOnlyWithThePassphrase() throws {
        let rig = try Rig(answers: ["pass", "pass", "pass"])
        defer { rig.scratch.lockAll() }
        try rig.add("ada")
        let keychain = try rig.keychain()
        let query = Query(.genericPassword)
        try keychain.update(query, ItemAttributes { $0.comment = "a comment" })
        #expect(rig.provider.questions.isEmpty)
        try keychain.update(query, secret: Secret("new"))
        #expect(rig.provider.questions.count == 1)
        try keychain.update(query, controlled("ada", []))
        #expect(rig.provider.questions.count == 2)
        #expect(try rig.secret("ada", ScriptedProvider()) == "new")
        try keychain.update(query, controlled("ada", .devicePasscode))
        #expect(rig.provider.questions.count == 3)
        #expect(throws: KeychainError(.interactionNotAllowed)) {
            try rig.secret("ada", ScriptedProvider())
        }
        try keychain.delete(query)
        #expect(rig.provider.questions.count == 3)
    }

    @Test func aTransactionAsksOnce() throws {
        let rig = try Rig(answers: ["pass"])
        defer { rig.scratch.lockAll() }
        try rig.add("ada")
        let keychain = try rig.keychain()
        try keychain.transaction { () throws(KeychainError) in
            try keychain.add(.genericPassword, controlled("bob"), secret: Secret("two"))
            try keychain.update(
                Query(.genericPassword, genericPassword("service", account: "ada")),
                secret: Secret("three"))
        }
        #expect(rig.provider.questions.count == 1)
        #expect(try rig.secret("ada", ScriptedProvider(given: "pass")) == "three")
        #expect(try rig.secret("bob", ScriptedProvider(given: "pass")) == "two")
    }

    @Test func anOrdinaryKeychainHasNoSuchKey() throws {
        let rig = try Rig()
        defer { rig.scratch.lockAll() }
        #expect(try rig.scratch.keybag().classKey(.presence) == nil)
        try rig.add("ada")
        #expect(try rig.scratch.keybag().classKey(.presence) != nil)
    }

    /// Who has the machine key can write attributes, but not the secrets of an unlocked keychain.
    @Test func attributesWithoutTheAccessControlDontFit() throws {
        let rig = try Rig()
        defer { rig.scratch.lockAll() }
        try rig.add("ada")
        try rig.scratch.openStore().changeItems { records throws(KeychainError) in
            let row = try records.row(after: 0)!
            var attributes = try records.sealing.openAttributes(row)
            attributes.accessControl = nil
            var forged = row
            try records.sealing.sealAttributes(
                attributes, ItemIdentity(row.itemClass, attributes), into: &forged)
            try records.replace(row, with: forged)
        }
        #expect(throws: KeychainError(.decode)) { try rig.secret("ada") }
        #expect(rig.scratch.verification()?.status == .decode)
    }

    @Test func noOtherItemTakesTheSecret() throws {
        let rig = try Rig()
        defer { rig.scratch.lockAll() }
        try rig.add("ada", "eve")
        // An attacker with every key of the unlocked keychain but the passphrase.
        try rig.scratch.openStore().changeItems { records throws(KeychainError) in
            let newest = try records.row(after: 1)!
            let oldest = try records.row(after: 0)!
            let sealing = records.sealing
            let content = try sealing.openContent(
                oldest, of: sealing.openAttributes(oldest),
                with: sealing.key(sealing.classKey(of: oldest)))
            var forged = newest
            try sealing.sealContent(content, of: sealing.openAttributes(newest), into: &forged)
            try records.replace(newest, with: forged)
        }
        #expect(throws: KeychainError(.decode)) {
            try rig.secret("eve", ScriptedProvider(given: "pass"))
        }
        #expect(try rig.secret("ada", ScriptedProvider(given: "pass")) == "secret of ada")
    }
}

@Suite("An access control and the passphrase's changes", .serialized)
struct AccessControlPassphraseTests {
    private func change(
        _ rig: Rig, renewsKeys: Bool = false, given: String = "pass"
    ) throws {
        let store = try rig.scratch.openStore(provider: ScriptedProvider(given: given))
        try PassphraseChange.change(
            to: { Secret("other") }, renewsKeys: renewsKeys, of: store
        ).apply()
    }

    @Test(arguments: [false, true])
    func theNewPassphraseOpensTheSecret(_ renewsKeys: Bool) throws {
        let rig = try Rig()
        defer { rig.scratch.lockAll() }
        try rig.add("ada")
        let before = try rig.scratch.keybag().classKey(.presence)
        try change(rig, renewsKeys: renewsKeys)
        #expect(try rig.secret("ada", ScriptedProvider(given: "other")) == "secret of ada")
        #expect(throws: KeychainError(.authFailed)) {
            try rig.secret("ada", ScriptedProvider(given: "pass"))
        }
        let after = try rig.scratch.keybag().classKey(.presence)
        #expect((before?.digest == after?.digest) == !renewsKeys)
    }

    @Test func theRecoveryKeyOpensTheSecret() throws {
        let rig = try Rig()
        defer { rig.scratch.lockAll() }
        try rig.add("ada")
        let recoveryKey = try rig.scratch.makeRecoveryKey()
        #expect(try rig.scratch.openStore().hasCompleteRecoveryKey())
        #expect(try rig.secret("ada", ScriptedProvider(given: recoveryKey)) == "secret of ada")
        try change(rig, given: recoveryKey)
        #expect(try rig.secret("ada", ScriptedProvider(given: "other")) == "secret of ada")
    }

    /// The user has forgotten the passphrase of an unlocked keychain, or made the key long before.
    @Test(arguments: [false, true])
    func aRecoveryKeyMadeWithoutThePassphraseDoesNot(_ isFirst: Bool) throws {
        let rig = try Rig()
        defer { rig.scratch.lockAll() }
        var recoveryKey = ""
        if isFirst {
            recoveryKey = try rig.scratch.makeRecoveryKey()
            #expect(try rig.scratch.openStore().hasCompleteRecoveryKey())
        }
        try rig.add("ada")
        try rig.keychain().add(
            .genericPassword, genericPassword("service", account: "bob"), secret: Secret("s"))
        if !isFirst {
            let provider = ScriptedProvider()
            recoveryKey = text(try rig.scratch.openStore(provider: provider).makeRecoveryKey())
            #expect(provider.questions.map(\.purpose) == [.createRecoveryKey])
        }
        #expect(try !rig.scratch.openStore().hasCompleteRecoveryKey())
        #expect(throws: KeychainError(.authFailed)) {
            try rig.secret("ada", ScriptedProvider(given: recoveryKey))
        }
        #expect(try rig.secret("ada", ScriptedProvider(given: "pass")) == "secret of ada")
        let store = try rig.scratch.openStore(provider: ScriptedProvider(given: recoveryKey))
        let change = try PassphraseChange.change(to: { Secret("other") }, of: store)
        #expect(change.losses.itemsForPassphrase == 1 && change.losses.items == 1)
        try change.apply()
        #expect(try rig.secret("bob", ScriptedProvider(given: "other")) == "s")
    }

    /// Only a cancelled question means that the user has forgotten it.
    @Test func aWrongPassphraseMakesNoRecoveryKey() throws {
        let rig = try Rig(answers: ["1", "2", "3", "1", "2", "3"])
        defer { rig.scratch.lockAll() }
        try rig.add("ada")
        let store = try rig.scratch.openStore(provider: rig.provider)
        #expect(throws: KeychainError(.authFailed)) { _ = try store.makeRecoveryKey() }
        #expect(try !store.hasRecoveryKey())
        // Made without the passphrase.
        let recoveryKey = text(
            try rig.scratch.openStore(provider: ScriptedProvider()).makeRecoveryKey())
        #expect(throws: KeychainError(.authFailed)) {
            _ = try store.makeRecoveryKey(replaces: true)
        }
        try rig.scratch.openStore().lock()
        let reopened = try rig.scratch.openStore(provider: ScriptedProvider(given: recoveryKey))
        try reopened.unlock(timeout: nil)
    }

    /// An answer to "unlock" must not be what another program uses to open everything.
    @Test func eachQuestionSaysItsPurpose() throws {
        let rig = try Rig(answers: ["pass", "pass", "pass"])
        defer { rig.scratch.lockAll() }
        let store = try rig.scratch.openStore(provider: rig.provider)
        _ = try PassphraseChange.change(to: { Secret("other") }, of: store)
        _ = try PassphraseChange.remove(of: store)
        _ = try PassphraseChange.removeRecoveryKey(of: store)
        #expect(
            rig.provider.questions.map(\.purpose)
                == [.changePassphrase, .removePassphrase, .renewKeys])
    }

    @Test(.enabled(if: KernelKey.isPermitted, KernelKey.reason))
    func aRecoveryKeyOfALockedKeychainTakesOneQuestion() throws {
        let rig = try Rig(answers: ["pass"], unlocked: false)
        defer { rig.scratch.lockAll() }
        try rig.add("ada")
        _ = try rig.scratch.openStore(provider: rig.provider).makeRecoveryKey()
        #expect(rig.provider.questions.map(\.purpose) == [.createRecoveryKey])
        #expect(try rig.scratch.openStore().hasCompleteRecoveryKey())
    }

    /// Even a program with the class keys can't tell.
    @Test func theLengthOfTheSecretIsHidden() throws {
        let rig = try Rig()
        defer { rig.scratch.lockAll() }
        let keychain = try rig.keychain(ScriptedProvider(given: "pass"))
        for (account, secret) in [("ada", "1"), ("bob", "a rather longer secret")] {
            try keychain.add(
                .genericPassword, controlled(ByteString(account)), secret: Secret(secret))
        }
        let sizes = try rig.scratch.openStore().withoutUnlocking {
            records throws(KeychainError) in
            var sizes: Set<Int> = []
            for change in [0, 1] as [Int64] {
                let row = try records.row(after: change)!
                let sealing = records.sealing
                let content = try sealing.openContent(
                    row, of: sealing.openAttributes(row),
                    with: sealing.key(sealing.classKey(of: row)))
                sizes.insert(content.count)
            }
            return sizes
        }
        #expect(sizes.count == 1)
    }

    @Test func isDeletedWithThePassphrase() throws {
        let rig = try Rig()
        defer { rig.scratch.lockAll() }
        try rig.add("ada", "eve")
        try rig.keychain().add(
            .genericPassword, genericPassword("service", account: "bob"), secret: Secret("s"))
        let removal = try PassphraseChange.remove(
            of: rig.scratch.openStore(provider: ScriptedProvider(given: "pass")))
        #expect(removal.losses.itemsForPassphrase == 2)
        #expect(removal.losses.items == 2)
        try removal.apply()
        #expect(try rig.secret("bob", ScriptedProvider()) == "s")
        #expect(rig.scratch.verified() == 1)
        #expect(try rig.scratch.keybag().classKey(.presence) == nil)
    }
}

@Suite("An access control with an application password", .serialized)
struct ApplicationPasswordTests {
    private func context(_ password: String) -> AuthenticationContext {
        AuthenticationContext(applicationPassword: Secret(password))
    }

    private func secret(
        _ keychain: Keychain, _ context: AuthenticationContext?
    ) throws -> String? {
        var query = Query(.genericPassword, returns: .data)
        query.context = context
        guard case .item(let item) = try keychain.copyMatching(query) else {
            return nil
        }
        return secretText(item)
    }

    @Test func takesThePasswordEachTime() throws {
        let scratch = try ScratchKeychain()
        let keychain = Keychain(
            try scratch.openStore(provider: ScriptedProvider()), accessGroup: "test")
        let attributes = controlled("ada", .applicationPassword)
        #expect(throws: KeychainError(.authFailed)) {
            try keychain.add(.genericPassword, attributes, secret: Secret("s"))
        }
        try keychain.add(
            .genericPassword, attributes, secret: Secret("s"), context: context("swordfish"))
        #expect(try secret(keychain, context("swordfish")) == "s")
        for wrong in [context("sword"), nil] {
            #expect(throws: KeychainError(.authFailed)) { try secret(keychain, wrong) }
        }
        #expect(scratch.verified() == 1)
    }

    @Test func staysWhenTheKeysAreRenewed() throws {
        let rig = try Rig()
        defer { rig.scratch.lockAll() }
        let given = try rig.keychain(ScriptedProvider(given: "pass"))
        try given.add(
            .genericPassword, controlled("ada", [.applicationPassword, .userPresence]),
            secret: Secret("s"), context: context("swordfish"))
        let store = try rig.scratch.openStore(provider: ScriptedProvider(given: "pass"))
        try PassphraseChange.change(
            to: { Secret("other") }, renewsKeys: true, of: store
        ).apply()
        let keychain = try rig.keychain(ScriptedProvider(answers: ["other"]))
        #expect(try secret(keychain, context("swordfish")) == "s")
        #expect(throws: KeychainError(.interactionNotAllowed)) {
            try secret(keychain, context("swordfish"))
        }
    }

    @Test func anUpdateTakesThePasswordToo() throws {
        let scratch = try ScratchKeychain()
        let keychain = Keychain(
            try scratch.openStore(provider: ScriptedProvider()), accessGroup: "test")
        try keychain.add(
            .genericPassword, controlled("ada", .applicationPassword), secret: Secret("s"),
            context: context("swordfish"))
        var query = Query(.genericPassword)
        #expect(throws: KeychainError(.authFailed)) {
            try keychain.update(query, secret: Secret("new"))
        }
        query.context = context("swordfish")
        try keychain.update(query, secret: Secret("new"))
        #expect(try secret(keychain, context("swordfish")) == "new")
        // Its identity is bound to the secret, which has to be sealed again.
        try keychain.update(query, ItemAttributes { $0.service = "other" })
        #expect(try secret(keychain, context("swordfish")) == "new")
    }
}

extension Records {
    /// Replaces a row as an attacker does who has the keys.
    func replace(_ row: ItemRow, with forged: ItemRow) throws(KeychainError) {
        try delete(row)
        rowSet.insert(forged, keys)
        let statement = try database.prepare(ItemRow.insertion)
        try forged.bind(to: statement)
        try statement.changeOneRow()
    }
}
