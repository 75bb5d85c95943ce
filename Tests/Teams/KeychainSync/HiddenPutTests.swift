import LanyardSecrets
import SyncEngine
import SyncConformance
import Testing

@testable import KeychainSync

/// A server that takes an exchange, and hides it from the device, which ended before it heard the answer.
@Suite("Hidden put") struct HiddenPutTests {
    private let server = MemoryServer()
    private let ada: Machine
    private let grace: Machine

    init() throws {
        (ada, grace) = (try Machine(server), try Machine(server))
        try ada.create()
        try grace.join(ada, "grace")
        try ada.add("db", "one")
        for machine in [ada, grace, ada] {
            try machine.exchange()
        }
    }

    enum Change: CaseIterable {
        case item, newItem
    }

    @Test(arguments: Change.allCases, [false, true])
    func itIsNotTheDevicesLie(_ change: Change, _ isSeen: Bool) throws {
        let before = server.backup
        try change == .item ? grace.set("db", "two") : grace.add("web", "two")
        server.losesAnswer = true
        #expect(throws: KeychainError(.notAvailable)) { try grace.exchange() }
        let hidden = server.backup
        if isSeen {
            try ada.exchange()
        }
        server.backup = before
        try change == .item ? grace.set("db", "three") : grace.add("other", "three")
        try grace.exchange()
        var findings = try ada.exchange().findings
        for (id, record) in hidden.records where record != before.records[id] {
            server.sequence += 1
            server.sequences[id] = server.sequence
            server.records[id] = ServerRecord(
                id: id, version: (server.records[id]?.version ?? 0) + 1, content: record.content)
        }
        for machine in [ada, grace, ada, grace] {
            findings.formUnion(try machine.exchange().findings)
        }
        for finding in findings {
            switch finding {
            case .serverIsOlder, .changesAreMissing: break
            default: Issue.record("\(finding)")
            }
        }
        let truth =
            change == .item ? ["db": "three"] : ["db": "one", "web": "two", "other": "three"]
        for machine in [ada, grace] {
            #expect(try machine.exchange().findings.isEmpty)
            #expect(try machine.secrets() == truth)
        }
    }
}
