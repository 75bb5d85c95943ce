import Foundation
import KeychainServices
import TestSupport
import Synchronization
import Testing

@testable import KeychainPlugin

@Suite("lock states, prompts and the first request")
struct StateTests {
    private static let account = ItemAttributes {
        $0.account = "a"
        $0.accessGroup = "g"
        $0.accessible = .always
    }

    /// A locked keychain with an item.
    private static func locked(
        _ person: @escaping () throws(KeychainError) -> Void
    ) throws(KeychainError) -> ServedStore {
        let served = ServedStore()
        _ = try served.add(.genericPassword, account, secret: Secret("secret"))
        served.isLocked = true
        served.personUnlocks = person
        return served
    }

    private func secret(_ store: PluginStore) throws -> String? {
        var found: String?
        try store.forEachMatch(Query(.genericPassword, returns: .data)) {
            item throws(KeychainError) in
            switch item.secret {
            case .some(let secret):
                found = secret.withBytes { ByteString(copying: $0).description }
            case .none: break
            }
            return .stop
        }
        return found
    }

    @Test("users get more time to answer than programs")
    func prompt() throws {
        let socket = try serve { _, _ throws(KeychainError) in
            try StateTests.locked { () throws(KeychainError) in usleep(3_500_000) }
        }
        let store = store(socket, timeLimit: 3000, isPromptAllowed: true)
        #expect(try store.status().isLocked)
        #expect(try secret(store) == "secret")
        #expect(try !store.status().isLocked)
        try store.lock()
        #expect(try store.status().isLocked)
        try store.unlock()
        #expect(try !store.status().isLocked)
    }

    @Test("skipped items are named")
    func skipped() throws {
        let names = ["chat", "caf\u{E9} \"1\"", String(repeating: "x", count: 500)]
        let socket = try serve { _, _ throws(KeychainError) in
            let served = ServedStore()
            served.skippedNames = names
            return served
        }
        let store = store(socket, timeLimit: 10_000, isPromptAllowed: false)
        #expect(try store.skippedItems() == names.map { String($0.prefix(200)) })
    }

    @Test("without permission it does not prompt")
    func noPrompt() throws {
        let store = store(
            try serve { _, _ throws(KeychainError) in
                try StateTests.locked { () throws(KeychainError) in }
            })
        for _ in 0..<2 {
            #expect(throws: KeychainError(.interactionNotAllowed)) { try store.unlock() }
            #expect(throws: KeychainError(.interactionNotAllowed)) { try secret(store) }
        }
        // Attributes can be read.
        var count = 0
        try store.forEachMatch(Query(.genericPassword, returns: .attributes)) {
            _ throws(KeychainError) in
            count += 1
            return .next
        }
        #expect(count == 1)
    }

    @Test("the user refuses")
    func refusal() throws {
        let store = store(
            try serve { _, _ throws(KeychainError) in
                try StateTests.locked { () throws(KeychainError) in
                    throw KeychainError(.userCanceled, "no")
                }
            }, isPromptAllowed: true)
        let error = #expect(throws: KeychainError.self) { try store.unlock() }
        #expect(error?.status == .userCanceled)
        #expect(error?.reason == "no")
        #expect(try store.status().isLocked)
    }

    @Test("the name, the settings and the limits arrive")
    func greeting() throws {
        let seen = Mutex("")
        let socket = try serve { keychain, settings throws(KeychainError) in
            seen.withLock {
                $0 = keychain + settings.map { " \($0.name)=\($0.value)" }.sorted().joined()
            }
            return ServedStore()
        }
        let store = store(socket, settings: [("a", "1"), ("b", "\u{7}ü\n"), ("a", "2")])
        try store.open()
        #expect(store.hasTransactions)
        #expect(seen.withLock { $0 } == "work a=2 b=\u{7}ü\n")
        #expect(
            try store.status()
                == PluginStatus(
                    isLocked: false, canPrompt: true, place: "memory", outlastsReboot: false))
    }

    @Test("a keychain that can't be opened is not asked again")
    func refusedAtFirst() throws {
        let opened = Mutex(0)
        let socket = try serve { _, _ throws(KeychainError) in
            opened.withLock { $0 += 1 }
            throw KeychainError(.noSuchKeychain, "there is no collection", hint: "make one")
        }
        let store = store(socket)
        for _ in 0..<2 {
            let error = #expect(throws: KeychainError.self) { try store.unlock() }
            #expect(error?.status == .noSuchKeychain)
            #expect(error?.reason == "there is no collection")
            #expect(error?.hint == "make one")
        }
        #expect(opened.withLock { $0 } == 1)
    }

    @Test("a plugin's message is cut to a length that fits")
    func longReason() throws {
        let socket = try serve { _, _ throws(KeychainError) in
            throw KeychainError(.io, String(repeating: "ä", count: 100_000))
        }
        let store = store(socket)
        let error = #expect(throws: KeychainError.self) { try store.open() }
        #expect(error?.reason == String(repeating: "ä", count: 500))
    }

    @Test("the example in Python has the same states")
    func example() throws {
        let scratch = try ScratchFolder()
        let plugin = try ExamplePlugin(in: scratch)
        let store = plugin.store(isPromptAllowed: true)
        _ = try store.add(.genericPassword, StateTests.account, secret: Secret("secret"))
        try store.lock()
        let status = try store.status()
        #expect(status.isLocked && status.outlastsReboot)
        #expect(status.place == "file \(scratch.path)/items")
        #expect(try secret(store) == "secret")
        #expect(try !store.status().isLocked)

        let silent = plugin.store()
        #expect(try secret(silent) == "secret")
        try silent.lock()
        #expect(throws: KeychainError(.interactionNotAllowed)) { try secret(silent) }
        #expect(throws: KeychainError(.interactionNotAllowed)) { try silent.unlock() }
    }
}
