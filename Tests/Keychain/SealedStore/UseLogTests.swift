import Foundation
import KeychainServices
import LinuxSystem
import TestSupport
import Testing

@testable import SealedStore

@Suite("The log of uses", .serialized) struct UseLogTests {
    private let scratch: ScratchKeychain
    private var file: UseLogFile { UseLogFile(scratch.location) }

    init() throws {
        scratch = try ScratchKeychain()
    }

    private func keychain(
        _ store: SealedStore? = nil, provider: ScriptedProvider? = nil
    ) throws -> Keychain {
        let store = try store ?? scratch.openStore(provider: provider)
        store.logsUses = true
        return Keychain(store, accessGroups: .all(addingTo: "test"))
    }

    private func content() throws -> UseLogContent { try scratch.openStore().usesSoFar() }

    private func actions() throws -> [String] {
        let content = try content()
        #expect(content.isWhole && !content.endsInTheMiddle)
        return content.uses.map { "\($0.action) \($0.name) \($0.account)" }
    }

    private func read(_ keychain: Keychain, _ account: ByteString?) throws -> Int {
        var query = Query(.genericPassword, returns: .data)
        query.attributes.account = account
        query.match.limit = .all
        var count = 0
        try keychain.forEachMatch(query) { _ in
            count += 1
            return .next
        }
        return count
    }

    private func add(_ keychain: Keychain, _ accounts: ByteString...) throws {
        for account in accounts {
            try keychain.add(
                .genericPassword, genericPassword("s", account: account), secret: Secret("x"))
        }
    }

    @Test func isOffByDefault() throws {
        let keychain = try scratch.open()
        try add(keychain, "a")
        #expect(try read(keychain, "a") == 1)
        #expect(try !PrivatePlace.exists(file.path))
        #expect(try content().uses.isEmpty)
    }

