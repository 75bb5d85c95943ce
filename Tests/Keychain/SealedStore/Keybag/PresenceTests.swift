import KeychainServices
import Testing

@testable import SealedStore

/// A keychain in which security keys open the items that ask.
private struct Rig {
    let scratch: ScratchKeychain
    let provider: ScriptedProvider

    init(passphrase: String? = nil, answers: [String] = []) throws {
        scratch = try ScratchKeychain()
        if let passphrase {
            try scratch.setQuickPassphrase(passphrase)
            try scratch.unlock()
        }
        provider = ScriptedProvider(answers: answers)
    }

    func store(_ provider: ScriptedProvider? = nil) throws -> SealedStore {
        try scratch.openStore(provider: provider ?? self.provider)
    }

    func keychain(_ provider: ScriptedProvider? = nil) throws -> Keychain {
        Keychain(try store(provider), accessGroup: "test")
    }

    /// - Returns: The new recovery key, if there is one.
    @discardableResult
    func enroll(
        _ name: String, seconds: UInt32 = 0, _ provider: ScriptedProvider? = nil
    ) throws -> String? {
        let provider = provider ?? self.provider
        var recoveryKey: String?
        try store(provider).addPresence { () throws(KeychainError) in
            let enrollment = try PresenceEnrollment(
                program: "test", name: name, seconds: seconds, data: Array(name.utf8))
            return try EnrolledPresence(
                enrollment, secret: ScriptedProvider.presenceSecret(of: enrollment))
        } show: { key throws(KeychainError) in
            recoveryKey = text(key.copy())
        }
        return recoveryKey
    }

    func add(_ account: ByteString, _ flags: AccessControl.Flags = .userPresence) throws {
        try keychain().add(.genericPassword, asking(account, flags), secret: Secret("s"))
    }

    func secret(_ account: ByteString = "ada", _ provider: ScriptedProvider? = nil) throws -> String
    {
        try KeychainTests.secret(
            keychain(provider), genericPassword("service", account: account), of: .genericPassword)
    }
}

private func asking(_ account: ByteString, _ flags: AccessControl.Flags) -> ItemAttributes {
    var attributes = genericPassword("service", account: account)
    attributes.accessControl = AccessControl(flags: flags)
    return attributes
}

@Suite("A security key", .serialized)
struct PresenceTests {
    @Test func opensItemsOfAKeychainWithoutPassphrase() throws {
        let rig = try Rig()
        #expect(throws: KeychainError(.authFailed)) { try rig.add("ada") }
        let recoveryKey = try #require(try rig.enroll("one"))
        rig.provider.present = ["one"]
        try rig.add("ada")
        #expect(try rig.secret() == "s")
        #expect(rig.provider.touches.count == 2)
        #expect(rig.provider.touches.last?.purpose == .use(item: "service (ada)", others: false))
        #expect(rig.provider.questions.isEmpty)
        // A lost one loses nothing, and the keychain's own key opens nothing.
        rig.provider.present = []
        #expect(throws: KeychainError(.interactionNotAllowed)) { try rig.secret() }
        #expect(try rig.secret("ada", ScriptedProvider(given: recoveryKey)) == "s")
        #expect(try rig.secret("ada", ScriptedProvider(answers: [recoveryKey])) == "s")
        #expect(try rig.store().hasCompleteRecoveryKey())
    }

