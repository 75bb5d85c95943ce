internal import SyncEngine

/// A request to a transport's program.
enum SyncPluginMethod: String, CaseIterable {
    case hello, create, head, changes, record, put, putRoster
}

/// The numbers that both sides of the protocol agree on.
enum SyncPluginProtocol {
    static let version: Int64 = 1
    /// The size in bytes from which a line gets no further record.
    static let batchSize = 512 << 10
    /// The most bytes of a record or of an entry: in Base64 or hexadecimal digits it fits into a line.
    static let contentLimit = SyncLimits.givenSize
    /// The most bytes of an answer's lines: entries and records in Base64.
    static let answerLimit = 3 * SyncLimits.answerSize
    /// The milliseconds that an answer may take longer than the program may work.
    static let grace: Int64 = 2000
}
