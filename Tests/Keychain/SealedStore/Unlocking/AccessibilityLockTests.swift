import Foundation
import KeychainServices
import Testing

@testable import SealedStore
@testable import LinuxSystem

/// What can be done with an item of each accessibility, however locked the keychain is.
@Suite("Accessibilities and locking", .serialized) struct AccessibilityLockTests {
    enum Situation: CaseIterable {
        case noPassphrase
        case locked
        case unlocked
        case lockedAgain
        case autoLocked
        case allLocked
        case givenPassphrase
        case givenRecoveryKey

        var takesKernelKeys: Bool {
            [.unlocked, .lockedAgain, .autoLocked, .allLocked].contains(self)
        }
    }

    /// What keeps a program from the key of a class, nil if nothing.
    private func obstacle(_ accessible: Accessibility, _ situation: Situation) -> Status? {
        switch (situation, accessible) {
        case (.noPassphrase, .whenPasscodeSetThisDeviceOnly): .authFailed
        case (.noPassphrase, _), (.unlocked, _), (.givenPassphrase, _): nil
        case (_, .always), (_, .alwaysThisDeviceOnly): nil
        case (.lockedAgain, .afterFirstUnlock), (.lockedAgain, .afterFirstUnlockThisDeviceOnly),
            (.autoLocked, .afterFirstUnlock), (.autoLocked, .afterFirstUnlockThisDeviceOnly):
            nil
        case (.givenRecoveryKey, .whenUnlocked), (.givenRecoveryKey, .afterFirstUnlock): nil
        case (.givenRecoveryKey, _): .authFailed
        case (.locked, _), (.lockedAgain, _), (.autoLocked, _), (.allLocked, _):
            .interactionNotAllowed
        }
    }

    private static func attributes(
        _ accessible: Accessibility, _ account: ByteString = "there"
    ) -> ItemAttributes {
        var attributes = genericPassword(ByteString(accessible.code), account: account)
        attributes.accessible = accessible
        attributes.accessGroup = "test"
        return attributes
    }

    private static func add(_ accessibilities: [Accessibility], to scratch: ScratchKeychain) throws
    {
        let store = try scratch.openStore(provider: ScriptedProvider(given: "pass"))
        for accessible in accessibilities {
            _ = try store.add(
                .genericPassword, attributes(accessible), secret: Secret(accessible.code))
        }
    }

    private struct Template {
        let open: ScratchKeychain
        let locked: ScratchKeychain
        let recoveryKey: String

        init() throws {
            open = try ScratchKeychain()
            try add(
                Accessibility.allCases.filter { $0 != .whenPasscodeSetThisDeviceOnly }, to: open)
            locked = try open.copy()
            try locked.setQuickPassphrase("pass")
            try add([.whenPasscodeSetThisDeviceOnly], to: locked)
            recoveryKey = try locked.makeRecoveryKey()
        }
    }

    private static let template = Result { try Template() }

    private func prepare(_ situation: Situation) throws -> (ScratchKeychain, SealedStore) {
        let template = try AccessibilityLockTests.template.get()
        let scratch = try (situation == .noPassphrase ? template.open : template.locked).copy()
        if situation.takesKernelKeys {
            try scratch.unlock(timeout: situation == .autoLocked ? 1 : 100)
        }
        var given: String?
        switch situation {
        case .noPassphrase, .locked, .unlocked: break
        case .lockedAgain: try scratch.openStore().lock()
        case .allLocked: try scratch.openStore().lock(firstUnlock: true)
        case .autoLocked:
            while try scratch.openStore().lockState() != .locked {
                SystemCalls.sleep(milliseconds: 20)
            }
        case .givenPassphrase: given = "pass"
        case .givenRecoveryKey: given = template.recoveryKey
        }
        let provider = given.map { ScriptedProvider(given: $0) }
        return (scratch, try scratch.openStore(provider: provider))
    }

    @Test(arguments: Situation.allCases) func everyAccessibility(_ situation: Situation) throws {
        guard !situation.takesKernelKeys || KernelKey.isPermitted else {
            print("skipped: \(situation): \(KernelKey.reason)")
            return
        }
        let (scratch, store) = try prepare(situation)
        defer { scratch.lockAll() }
        for accessible in Accessibility.allCases {
            let obstacle = obstacle(accessible, situation)
            try checkAdding(store, accessible, obstacle, situation)
            if situation != .noPassphrase || accessible != .whenPasscodeSetThisDeviceOnly {
                try checkItem(store, accessible, obstacle, situation)
            }
        }
        #expect(throws: Never.self) { _ = try store.verify() }
    }

    private func checkAdding(
        _ store: SealedStore, _ accessible: Accessibility, _ obstacle: Status?,
        _ situation: Situation
    ) throws {
        let adding = keychainError {
            _ = try store.add(
                .genericPassword, Self.attributes(accessible, "new"), secret: Secret("new"))
        }
        #expect(adding?.status == obstacle, "adding \(accessible), \(situation)")
        let query = Query(.genericPassword, Self.attributes(accessible, "new"), returns: .data)
        var found: [String] = []
        let reading = keychainError {
            try store.forEachMatch(query) { item in
                found.append(secretText(item) ?? "")
                return .next
            }
        }
        #expect(reading == nil)
        #expect(found == (obstacle == nil ? ["new"] : []), "\(accessible), \(situation)")
    }

    private func checkItem(
        _ store: SealedStore, _ accessible: Accessibility, _ obstacle: Status?,
        _ situation: Situation
    ) throws {
        let what: Comment = "\(accessible), \(situation)"
        let item = Query(.genericPassword, Self.attributes(accessible))
        #expect(reading(store, item, accessible.code) == obstacle, what)
        #expect(
            status { _ = try store.update(item, ItemAttributes(), secret: Secret("2")) }
                == obstacle, what)
        #expect(reading(store, item, obstacle == nil ? "2" : accessible.code) == obstacle, what)
        var moved = ItemAttributes()
        moved.account = "elsewhere"
        #expect(status { _ = try store.update(item, moved, secret: nil) } == obstacle, what)
        let now = Query(
            .genericPassword,
            Self.attributes(accessible, obstacle == nil ? "elsewhere" : "there"))
        var labelled = ItemAttributes()
        labelled.label = "label"
        #expect(try store.update(now, labelled, secret: nil) == 1, what)
        var listing = now
        listing.returns = .attributes
        var labels: [ByteString?] = []
        try store.forEachMatch(listing) { item in
            labels.append(item.attributes?.label)
            return .next
        }
        #expect(labels == ["label"], what)
        #expect(try store.delete(now) == 1, what)
        #expect(try store.delete(now) == 0, what)
    }

    private func status(_ body: () throws -> Void) -> Status? {
        keychainError(body)?.status
    }

    private func reading(_ store: SealedStore, _ query: Query, _ expected: String) -> Status? {
        var query = query
        query.returns = .data
        var found: String?
        let error = status {
            try store.forEachMatch(query) { item in
                found = secretText(item)
                return .stop
            }
        }
        #expect(found == (error == nil ? expected : nil))
        return error
    }
}
