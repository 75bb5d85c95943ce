package import LanyardSecrets
package import SyncEngine

/// One of several writers that change the same records at once. Each change adds one to a number, so a lost
/// change is a wrong sum.
package struct RacingWriter {
    private let transport: any SyncTransport
    /// The number of changes that the server acknowledged.
    package private(set) var acknowledged = 0

    /// Creates a writer.
    package init(_ transport: any SyncTransport) {
        self.transport = transport
    }

    /// The two records, which each put changes together.
    private static let ids = [TransportCase.id(1), TransportCase.id(2)]

    /// Adds one to both numbers, once or until the server takes it.
    package mutating func add(isRepeated: Bool = true) throws(KeychainError) {
        while true {
            let changes = try transport.changes(since: TransportCase.start)
            var puts: [ServerRecord] = []
            for id in RacingWriter.ids {
                let record = changes.records.first { $0.id == id }
                let number = record.map { RacingWriter.number($0.content) } ?? 0
                puts.append(
                    ServerRecord(
                        id: id, version: record?.version ?? 0,
                        content: Array(String(number + 1).utf8)))
            }
            if try transport.put(puts, rosterCount: changes.head.rosterCount) == .stored {
                acknowledged += 1
                return
            }
            guard isRepeated else {
                return
            }
        }
    }

    /// Returns the number that both records have, nil if they differ, or if a version is not the number of changes.
    package static func sum(_ transport: any SyncTransport) throws(KeychainError) -> Int? {
        let records = try transport.changes(since: TransportCase.start).records
        let numbers = Set(records.map { number($0.content) })
        guard records.count == 2 || records.isEmpty, numbers.count <= 1,
            records.allSatisfy({ Int($0.version) == number($0.content) })
        else {
            return nil
        }
        return numbers.first ?? 0
    }

    private static func number(_ content: [UInt8]) -> Int {
        Int(String(decoding: content, as: UTF8.self)) ?? -1
    }
}
