import Foundation
import KeychainServices
import Synchronization
import Testing

@testable import SealedStore
@testable import LinuxSystem

/// A user who takes some time, and does something meanwhile.
// Sendable, as the store asks under its lock.
private final class CountedPerson: PassphraseProvider, @unchecked Sendable {
    private let answering: () throws(KeychainError) -> Secret

    init(_ answering: @escaping () throws(KeychainError) -> Secret) {
        self.answering = answering
    }

    func givenPassphrase() throws(KeychainError) -> GivenPassphrase? { nil }

    func askForPassphrase(_ question: UnlockQuestion) throws(KeychainError) -> Secret {
        try answering()
    }

    func timeout() throws(KeychainError) -> UInt32? { 100 }

    func keychainStaysLocked(_ reason: KeychainError) {
        Issue.record("\(reason)")
    }
}

@Suite("Asking once", .serialized, .enabled(if: KernelKey.isPermitted, KernelKey.reason))
struct AskOnceTests {
    private static let template = Result { try ScratchKeychain.locked() }

    private func locked() throws -> ScratchKeychain {
        try AskOnceTests.template.get().copy()
    }

    private func reading(
        _ scratch: ScratchKeychain, _ provider: any PassphraseProvider
    ) -> Status? {
        keychainError {
            let store = try scratch.openStore(provider: provider)
            #expect(
                try secret(Keychain(store, accessGroups: .all()), internetPassword("a.example"))
                    == "one")
        }?.status
    }

    /// Runs a closure in so many threads, all at the same time.
    private func inThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
        let group = DispatchGroup()
        for number in 0..<count {
            group.enter()
            Thread.detachNewThread {
                body(number)
                group.leave()
            }
        }
        group.wait()
    }

    @Test func oneOfManyThreadsAsks() throws {
        let scratch = try locked()
        defer { scratch.lockAll() }
        let asked = Count()
        inThreads(8) { _ in
            let person = CountedPerson {
                asked.add(1)
                SystemCalls.sleep(milliseconds: 200)
                return Secret("pass")
            }
            let status = reading(scratch, person)
            #expect(status == nil)
        }
        #expect(asked.value == 1)
    }

    @Test func oneOfManyProcessesAsks() async throws {
        let scratch = try locked()
        defer { scratch.lockAll() }
        await withTaskGroup { group in
            for number in 0..<4 {
                group.addTask {
                    await #expect(processExitsWith: .success) {
                        [folder = scratch.folder as String, number = number as Int] in
                        let scratch = ScratchKeychain(adopting: folder)
                        let person = CountedPerson {
                            makeFile("\(folder)/asked-\(number)")
                            SystemCalls.sleep(milliseconds: 300)
                            return Secret("pass")
                        }
                        let store = try scratch.openStore(provider: person)
                        let found = try secret(
                            Keychain(store, accessGroups: .all()), internetPassword("a.example"))
                        #expect(found == "one")
                    }
                }
            }
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: scratch.folder)
        #expect(names.count { $0.hasPrefix("asked") } == 1)
    }

    /// Who waited for the answer takes a refusal as its own; what was given to a process is another
    /// thing, and so is one who comes later.
    @Test func aRefusalIsForAllWhoWaited() throws {
        let scratch = try locked()
        defer { scratch.lockAll() }
        let (asked, started, refused, opened) = (Count(), Count(), Count(), Count())
        inThreads(6) { number in
            started.add(1)
            if number == 5 {
                SystemCalls.sleep(milliseconds: 100)
                opened.add(reading(scratch, ScriptedProvider(given: "pass")) == nil ? 1 : 0)
                return
            }
            let person = CountedPerson { () throws(KeychainError) in
                asked.add(1)
                while started.value < 6 {
                    SystemCalls.sleep(milliseconds: 10)
                }
                SystemCalls.sleep(milliseconds: 300)
                throw KeychainError(.userCanceled, "no")
            }
            refused.add(reading(scratch, person) == .userCanceled ? 1 : 0)
        }
        #expect(asked.value == 1)
        #expect(refused.value == 5)
        #expect(opened.value == 1)
        let later = ScriptedProvider(answers: ["pass"])
        #expect(reading(scratch, later) == nil)
        #expect(later.questions.count == 1)
    }

    /// Runs a closure in a thread while another program's question is open, until the thread is done.
    private func duringAQuestion(
        _ scratch: ScratchKeychain, _ body: @escaping @Sendable () -> Void,
        meanwhile: () throws -> Void = {}
    ) throws {
        let turn = try UnlockLock(.question, at: scratch.location)
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            body()
            isDone.signal()
        }
        try meanwhile()
        #expect(isDone.wait(timeout: .now() + 60) == .success)
        _ = consume turn
    }

    /// The user may not see that question, and answer a third program.
    @Test func waitingEndsOnceItIsUnlocked() throws {
        let scratch = try locked()
        defer { scratch.lockAll() }
        let provider = ScriptedProvider()
        try duringAQuestion(scratch) {
            #expect(reading(scratch, provider) == nil)
            let service = keychainError {
                try scratch.openStore(provider: provider).unlockIfLocked(timeout: 100)
            }
            #expect(service == nil)
        } meanwhile: {
            // Until it says so, it waits.
            while !provider.hasWaited.load(ordering: .acquiring) {
                SystemCalls.sleep(milliseconds: 10)
            }
            try scratch.unlock()
        }
        #expect(provider.questions.isEmpty)
        #expect(provider.waits.count == 1)
        #expect(provider.waits.first?.contains("(process \(getpid())") == true)
    }

    /// Unlocking is not what an item waits for that asks at each use.
    @Test func anItemThatAsksStillWaits() throws {
        let scratch = try locked()
        defer { scratch.lockAll() }
        var asking = genericPassword("service", account: "ada")
        asking.accessControl = AccessControl(flags: .userPresence)
        try Keychain(
            scratch.openStore(provider: ScriptedProvider(answers: ["pass"])), accessGroup: "test"
        ).add(.genericPassword, asking, secret: Secret("s"))
        let provider = ScriptedProvider(answers: ["pass"])
        let isDone = DispatchSemaphore(value: 0)
        let turn = try UnlockLock(.question, at: scratch.location)
        Thread.detachNewThread {
            let error = keychainError {
                let store = try scratch.openStore(provider: provider)
                #expect(
                    try secret(
                        Keychain(store, accessGroup: "test"),
                        genericPassword("service", account: "ada"), of: .genericPassword) == "s")
            }
            #expect(error == nil)
            isDone.signal()
        }
        #expect(isDone.wait(timeout: .now() + 3) == .timedOut)
        #expect(provider.questions.isEmpty && provider.waits.count == 1)
        _ = consume turn
        #expect(isDone.wait(timeout: .now() + 60) == .success)
        #expect(provider.questions.count == 1)
    }

    /// The user has typed `lanyard unlock`.
    @Test func unlockingAsksBesideAnotherQuestion() throws {
        let scratch = try locked()
        defer { scratch.lockAll() }
        let provider = ScriptedProvider(answers: ["pass"])
        try duringAQuestion(scratch) {
            let error = keychainError {
                try scratch.openStore(provider: provider).unlock(timeout: 100)
            }
            #expect(error == nil)
        }
        #expect(provider.questions.count == 1 && provider.waits.isEmpty)
    }

    /// A question that stays open needs no answer if the keychain was unlocked meanwhile; one that the
    /// user cancels ends the program.
    @Test(
        arguments: [
            (KeychainError.unanswered, nil), (KeychainError(.userCanceled, "no"), .userCanceled),
        ] as [(KeychainError, Status?)])
    func theQuestionItselfIsOver(_ answer: KeychainError, _ status: Status?) throws {
        let scratch = try locked()
        defer { scratch.lockAll() }
        let person = CountedPerson { () throws(KeychainError) in
            #expect(keychainError { try scratch.unlock(timeout: 50) } == nil)
            throw answer
        }
        #expect(reading(scratch, person) == status)
        // It is unlocked for no longer.
        guard case .unlocked(let seconds) = try scratch.openStore().lockState() else {
            Issue.record("it is locked")
            return
        }
        #expect(seconds.map { $0 <= 50 } == true)
        try scratch.openStore().lock()
        let late = CountedPerson { () throws(KeychainError) in throw KeychainError.unanswered }
        #expect(reading(scratch, late) == .userCanceled)
    }

    /// While the question is open, others write, and afterwards nothing is stored twice.
    @Test func aTransactionDoesNotPrompt() throws {
        let scratch = try locked()
        defer { scratch.lockAll() }
        let (asked, runs) = (Count(), Count())
        let person = CountedPerson {
            asked.add(1)
            var attributes = internetPassword("meanwhile.example")
            attributes.accessible = .always
            let error = keychainError {
                _ = try scratch.openStore(busyTimeout: 0).add(
                    .internetPassword, attributes, secret: Secret("other"))
            }
            #expect(error == nil)
            return Secret("pass")
        }
        let store = try scratch.openStore(provider: person)
        try store.transaction { () throws(KeychainError) in
            runs.add(1)
            var always = internetPassword("first.example")
            always.accessible = .always
            _ = try store.add(.internetPassword, always, secret: Secret("1"))
            try store.transaction { () throws(KeychainError) in
                _ = try store.add(
                    .internetPassword, internetPassword("second.example"), secret: Secret("2"))
            }
        }
        #expect(asked.value == 1)
        #expect(runs.value == 2)
        #expect(scratch.verified() == 4)
    }

    /// Without an answer, too, nothing of a transaction stays.
    @Test func nothingStaysOfARefusedTransaction() throws {
        let scratch = try locked()
        defer { scratch.lockAll() }
        let before = try scratch.bytes()
        let store = try scratch.openStore(provider: ScriptedProvider())
        for _ in 1...2 {
            #expect(throws: KeychainError(.interactionNotAllowed)) {
                try store.transaction { () throws(KeychainError) in
                    var always = internetPassword("first.example")
                    always.accessible = .always
                    _ = try store.add(.internetPassword, always, secret: Secret("1"))
                    _ = try store.add(
                        .internetPassword, internetPassword("second.example"), secret: Secret("2"))
                }
            }
        }
        #expect(try scratch.bytes() == before)
        #expect(store.changing == nil)
        #expect(!store.isUnlocking)
    }

    /// Two programs find a keychain that was brought here, where there is no machine key yet.
    @Test func theSecondFindsTheNewMachineKey() throws {
        let scratch = try locked().moved()
        defer { scratch.lockAll() }
        let people = [ScriptedProvider(answers: ["pass"]), ScriptedProvider(answers: ["pass"])]
        let stores = try people.map { try scratch.openStore(provider: $0) }
        for store in stores {
            #expect(
                try secret(Keychain(store, accessGroups: .all()), internetPassword("a.example"))
                    == "one")
        }
        #expect(people.map(\.questions.count) == [1, 0])
        #expect(scratch.reading() == nil)
        try stores[1].lock()
        #expect(scratch.reading()?.status == .interactionNotAllowed)
    }
}
