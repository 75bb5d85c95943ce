/// The most that this module takes from a server or gives it. A server may claim anything: what is beyond
/// these bounds is refused before anything is computed or stored.
package enum SyncLimits {
    /// The size of a record or of an entry of the roster that is given to a server, in bytes: each way to a server
    /// takes that much.
    package static let givenSize = 6 << 20
    /// The size of all versions of an item, in bytes: it leaves room for the rest of a record.
    static let givenItemSize = givenSize - (512 << 10)
    /// The size of a record or of an entry of the roster, in bytes.
    static let recordSize = 64 << 20
    /// The size of an item's content, in bytes.
    static let contentSize = 4 << 20
    /// The size of a version, in bytes: what devices make takes less than 64 KiB beside the content.
    static let versionSize = contentSize + (64 << 10)
    /// Numbers of changes, of a record's versions and Lamport times stay below: adding one never overflows.
    package static let number: UInt64 = 1 << 62
    /// The number of changes of a device that an owner may not know when it loses its right to make more.
    static let lostNumbers: UInt64 = 1 << 32
    /// The number of devices that an item's versions name.
    static let devices = 10_000
    /// The number of an item's versions.
    static let versions = 1024
    /// The number of changes of removed devices that an entry of the roster names: they leave room for the team's key.
    static let lastChanges = 300_000
    /// The number of pieces in which a server shows its changes.
    static let pieces = 10_000
    /// The milliseconds in which a server shows all pieces.
    static let time: Int64 = 30 * 60_000
    /// The milliseconds in which a device is removed while others write all the time.
    static let removalTime: Int64 = 60_000
    /// The number of records without a right content that are noted.
    static let forgeries = 1000
    /// The number of requests to join that are shown.
    static let requests = 100
    /// The size of all records of one answer of a server, and that of all entries of the roster, in bytes.
    package static let answerSize = 64 << 20

    /// Whether a record can have a version. One with another is replaced as if there was none: each way to a server does that.
    package static func isVersion(_ version: UInt64) -> Bool { (1..<number).contains(version) }

    /// Returns which contents a way to a server reads, by their sizes: those that a device may have given, up to the
    /// size of an answer. It passes the others on as empty, which counts as forged: a few bytes of a server's
    /// compressed store may be gigabytes.
    package static func areRead(_ sizes: some Sequence<Int>) -> [Bool] {
        var total = 0
        return sizes.map { size in
            guard (0...givenSize).contains(size), total + size <= answerSize else {
                return false
            }
            total += size
            return true
        }
    }
}