    @Test(.enabled(if: KernelKey.isPermitted, KernelKey.reason))
    func oneTouchServesAGroupOfUses() throws {
        let rig = try Rig()
        defer { rig.scratch.lockAll() }
        try rig.enroll("one", seconds: 100)
        rig.provider.present = ["one"]
        try rig.add("ada")
        try rig.add("bob")
        #expect(try rig.secret("ada") + rig.secret("bob") == "ss")
        #expect(rig.provider.touches.count == 1)
        // Another program, which can't ask.
        #expect(try rig.secret("ada", ScriptedProvider()) == "s")
        try rig.store().lock()
        #expect(throws: KeychainError(.interactionNotAllowed)) {
            try rig.secret("ada", ScriptedProvider())
        }
        #expect(try rig.secret() == "s")
        #expect(rig.provider.touches.count == 2)
    }

    /// What a touch leaves opens items; it adds no other way to them.
    @Test(.enabled(if: KernelKey.isPermitted, KernelKey.reason))
    func aTouchThatServesAddsNoOtherWay() throws {
        let rig = try Rig()
        defer { rig.scratch.lockAll() }
        try rig.enroll("one", seconds: 100)
        rig.provider.present = ["one"]
        try rig.enroll("two")
        try rig.store().removeRecoveryKey()
        try rig.add("ada")
        rig.provider.present = ["three"]
        let recoveryKey = try text(rig.store().makeRecoveryKey())
        #expect(try !rig.store().hasCompleteRecoveryKey())
        let given = ScriptedProvider(given: recoveryKey)
        #expect(throws: KeychainError(.authFailed)) { try rig.enroll("three", given) }
        #expect(try rig.store().enrollments().map(\.name) == ["one", "two"])
        try rig.store().removeRecoveryKey()
        rig.provider.present = ["one"]
        _ = try rig.store().makeRecoveryKey()
        #expect(try rig.store().hasCompleteRecoveryKey())
    }

    /// Put back after a lock, it opens nothing.
    @Test(.enabled(if: KernelKey.isPermitted, KernelKey.reason))
    func aCopiedTouchEndsWithALock() throws {
        let rig = try Rig()
        defer { rig.scratch.lockAll() }
        try rig.enroll("one", seconds: 100)
        rig.provider.present = ["one"]
        try rig.add("ada")
        let id = try Hexadecimal.encode(rig.store().storedKeybag().keychainID)
        let description = "lanyard:\(id):presence"
        let copy = try #require(try KernelKeyring.read(description))
        try rig.store().lock()
        try KernelKeyring.publish(copy, as: description, timeout: 60)
        #expect(throws: KeychainError(.interactionNotAllowed)) {
            try rig.secret("ada", ScriptedProvider())
        }
    }

    @Test func theTouchOfOneOfTwoAddsAThird() throws {
        let rig = try Rig()
        try rig.enroll("one")
        rig.provider.present = ["one"]
        try rig.enroll("two")
        try rig.store().removeRecoveryKey()
        rig.provider.present = []
        #expect(throws: KeychainError.self) { try rig.enroll("three") }
        rig.provider.present = ["two"]
        try rig.add("ada")
        #expect(try rig.enroll("three") == nil)
        #expect(rig.provider.touches.map(\.purpose).last == .addPresence)
        rig.provider.present = ["three"]
        #expect(try rig.secret() == "s")
        #expect(try !rig.store().hasRecoveryKey())
    }

    /// A process that runs for days must not keep it.
    @Test func aTouchThatFailsLeavesNoSecret() throws {
        let rig = try Rig()
        try rig.enroll("one")
        rig.provider.present = ["one"]
        try rig.add("ada")
        let store = try rig.store()
        let anchor = KeychainAnchor(rig.scratch.location)
        rig.provider.whileTouching = { anchor.remove() }
        #expect(throws: KeychainError(.decode)) {
            try store.openPresence(for: .addPresence)
        }
        let keybag = try store.storedKeybag()
        let source = try #require(keybag.sources.first { $0.kind == .presence })
        #expect(!store.atHand.sources.contains(source))
    }

    @Test func theTouchOfAnotherPurposeIsNoTouch() throws {
        let rig = try Rig()
        try rig.enroll("one", seconds: 100)
        defer { rig.scratch.lockAll() }
        rig.provider.present = ["one"]
        try rig.add("ada")
        try rig.enroll("two")
        #expect(rig.provider.touches.map(\.purpose).last == .addPresence)
        rig.provider.present = ["two"]
        #expect(try rig.secret() == "s")
        #expect(try rig.store().enrollments().map(\.name) == ["one", "two"])
    }

    @Test func standsInForThePassphrase() throws {
        let rig = try Rig(passphrase: "pass", answers: ["pass"])
        defer { rig.scratch.lockAll() }
        #expect(try rig.enroll("one") == nil)
        #expect(rig.provider.questions.map(\.purpose) == [.addPresence])
        rig.provider.present = ["one"]
        try rig.add("ada")
        #expect(try rig.secret() == "s")
        #expect(rig.provider.touches.count == 2)
        // Without it, the passphrase is asked for.
        rig.provider.present = []
        rig.provider.answers = [Array("pass".utf8)]
        #expect(try rig.secret() == "s")
        #expect(rig.provider.failures.map(\.status) == [.notAvailable])
        #expect(try rig.secret("ada", ScriptedProvider(given: "pass")) == "s")
        // After a refusal it is not.
        rig.provider.present = ["one"]
        rig.provider.touchError = KeychainError(.userCanceled)
        rig.provider.answers = [Array("pass".utf8)]
        #expect(throws: KeychainError(.userCanceled)) { try rig.secret() }
        #expect(rig.provider.answers.count == 1)
    }

    @Test func ofAnotherSecretOpensNothing() throws {
        let rig = try Rig()
        try rig.enroll("one")
        rig.provider.present = ["one"]
        try rig.add("ada")
        rig.provider.changesSecrets = true
        let error = #expect(throws: KeychainError.self) { try rig.secret() }
        #expect(error?.status == .authFailed)
        #expect(error?.reason.contains("gave another secret") == true)
    }

    @Test func isNeverTheOnlyWay() throws {
        let rig = try Rig(passphrase: "pass", answers: ["pass", "pass", "pass"])
        defer { rig.scratch.lockAll() }
        try rig.enroll("one")
        rig.provider.present = ["one"]
        try rig.add("ada")
        let store = try rig.store()
        let error = #expect(throws: KeychainError.self) {
            try PassphraseChange.remove(of: store)
        }
        #expect(error?.status == .param)
        #expect(error?.reason.contains("only the security key 'one'") == true)
        // Two are enough.
        rig.provider.answers = [Array("pass".utf8), Array("pass".utf8)]
        try rig.enroll("two")
        try PassphraseChange.remove(of: rig.store()).apply()
        rig.provider.present = ["two"]
        #expect(try rig.secret() == "s")
        #expect(throws: KeychainError(.param)) { try rig.store().removePresence(named: "two") }
        #expect(throws: KeychainError(.itemNotFound)) {
            try rig.store().removePresence(named: "three")
        }
    }

    @Test func theLastOneStaysWhileItemsNeedIt() throws {
        let rig = try Rig()
        try rig.enroll("one")
        rig.provider.present = ["one"]
        try rig.add("ada")
        #expect(throws: KeychainError(.param)) { try rig.store().removePresence(named: "one") }
        try rig.keychain().update(
            Query(.genericPassword), ItemAttributes { $0.accessControl = AccessControl(flags: []) })
        try rig.store().removePresence(named: "one")
        #expect(try rig.store().enrollments().isEmpty)
        #expect(try rig.secret("ada", ScriptedProvider()) == "s")
        #expect(throws: KeychainError(.authFailed)) { try rig.add("bob") }
    }

    /// With one security key and no passphrase there is no state without a recovery key between two.
    @Test func theRecoveryKeyIsReplacedInOneStep() throws {
        let rig = try Rig()
        let old = try #require(try rig.enroll("one"))
        rig.provider.present = ["one"]
        try rig.add("ada")
        let refusals = [
            #expect(throws: KeychainError(.param)) { try rig.store().removeRecoveryKey() },
            #expect(throws: KeychainError(.duplicateItem)) {
                _ = try rig.store().makeRecoveryKey()
            },
        ]
        for refusal in refusals {
            #expect(
                refusal?.hint?.hasSuffix("lanyard recovery-key create --replace") == true,
                "\(String(describing: refusal))")
        }
        let new = try text(rig.store().makeRecoveryKey(replaces: true))
        #expect(rig.provider.touches.map(\.purpose).last == .createRecoveryKey)
        #expect(try rig.secret("ada", ScriptedProvider(given: new)) == "s")
        #expect(throws: KeychainError(.authFailed)) {
            try rig.secret("ada", ScriptedProvider(given: old))
        }
        // One that opens everything is not replaced by one that does not.
        rig.provider.present = []
        #expect(throws: KeychainError(.interactionNotAllowed)) {
            _ = try rig.store().makeRecoveryKey(replaces: true)
        }
        #expect(try rig.secret("ada", ScriptedProvider(given: new)) == "s")
    }

    /// After wrong answers: what opens the keychain need not open the item.
    @Test(arguments: [false, true])
    func aWrongPassphraseHintsAtTheRecoveryKeyOnlyIfItHelps(_ isComplete: Bool) throws {
        let rig = try Rig(passphrase: "pass", answers: ["pass"])
        defer { rig.scratch.lockAll() }
        _ = try rig.store().makeRecoveryKey()
        try rig.add("ada")
        if isComplete {
            rig.provider.answers = [Array("pass".utf8)]
            _ = try rig.store().makeRecoveryKey(replaces: true)
        }
        let error = #expect(throws: KeychainError(.authFailed)) {
            try rig.secret("ada", ScriptedProvider(answers: ["1", "2", "3"]))
        }
        #expect(
            error?.hint
                == (isComplete
                    ? "the recovery key is an answer, too"
                    : "the recovery key does not open the items that ask: only the passphrase does")
        )
    }

    /// Only a touch of each lets them open new keys.
    @Test func allThatAreHereOpenNewKeys() throws {
        let rig = try Rig(passphrase: "pass", answers: ["pass", "pass", "pass", "pass"])
        defer { rig.scratch.lockAll() }
        for name in ["one", "two", "three"] {
            try rig.enroll(name)
        }
        rig.provider.present = ["one", "two"]
        try rig.add("ada")
        rig.provider.answers = [Array("pass".utf8)]
        let change = try PassphraseChange.removeRecoveryKey(of: rig.store())
        #expect(rig.provider.touches.suffix(2).map(\.purpose) == [.renewKeys, .renewKeys])
        #expect(change.losses.securityKeys == ["three"])
        try change.apply()
        #expect(try rig.store().enrollments().map(\.name) == ["one", "two"])
        try rig.scratch.unlock()
        for name in ["one", "two"] {
            rig.provider.present = [name]
            #expect(try rig.secret() == "s")
        }
    }

    /// The recovery key opens them, and would be removed.
    @Test func newKeysNeverLoseTheItemsThatAsk() throws {
        let rig = try Rig()
        let recoveryKey = try #require(try rig.enroll("one"))
        rig.provider.present = ["one"]
        try rig.add("ada")
        let given = ScriptedProvider(given: recoveryKey)
        #expect(throws: KeychainError(.param)) {
            try PassphraseChange.removeRecoveryKey(of: rig.store(given))
        }
        #expect(throws: KeychainError(.param)) {
            try PassphraseChange.removeRecoveryKey(of: rig.store())
        }
        #expect(try rig.secret() == "s")
    }

    /// New keys need the old ones; a key that is not touched does not open them.
    @Test func renewedKeysTakeATouch() throws {
        let rig = try Rig()
        defer { rig.scratch.lockAll() }
        let recoveryKey = try #require(try rig.enroll("one"))
        rig.provider.present = ["one"]
        try rig.add("ada")
        try rig.enroll("two", ScriptedProvider(given: recoveryKey))
        let change = try PassphraseChange.set(Secret("pass"), of: rig.store())
        #expect(rig.provider.touches.map(\.purpose).last == .renewKeys)
        #expect(change.losses.items == 0)
        #expect(change.losses.securityKeys == ["two"])
        #expect(change.losses.recoveryKey)
        try change.apply()
        #expect(try rig.store().enrollments().map(\.name) == ["one"])
        #expect(try rig.secret("ada", ScriptedProvider(given: "pass")) == "s")
        try rig.scratch.unlock()
        #expect(try rig.secret() == "s")
    }

    /// The security key would open them again another time.
    @Test func newKeysNeverLoseWhatTheRecoveryKeyDoesNotOpen() throws {
        let rig = try Rig(passphrase: "pass", answers: ["pass", "pass"])
        defer { rig.scratch.lockAll() }
        let recoveryKey = try text(rig.store().makeRecoveryKey())
        try rig.enroll("one")
        rig.provider.present = ["one"]
        try rig.add("ada")
        #expect(try !rig.store().hasCompleteRecoveryKey())
        let given = ScriptedProvider(given: recoveryKey)
        #expect(throws: KeychainError(.param)) {
            _ = try PassphraseChange.change(
                to: { Secret("other") }, renewsKeys: true, of: rig.store(given))
        }
        // Without a passphrase, two are enough, and the recovery key does not open the items either.
        try rig.enroll("two")
        try PassphraseChange.remove(of: rig.store(ScriptedProvider(given: "pass"))).apply()
        #expect(try !rig.store().hasCompleteRecoveryKey())
        #expect(throws: KeychainError(.param)) {
            _ = try PassphraseChange.set(Secret("other"), of: rig.store(given))
        }
        #expect(try rig.secret() == "s")
    }

    @Test func neverStandsInForThePasscode() throws {
        let rig = try Rig(passphrase: "pass", answers: ["pass", "pass"])
        defer { rig.scratch.lockAll() }
        try rig.add("ada", .devicePasscode)
        #expect(throws: KeychainError(.unimplemented)) { try rig.enroll("one") }
        try rig.keychain().delete(Query(.genericPassword))
        rig.provider.answers = [Array("pass".utf8)]
        try rig.enroll("one")
        rig.provider.present = ["one"]
        #expect(throws: KeychainError(.unimplemented)) { try rig.add("ada", .devicePasscode) }
        #expect(throws: KeychainError(.unimplemented)) {
            try rig.add("ada", [.devicePasscode, .userPresence, .and])
        }
        try rig.add("ada", [.devicePasscode, .userPresence, .or])
        #expect(try rig.secret() == "s")
    }

    @Test func namesAndNumbersAreChecked() throws {
        let rig = try Rig()
        try rig.enroll("one")
        rig.provider.present = ["one"]
        #expect(throws: KeychainError(.param)) { try rig.enroll("one") }
        for number in 2...PresenceEnrollment.limit {
            try rig.enroll("\(number)")
        }
        #expect(throws: KeychainError(.param)) { try rig.enroll("one more") }
        for (program, name) in [("../x", "a"), ("", "a"), ("fido2", ""), ("fido2", "a\nb")] {
            #expect(throws: KeychainError(.param)) {
                try PresenceEnrollment(program: program, name: name, data: [1])
            }
        }
    }

    /// An older Lanyard must ask for a newer one, instead of calling it damage.
    @Test func theKeybagHasAVersionOfItsOwn() throws {
        let rig = try Rig()
        #expect(try rig.store().storedKeybag().encoded.prefix(2) == [0, 2])
        try rig.enroll("one")
        let keybag = try rig.store().storedKeybag()
        #expect(keybag.encoded.prefix(2) == [0, 3])
        #expect(try Keybag(decoding: keybag.encoded).enrollments == keybag.enrollments)
        var other = keybag.encoded
        other[1] = 2
        #expect(throws: KeychainError(.decode)) { try Keybag(decoding: other) }
    }
}