    @Test func everyUseIsInIt() throws {
        let keychain = try keychain()
        try add(keychain, "a", "b")
        #expect(try read(keychain, nil) == 2)
        let query = Query(.genericPassword, genericPassword("s", account: "a"))
        try keychain.update(query, ItemAttributes { $0.comment = "c" })
        try keychain.update(query, secret: Secret("new"))
        try keychain.delete(query)
        #expect(
            try actions() == [
                "stored s a", "stored s b", "read s b", "read s a", "changed s a", "stored s a",
                "deleted s a",
            ])
        let uses = try content().uses
        let this = SystemCalls.realPath("/proc/self/exe")!
        #expect(uses.allSatisfy { $0.program.path == ByteString(this) })
        #expect(uses.allSatisfy { $0.program.process == getpid() })
        #expect(uses.allSatisfy { $0.accessGroup == "test" })
        #expect(uses.allSatisfy { $0.itemClass == .genericPassword && !$0.hasMore })
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
        #expect(mode as? Int == 0o600)
    }

    /// Nothing in the file can be read without the keychain's keys.
    @Test func itIsSealed() throws {
        try add(try keychain(), "a-rare-account")
        let bytes = try Data(contentsOf: URL(fileURLWithPath: file.path))
        #expect(bytes.count == UseLogFile.recordSize)
        #expect(bytes.range(of: Data("rare".utf8)) == nil)
    }

    @Test func searchesAreNotInIt() throws {
        let keychain = try keychain()
        try add(keychain, "a")
        var query = Query(.genericPassword, returns: [.attributes, .reference])
        query.match.limit = .all
        try keychain.forEachMatch(query) { _ in .next }
        query.returns = [.attributes, .readableData, .unlogged]
        try keychain.forEachMatch(query) { _ in .next }
        #expect(try actions() == ["stored s a"])
    }

    @Test func aServiceLogsWhoAsked() throws {
        let keychain = try keychain()
        try add(keychain, "a")
        var query = Query(.genericPassword, returns: .data)
        query.context = AuthenticationContext(
            requester: RequestingProgram(
                TrustedApplication(path: "/usr/bin/gh", owner: 0), process: 7, unit: "gh.scope"))
        _ = try keychain.copyMatching(query)
        try keychain.delete(query)
        let requesters = try content().uses.dropFirst().map(\.requester)
        let expected = LoggedUse.Program(path: "/usr/bin/gh", process: 7, unit: "gh.scope")
        #expect(requesters == [expected, expected])
    }

    @Test func whatIsUndoneIsNotInIt() throws {
        let keychain = try keychain()
        let undone = KeychainError(.param, "undone")
        #expect(throws: undone) {
            try keychain.transaction { () throws(KeychainError) in
                try keychain.add(
                    .genericPassword, genericPassword("s", account: "a"), secret: Secret("x"))
                throw undone
            }
        }
        try keychain.transaction { () throws(KeychainError) in
            try keychain.add(
                .genericPassword, genericPassword("s", account: "b"), secret: Secret("x"))
            try? keychain.transaction { () throws(KeychainError) in
                try keychain.add(
                    .genericPassword, genericPassword("s", account: "c"), secret: Secret("x"))
                throw undone
            }
        }
        #expect(throws: KeychainError(.duplicateItem)) { try add(keychain, "b") }
        #expect(try actions() == ["stored s b"])
    }

    /// Deleting takes no key that can be locked, and neither does the log.
    @Test func aLockedKeychainLogs() throws {
        try add(try scratch.open(), "a")
        try scratch.setQuickPassphrase("pass")
        let keychain = try keychain()
        #expect(throws: KeychainError(.interactionNotAllowed)) { try read(keychain, "a") }
        #expect(try content().uses.isEmpty)
        try keychain.delete(Query(.genericPassword))
        #expect(try actions() == ["deleted s a"])
    }

    @Test func manyUsesOfOneCallAreCut() throws {
        let keychain = try keychain()
        try keychain.transaction { () throws(KeychainError) in
            for number in 0..<150 {
                try keychain.add(
                    .genericPassword, genericPassword("s", account: ByteString("\(number)")),
                    secret: Secret("x"))
            }
        }
        #expect(try read(keychain, nil) == 150)
        let uses = try content().uses
        #expect(uses.count == 202)
        #expect(uses.indices.filter { uses[$0].hasMore } == [100, 201])
    }

    /// Two files of a megabyte are the most.
    @Test func aFullFileIsReplaced() throws {
        let store = try scratch.openStore()
        let keychain = try keychain(store)
        try add(keychain, "a")
        let log = try #require(store.useLogging?.log)
        let whole = UseLogFile.limit / UseLogFile.recordSize
        let use = try #require(try content().uses.first)
        // The first file is replaced before it is quite full.
        for count in [1 + whole, 64 + whole, 64 + whole] {
            for _ in 0..<whole / 64 {
                try log.append(Array(repeating: use, count: 64))
            }
            let content = try content()
            #expect(content.isWhole)
            #expect(content.uses.count == count)
        }
        let sizes = try [file.name, file.olderName].map {
            try FileManager.default.attributesOfItem(
                atPath: "\(scratch.location.dataFolder)/\($0)")[
                    .size] as? Int
        }
        #expect(sizes == [UseLogFile.recordSize * 64, UseLogFile.limit])
        try FileManager.default.removeItem(atPath: "\(file.path).1")
        #expect(try content().gaps == 1)
    }

    /// A program was killed when it had renamed the full file.
    @Test func aNewFileGoesOnFromTheOlderOne() throws {
        let keychain = try keychain()
        try add(keychain, "a", "b")
        try FileManager.default.moveItem(atPath: file.path, toPath: "\(file.path).1")
        #expect(try actions() == ["stored s a", "stored s b"])
        try add(keychain, "c")
        #expect(try actions() == ["stored s a", "stored s b", "stored s c"])
    }

    @Test func anInterruptedRecordIsPassedOver() throws {
        let keychain = try keychain()
        try add(keychain, "a", "b")
        for size in [1023, 513, 600] {
            truncate(file.path, off_t(size))
            let content = try content()
            #expect(content.uses.count == 1 && content.endsInTheMiddle && content.isWhole)
        }
        try add(keychain, "c")
        #expect(try actions() == ["stored s a", "stored s c"])
    }

    /// What a program does to the file that has not the keychain's keys.
    @Test func changesAreNoticed() throws {
        let keychain = try keychain()
        try add(keychain, "a", "b", "c", "d")
        let whole = try Data(contentsOf: URL(fileURLWithPath: file.path))
        func record(_ number: Int) -> Data { whole[(number * 512)..<(number * 512 + 512)] }
        func content(_ records: Data...) throws -> UseLogContent {
            try records.reduce(Data(), +).write(to: URL(fileURLWithPath: file.path))
            chmod(file.path, 0o600)
            return try self.content()
        }
        #expect(try content(whole).isWhole)
        let removed = try content(record(0), record(2), record(3))
        #expect(removed.gaps == 1 && removed.damaged == 0 && removed.uses.count == 3)
        #expect(try content(record(1), record(2)).gaps == 1)
        #expect(try content(record(0), record(0)).gaps == 1)
        #expect(try content(record(0), record(2), record(1), record(3)).gaps == 3)
        var changed = whole
        changed[600] ^= 1
        let damaged = try content(changed)
        #expect(damaged.damaged == 1 && damaged.gaps == 0 && damaged.uses.count == 3)
        #expect(try content(whole, Data(count: 512)).damaged == 1)
        // The end can be cut off, and lanyard(7) says so.
        #expect(try content(record(0), record(1)).isWhole)
    }

    /// A key of another keychain opens nothing.
    @Test func itBelongsToItsKeychain() throws {
        let other = try ScratchKeychain()
        let store = try other.openStore()
        store.logsUses = true
        try add(Keychain(store, accessGroups: .all(addingTo: "test")), "a")
        try add(try keychain(), "a")
        try Data(contentsOf: URL(fileURLWithPath: UseLogFile(other.location).path))
            .write(to: URL(fileURLWithPath: file.path))
        chmod(file.path, 0o600)
        #expect(try content().damaged == 1)
        // As after the restoration of another keychain: a new log begins.
        let records = try Data(contentsOf: URL(fileURLWithPath: file.path))
        try records.write(to: URL(fileURLWithPath: "\(file.path).1"))
        chmod("\(file.path).1", 0o600)
        for (account, name) in [("b", "login.log.other"), ("c", "login.log.other-2")] {
            try records.write(to: URL(fileURLWithPath: file.path))
            chmod(file.path, 0o600)
            try add(try keychain(), ByteString(account))
            #expect(try actions() == ["stored s \(account)"])
            let kept = "\(scratch.dataFolder)/\(name)"
            #expect(try Data(contentsOf: URL(fileURLWithPath: kept)) == records)
        }
    }

    @Test func aFirstRecordThatWasCutShortIsPutAside() throws {
        let keychain = try keychain()
        try add(keychain, "a")
        truncate(file.path, 100)
        try add(keychain, "b")
        #expect(try actions() == ["stored s b"])
    }

    /// Another program's file of this name stays as it is, also when the keychain is deleted.
    @Test func anotherProgramsFileStays() throws {
        let text = Data(String(repeating: "a line of another program\n", count: 100).utf8)
        try text.write(to: URL(fileURLWithPath: file.path))
        chmod(file.path, 0o600)
        let provider = ScriptedProvider()
        try add(try keychain(provider: provider), "a", "b")
        #expect(provider.logFailures.map(\.status) == [.invalidKeychain])
        try SealedStore.delete(at: scratch.location)
        #expect(try Data(contentsOf: URL(fileURLWithPath: file.path)) == text)
    }

    @Test func aFailureIsReportedOnce() throws {
        try FileManager.default.createSymbolicLink(
            atPath: file.path, withDestinationPath: "/etc/passwd")
        let provider = ScriptedProvider()
        let keychain = try keychain(provider: provider)
        try add(keychain, "a")
        #expect(try read(keychain, "a") == 1)
        #expect(provider.logFailures.map(\.status) == [.writePermissions])
    }

    /// A program that hangs while it has the file delays others for a second, and stops nothing.
    @Test func aHeldFileFailsNothing() throws {
        let keychain = try keychain()
        try add(keychain, "a")
        let held = open(file.path, O_RDWR)
        defer { close(held) }
        #expect(flock(held, LOCK_EX) == 0)
        #expect(try read(keychain, "a") == 1)
        #expect(throws: KeychainError(.databaseLocked)) { try content() }
        flock(held, LOCK_UN)
        #expect(try actions() == ["stored s a"])
    }

    @Test func itIsDeletedWithTheKeychain() throws {
        try add(try keychain(), "a")
        try SealedStore.delete(at: scratch.location)
        #expect(try !PrivatePlace.exists(file.path))
    }

    @Test func programsTakeTurns() throws {
        let names = (0..<8).map { ByteString("\($0)") }
        let scratch = scratch
        @Sendable func insist(_ body: () throws -> Void) {
            for _ in 0..<20 {
                do {
                    return try body()
                } catch let error as KeychainError where error.status == .databaseLocked {
                    continue
                } catch {
                    break
                }
            }
            Issue.record("a change failed")
        }
        DispatchQueue.concurrentPerform(iterations: names.count) { number in
            for _ in 0..<20 {
                let store = try? scratch.openStore()
                store?.logsUses = true
                let keychain = store.map { Keychain($0, accessGroups: .all(addingTo: "test")) }
                let attributes = genericPassword("s", account: names[number])
                // On a busy machine, one may wait too long for the others.
                insist { _ = try keychain?.add(.genericPassword, attributes, secret: Secret("x")) }
                insist { _ = try keychain?.delete(Query(.genericPassword, attributes)) }
            }
        }
        #expect(try actions().count == 8 * 40)
    }

    @Test func longTextsAreShortened() throws {
        var random = SeededRandom()
        func text(_ isPath: Bool) -> ByteString {
            let count = Int.random(in: 0...600, using: &random)
            let characters = ["a", "é", "€", "𝄞"]
            let text = (0..<count).map { _ in characters.randomElement(using: &random)! }
            return ByteString((isPath && count > 0 ? "/" : "") + text.joined())
        }
        for _ in 0..<300 {
            let use = LoggedUse(
                time: Timestamp(secondsSinceEpoch: .random(in: .min ... .max, using: &random)),
                action: LoggedUse.Action.allCases.randomElement(using: &random)!,
                itemClass: ItemClass.stored.randomElement(using: &random)!, name: text(false),
                account: text(false), accessGroup: text(false),
                program: .init(path: text(true), process: .max, unit: text(false)),
                requester: .init(path: text(true), process: -1, unit: text(false)),
                hasMore: .random(using: &random))
            let link = (0..<24).map { _ in UInt8.random(in: 0...255, using: &random) }
            let encoded = use.encoded(after: link)
            #expect(encoded.count == LoggedUse.encodedSize)
            let decoded = try LoggedUse.decode(encoded)
            #expect(decoded.link == link && decoded.use.time == use.time)
            #expect(decoded.use.hasMore == use.hasMore && decoded.use.action == use.action)
            func texts(_ use: LoggedUse) -> [ByteString] {
                [
                    use.name, use.account, use.accessGroup, use.program.path, use.program.unit,
                    use.requester.path, use.requester.unit,
                ]
            }
            for (before, after) in zip(texts(use), texts(decoded.use)) {
                #expect(String(validating: after.bytes, as: UTF8.self) != nil)
                let kept = after.bytes.filter { !Array("…".utf8).contains($0) || before == after }
                #expect(after == before || after.bytes.count < before.bytes.count || kept.isEmpty)
                #expect(after == before || after.bytes.count >= 55)
            }
        }
    }
}
