internal import LanyardCryptography
internal import LanyardSecrets

/// What authenticates the rows of a replica: for each part of them the sum of their digests, and for each kind the number
/// of rows.
///
/// Rows with similar keys make a part: a few rows are compared before one of them is used. Keys are random or digests. A
/// member who chooses those of records can make parts large, and an exchange as slow as if all rows were
/// read.
struct RowSets {
    /// A part of the rows of a kind.
    struct Part: Hashable {
        let kind: SealedRows.Kind
        /// The first bits of the keys.
        let number: UInt16

        /// Creates the part that has a key.
        init(of kind: SealedRows.Kind, _ key: [UInt8]) {
            let first = UInt16(key.first ?? 0) << 8 | UInt16(key.count > 1 ? key[1] : 0)
            self.init(of: kind, number: RowSets.isDivided(kind) ? first >> Part.shift : 0)
        }

        fileprivate init(of kind: SealedRows.Kind, number: UInt16) {
            self.kind = kind
            self.number = number
        }

        private static let shift = 16 - RowSets.bits

        /// The first key of the part, and the first one behind it, if there is one.
        var keys: (first: [UInt8], end: [UInt8]?) {
            guard RowSets.isDivided(kind) else {
                return ([], nil)
            }
            return (
                Part.bound(number),
                number + 1 < 1 << RowSets.bits ? Part.bound(number + 1) : nil
            )
        }

        /// A key may be shorter than two bytes: then it has no zeros at its end.
        private static func bound(_ number: UInt16) -> [UInt8] {
            var bytes = (number << shift).bigEndianBytes
            while bytes.last == 0 {
                bytes.removeLast()
            }
            return bytes
        }
    }

    private static let bits = 10

    /// Whether there are as many rows of a kind as items.
    private static func isDivided(_ kind: SealedRows.Kind) -> Bool {
        switch kind {
        case .item, .content, .shown, .named: true
        case .replica, .rosterEntry, .head, .keychain, .unread, .unshown, .given, .noted: false
        }
    }

    private var sums: [Part: DigestSum] = [:]
    private var counts: [SealedRows.Kind: Int] = [:]

    /// Creates the sets of no rows.
    init() {}

    func sum(of part: Part) -> DigestSum { sums[part] ?? DigestSum() }
    func count(of kind: SealedRows.Kind) -> Int { counts[kind] ?? 0 }

    mutating func add(_ digest: InlineArray<32, UInt8>, _ part: Part) {
        sums[part, default: DigestSum()].add(digest)
        counts[part.kind, default: 0] += 1
    }

    mutating func remove(_ digest: InlineArray<32, UInt8>, _ part: Part) {
        sums[part, default: DigestSum()].subtract(digest)
        counts[part.kind, default: 0] -= 1
    }

    mutating func removeAll(of kind: SealedRows.Kind) {
        sums = sums.filter { $0.key.kind != kind }
        counts[kind] = nil
    }

    /// Whether the rows of a kind are the same.
    func isEqual(to other: RowSets, in kind: SealedRows.Kind) -> Bool {
        func present(_ sums: [Part: DigestSum]) -> [Part: DigestSum] {
            sums.filter { $0.key.kind == kind && $0.value != DigestSum() }
        }
        return present(sums) == present(other.sums) && count(of: kind) == other.count(of: kind)
    }

    // MARK: The stored form

    /// The number of rows of each kind, and the sums of the parts that have any.
    var bytes: [UInt8] {
        var writer = ByteWriter()
        for kind in SealedRows.Kind.allCases {
            writer.number(UInt64(count(of: kind)))
        }
        let stored = sums.filter { $0.value != DigestSum() }
        writer.number(UInt32(stored.count))
        for (part, sum) in stored {
            writer.number(part.kind.rawValue)
            writer.number(part.number)
            sum.append(to: &writer)
        }
        return writer.bytes
    }

    /// - Throws: ``Status/decode`` for anything that ``bytes`` does not make.
    init(_ bytes: [UInt8]) throws(KeychainError) {
        var reader = ByteReader(bytes)
        for kind in SealedRows.Kind.allCases {
            counts[kind] = Int(clamping: try reader.number(UInt64.self))
        }
        let count: UInt32 = try reader.number()
        sums.reserveCapacity(Int(count))
        for _ in 0..<count {
            guard let kind = SealedRows.Kind(rawValue: try reader.number()) else {
                throw KeychainError(.decode)
            }
            let number: UInt16 = try reader.number()
            sums[Part(of: kind, number: number)] = try DigestSum(reading: &reader)
        }
        try reader.end()
    }
}
