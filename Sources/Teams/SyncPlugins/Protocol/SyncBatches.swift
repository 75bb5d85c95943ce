internal import LanyardSecrets
internal import SyncEngine

/// Divides entries and records among lines that are short enough.
enum SyncBatches {
    /// Passes all on but the last line's content, which it returns.
    static func divide(
        _ roster: [[UInt8]], _ records: [ServerRecord],
        _ flush: ([[UInt8]], [ServerRecord]) throws(KeychainError) -> Void
    ) throws(KeychainError) -> ([[UInt8]], [ServerRecord]) {
        var entriesOfLine: [[UInt8]] = []
        var recordsOfLine: [ServerRecord] = []
        var size = 0
        func add(_ count: Int) throws(KeychainError) {
            guard count <= SyncPluginProtocol.contentLimit else {
                throw KeychainError(.dataTooLarge, "a record is longer than 6 MiB")
            }
            // Each has some overhead, even if it is empty.
            if size > 0, size + count > SyncPluginProtocol.batchSize {
                try flush(entriesOfLine, recordsOfLine)
                (entriesOfLine, recordsOfLine, size) = ([], [], 0)
            }
            size += count + 100
        }
        for entry in roster {
            try add(entry.count)
            entriesOfLine.append(entry)
        }
        for record in records {
            try add(record.content.count)
            recordsOfLine.append(record)
        }
        return (entriesOfLine, recordsOfLine)
    }
}
