internal import LanyardSecrets

/// For each device, the number of its last change that is known.
package struct VersionVector: Hashable, Sendable {
    private struct Entry: Hashable {
        let device: Identifier
        var counter: UInt64
    }

    /// Ordered by device. A team of a thousand devices reads and compares a thousand vectors of a thousand
    /// entries: a dictionary takes ten times as long.
    private var entries: [Entry] = []

    private static let entrySize = Identifier.size + MemoryLayout<UInt64>.size

    /// Creates a vector that knows no change.
    package init() {}

    /// The number of a device's last known change, 0 if none.
    package subscript(device: Identifier) -> UInt64 {
        get {
            let index = index(of: device)
            return index < entries.count && entries[index].device == device
                ? entries[index].counter : 0
        }
        set {
            let index = index(of: device)
            let isThere = index < entries.count && entries[index].device == device
            switch (isThere, newValue) {
            case (true, 0): entries.remove(at: index)
            case (true, _): entries[index].counter = newValue
            case (false, 0): break
            case (false, _): entries.insert(Entry(device: device, counter: newValue), at: index)
            }
        }
    }

    /// Returns the index of a device, or where it would be.
    private func index(of device: Identifier) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].device < device {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }

    /// The devices whose changes are known, in order.
    package var devices: some Collection<Identifier> { entries.lazy.map({ $0.device }) }

    /// Calls a function with each device whose number differs, and both numbers.
    func forEachDifference(
        from other: VersionVector, _ body: (Identifier, _ own: UInt64, _ other: UInt64) -> Void
    ) {
        var (left, right) = (0, 0)
        while left < entries.count || right < other.entries.count {
            let own = left < entries.count ? entries[left] : nil
            let others = right < other.entries.count ? other.entries[right] : nil
            if let own, others.map({ own.device < $0.device }) ?? true {
                body(own.device, own.counter, 0)
                left += 1
            } else if let others, own.map({ others.device < $0.device }) ?? true {
                body(others.device, 0, others.counter)
                right += 1
            } else if let own, let others {
                if own.counter != others.counter {
                    body(own.device, own.counter, others.counter)
                }
                left += 1
                right += 1
            }
        }
    }

    /// Whether it knows everything that another one knows.
    func covers(_ other: VersionVector) -> Bool {
        var index = 0
        for entry in other.entries {
            while index < entries.count, entries[index].device < entry.device {
                index += 1
            }
            guard index < entries.count, entries[index].device == entry.device,
                entries[index].counter >= entry.counter
            else {
                return false
            }
        }
        return true
    }

    /// Forgets of each device the changes that another vector does not know.
    mutating func limit(to other: VersionVector) {
        guard !other.covers(self) else {
            return
        }
        entries = entries.compactMap { entry in
            let counter = min(entry.counter, other[entry.device])
            return counter > 0 ? Entry(device: entry.device, counter: counter) : nil
        }
    }

    /// Takes the higher number for each device.
    package mutating func merge(_ other: VersionVector) {
        guard !covers(other) else {
            return
        }
        var merged = VersionVector()
        merged.entries.reserveCapacity(max(entries.count, other.entries.count))
        var index = 0
        for entry in entries {
            while index < other.entries.count, other.entries[index].device < entry.device {
                merged.entries.append(other.entries[index])
                index += 1
            }
            var entry = entry
            if index < other.entries.count, other.entries[index].device == entry.device {
                entry.counter = max(entry.counter, other.entries[index].counter)
                index += 1
            }
            merged.entries.append(entry)
        }
        merged.entries += other.entries[index...]
        self = merged
    }

    /// The size of its stored form in bytes.
    var size: Int { MemoryLayout<UInt32>.size + entries.count * VersionVector.entrySize }

    /// Appends the number of devices (4 bytes), then each device and its number, ordered by device.
    func append(to writer: inout ByteWriter) {
        writer.number(UInt32(entries.count))
        for entry in entries {
            entry.device.append(to: &writer)
            writer.number(entry.counter)
        }
    }

    /// Reads a vector.
    ///
    /// - Throws: ``Status/decode`` for anything that ``append(to:)`` does not write.
    init(reading reader: inout ByteReader) throws(KeychainError) {
        let count = Int(try reader.number(UInt32.self))
        // Whoever wrote it may claim any count: what is not there is not reserved.
        entries.reserveCapacity(min(count, reader.remaining / VersionVector.entrySize))
        for _ in 0..<count {
            let device = try Identifier(reading: &reader)
            let counter = try reader.number(UInt64.self)
            if let last = entries.last, last.device >= device {
                throw KeychainError(.decode)
            }
            guard counter > 0, counter < SyncLimits.number else {
                throw KeychainError(.decode)
            }
            entries.append(Entry(device: device, counter: counter))
        }
    }
}
