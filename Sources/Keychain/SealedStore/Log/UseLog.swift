internal import LanyardCryptography
internal import KeychainServices

/// The log of uses of an open keychain.
///
/// Each entry is encrypted under a key that is derived from the metadata key, and names the one before
/// it: what was removed, repeated or moved in between is noticed.
final class UseLog {
    /// The keys that the log's own was derived from.
    let keys: UnlockedKeys
    let file: UseLogFile
    private let key: Secret

    private static let associatedData = Array("lanyard log of uses 1".utf8)

    init(_ keys: UnlockedKeys, _ location: KeychainLocation) {
        self.keys = keys
        file = UseLogFile(location)
        key = UseLog.key(of: keys)
    }

    /// Returns the key of a keychain's log.
    static func key(of keys: UnlockedKeys) -> Secret {
        let id = keys.keybag.keychainID
        return KeyDerivation.derive(
            keys.metadata.key, label: "lanyard log of uses", context: id.span)
    }

    /// Appends entries.
    func append(_ uses: [LoggedUse]) throws(KeychainError) {
        guard !uses.isEmpty else {
            return
        }
        try file.append(size: uses.count * UseLogFile.recordSize, isOurs: isOurs) {
            last throws(KeychainError) in
            var link = last
            var records: [UInt8] = []
            for use in uses {
                let record = try UseLog.record(of: use, after: link, key)
                link = Array(record.prefix(UseLogFile.nonceSize))
                records += record
            }
            return records
        }
    }

    private func isOurs(_ record: [UInt8]) -> Bool { (try? UseLog.open(record, key)) != nil }

    /// Returns an entry's record.
    ///
    /// - Parameter link: The nonce of the record before it, empty if there is none.
    static func record(
        of use: LoggedUse, after link: [UInt8], _ key: borrowing Secret
    ) throws(KeychainError) -> [UInt8] {
        let link = link.isEmpty ? noLink : link
        return try SealedBox.seal(
            use.encoded(after: link).span, under: key, associatedData: associatedData)
    }

    private static let noLink = [UInt8](repeating: 0, count: UseLogFile.nonceSize)

    /// Reads all entries.
    func read() throws(KeychainError) -> UseLogContent {
        let (older, present) = try file.read()
        var content = UseLogContent(path: file.path)
        content.add(older ?? [], key, expects: nil)
        content.add(present ?? [], key, expects: older == nil ? UseLog.noLink : nil)
        return content
    }

    /// Opens a record.
    ///
    /// - Throws: ``Status/decode``.
    static func open(
        _ record: [UInt8], _ key: borrowing Secret
    ) throws(KeychainError) -> (link: [UInt8], use: LoggedUse) {
        let opened = try SealedBox.open(record.span, under: key, associatedData: associatedData)
        return try LoggedUse.decode(opened.withBytes { ByteString(copying: $0).bytes })
    }
}

/// What a log of uses says.
package struct UseLogContent: Sendable {
    /// The log's file, for messages.
    package let path: String
    /// The entries, the oldest first.
    package private(set) var uses: [LoggedUse] = []
    /// The number of records that do not authenticate.
    package private(set) var damaged = 0
    /// The number of places where records are missing, were moved, or came twice.
    package private(set) var gaps = 0
    /// Whether the last record is incomplete, because a program was interrupted while it wrote.
    package private(set) var endsInTheMiddle = false

    /// The nonce of the record read last.
    private var last: [UInt8]?

    init(path: String) {
        self.path = path
    }

    /// Whether all records are there, as far as that can be known.
    package var isWhole: Bool { damaged == 0 && gaps == 0 }

    /// Reads the records of a file.
    ///
    /// - Parameter first: What the first record has to name if it follows no other one; nil if that is
    ///   unknown.
    mutating func add(_ bytes: [UInt8], _ key: borrowing Secret, expects first: [UInt8]?) {
        let size = UseLogFile.recordSize
        endsInTheMiddle = bytes.count % size != 0
        for start in stride(from: 0, to: bytes.count - bytes.count % size, by: size) {
            let record = Array(bytes[start..<start + size])
            let expected = last ?? first
            last = Array(record.prefix(UseLogFile.nonceSize))
            guard let (link, use) = try? UseLog.open(record, key) else {
                damaged += 1
                continue
            }
            if let expected, link != expected {
                gaps += 1
            }
            uses.append(use)
        }
    }
}
